// SPDX-License-Identifier: MIT
// What the vector memory formats (DS, FLAT / GLOBAL / SCRATCH, MUBUF, MTBUF) share: the operation of a row,
// and moving data between registers and memory. The format owns addresses, range checks and counters; a row
// states only the operation, in the words below.
#pragma once

#include <array>
#include <cstdint>

#include "sim/core/atomic_op.h"
#include "sim/core/lane.h"
#include "sim/isa/environment.h"
#include "sim/isa/instruction.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

enum class MemoryKind : uint8_t {
  missing,
  none,
  load,
  store,
  atomic,
  load_lds,
  load_two,
  store_two,
  exchange_two,
  load_format,
  store_format,
  special
};

// Which part of a 32-bit register a narrow access uses.
enum class Half : uint8_t { whole, low, high };

// Float atomics flush by MODE in LDS; the function is chosen by the field named here.
enum class DenormField : uint8_t { none, f32, f16_f64 };

struct MemoryOp {
  MemoryKind kind = MemoryKind::missing;
  uint8_t bytes = 0;  // of a lane
  bool sign_extend = false;
  Half half = Half::whole;
  bool compare = false;  // atomic: a second data operand
  DenormField denorm = DenormField::none;
  std::array<AtomicFunction, 4> function{};  // by denorm field; all equal without one
  AtomicFunction memory = nullptr;           // FLAT: instead of these where the address is not in LDS
  uint16_t stride = 0;                       // two: bytes that one count of an 8-bit offset stands for
  uint8_t components = 0;                    // typed buffers; `half` is not whole: D16, two a register
  ExecFn run = nullptr;                      // special
};

// --- the words of the expression column

constexpr MemoryOp load(unsigned bytes) {
  return {.kind = MemoryKind::load, .bytes = static_cast<uint8_t>(bytes)};
}
constexpr MemoryOp load_signed(unsigned bytes) {
  MemoryOp op = load(bytes);
  op.sign_extend = true;
  return op;
}
// D16: the value goes to one half of the register. SRAM ECC is on, so the other half becomes zero (isa guide
// 9.1.6).
constexpr MemoryOp load_half(unsigned bytes, Half half) {
  MemoryOp op = load(bytes);
  op.half = half;
  return op;
}
constexpr MemoryOp load_half_signed(unsigned bytes, Half half) {
  MemoryOp op = load_half(bytes, half);
  op.sign_extend = true;
  return op;
}
constexpr MemoryOp store(unsigned bytes) {
  return {.kind = MemoryKind::store, .bytes = static_cast<uint8_t>(bytes)};
}
constexpr MemoryOp store_high(unsigned bytes) {
  MemoryOp op = store(bytes);
  op.half = Half::high;
  return op;
}
// Memory to LDS; bytes 1 and 2 are extended to a dword.
constexpr MemoryOp load_lds(unsigned bytes, bool sign_extend = false) {
  return {.kind = MemoryKind::load_lds, .bytes = static_cast<uint8_t>(bytes), .sign_extend = sign_extend};
}
// MEM = function(MEM, DATA); the old value is returned where the row returns.
constexpr MemoryOp modify(unsigned bytes, AtomicFunction function) {
  MemoryOp op{.kind = MemoryKind::atomic, .bytes = static_cast<uint8_t>(bytes)};
  op.function.fill(function);
  return op;
}
// MEM = function(MEM, DATA, COMPARE)
constexpr MemoryOp modify_if(unsigned bytes, AtomicFunction function) {
  MemoryOp op = modify(bytes, function);
  op.compare = true;
  return op;
}
// Two elements at two 8-bit offsets, each in units of `stride` bytes.
constexpr MemoryOp two(MemoryKind kind, unsigned bytes, unsigned stride) {
  return {.kind = kind, .bytes = static_cast<uint8_t>(bytes), .stride = static_cast<uint16_t>(stride)};
}
// Typed buffers: the element's first components. D16 in pairs from the low half up, or X alone in the high
// half.
constexpr MemoryOp load_format(unsigned components, Half half = Half::whole) {
  return {.kind = MemoryKind::load_format, .half = half, .components = static_cast<uint8_t>(components)};
}
constexpr MemoryOp store_format(unsigned components, Half half = Half::whole) {
  return {.kind = MemoryKind::store_format, .half = half, .components = static_cast<uint8_t>(components)};
}
constexpr MemoryOp call(ExecFn run) { return {.kind = MemoryKind::special, .run = run}; }
constexpr MemoryOp no_effect() { return {.kind = MemoryKind::none}; }

inline AtomicFunction atomic_function(const MemoryOp& op, const ModeRegister& mode) {
  switch (op.denorm) {
    case DenormField::f32:
      return op.function[mode.denorm_f32()];
    case DenormField::f16_f64:
      return op.function[mode.denorm_f16_f64()];
    default:
      return op.function[0];
  }
}

// --- registers as dword-major blocks

constexpr unsigned kMaxBlockDwords = 4;
using Block = std::array<uint32_t, kMaxBlockDwords * kLanes>;

// Rows [operand.index + first, + dwords) for reading; `spare` is used when they are not all allocated.
const uint32_t* source_block(const WaveState& wave, const Operand& operand, unsigned first, unsigned dwords,
                             Block& spare);

// False when a register of the result is not allocated: the instruction then does what it does with EXEC = 0,
// nothing (isa guide 3.6.1, "Memory, LDS").
inline bool has_destination(const WaveState& wave, const Instruction& in) {
  const uint32_t count = in.dst.kind == OperandKind::agpr ? wave.agpr_count : wave.vgpr_count;
  return !in.dst || in.dst.index + in.dst.dwords <= count;
}

// The rows for writing, of an instruction that has_destination().
uint32_t* destination_block(WaveState& wave, const Operand& operand);

// After a load: sign extension and D16 placement in the lanes of `mask`.
void place_loaded(const MemoryOp& op, LaneMask mask, uint32_t* row);

// For a narrow or high-half store: the row's values moved down; `row` itself when nothing is to be done.
const uint32_t* place_stored(const MemoryOp& op, const uint32_t* row, Block& spare);

// The scope and cache bits of an instruction as memory accesses take them.
inline uint32_t cache_bits(const Instruction& in) {
  return (in.sc0 ? kCacheSc0 : 0) | (in.nt ? kCacheNt : 0) | (in.sc1 ? kCacheSc1 : 0);
}

constexpr unsigned block_dwords(unsigned bytes) { return (bytes + 3) / 4; }

// Waves that load to LDS: lane l's element goes to base + l * pitch. `data` is dword-major.
// M0[17:2] is the dword address of the base.
void store_lds_rows(WaveState& wave, const Instruction& in, const MemoryOp& op, LaneMask mask,
                    const uint32_t* data);

}  // namespace wavetwin::isa
