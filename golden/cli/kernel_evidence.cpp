// SPDX-License-Identifier: MIT
#include "golden/cli/kernel_evidence.h"

#include <algorithm>
#include <cctype>

#include "sim/isa/rows.h"
#include "sim/numerics/mfma.h"

namespace wavetwin::golden {
namespace {

Evidence evidence_of(const isa::Instruction& in, const RunOptions& run) {
  const isa::Row& row = isa::row_of(in);
  std::string name(row.name);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (const mfma::Shape* shape = mfma::find_shape(name)) return mfma::arithmetic_evidence(*shape, run.model);
  const bool dpp = in.form == isa::Form::dpp;
  const bool changed =
      run.numeric.changes(row.name) || (dpp && run.numeric.changes(std::string(row.name) + "_DPP"));
  return changed ? Evidence::unknown : row.evidence;
}

}  // namespace

KernelEvidence kernel_evidence(const isa::Executable& executable, const isa::KernelInfo& kernel,
                               const RunOptions& run) {
  const uint64_t end = executable.object().end_of(kernel);
  KernelEvidence weakest;
  for (const isa::Instruction& in : executable.program().instructions) {
    if (!in.valid() || in.pc < kernel.entry_address || in.pc >= end) continue;
    const Evidence level = evidence_of(in, run);
    if (level > weakest.level) weakest = {level, std::string(isa::row_of(in).name)};
  }
  return weakest;
}

}  // namespace wavetwin::golden
