// SPDX-License-Identifier: MIT
// `wavetwin check`: cases on every backend, compared with each other, the oracle and the goldens.
#include "golden/harness/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "golden/cases/registry.h"
#include "golden/cli/allow_option.h"
#include "golden/cli/command.h"
#include "golden/cli/progress.h"
#include "golden/harness/model.h"
#include "golden/harness/registry.h"
#include "golden/harness/table.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::vector<std::string> patterns;
  std::vector<std::string> backends, labels, not_labels, inputs;
  std::string golden;
  bool json = false, nan_bits = false;
  double explain_seconds = CheckOptions{}.explain_seconds;
  RunOptionsParser run;
  AllowOption allow;
  CodeObjectOption code_objects;
};

bool wanted(const KernelCase& kernel_case, const Options& options) {
  const auto has = [&](const std::string& label) { return has_label(kernel_case, label); };
  const bool any = options.labels.empty() || std::any_of(options.labels.begin(), options.labels.end(), has);
  return any && std::none_of(options.not_labels.begin(), options.not_labels.end(), has);
}

CaseList select(const Options& options) {
  CaseList cases;
  const std::vector<std::string> everything = {"*"};
  for (const std::string& pattern : options.patterns.empty() ? everything : options.patterns) {
    for (auto& kernel_case : select_cases(kernels(), pattern)) {
      const bool known = std::any_of(cases.begin(), cases.end(),
                                     [&](const auto& other) { return other->name() == kernel_case->name(); });
      if (!known && wanted(*kernel_case, options)) cases.push_back(std::move(kernel_case));
    }
  }
  if (cases.empty()) throw Error("no selected case has the wanted labels");
  return cases;
}

// JSON lines and mismatch reports appear while the rest still runs; the table comes at the end.
void print_rows(const Options& options, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (options.json) fmt::print("{}\n", row_json(row));
    if (!row.report.empty()) fmt::print(options.json ? stderr : stdout, "{}\n", row.report);
  }
  std::fflush(stdout);
}

int check(const Options& options) {
  const CaseList cases = select(options);
  const auto backends = choose_backends(options.backends);
  GoldenStore store(existing_golden_directory_or(options.golden));
  CheckOptions check_options{options.run.options(), options.nan_bits, {}, options.explain_seconds};
  options.allow.apply(check_options.run);
  options.code_objects.apply(check_options.run);
  for (const std::string& text : options.inputs) check_options.inputs.push_back(parse_replacement(text));
  if (!options.inputs.empty() && cases.size() != 1) {
    throw Error(fmt::format("--input goes with one case, not {}", cases.size()));
  }
  std::vector<Row> all;
  ProgressLine progress(cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto rows = check_case(
        *cases[i], backends, store, check_options,
        [&](const auto& name, const auto& backend) { progress.show(i + 1, name + " on " + backend); });
    progress.clear();
    print_rows(options, rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  if (!options.json) fmt::print("{}model: {}\n", table_text(all), model_text(check_options.run));
  return exit_code(all);
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "check", "Run cases on every backend and compare: with each other, the oracle and the goldens");
  command->add_option("pattern", options->patterns,
                      "Cases: 'gemv/*', gemv/wqkv-t6-model/0, gemv (default: all)");
  command
      ->add_option("--backend", options->backends,
                   "Backends to run, separated by commas (default: all built)")
      ->allow_extra_args(false)
      ->delimiter(',');
  command
      ->add_option("--label", options->labels,
                   "Only cases with one of these labels (see `wavetwin list gemv`)")
      ->allow_extra_args(false)
      ->delimiter(',');
  command->add_option("--not-label", options->not_labels, "No cases with one of these labels")
      ->allow_extra_args(false)
      ->delimiter(',');
  command
      ->add_option("--input", options->inputs,
                   "Use a tensor of yours for an input of the one case; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE.safetensors:TENSOR");
  command->add_flag("--json", options->json, "One JSON object a line for each case and backend");
  command->add_flag("--nan-bits", options->nan_bits, "NaNs with another payload or sign are differences");
  command
      ->add_option(
          "--explain", options->explain_seconds,
          "How long to look for a layout mistake that explains a difference; 0: not at all (default: 10)")
      ->check(CLI::Range(0.0, 86400.0))
      ->type_name("SECONDS");
  add_golden_option(*command, options->golden);
  options->run.add_to(*command);
  options->allow.add_to(*command);
  options->code_objects.add_to(*command);
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace wavetwin::golden
