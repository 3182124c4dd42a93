// SPDX-License-Identifier: MIT
// What a generated kernel reads and writes, and how two results are compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/isa/differential/corpus_table.h"

namespace wavetwin::differential {

// Operands of every type: interesting codes in the manner of TestFloat and values of moderate size.
std::vector<uint8_t> make_input();

// Everything that a kernel may change. `out` starts with a pattern, so that a byte that only one side writes
// is seen; the rest starts with operands.
struct Result {
  std::vector<uint8_t> out, own, cells;
  Result();
};

// Runs the host half of a kernel.
Result run_on_host(const KernelEntry& kernel, const std::vector<uint8_t>& input);

struct Difference {
  uint64_t count = 0;  // of elements and bytes that differ
  std::string first;   // where, and both values; empty when nothing differs
};

// "got" and "host" are what the text calls the two.
Difference compare(const KernelEntry& kernel, const Result& got, const Result& host);

}  // namespace wavetwin::differential
