// SPDX-License-Identifier: MIT
// `wavetwin record`: makes goldens. Better sources stay, and a changed line needs a reason.
#include <fmt/format.h>

#include "golden/cases/registry.h"
#include "golden/cli/command.h"
#include "golden/cli/progress.h"
#include "golden/harness/goldens.h"
#include "golden/harness/judge.h"
#include "golden/harness/model.h"
#include "golden/harness/registry.h"
#include "golden/harness/run.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string pattern, backend = "sim", golden, full, reason;
  RunOptionsParser run;
};

// A run that has findings or leaves the oracle's bound is no golden.
Recording record_case(const KernelCase& kernel_case, Backend& backend, const RunOptions& run_options) {
  const CaseInputs inputs = make_inputs(kernel_case);
  const RunResult run = run_case(kernel_case, inputs.tensors, backend, run_options);
  if (!run.findings.empty())
    throw Error(fmt::format("{}: not recorded: {}", kernel_case.name(), run.findings.front()));
  const Reference reference = kernel_case.reference(inputs.tensors, run.regions);
  const Judgement judgement =
      judge_against_oracle(kernel_case, reference, backend.name(), run.regions, false);
  if (judgement.agreement == Agreement::different) {
    fmt::print("{}", judgement.report);
    throw Error(fmt::format("{}: not recorded: {}", kernel_case.name(), judgement.text));
  }
  const Source source = run.device.empty() ? Source::sim : Source::hardware;
  return make_recording(kernel_case, inputs, reference,
                        {&run, backend.name(), source, model_text(run_options)});
}

int record(const Options& options) {
  const CaseList cases = select_cases(kernels(), options.pattern);
  const auto backends = choose_backends({options.backend});
  Backend& backend = *backends.front();
  const RunOptions run_options = options.run.options();
  if (const auto why = backend.unavailable()) {
    fmt::print(stderr, "wavetwin: {} is unavailable: {}\n", options.backend, *why);
    return kUnavailable;
  }
  GoldenStore store(golden_directory_or(options.golden));
  ProgressLine progress(cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    progress.show(i + 1, cases[i]->name());
    const Recording recording = record_case(*cases[i], backend, run_options);
    store.record(recording, options.reason, has_label(*cases[i], "full"));
    if (!options.full.empty()) GoldenStore(options.full).write_tensors(recording);
  }
  progress.clear();
  const GoldenStore::Saved saved = store.save();
  fmt::print(
      "{} cases recorded from {}: {} manifest lines added, {} changed, {} kept; {} tensor files written\n",
      cases.size(), options.backend, saved.added, saved.changed, saved.kept, saved.files);
  return kEqual;
}

}  // namespace

void add_record(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("record", "Record goldens: hashes in the manifest, full tensors of some cases");
  command->add_option("pattern", options->pattern, "Cases: 'gemv/*', gemv/wqkv-t6-model/0, gemv")->required();
  command->add_option("--backend", options->backend, "Where the bits come from: sim, isa or hip")
      ->capture_default_str();
  command
      ->add_option("--full", options->full, "Also write the full tensors of every case below this directory")
      ->type_name("DIR");
  command->add_option("--reason", options->reason, "Why existing lines of the manifest change")
      ->type_name("TEXT");
  add_golden_option(*command, options->golden);
  options->run.add_to(*command);
  command->callback([options, &exit_code] { exit_code = record(*options); });
}

}  // namespace wavetwin::golden
