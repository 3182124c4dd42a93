// SPDX-License-Identifier: MIT
// Registers and encodings that the memory tests share.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/isa/exec.h"
#include "sim/isa/rows.h"
#include "tests/isa/memory/probe.h"
#include "tests/isa/tested_rows.h"

namespace wavetwin::isa {

// VGPRs of the tested instruction; the buffer resource is in s[8:11].
inline constexpr unsigned kAddress = 2, kData = 8, kData2 = 16, kDst = 24, kResource = 8;

inline const Row& row_at(RowId row) { return rows()[static_cast<size_t>(row)]; }

inline std::string name_of(RowId row) { return std::string(row_at(row).name); }

inline void run(WaveState& state, const std::vector<uint32_t>& dwords) {
  const Instruction in = decode_tested(dwords);
  execute_function(in)(state, in);
}

// DS instruction with a 16-bit offset; registers that are not used are 0.
inline std::vector<uint32_t> encode_ds(const Row& row, unsigned offset, unsigned address, unsigned data,
                                       unsigned dst, unsigned data2 = 0) {
  return {0xd8000000u | uint32_t{row.opcode} << 17 | offset, address | data << 8 | data2 << 16 | dst << 24};
}

// How a buffer instruction finds its element; soffset is a scalar operand code (128 is the constant 0).
struct BufferPlace {
  bool offen = true, idxen = false, returns = false, lds = false;
  unsigned offset = 0, soffset = 128;
};

inline std::vector<uint32_t> encode_mubuf(const Row& row, unsigned address, unsigned data,
                                          const BufferPlace& place) {
  return {0xe0000000u | uint32_t{row.opcode} << 18 | uint32_t{place.lds} << 16 |
              uint32_t{place.returns} << 14 | uint32_t{place.idxen} << 13 | uint32_t{place.offen} << 12 |
              place.offset,
          address | data << 8 | kResource / 4 << 16 | place.soffset << 24};
}

inline std::vector<uint32_t> encode_mtbuf(const Row& row, unsigned address, unsigned data,
                                          const BufferPlace& place, unsigned dfmt, unsigned nfmt) {
  return {0xe8000000u | nfmt << 23 | dfmt << 19 | uint32_t{row.opcode} << 15 | uint32_t{place.idxen} << 13 |
              uint32_t{place.offen} << 12 | place.offset,
          address | data << 8 | kResource / 4 << 16 | place.soffset << 24};
}

inline void set_row(WaveState& state, unsigned row, const std::function<uint32_t(unsigned)>& value) {
  for (unsigned lane = 0; lane < kWaveSize; ++lane) state.vgprs[row * kWaveSize + lane] = value(lane);
}

inline uint32_t at(const WaveState& state, unsigned row, unsigned lane) {
  return state.vgprs[row * kWaveSize + lane];
}

inline void fill_lds(Environment& env, const std::function<uint32_t(uint32_t)>& dword) {
  for (uint32_t i = 0; i < kProbeBytes; i += 4) {
    const std::array<uint32_t, kWaveSize> address{i}, word{dword(i)};
    env.lds().store(address.data(), LaneMask::lane(0), 4, word.data());
  }
}

inline uint32_t lds_word(Environment& env, uint32_t address) {
  uint32_t word = 0;
  env.lds().peek(address, 4, reinterpret_cast<uint8_t*>(&word));
  return word;
}

inline void nothing(WaveState&, Environment&) {}

}  // namespace wavetwin::isa
