// SPDX-License-Identifier: MIT
// `check`: every selected case on every requested backend, compared with each other, the oracle and the
// golden.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "golden/harness/backend.h"
#include "golden/harness/case.h"
#include "golden/harness/goldens.h"
#include "golden/harness/inputs.h"
#include "golden/harness/judge.h"

namespace wavetwin::golden {

enum class Status : uint8_t { equal, different, skipped, error };
const char* to_string(Status status);

// One (case, backend).
struct Row {
  std::string case_name, backend;
  Status status = Status::error;
  uint64_t elements = 0;  // compared at least once
  std::string hash;       // of all regions; empty when nothing ran
  std::string evidence;   // empty when nothing ran
  std::string reason;
  double seconds = 0;
  std::string report;  // mismatch reports and findings, several lines; not part of --json
};

struct CheckOptions {
  RunOptions run;
  bool nan_bits = false;
  std::vector<InputReplacement> inputs;  // the user's own tensors
  // How long to look for a layout mistake that explains a difference between backends; 0: not at all.
  double explain_seconds = 10;
};

// What a row looks like while a case runs, for progress.
using Progress = std::function<void(const std::string& case_name, const std::string& backend)>;

// The rows of one case, in the order of the backends. Never throws for what a kernel does: that is a row with
// status error. The first backend that runs is judged by oracle and golden; the others must equal it, and are
// judged by the golden too.
std::vector<Row> check_case(const KernelCase& kernel_case,
                            const std::vector<std::unique_ptr<Backend>>& backends, GoldenStore& store,
                            const CheckOptions& options, const Progress& progress = nullptr);

// 0: everything that ran is equal; 1: something is different; 2: an error; 77: nothing ran because every
// requested backend is unavailable.
int exit_code(const std::vector<Row>& rows);

}  // namespace wavetwin::golden
