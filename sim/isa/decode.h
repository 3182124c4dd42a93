// SPDX-License-Identifier: MIT
// From dwords to Instruction: formats by the test order of CDNA4 ISA guide chapter 13, opcodes and operands
// by the row tables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/isa/instruction.h"
#include "sim/isa/rows.h"

namespace wavetwin::isa {

// Decodes the instruction at the start of `code` (dwords from there to the end of the section). `pc` is its
// address. Throws Error with pc, dwords and the reason when the dwords are not a gfx950 instruction.
Instruction decode(std::span<const uint32_t> code, uint64_t pc);

// As decode(), but a bad encoding comes back as an Instruction without a row (valid() is false, size 4, the
// dwords from there on kept, so that decoding them again tells the reason) and the reason in `why`, if given.
Instruction try_decode(std::span<const uint32_t> code, uint64_t pc, std::string* why = nullptr);

// The code of one section, decoded once. An undecodable dword (padding, constants between functions) becomes
// an Instruction that is not valid(): executing it is the error, its presence is not.
struct Program {
  uint64_t base = 0;                      // address of the first byte
  uint64_t bytes = 0;                     // length of the code
  std::vector<Instruction> instructions;  // in address order; branch targets resolved to indices
  std::vector<int32_t> index_of_dword;    // [bytes / 4]: instruction starting there, -1 inside one

  // Index of the instruction at `pc`; -1 if pc is outside, misaligned or in the middle of an instruction.
  int32_t index_of(uint64_t pc) const {
    if (pc < base || pc >= base + bytes || (pc - base) % 4 != 0) return -1;
    return index_of_dword[(pc - base) / 4];
  }
};

// Decodes `code` from front to back and resolves LABEL targets. A branch to an address that is outside or
// inside another instruction keeps target -1. Addresses in `entries` (function symbols) start an instruction
// in any case, so that data before a function cannot swallow its first dword.
Program decode_program(std::span<const uint32_t> code, uint64_t base, std::span<const uint64_t> entries = {});

// "pc 0x1234 [d1000000 00000000]: reason": the place of an encoding error.
std::string describe_dwords(uint64_t pc, std::span<const uint32_t> dwords);

}  // namespace wavetwin::isa
