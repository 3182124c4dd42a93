// SPDX-License-Identifier: MIT
#include "golden/harness/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "golden/harness/explain.h"
#include "golden/harness/model.h"
#include "golden/harness/simulated_memory.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// What the rows of one case share.
struct CaseCheck {
  const KernelCase& kernel_case;
  GoldenStore& store;
  const CheckOptions& options;
  // Generated when the first backend is there to use them.
  std::optional<CaseInputs> made;
  // The first run that came to an end; the others are compared with it.
  std::string pivot_name;
  Backend* pivot_backend = nullptr;
  std::optional<RunResult> pivot;
  // The last run that differed from it, and why: other builds of a kernel repeat it.
  Tensors explained;
  std::string explanation;

  const CaseInputs& inputs() {
    if (!made) made = make_inputs(kernel_case, options.inputs);
    return *made;
  }
};

void append(std::string& reason, const std::string& text) {
  if (!text.empty()) reason += (reason.empty() ? "" : ", ") + text;
}

void take(Row& row, const Judgement& judgement) {
  if (judgement.agreement == Agreement::different) row.status = Status::different;
  row.elements = std::max(row.elements, judgement.elements);
  append(row.reason, judgement.text);
  row.report += judgement.report;
}

void judge_pivot(CaseCheck& check, Row& row) {
  const Tensors& regions = check.pivot->regions;
  take(row,
       judge_against_oracle(check.kernel_case, check.kernel_case.reference(check.inputs().tensors, regions),
                            row.backend, regions, check.options.nan_bits));
}

void judge_against_pivot(CaseCheck& check, Row& row, const RunResult& run) {
  const Tensors& regions = run.regions;
  const Judgement judgement =
      judge_against_run(check.kernel_case, check.pivot_name.c_str(), check.pivot->regions, row.backend,
                        regions, check.options.nan_bits);
  take(row, judgement);
  if (judgement.agreement != Agreement::different) return;
  if (check.explained != regions) {
    check.explanation = explain({check.kernel_case, check.inputs().tensors, *check.pivot_backend,
                                 check.options.run, check.pivot->regions, regions, run.never_written},
                                check.options.explain_seconds);
    check.explained = regions;
  }
  row.report += check.explanation;
}

// Findings are kernel bugs even where the bits are right.
void take_findings(Row& row, const RunResult& run) {
  const std::vector<std::string>& findings = run.findings;
  if (findings.empty()) return;
  row.status = Status::different;
  append(row.reason, findings.size() == 1
                         ? findings.front()
                         : fmt::format("{} (and {} more findings)", findings.front(), findings.size() - 1));
  for (const std::string& finding : findings) {
    row.report += fmt::format("{} on {}: {}\n", row.case_name, row.backend, finding);
  }
  for (const std::string& hint : run.hints) row.report += fmt::format("  {}\n", hint);
}

// A report of several lines (no progress) shows its first one in the table.
void take_error(Row& row, const std::string& text) {
  const size_t newline = text.find('\n');
  row.reason = text.substr(0, newline);
  if (newline != std::string::npos)
    row.report += fmt::format("{} on {}: {}\n", row.case_name, row.backend, text);
}

void run_row(CaseCheck& check, Backend& backend, const RunOptions& options, Row& row) {
  RunResult run = run_case(check.kernel_case, check.inputs().tensors, backend, options);
  const bool run_is_simulated = run.device.empty();
  row.status = Status::equal;
  row.seconds = run.seconds;
  row.hash = to_string(hash_regions(check.kernel_case, run.regions));
  row.evidence = run.device.empty()
                     ? wavetwin::to_string(evidence_under(options, check.kernel_case.evidence()))
                     : "measured";
  take_findings(row, run);
  append(row.reason, allowed_text(run.allowed));
  if (check.pivot) judge_against_pivot(check, row, run);
  const JudgeOptions judge{check.options.nan_bits, model_text(check.options.run)};
  const Judgement golden =
      judge_against_golden(check.kernel_case, check.store, check.inputs(), row.backend, run.regions, judge);
  if (!check.pivot) {
    check.pivot = std::move(run);
    check.pivot_name = row.backend;
    check.pivot_backend = &backend;
    judge_pivot(check, row);
  }
  take(row, golden);
  // A device computes as it does.
  const std::string model = model_text(options);
  if (run_is_simulated && model != model_text(RunOptions{})) append(row.reason, "model " + model);
  if (golden.confirmed_by_hardware) row.evidence = wavetwin::to_string(Evidence::measured);
  if (row.elements == 0 && row.status == Status::equal) {
    row.status = Status::error;
    append(row.reason, "compared no element");
  }
}

void check_backend(CaseCheck& check, Backend& backend, const std::string& build, const Progress& progress,
                   std::vector<Row>& rows) {
  Row row;
  row.case_name = check.kernel_case.name();
  row.backend = backend.name() + build;
  if (progress) progress(row.case_name, row.backend);
  try {
    if (const auto why = backend.unavailable()) {
      row.status = Status::skipped;
      row.reason = *why;
    } else {
      RunOptions options = check.options.run;
      options.build = build;
      run_row(check, backend, options, row);
    }
  } catch (const std::exception& error) {
    row.status = Status::error;
    take_error(row, error.what());
  }
  rows.push_back(std::move(row));
}

}  // namespace

const char* to_string(Status status) {
  constexpr const char* kNames[] = {"equal", "different", "skipped", "error"};
  return kNames[static_cast<uint8_t>(status)];
}

std::vector<Row> check_case(const KernelCase& kernel_case,
                            const std::vector<std::unique_ptr<Backend>>& backends, GoldenStore& store,
                            const CheckOptions& options, const Progress& progress) {
  CaseCheck check{kernel_case, store, options, {}, {}, nullptr, {}, {}, {}};
  std::vector<Row> rows;
  for (const auto& backend : backends) {
    for (const std::string& build : backend->builds(kernel_case)) {
      check_backend(check, *backend, build, progress, rows);
    }
  }
  return rows;
}

int exit_code(const std::vector<Row>& rows) {
  const auto any = [&](Status status) {
    return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.status == status; });
  };
  if (any(Status::error)) return 2;
  if (any(Status::different)) return 1;
  return any(Status::equal) ? 0 : 77;
}

}  // namespace wavetwin::golden
