// SPDX-License-Identifier: MIT
#include "golden/harness/finding_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wavetwin::golden {
namespace {

// The first that was kept of a kind, in a workgroup and at an address if given.
const Finding* first_of(const FindingLog& log, FindingKind kind, const Finding* same_place = nullptr) {
  for (const Finding& finding : log.kept()) {
    if (finding.kind != kind) continue;
    if (same_place == nullptr ||
        (finding.workgroup == same_place->workgroup && finding.address == same_place->address))
      return &finding;
  }
  return nullptr;
}

std::string place(const Finding& finding) {
  return fmt::format("wave {}{}", finding.wave, finding.where.empty() ? "" : " (" + finding.where + ")");
}

// The later access of a race is where the finding is; a read that came too early read what nobody wrote.
std::string barrier_hint(const FindingLog& log) {
  const Finding& race = *first_of(log, FindingKind::lds_race);
  const Finding* early = first_of(log, FindingKind::lds_never_written, &race);
  if (early != nullptr) {
    return fmt::format(
        "a barrier is missing between the store of LDS by {} and the read of the same bytes by {}",
        place(race), place(*early));
  }
  return fmt::format(
      "a barrier is missing before {} touches the LDS that another wave used since the last one",
      place(race));
}

struct Hint {
  FindingKind kind;
  const char* text;
};
constexpr Hint kHints[] = {
    {FindingKind::lds_out_of_range,
     "an LDS index leaves the allocation: a stride, an offset or a tail mask is off"},
    {FindingKind::unwaited_lds,
     "an s_waitcnt is missing before an s_barrier, or between a load to LDS and its use: the part may do the "
     "access later"},
    {FindingKind::memory_race,
     "workgroups hand data over without waiting: a flag, a wait or a fence is missing, or two of them own "
     "one element"},
    {FindingKind::memory_never_written,
     "memory is read that neither the host nor a wave wrote: an index, a stride or a tail mask is off"},
    {FindingKind::early_register_use,
     "an s_waitcnt is missing, or counts too much, before a register is used"},
};

}  // namespace

std::vector<std::string> finding_hints(const FindingLog& log, FindingKinds allow) {
  const auto has = [&](FindingKind kind) {
    return log.total(kind) != 0 && !allow[static_cast<size_t>(kind)] && first_of(log, kind) != nullptr;
  };
  std::vector<std::string> hints;
  if (has(FindingKind::lds_race)) {
    hints.push_back(barrier_hint(log));
  } else if (has(FindingKind::lds_never_written)) {
    hints.push_back(
        "no other wave stores to these LDS bytes before the next barrier: a row pitch, its padding or an "
        "offset is "
        "off, or a mask left the store out");
  }
  for (const Hint& hint : kHints) {
    if (has(hint.kind)) hints.push_back(hint.text);
  }
  return hints;
}

void append_hints(const FindingLog& log, FindingKinds allow, std::vector<std::string>& hints) {
  for (std::string& hint : finding_hints(log, allow)) {
    if (std::find(hints.begin(), hints.end(), hint) == hints.end()) hints.push_back(std::move(hint));
  }
}

}  // namespace wavetwin::golden
