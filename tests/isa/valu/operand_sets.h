// SPDX-License-Identifier: MIT
// Operands of every type, and which classes of them a test has used.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/isa/instruction.h"
#include "tests/isa/valu/operands.h"

namespace wavetwin::test {

// One lane of an operand: interesting and random values of the type, in `dwords` registers.
void fill_operand(Random& random, isa::OperandType type, uint32_t* words, unsigned dwords);

// True when an element of a floating-point operand is infinite or NaN.
bool has_special(isa::OperandType type, const uint32_t* words);

// The classes that a TestFloat-like set must contain, by type: how often each occurred.
class OperandTally {
 public:
  void add(isa::OperandType type, const uint32_t* words);
  // Classes of the type that never occurred; empty when the set is complete.
  std::string missing(isa::OperandType type) const;
  // "F32: snan 12, qnan 10, ..." for every type seen.
  std::string text() const;
  void merge(const OperandTally& other);

 private:
  std::map<std::string, std::map<std::string, uint64_t>> counts_;  // type, class
};

}  // namespace wavetwin::test
