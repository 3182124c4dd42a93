// SPDX-License-Identifier: MIT
// `wavetwin trace`: the executed instructions of one wave with the registers they changed.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>

#include "golden/cases/registry.h"
#include "golden/cli/command.h"
#include "golden/cli/launch_run.h"
#include "golden/harness/backend_isa.h"
#include "golden/harness/inputs.h"
#include "golden/harness/registry.h"
#include "golden/harness/run.h"
#include "golden/harness/simulated_memory.h"
#include "sim/core/error.h"
#include "sim/isa/disassemble.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string what, from, registers, build;
  uint64_t workgroup = 0, count = 0;
  uint32_t wave = 0;
  RunOptionsParser run;
};

// Prints what changed. A lane that was inactive is shown in parentheses.
class Printer : public isa::TraceObserver {
 public:
  Printer(std::optional<uint64_t> from, uint64_t count, std::set<std::string> registers)
      : from_(from), count_(count), registers_(std::move(registers)) {}

  void begin(const isa::WaveState& state, const isa::Instruction& in) override {
    printing_ = printing_ || !from_ || in.pc == *from_;
    if (!printing_ || done()) return;
    vgprs_.assign(state.vgprs, state.vgprs + size_t{state.vgpr_count} * isa::kLanes);
    agprs_.assign(state.agprs, state.agprs + size_t{state.agpr_count} * isa::kLanes);
    scalar_ = state.scalar;
    scc_ = state.scc;
    mode_ = state.mode.bits;
  }

  void end(const isa::WaveState& state, const isa::Instruction& in) override {
    if (!printing_ || done()) return;
    ++printed_;
    fmt::print("{:>8x}: {}\n", in.pc, isa::disassemble(in));
    const uint64_t exec = uint64_t{scalar_[isa::kExecLo + 1]} << 32 | scalar_[isa::kExecLo];
    print_scalars(state);
    print_rows('v', vgprs_, state.vgprs, exec);
    print_rows('a', agprs_, state.agprs, exec);
  }

  uint64_t printed() const { return printed_; }

 private:
  bool done() const { return count_ != 0 && printed_ >= count_; }
  bool wanted(const std::string& name) const { return registers_.empty() || registers_.contains(name); }

  static std::string scalar_name(unsigned code) {
    switch (code) {
      case 102:
        return "flat_scratch_lo";
      case 103:
        return "flat_scratch_hi";
      case 106:
        return "vcc_lo";
      case 107:
        return "vcc_hi";
      case 124:
        return "m0";
      case 126:
        return "exec_lo";
      case 127:
        return "exec_hi";
      default:
        return code < isa::kSgprCount ? fmt::format("s{}", code) : fmt::format("scalar{}", code);
    }
  }

  void print_scalars(const isa::WaveState& state) const {
    std::string line;
    for (unsigned code = 0; code < isa::kScalarFileSize; ++code) {
      if (state.scalar[code] == scalar_[code] || !wanted(scalar_name(code))) continue;
      line += fmt::format(" {}={:08x}", scalar_name(code), state.scalar[code]);
    }
    if (state.scc != scc_ && wanted("scc")) line += fmt::format(" scc={}", state.scc ? 1 : 0);
    if (state.mode.bits != mode_ && wanted("mode")) line += fmt::format(" mode={:08x}", state.mode.bits);
    if (!line.empty()) fmt::print("         {}\n", line);
  }

  void print_rows(char file, const std::vector<uint32_t>& before, const uint32_t* after,
                  uint64_t exec) const {
    for (size_t row = 0; row < before.size() / isa::kLanes; ++row) {
      const uint32_t* now = after + row * isa::kLanes;
      if (std::memcmp(before.data() + row * isa::kLanes, now, isa::kLanes * 4) == 0) continue;
      const std::string name = fmt::format("{}{}", file, row);
      if (wanted(name)) print_row(name, now, exec);
    }
  }

