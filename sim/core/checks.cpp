// SPDX-License-Identifier: MIT
#include "sim/core/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wavetwin {

namespace {

struct Names {
  const char *key, *name;
};
// In the order of FindingKind.
constexpr Names kNames[kFindingKinds] = {
    {"memory_never_written", "read of never-written memory"},
    {"lds_never_written", "read of never-written LDS"},
    {"memory_race", "memory race"},
    {"lds_race", "LDS race"},
    {"lds_out_of_range", "LDS access out of range"},
    {"unwaited_lds", "LDS access not waited for"},
    {"early_register_use", "register used before its wait"},
    {"missing_wait_states", "missing wait states"},
    {"missing_fence", "missing fence"},
    {"lost_scalar_store", "lost scalar store"},
};

}  // namespace

const char* finding_name(FindingKind kind) { return kNames[static_cast<size_t>(kind)].name; }
const char* finding_key(FindingKind kind) { return kNames[static_cast<size_t>(kind)].key; }

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
  counts_.fill(0);
}

uint64_t FindingLog::total() const {
  uint64_t sum = 0;
  for (const uint64_t count : counts_) sum += count;
  return sum;
}

}  // namespace wavetwin
