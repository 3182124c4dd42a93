// SPDX-License-Identifier: MIT
// `wavetwin exec`: run any kernel of any gfx950 code object.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "golden/cli/allow_option.h"
#include "golden/cli/command.h"
#include "golden/cli/execute_options.h"
#include "golden/cli/kernel_evidence.h"
#include "golden/cli/launch_run.h"
#include "golden/cli/unchecked_note.h"
#include "golden/harness/compare.h"
#include "golden/harness/explain.h"
#include "golden/harness/inputs.h"
#include "golden/harness/model.h"
#include "golden/harness/simulated_memory.h"
#include "golden/io/array_file.h"
#include "golden/io/json_text.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string launch, template_of, kernel;
  std::vector<std::string> expectations;
  bool json = false, nan_bits = false;
  ExecuteOptionsParser execute;
  RunOptionsParser run;
  AllowOption allow;
};

// --- exec --template

// A buffer for each pointer, a zero for each number; sizes are for the user to fill in.
LaunchFile template_of(const isa::CodeObject& object, const std::string& kernel_name,
                       const std::string& path) {
  std::filesystem::path beside = path;
  const auto triton = read_triton_metadata(beside.replace_extension(".json"));
  const isa::KernelInfo& kernel = object.kernel(kernel_name.empty() && triton ? triton->name : kernel_name);
  LaunchFile launch;
  launch.code_object = path;
  launch.kernel = kernel.name;
  launch.block = {std::min(256u, kernel.metadata.max_flat_workgroup_size), 1, 1};
  if (kernel.metadata.required_workgroup_size) launch.block = *kernel.metadata.required_workgroup_size;
  if (triton) {
    launch.block = {triton->threads, 1, 1};
    launch.dynamic_lds = triton->shared;
  }
  if (!kernel.has_metadata) {
    launch.kernarg_bytes = kernel.kernarg_size();
    return launch;
  }
  size_t number = 0;
  for (const isa::KernelArgumentInfo& argument : kernel.metadata.arguments) {
    if (argument.hidden()) continue;
    LaunchValue value;
    const std::string name = argument.name.empty() ? fmt::format("arg{}", number) : argument.name;
    ++number;
    if (argument.kind == "dynamic_shared_pointer") {
      value.integer = kernel.descriptor.group_segment_fixed_size;  // dynamic LDS starts behind the static
      value.bytes.assign(argument.size, 0);
    } else if (argument.pointer()) {
      value.buffer.emplace();
      value.buffer->name = name;
      value.buffer->bytes = 4096;
    } else {
      value.bytes.assign(argument.size, 0);
      if (argument.size == 4 || argument.size == 8) value.integer = 0;
    }
    launch.arguments.push_back(std::move(value));
  }
  return launch;
}

// --- exec launch.json

// o=ref.safetensors:o
struct Expectation {
  std::string buffer, file;
  Tensor wanted;
};

// Read and checked before the run: what cannot be compared is not worth running for.
std::vector<Expectation> read_expectations(const Options& options, const PreparedLaunch& launch) {
  std::vector<Expectation> expectations;
  for (const std::string& text : options.expectations) {
    const NamedFile named = parse_named_file("--expect", text, "BUFFER=FILE");
    Expectation e{named.name, named.file, {}};
    e.wanted = read_array(e.file, {});
    if (e.wanted.elements() == 0) throw Error("--expect " + text + ": there is no element to compare");
    try {
      launch.require_type(e.buffer, e.wanted.dtype, e.wanted.shape);
    } catch (const Error& error) {
      throw Error("--expect " + text + ": " + error.what());
    }
    expectations.push_back(std::move(e));
  }
  return expectations;
}

