// SPDX-License-Identifier: MIT
// Legal modifiers of a row, drawn at random.
#pragma once

#include <vector>

#include "tests/isa/valu/row_bench.h"

namespace wavetwin::test {

// The codings that a row has; a row with a literal has only its short form.
std::vector<reference::Coding> codings_of(const isa::Row& row);

// Everything that the coding lets a row vary: modifiers, selects, lanes, MODE, EXEC, scalar and constant
// sources, the destination in place of a source.
Setup random_setup(const isa::Row& row, reference::Coding coding, Random& random);

uint32_t random_mode(Random& random);
uint64_t random_exec(Random& random);
// A DPP control that the row can have; 64-bit operands have row_newbcast only.
unsigned random_dpp_control(const isa::Row& row, Random& random);
bool takes_newbcast_only(const isa::Row& row);

// Bits of abs and neg that the coding lets be set (some without effect).
unsigned sign_bits_allowed(const isa::Row& row, reference::Coding coding);

}  // namespace wavetwin::test
