// SPDX-License-Identifier: MIT
#include "sim/isa/exec_memory.h"

#include <algorithm>

namespace wavetwin::isa {

const uint32_t* source_block(const WaveState& wave, const Operand& operand, unsigned first, unsigned dwords,
                             Block& spare) {
  const unsigned index = operand.index + first;
  const bool acc = operand.kind == OperandKind::agpr;
  const unsigned count = acc ? wave.agpr_count : wave.vgpr_count;
  if (index + dwords <= count) return acc ? wave.agpr_source(index) : wave.vgpr_source(index);
  for (unsigned d = 0; d < dwords; ++d) {
    const uint32_t* row = acc ? wave.agpr_source(index + d) : wave.vgpr_source(index + d);
    std::copy_n(row, kLanes, spare.begin() + d * kLanes);
  }
  return spare.data();
}

uint32_t* destination_block(WaveState& wave, const Operand& operand) {
  return operand.kind == OperandKind::agpr ? wave.agpr_destination(operand.index)
                                           : wave.vgpr_destination(operand.index);
}

void place_loaded(const MemoryOp& op, LaneMask mask, uint32_t* row) {
  if (!op.sign_extend && op.half != Half::high) return;
  const unsigned unused = 32 - 8 * op.bytes;
  mask.for_each([&](unsigned lane) {
    uint32_t value = row[lane];
    if (op.sign_extend) value = static_cast<uint32_t>(static_cast<int32_t>(value << unused) >> unused);
    if (op.half == Half::low) value &= 0xffff;
    if (op.half == Half::high) value <<= 16;
    row[lane] = value;
  });
}

const uint32_t* place_stored(const MemoryOp& op, const uint32_t* row, Block& spare) {
  if (op.half != Half::high) return row;
  for (unsigned lane = 0; lane < kLanes; ++lane) spare[lane] = row[lane] >> 16;
  return spare.data();
}

void store_lds_rows(WaveState& wave, const Instruction& in, const MemoryOp& op, LaneMask mask,
                    const uint32_t* data) {
  const uint32_t base = (wave.m0() & 0x3fffc) + static_cast<uint32_t>(in.offset);
  const uint32_t pitch = op.bytes > 4 ? 16 : 4;
  std::array<uint32_t, kLanes> address;
  for (unsigned lane = 0; lane < kLanes; ++lane) address[lane] = base + lane * pitch;
  wave.env->lds().store(address.data(), mask, std::max<unsigned>(op.bytes, 4), data);
}

}  // namespace wavetwin::isa
