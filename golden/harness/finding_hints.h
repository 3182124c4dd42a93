// SPDX-License-Identifier: MIT
// What most likely makes a kernel's findings, in one line a kind.
#pragma once

#include <string>
#include <vector>

#include "sim/core/checks.h"

namespace wavetwin::golden {

// Of the kinds that are not allowed; each line without a newline. Says only what the findings establish: a
// race in LDS is a missing barrier, bytes that nobody stores to are a wrong place or a store left out.
std::vector<std::string> finding_hints(const FindingLog& log, FindingKinds allow);
// Those that are not among `hints` yet, as launches may repeat each other's.
void append_hints(const FindingLog& log, FindingKinds allow, std::vector<std::string>& hints);

}  // namespace wavetwin::golden
