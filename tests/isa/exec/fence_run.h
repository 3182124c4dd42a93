// SPDX-License-Identifier: MIT
// Runs an exchange kernel of fences.s.
#pragma once

#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {

enum class DataBefore : uint8_t { never_written, zero };

// The missing_fence findings, one line each; checks that lane i got `first_word` + i.
inline std::vector<std::string> missing_fences(const std::string& kernel, unsigned threads, DataBefore before,
                                               uint32_t first_word = 0x700) {
  Machine machine("fences");
  const uint64_t flag = machine.zeroed("flag", 64);
  const uint64_t data =
      before == DataBefore::zero ? machine.zeroed("data", 256) : machine.poisoned("data", 256);
  const uint64_t out = machine.poisoned("out", 256);
  ExecuteOptions options;
  options.dispatch.threads = threads;
  const ExecuteReport report = machine.run(kernel, 2, 64, {flag, data, out}, options);
  const auto words = machine.words(out, 64);
  for (uint32_t lane = 0; lane < 64; ++lane) CHECK(words[lane] == first_word + lane);
  std::vector<std::string> lines;
  for (const Finding& finding : report.dispatch.findings.kept()) {
    if (finding.kind == FindingKind::missing_fence) lines.push_back(finding.line());
  }
  return lines;
}

}  // namespace wavetwin::isa
