// SPDX-License-Identifier: MIT
// `wavetwin trace`: the executed instructions of one wave with the registers they changed.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "golden/cases/registry.h"
#include "golden/cli/command.h"
#include "golden/cli/execute_options.h"
#include "golden/cli/launch_run.h"
#include "golden/cli/layout_output.h"
#include "golden/cli/register_names.h"
#include "golden/cli/trace_banks.h"
#include "golden/cli/trace_printer.h"
#include "golden/harness/backend_isa.h"
#include "golden/harness/inputs.h"
#include "golden/harness/install.h"
#include "golden/harness/model.h"
#include "golden/harness/registry.h"
#include "golden/harness/run.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string what, from, registers, build;
  uint64_t workgroup = 0, count = 0;
  uint32_t wave = 0;
  bool banks = false;
  ExecuteOptionsParser execute;
  RunOptionsParser run;
  CodeObjectOption code_objects;
  LayoutOutputOptions output;
};

// The same, understood.
struct Wish {
  uint64_t workgroup;
  uint32_t wave;
  std::optional<uint64_t> from;
  std::set<std::string> registers;
};

// A launch that the wave may belong to.
struct Target {
  const isa::Executable& executable;
  const isa::KernelInfo& kernel;
  isa::LaunchShape shape;
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

// Why the wish cannot be met by this launch, or empty.
std::string problem_of(const Wish& wish, const Target& target) {
  const std::string& kernel = target.kernel.name;
  if (wish.workgroup >= target.shape.workgroups()) {
    return fmt::format("--workgroup {}: kernel '{}' runs {} workgroups, 0 to {}", wish.workgroup, kernel,
                       target.shape.workgroups(), target.shape.workgroups() - 1);
  }
  if (const uint32_t waves = target.shape.waves_of(wish.workgroup); wish.wave >= waves) {
    return fmt::format("--wave {}: workgroup {} of kernel '{}' has {} waves, 0 to {}", wish.wave,
                       wish.workgroup, kernel, waves, waves - 1);
  }
  const isa::Program& program = target.executable.program();
  if (wish.from && program.index_of(*wish.from) < 0) {
    return fmt::format(
        "--from {:x}: no instruction starts there (the code is at {:x} to {:x}, kernel '{}' at {:x})",
        *wish.from, program.base, program.base + program.bytes, kernel, target.kernel.entry_address);
  }
  for (const std::string& name : wish.registers) {
    const std::string problem = register_problem(name, target.kernel);
    if (!problem.empty()) return fmt::format("--regs {}: {}", name, problem);
  }
  return {};
}

// At least one launch must be able to show what is asked for.
void require_possible(const Wish& wish, const std::vector<Target>& targets) {
  std::string first;
  for (const Target& target : targets) {
    const std::string problem = problem_of(wish, target);
    if (problem.empty()) return;
    if (first.empty()) first = problem;
  }
  throw Error(first);
}

// The arithmetic, where it is not the usual one. Tables of banks keep standard output for themselves.
void name_model(const Options& options, const RunOptions& run) {
  const std::string model = model_text(run);
  if (model != model_text(RunOptions{})) fmt::print(options.banks ? stderr : stdout, "model {}\n", model);
}

void trace_launch(const Options& options, const Wish& wish, isa::TraceObserver& observer) {
  if (!options.build.empty() || options.code_objects.given())
    throw Error(std::string(options.build.empty() ? "--code-object" : "--build") +
                " goes with a case; a launch file names its code object");
  LaunchFile file = read_launch_file(options.what);
  options.execute.apply(file);
  PreparedLaunch launch(file);
  require_possible(wish, {{launch.executable(), launch.kernel(), launch.shape()}});
  const RunOptions run = options.run.options();
  isa::ExecuteOptions execute = options.execute.options(launch.kernel(), run);
  execute.observer = &observer;
  execute.traced_workgroup = wish.workgroup;
  execute.traced_wave = wish.wave;
  name_model(options, run);
  launch.run(execute);
}

void require_possible_in_case(const Wish& wish, const Program& program, const RunOptions& run) {
  std::map<std::string, std::unique_ptr<isa::Executable>> executables;
  std::vector<Target> targets;
  for (const Launch& launch : program.launches) {
    auto& executable = executables[launch.code_object];
    if (executable == nullptr) {
      const std::string path = code_object_file(launch.code_object, run).string();
      executable = std::make_unique<isa::Executable>(isa::CodeObject::load(path));
    }
    isa::LaunchShape shape;
    shape.grid = launch.grid;
    shape.block = launch.block;
    targets.push_back({*executable, executable->object().kernel(launch.symbol), shape});
  }
  require_possible(wish, targets);
}

void trace_case(const Options& options, const Wish& wish, isa::TraceObserver& observer) {
  if (options.execute.given())
    throw Error("--grid, --grid-items, --block, --mode, --quantum and --register-seed go with a launch file");
  CaseList cases = select_cases(kernels(), options.what);
  if (cases.size() != 1) {
    throw Error(fmt::format("'{}' names {} cases; `trace` takes one", options.what, cases.size()));
  }
  RunOptions run = options.run.options();
  run.build = options.build;
  options.code_objects.apply(run);
  const Tensors inputs = make_inputs(*cases.front(), {}).tensors;
  require_possible_in_case(wish, cases.front()->program(inputs), run);
  const auto backend = make_traced_isa_backend({&observer, wish.workgroup, wish.wave});
  name_model(options, run);
  run_case(*cases.front(), inputs, *backend, run);
}

void print_banks(const Options& options, const LayoutOutput& output, const BankTrace& banks) {
  const std::string title =
      fmt::format("{}, workgroup {}, wave {}", options.what, options.workgroup, options.wave);
  const std::vector<BankAccess> accesses = banks.accesses();
  if (output.draws() && accesses.empty())
    throw Error(fmt::format("{} accesses no LDS that the bank model knows: nothing to draw", title));
  if (!output.svg.empty()) output.write(output.svg, bank_picture(accesses));
  if (!output.html.empty()) output.write(output.html, bank_page(title, accesses));
  if (!output.draws()) output.print(bank_report(accesses, banks.uncounted()));
}

int trace(const Options& options) {
  const LayoutOutput output = options.output.output();
  if (options.output.given() && !options.banks)
    throw Error("--csv, --markdown, --json, --svg and --html go with --banks");
  Wish wish{options.workgroup, options.wave, parse_pc(options.from), {}};
  if (!options.registers.empty()) wish.registers = parse_registers(options.registers);
  if (options.banks && (!options.from.empty() || options.count != 0 || !options.registers.empty()))
    throw Error("--banks counts the whole wave: it excludes --from, --count and --regs");
  TracePrinter printer(wish.from, options.count, wish.registers);
  BankTrace banks;
  isa::TraceObserver& observer = options.banks ? static_cast<isa::TraceObserver&>(banks) : printer;
  if (options.what.ends_with(".json")) {
    trace_launch(options, wish, observer);
  } else {
    trace_case(options, wish, observer);
  }
  if ((options.banks ? banks.executed() : printer.printed()) == 0) {
    throw Error(fmt::format("wave {} of workgroup {} executed nothing{}", options.wave, options.workgroup,
                            wish.from ? fmt::format(" at {:x}", *wish.from) : ""));
  }
  if (options.banks) print_banks(options, output, banks);
  return kEqual;
}

}  // namespace

void add_trace(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("trace", "Show what one wave of the machine code executes");
  command->add_option("what", options->what, "LAUNCH.json or a case: gemv/masked-t1-model/0")->required();
  command->add_option("--workgroup", options->workgroup, "Workgroup id")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--wave", options->wave, "Wave of the workgroup")
      ->check(whole_number())
      ->capture_default_str();
  command->add_option("--from", options->from, "Start at the first instruction with this address")
      ->type_name("PC");
  command->add_option("--count", options->count, "Stop printing after so many instructions (0: never)")
      ->check(whole_number());
  command->add_option("--regs", options->registers, "Show only these registers: v0,v4-v7,s[4:5],vcc,scc");
  command->add_flag(
      "--banks", options->banks,
      "Instead: the LDS bank conflicts of the wave's reads, writes and atomics, by instruction");
  options->output.add_to(*command);
  command->add_option("--build", options->build, "Code object of a case: .O0 or .O1")->type_name("SUFFIX");
  options->execute.add_to(*command);
  options->run.add_to(*command);
  options->code_objects.add_to(*command);
  command->callback([options, &exit_code] { exit_code = trace(*options); });
}

}  // namespace wavetwin::golden