  static void print_row(const std::string& name, const uint32_t* now, uint64_t exec) {
    if (exec == ~uint64_t{0} &&
        std::all_of(now, now + isa::kLanes, [&](uint32_t v) { return v == now[0]; })) {
      fmt::print("          {}={:08x} in every lane\n", name, now[0]);
      return;
    }
    for (unsigned lane = 0; lane < isa::kLanes; lane += 8) {
      std::string line = fmt::format("          {:>4} lane {:>2}:", lane == 0 ? name : "", lane);
      for (unsigned l = lane; l < lane + 8; ++l) {
        line += exec >> l & 1 ? fmt::format("  {:08x} ", now[l]) : fmt::format(" ({:08x})", now[l]);
      }
      fmt::print("{}\n", line);
    }
  }

  std::optional<uint64_t> from_;
  uint64_t count_;
  std::set<std::string> registers_;
  bool printing_ = false;
  uint64_t printed_ = 0;
  std::vector<uint32_t> vgprs_, agprs_;
  std::array<uint32_t, isa::kScalarFileSize> scalar_{};
  bool scc_ = false;
  uint32_t mode_ = 0;
};

std::optional<uint64_t> parse_pc(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const size_t skip = text.starts_with("0x") ? 2 : 0;
  uint64_t pc = 0;
  const auto [end, error] = std::from_chars(text.data() + skip, text.data() + text.size(), pc, 16);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error("--from " + text + ": an address in hexadecimal, as `wavetwin disasm` shows it");
  }
  return pc;
}

std::set<std::string> parse_registers(const std::string& text) {
  std::set<std::string> names;
  for (size_t at = 0; at < text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) names.insert(text.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

void trace_launch(const Options& options, Printer& printer) {
  PreparedLaunch launch(read_launch_file(options.what));
  const RunOptions run = options.run.options();
  isa::ExecuteOptions execute;
  execute.dispatch = dispatch_options(run);
  execute.mfma_model = &run.model;
  execute.observer = &printer;
  execute.traced_workgroup = options.workgroup;
  execute.traced_wave = options.wave;
  launch.run(execute);
}

void trace_case(const Options& options, Printer& printer) {
  CaseList cases = select_cases(kernels(), options.what);
  if (cases.size() != 1) {
    throw Error(fmt::format("'{}' names {} cases; `trace` takes one", options.what, cases.size()));
  }
  RunOptions run = options.run.options();
  run.build = options.build;
  const auto backend = make_traced_isa_backend({&printer, options.workgroup, options.wave});
  run_case(*cases.front(), make_inputs(*cases.front(), {}).tensors, *backend, run);
}

int trace(const Options& options) {
  Printer printer(parse_pc(options.from), options.count, parse_registers(options.registers));
  if (options.what.ends_with(".json")) {
    trace_launch(options, printer);
  } else {
    trace_case(options, printer);
  }
  if (printer.printed() == 0) {
    throw Error(
        fmt::format("wave {} of workgroup {} executed nothing there", options.wave, options.workgroup));
  }
  return kEqual;
}

}  // namespace

void add_trace(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("trace", "Show what one wave of the machine code executes");
  command->add_option("what", options->what, "LAUNCH.json or a case: gemv/masked-t1-model/0")->required();
  command->add_option("--workgroup", options->workgroup, "Workgroup id")->capture_default_str();
  command->add_option("--wave", options->wave, "Wave of the workgroup")->capture_default_str();
  command->add_option("--from", options->from, "Start at the first instruction with this address")
      ->type_name("PC");
  command->add_option("--count", options->count, "Stop printing after so many instructions (0: never)");
  command->add_option("--regs", options->registers, "Show only these registers: v0,v1,s4,vcc_lo,scc");
  command->add_option("--build", options->build, "Code object of a case: .O0 or .O1")->type_name("SUFFIX");
  options->run.add_to(*command);
  command->callback([options, &exit_code] { exit_code = trace(*options); });
}

}  // namespace wavetwin::golden