// True when the buffer holds what the file says. Reports go to `out`.
bool meets(const PreparedLaunch& launch, const Expectation& expectation, bool nan_bits, std::FILE* out) {
  const Tensor& wanted = expectation.wanted;
  const Tensor got = launch.contents_as(expectation.buffer, wanted.dtype, wanted.shape);
  const CompareResult result = compare(got, wanted, {Comparison::automatic, nan_bits, nullptr});
  if (result.equal()) {
    fmt::print(out, "{}: {} elements equal to {}\n", expectation.buffer, result.compared, expectation.file);
    return true;
  }
  fmt::print(out, "{}",
             mismatch_report({launch.kernel().name, expectation.buffer, "isa", expectation.file}, got, result,
                             nullptr));
  fmt::print(out, "{}", explain_result(expectation.buffer, wanted, got));
  return false;
}

void print_report(const Options& options, const PreparedLaunch& launch, const RunOptions& run,
                  const isa::ExecuteReport& report, uint64_t allowed, double seconds) {
  using Kind = isa::InstructionKind;
  const std::string& name = launch.kernel().name;
  const double mips = static_cast<double>(report.instructions()) / seconds / 1e6;
  const KernelEvidence evidence = kernel_evidence(launch.executable(), launch.kernel(), run);
  const std::string level = wavetwin::to_string(evidence.level);
  if (options.json) {
    fmt::print("{}\n", json_line({{"kernel", name},
                                  {"instructions", report.instructions()},
                                  {"vector", report.of(Kind::vector)},
                                  {"mfmas", report.of(Kind::mfma)},
                                  {"scalar", report.of(Kind::scalar) + report.of(Kind::scalar_memory)},
                                  {"memory", report.of(Kind::memory)},
                                  {"lds", report.of(Kind::lds)},
                                  {"rounds", report.dispatch.rounds},
                                  {"findings", report.dispatch.findings.total() - allowed},
                                  {"allowed", allowed},
                                  {"seconds", seconds},
                                  {"mips", mips},
                                  {"model", model_text(run)},
                                  {"evidence", level},
                                  {"weakest", evidence.instruction}}));
    return;
  }
  fmt::print(
      "{}: {} instructions ({} vector, {} MFMA, {} memory, {} LDS), {} rounds, {:.3f} s, {:.1f} MIPS\n", name,
      report.instructions(), report.of(Kind::vector), report.of(Kind::mfma), report.of(Kind::memory),
      report.of(Kind::lds), report.dispatch.rounds, seconds, mips);
  fmt::print("model {}, evidence {}{}\n", model_text(run), level,
             evidence.instruction.empty() ? "" : fmt::format(" ({})", evidence.instruction));
}

// What kernels print, as it comes: to standard output as on a device, unless --json keeps that for itself.
std::FILE* file_of(const Options& options, isa::HostStream stream) {
  return stream == isa::HostStream::out && !options.json ? stdout : stderr;
}

isa::HostOutput output_of(const Options& options) {
  return [&options](const isa::HostText& printed) {
    std::FILE* to = file_of(options, printed.stream);
    std::fwrite(printed.text.data(), 1, printed.text.size(), to);
    std::fflush(to);
  };
}

// The report begins a line, whatever the kernel wrote last.
void end_line(const Options& options, const std::vector<isa::HostText>& printed) {
  const auto last = std::find_if(printed.rbegin(), printed.rend(), [&](const isa::HostText& text) {
    return !text.text.empty() && file_of(options, text.stream) == stdout;
  });
  if (last != printed.rend() && last->text.back() != '\n') std::fputc('\n', stdout);
}

