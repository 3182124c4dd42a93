// SPDX-License-Identifier: MIT
// Words of the rows for float atomics: in LDS they follow MODE's denormal bits, in memory they do not (isa
// guide 9.2.2, table 53).
#pragma once

#include <array>

#include "sim/isa/exec_memory.h"
#include "sim/isa/float_atomics.h"

namespace wavetwin::isa {

template <class Layout>
constexpr MemoryOp float_op(std::array<AtomicFunction, 4> function) {
  constexpr bool f32 = sizeof(typename Layout::Bits) == 4;
  MemoryOp op = modify(sizeof(typename Layout::Bits), nullptr);
  op.denorm = f32 ? DenormField::f32 : DenormField::f16_f64;
  op.function = function;
  return op;
}
template <class L>
constexpr MemoryOp add_float() {
  if constexpr (sizeof(typename L::Bits) == 8) return modify(8, float_add<L, 3>);  // never flushes
  return float_op<L>({float_add<L, 0>, float_add<L, 1>, float_add<L, 2>, float_add<L, 3>});
}
template <class L>
constexpr MemoryOp min_float() {
  return float_op<L>({float_min<L, 0>, float_min<L, 1>, float_min<L, 2>, float_min<L, 3>});
}
template <class L>
constexpr MemoryOp max_float() {
  return float_op<L>({float_max<L, 0>, float_max<L, 1>, float_max<L, 2>, float_max<L, 3>});
}
// The compare value is the first data operand of DS, the new one the second.
template <class L>
constexpr MemoryOp compare_float() {
  MemoryOp op =
      float_op<L>({float_cmpswap<L, 0>, float_cmpswap<L, 1>, float_cmpswap<L, 2>, float_cmpswap<L, 3>});
  op.compare = true;
  return op;
}
template <class L>
constexpr MemoryOp add_packed() {
  MemoryOp op = modify(4, nullptr);
  op.denorm = DenormField::f16_f64;
  op.function = {packed_add<L, 0>, packed_add<L, 1>, packed_add<L, 2>, packed_add<L, 3>};
  return op;
}
// A FLAT row: as `lds` where the address is in LDS, `memory` elsewhere.
constexpr MemoryOp in_memory(MemoryOp lds, AtomicFunction memory) {
  lds.memory = memory;
  return lds;
}

}  // namespace wavetwin::isa
