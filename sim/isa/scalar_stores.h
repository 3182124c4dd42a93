// SPDX-License-Identifier: MIT
// What scalar stores write stays in the scalar data cache until s_dcache_wb; a program that ends without one
// may lose it (CDNA4 ISA guide 8.2 and S_DCACHE_WB; LLVM puts one before each s_endpgm of a program that has
// scalar stores). Scalar atomics are done in L2 and stay nowhere. s_dcache_wb_vol writes volatile lines only,
// so it is not enough.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/program_paths.h"

namespace wavetwin::isa {

bool is_scalar_store(const Instruction& in);

// A store from which some path leads to the end without an s_dcache_wb.
struct UnwrittenStore {
  uint32_t store;  // index of the instruction
  bool certain;    // to an s_endpgm; else only to where the paths end: s_setpc, s_swappc, s_trap
};
// By store. Programs without scalar stores have none.
std::vector<UnwrittenStore> unwritten_scalar_stores(const ProgramPaths& paths);

// What the waves of one workgroup have stored and not written back. They share a compute unit, so any of them
// writes back for all.
class ScalarCache {
 public:
  explicit ScalarCache(uint32_t waves) : live_(waves) {}

  struct Store {
    uint32_t wave;
    const Instruction* instruction;
  };
  // `in` is executed next by the wave. What is lost for good: the stores left when the last wave ends.
  std::vector<Store> next(uint32_t wave, const Instruction& in);

 private:
  uint32_t live_;
  std::vector<Store> stores_;  // an instruction of a wave once
};

}  // namespace wavetwin::isa
