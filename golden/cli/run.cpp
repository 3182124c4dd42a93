// SPDX-License-Identifier: MIT
// `wavetwin run`: one case on one backend, also with the user's own tensors in place of generated inputs.
#include "golden/harness/run.h"

#include <fmt/format.h>

#include <cstdio>

#include "golden/cases/registry.h"
#include "golden/cli/allow_option.h"
#include "golden/cli/command.h"
#include "golden/harness/check.h"
#include "golden/harness/model.h"
#include "golden/harness/registry.h"
#include "golden/harness/simulated_memory.h"
#include "golden/harness/table.h"
#include "golden/io/file.h"
#include "golden/io/safetensors.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string case_name, backend = "sim", output, save_inputs, golden;
  std::vector<std::string> inputs;
  bool nan_bits = false;
  RunOptionsParser run;
  AllowOption allow;
  CodeObjectOption code_objects;
};

void print_tensors(const char* title, const Tensors& tensors) {
  std::vector<std::vector<std::string>> cells = {{title, "dtype", "shape", "hash"}};
  for (const auto& [name, tensor] : tensors) {
    cells.push_back(
        {name, to_string(tensor.dtype), to_string(tensor.shape), to_string(hash128(tensor.data))});
  }
  fmt::print("{}\n", aligned(cells));
}

// Prints one judgement; gives 1 when something differs.
int report(const Judgement& judgement) {
  if (!judgement.text.empty()) fmt::print("{}\n", judgement.text);
  if (!judgement.report.empty()) fmt::print("{}", judgement.report);
  return judgement.agreement == Agreement::different ? kDifferent : kEqual;
}

std::unique_ptr<KernelCase> find_case(const std::string& name) {
  CaseList cases = select_cases(kernels(), name);
  if (cases.size() == 1) return std::move(cases.front());
  throw Error(fmt::format("'{}' names {} cases; `run` takes one (`wavetwin list {}` shows them)", name,
                          cases.size(), name));
}

Metadata metadata_of(const KernelCase& kernel_case, const Options& options, const CaseInputs& inputs,
                     const RunOptions& run_options) {
  return {{"case", kernel_case.name()},
          {"backend", options.backend},
          {"inputs_hash", to_string(inputs.hash)},
          {"inputs_replaced", fmt::format("{}", fmt::join(inputs.replaced, ","))},
          {"model", model_text(run_options)},
          {"evidence", wavetwin::to_string(evidence_under(run_options, kernel_case.evidence()))}};
}

int run(const Options& options) {
  const auto kernel_case = find_case(options.case_name);
  const auto backends = choose_backends({options.backend});
  Backend& backend = *backends.front();
  RunOptions run_options = options.run.options();
  options.allow.apply(run_options);
  options.code_objects.apply(run_options);
  std::vector<InputReplacement> replacements;
  for (const std::string& text : options.inputs) replacements.push_back(parse_replacement(text));
  if (const auto why = backend.unavailable()) {
    fmt::print(stderr, "wavetwin: {} is unavailable: {}\n", options.backend, *why);
    return kUnavailable;
  }
  if (!options.output.empty() && options.output == options.save_inputs)
    throw Error("--output and --save-inputs write the same file, " + options.output);
  for (const std::string& file : {options.output, options.save_inputs}) {
    if (!file.empty()) require_writable(file);  // before the run, not after it
  }
  const CaseInputs inputs = make_inputs(*kernel_case, replacements);
  for (const std::string& hint : inputs.hints) fmt::print(stderr, "hint: {}\n", hint);
  if (!options.save_inputs.empty()) write_safetensors(options.save_inputs, inputs.tensors);
  const RunResult result = run_case(*kernel_case, inputs.tensors, backend, run_options);
  if (!options.output.empty()) {
    write_safetensors(options.output, result.regions,
                      metadata_of(*kernel_case, options, inputs, run_options));
  }

  const Evidence evidence =
      result.device.empty() ? evidence_under(run_options, kernel_case->evidence()) : Evidence::measured;
  fmt::print("{} on {}, {:.2f} s, model {}, evidence {}\n\n", kernel_case->name(), options.backend,
             result.seconds, result.device.empty() ? model_text(run_options) : result.device,
             wavetwin::to_string(evidence));
  print_tensors("input", inputs.tensors);
  print_tensors("region", result.regions);
  int code = kEqual;
  for (const std::string& finding : result.findings) {
    fmt::print("finding: {}\n", finding);
    code = kDifferent;
  }
  if (const std::string allowed = allowed_text(result.allowed); !allowed.empty())
    fmt::print("{}\n", allowed);
  const Reference reference = kernel_case->reference(inputs.tensors, result.regions);
  code |= report(
      judge_against_oracle(*kernel_case, reference, options.backend, result.regions, options.nan_bits));
  GoldenStore store(existing_golden_directory_or(options.golden));
  const JudgeOptions judge{options.nan_bits, model_text(run_options)};
  code |= report(judge_against_golden(*kernel_case, store, inputs, options.backend, result.regions, judge));
  return code;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("run", "Run one case, also on your own tensors, and keep its outputs");
  command->add_option("case", options->case_name, "The case: gemv/wqkv-t6-model/0")->required();
  command->add_option("--backend", options->backend, "sim, isa or hip")->capture_default_str();
  command
      ->add_option("--input", options->inputs,
                   "Use a tensor of yours for an input (same dtype and shape); may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE.safetensors:TENSOR");
  command->add_option("--output", options->output, "Write outputs and intermediates here")
      ->type_name("FILE.safetensors");
  command->add_option("--save-inputs", options->save_inputs, "Write the inputs here")
      ->type_name("FILE.safetensors");
  command->add_flag("--nan-bits", options->nan_bits, "NaNs with another payload or sign are differences");
  add_golden_option(*command, options->golden);
  options->run.add_to(*command);
  options->allow.add_to(*command);
  options->code_objects.add_to(*command);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wavetwin::golden
