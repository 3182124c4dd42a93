// SPDX-License-Identifier: MIT
#include "sim/core/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wavetwin {

const char* finding_name(FindingKind kind) {
  switch (kind) {
    case FindingKind::memory_never_written:
      return "read of never-written memory";
    case FindingKind::lds_never_written:
      return "read of never-written LDS";
    case FindingKind::memory_race:
      return "memory race";
    case FindingKind::lds_race:
      return "LDS race";
    case FindingKind::lds_out_of_range:
      return "LDS access out of range";
    case FindingKind::early_register_use:
      return "register used before its wait";
    case FindingKind::missing_wait_states:
      return "missing wait states";
    case FindingKind::missing_fence:
      return "missing fence";
    case FindingKind::lost_scalar_store:
      return "lost scalar store";
  }
  return "finding";
}

std::string Finding::line() const {
  const std::string place = where.empty() ? std::string() : fmt::format(" ({})", where);
  return fmt::format("{}: workgroup {} wave {} lane {}{}, round {}: {}", finding_name(kind), workgroup, wave,
                     lane, place, round, text);
}

void FindingLog::merge(FindingLog&& other) {
  size_t kept_of[kFindingKinds] = {};
  for (const Finding& f : kept_) ++kept_of[static_cast<size_t>(f.kind)];
  for (Finding& f : other.kept_) {
    if (kept_of[static_cast<size_t>(f.kind)]++ < capacity_) kept_.push_back(std::move(f));
  }
  for (size_t k = 0; k < kFindingKinds; ++k) counts_[k] += other.counts_[k];
  other.clear();
}

void FindingLog::clear() {
  kept_.clear();
  std::fill(std::begin(counts_), std::end(counts_), 0);
}

uint64_t FindingLog::total() const {
  uint64_t sum = 0;
  for (const uint64_t count : counts_) sum += count;
  return sum;
}

}  // namespace wavetwin
