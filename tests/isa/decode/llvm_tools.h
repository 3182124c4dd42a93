// SPDX-License-Identifier: MIT
// LLVM 22 as the reference of decode and disassembly: llvm-mc and llvm-objdump as subprocesses. The program
// itself does not need them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wavetwin::llvm_tools {

using Words = std::vector<uint32_t>;

// What llvm-mc says about one encoding.
struct Verdict {
  bool crashed = false;             // some reserved SDWA selects make it abort
  std::optional<std::string> text;  // empty: refused

  // It prints "/*...*/" beside an operand that the instruction cannot have.
  bool flagged() const { return text && text->find("/*") != std::string::npos; }
};

// One verdict an item, for its first instruction only. Throws std::runtime_error naming the package when the
// tool is missing.
std::vector<Verdict> disassemble(const std::vector<Words>& items);

// One line of assembly each; empty: llvm-mc does not accept the text.
std::vector<std::optional<Words>> assemble(const std::vector<std::string>& lines);

// One instruction of `llvm-objdump -d`.
struct Line {
  uint64_t pc = 0;
  Words words;
  std::string text;
};
std::vector<Line> objdump(const std::string& file);

}  // namespace wavetwin::llvm_tools
