// SPDX-License-Identifier: MIT
#include "golden/cli/kernel_evidence.h"

#include <algorithm>
#include <cctype>

#include "sim/isa/rows.h"
#include "sim/numerics/mfma.h"

namespace wavetwin::golden {
namespace {

Evidence evidence_of(const isa::Row& row, const RunOptions& run) {
  std::string name(row.name);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (const mfma::Shape* shape = mfma::find_shape(name)) return mfma::arithmetic_evidence(*shape, run.model);
  // The numeric options are about conversions.
  const bool conversion = name.find("_cvt_") != std::string::npos || row.format == isa::Format::mtbuf;
  return conversion && run.numeric != NumericModel{} ? Evidence::unknown : row.evidence;
}

}  // namespace

KernelEvidence kernel_evidence(const isa::Executable& executable, const isa::KernelInfo& kernel,
                               const RunOptions& run) {
  const uint64_t end = executable.object().end_of(kernel);
  KernelEvidence weakest;
  for (const isa::Instruction& in : executable.program().instructions) {
    if (!in.valid() || in.pc < kernel.entry_address || in.pc >= end) continue;
    const Evidence level = evidence_of(isa::row_of(in), run);
    if (level > weakest.level) weakest = {level, std::string(isa::row_of(in).name)};
  }
  return weakest;
}

}  // namespace wavetwin::golden
