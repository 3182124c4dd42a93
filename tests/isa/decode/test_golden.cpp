// SPDX-License-Identifier: MIT
// Recorded encodings: bytes to text and text to bytes.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/isa/decode/known_differences.h"
#include "tests/isa/decode/llvm_tools.h"

namespace wavetwin::isa::test {
namespace {

struct GoldenLine {
  std::string text;
  llvm_tools::Words words;
};

// "text ; encoding: [0x01,0x02,...]"; a line that starts with ';' is a comment.
std::vector<GoldenLine> golden_lines() {
  std::ifstream file(DECODE_DATA "golden_encodings.txt");
  std::vector<GoldenLine> lines;
  for (std::string line; std::getline(file, line);) {
    const size_t mark = line.find("; encoding: [");
    if (mark == std::string::npos || line[0] == ';') continue;
    GoldenLine golden;
    golden.text = line.substr(0, line.find_last_not_of(' ', mark - 1) + 1);
    unsigned n = 0;
    for (size_t at = line.find("0x", mark); at != std::string::npos; at = line.find("0x", at + 2), ++n) {
      if (n % 4 == 0) golden.words.push_back(0);
      golden.words.back() |= static_cast<uint32_t>(std::stoul(line.substr(at, 4), nullptr, 16))
                             << 8 * (n % 4);
    }
    lines.push_back(golden);
  }
  return lines;
}

}  // namespace

TEST_CASE("decode: recorded bytes give the recorded text") {
  const auto lines = golden_lines();
  CHECK(lines.size() == 42);
  for (const GoldenLine& golden : lines) CHECK(decode_text(golden.words).text == golden.text);
}

TEST_CASE("decode: the text of recorded bytes assembles to the same bytes") {
  const auto lines = golden_lines();
  std::vector<std::string> text;
  for (const GoldenLine& golden : lines) text.push_back(decode_text(golden.words).text);
  const auto assembled = llvm_tools::assemble(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    INFO(text[i]);
    REQUIRE(assembled[i]);
    CHECK(*assembled[i] == lines[i].words);
  }
}

}  // namespace wavetwin::isa::test
