// SPDX-License-Identifier: MIT
// Whether a run's regions are right: against the oracle, the golden and another backend's run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "golden/harness/case.h"
#include "golden/harness/compare.h"
#include "golden/harness/goldens.h"
#include "golden/harness/inputs.h"
#include "golden/harness/run.h"

namespace wavetwin::golden {

enum class Agreement : uint8_t { equal, different, not_compared };

// What one comparison of a whole run found.
struct Judgement {
  Agreement agreement = Agreement::not_compared;
  uint64_t elements = 0;  // compared
  std::string text;       // "oracle within bound 0.31", "golden equal", "no golden", "equal to sim"
  std::string report;     // mismatch reports, one after the other
  bool confirmed_by_hardware = false;  // equal to what a gfx950 gave, in every region
};

struct JudgeOptions {
  bool nan_bits = false;
  std::string model;  // as model_text (golden/harness/model.h) gives it
};

CompareOptions compare_options(const RegionSpec& region, bool nan_bits);

// `name` and `other_name` are backends ("sim", "isa").
Judgement judge_against_run(const KernelCase& kernel_case, const char* other_name, const Tensors& other,
                            const std::string& name, const Tensors& regions, bool nan_bits);

Judgement judge_against_oracle(const KernelCase& kernel_case, const Reference& reference,
                               const std::string& name, const Tensors& regions, bool nan_bits);

Judgement judge_against_golden(const KernelCase& kernel_case, GoldenStore& store, const CaseInputs& inputs,
                               const std::string& name, const Tensors& regions, const JudgeOptions& options);

// One hash of all regions of a run, as the manifest hashes each.
Hash128 hash_regions(const KernelCase& kernel_case, const Tensors& regions);

// What `record` stores: the oracle's words where it fixes every bit (unless hardware ran), else the run's.
struct RecordedRun {
  const RunResult* run;
  std::string backend;
  Source source;      // hardware for hip, sim for the others
  std::string model;  // as model_text gives it
};
Recording make_recording(const KernelCase& kernel_case, const CaseInputs& inputs, const Reference& reference,
                         const RecordedRun& recorded);

}  // namespace wavetwin::golden