int exec(const Options& options) {
  if (!options.template_of.empty() && !options.launch.empty())
    throw Error("exec: " + options.launch + " and --template: one of them");
  if (!options.launch.empty() && !options.kernel.empty())
    throw Error("exec: --kernel goes with --template; " + options.launch + " names its kernel");
  if (!options.template_of.empty()) {
    const auto object = isa::CodeObject::load(options.template_of);
    LaunchFile launch = template_of(object, options.kernel, options.template_of);
    options.execute.apply(launch);
    fmt::print("{}", launch_file_text(launch));
    return kEqual;
  }
  if (options.launch.empty()) throw Error("exec: a launch file or --template FILE.co is expected");
  LaunchFile file = read_launch_file(options.launch);
  options.execute.apply(file);
  PreparedLaunch launch(file);
  note_unchecked(launch.executable().object());
  launch.require_writable_outputs();
  const std::vector<Expectation> expectations = read_expectations(options, launch);
  RunOptions run = options.run.options();
  options.allow.apply(run);
  const auto start = std::chrono::steady_clock::now();
  isa::ExecuteOptions execute = options.execute.options(launch.kernel(), run);
  execute.output = output_of(options);
  const isa::ExecuteReport report = launch.run(execute);
  end_line(options, report.printed);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  launch.write_outputs();
  std::vector<std::string> findings;
  FindingCounts allowed{};
  append_findings(report.dispatch.findings, run.allowed, findings, allowed);
  for (const std::string& finding : findings) fmt::print(stderr, "finding: {}\n", finding);
  if (const std::string text = allowed_text(allowed); !text.empty()) fmt::print(stderr, "{}\n", text);
  print_report(options, launch, run, report, std::accumulate(allowed.begin(), allowed.end(), uint64_t{0}),
               seconds);
  bool equal = true;
  std::FILE* out = options.json ? stderr : stdout;  // --json keeps standard output for itself
  for (const Expectation& expectation : expectations)
    equal &= meets(launch, expectation, options.nan_bits, out);
  // A race or a read of bytes nobody wrote is a kernel bug even where the words happen to be right.
  return equal && findings.empty() ? kEqual : kDifferent;
}

constexpr const char* kLaunchHelp =
    "LAUNCH.json (`exec --template FILE.co` writes one):\n"
    "  {\"code_object\": \"k.co\", \"kernel\": \"name\", \"grid\": [x,y,z] in workgroups, \"block\": "
    "[x,y,z],\n"
    "   (or \"grid_items\": [x,y,z] in work-items; the last workgroup of an axis may be partial)\n"
    "   \"dynamic_lds\": 0, \"args\": [value, ...], \"outputs\": {\"o\": \"o.bin\"}}\n"
    "  value: 5 | {\"i32\": 5} (u32, i64, u64, f16, bf16, f32, f64) | {\"bytes\": \"hex\"} | buffer;\n"
    "         a whole number where a pointer is expected is an address (0: null)\n"
    "  buffer: {\"buffer\": \"a\", \"bytes\": 4096, \"file\": \"a.bin\" or \"fill\": \"zero\" | \"poison\", "
    "\"address\": N,\n"
    "          \"dtype\": \"F32\", \"shape\": [32,32]} (then \"bytes\" may be left out); the same name is "
    "the same\n"
    "          memory, \"address\" is added to its own\n"
    "  files: raw bytes, f.safetensors:tensor, f.npy, f.bin with f.meta beside it; outputs: raw or "
    "safetensors\n"
    "  \"kernarg\": {\"bytes\": 384, \"fields\": [{\"offset\": 0, value}, ...]} in place of args: a raw "
    "block, the rest\n"
    "          is zero; hidden arguments behind it are filled\n";

}  // namespace

void add_exec(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("exec", "Run any kernel of a gfx950 code object");
  command->add_option("launch", options->launch,
                      "LAUNCH.json: code object, kernel, grid, block, arguments, outputs");
  command->add_option("--template", options->template_of, "Print a launch file for this code object and stop")
      ->type_name("FILE.co");
  command->add_option("--kernel", options->kernel, "Which kernel --template is for");
  command->add_option("--expect", options->expectations, "Compare a buffer with an array; may be repeated")
      ->allow_extra_args(false)
      ->type_name("BUFFER=FILE.safetensors:TENSOR");
  command->add_flag("--json", options->json, "Print the counts as one JSON object");
  command->add_flag("--nan-bits", options->nan_bits, "NaNs with another payload or sign are differences");
  options->execute.add_to(*command);
  options->run.add_to(*command);
  options->allow.add_to(*command);
  command->footer(kLaunchHelp);
  command->callback([options, &exit_code] { exit_code = exec(*options); });
}

}  // namespace wavetwin::golden
