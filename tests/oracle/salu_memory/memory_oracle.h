// SPDX-License-Identifier: MIT
// What the memory instructions do to one lane's bytes, from the words of their names and the CDNA4 ISA guide
// (sections 12.6, 12.12 to 12.15). Nothing of sim/ or common/ is used here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace wavetwin::reference {

enum class Access { load, store, atomic };

struct Meaning {
  Access access = Access::load;
  unsigned bytes = 4;
  bool sign = false;  // a narrow load is sign-extended
  bool low_half = false, high_half = false;
  std::string op;  // atomic: "ADD", "SMIN", "CMPSWAP", "ADD_F32", ...
};

// Meaning of the part of a mnemonic behind its prefix: "LOAD_SBYTE_D16_HI", "STORE_DWORDX3",
// "ATOMIC_UMAX_X2", and of DS names: "READ_U16", "WRITE_B96", "ADD_RTN_U64", "MIN_I32". Nothing for what is
// neither.
std::optional<Meaning> vector_memory_meaning(const std::string& name);
std::optional<Meaning> ds_meaning(const std::string& name);

// New value of `bytes` bytes. `denorm` of float operations as in MODE: bit 0 keeps denormal inputs, bit 1 results.
uint64_t atomic_oracle(const std::string& op, unsigned bytes, uint64_t old, uint64_t data, uint64_t compare,
                       unsigned denorm);

}  // namespace wavetwin::reference
