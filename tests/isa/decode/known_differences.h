// SPDX-License-Identifier: MIT
// Where decoding differs from llvm-mc 22 on purpose. A test fails on an entry that no longer occurs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/isa/decode/llvm_tools.h"

namespace wavetwin::isa::test {

struct KnownDifference {
  std::string_view name;
  std::string_view reason;
  // The difference is this one if wavetwin's refusal contains `refusal` ("" : it decodes) and LLVM's text
  // contains `llvm_text` ("" : it refuses).
  std::string_view refusal, llvm_text;
  std::vector<uint32_t> sample;
};

std::span<const KnownDifference> known_differences();

// `ours` is the text if `refusal` is empty. Nothing when the two agree or the difference is listed; otherwise
// a line that shows it.
std::optional<std::string> unexplained_difference(const llvm_tools::Words& words,
                                                  const llvm_tools::Verdict& llvm, const std::string& ours,
                                                  const std::string& refusal);

// Decodes and disassembles the first instruction: text, or the reason of the refusal.
struct Ours {
  std::string text, refusal;
};
Ours decode_text(const llvm_tools::Words& words);

}  // namespace wavetwin::isa::test
