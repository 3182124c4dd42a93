// SPDX-License-Identifier: MIT
// v_cubeid, v_cubesc, v_cubetc, v_cubema: the cube map face of a direction (x, y, z) and its coordinates.
// source: CDNA4 ISA guide, V_CUBEID_F32 and following. Comparisons with NaN are false.
#pragma once

#include <cstdint>

#include "sim/numerics/arithmetic.h"

namespace wavetwin {

// The axis of largest magnitude, 0 x, 1 y, 2 z; later axes win ties.
constexpr int cube_axis(uint32_t x, uint32_t y, uint32_t z) {
  const auto not_less = [](uint32_t a, uint32_t b) {
    const uint32_t p = soft::magnitude<F32Layout>(a), q = soft::magnitude<F32Layout>(b);
    return !soft::is_nan<F32Layout>(p) && !soft::is_nan<F32Layout>(q) && p >= q;
  };
  if (not_less(z, x) && not_less(z, y)) return 2;
  return not_less(y, x) ? 1 : 0;
}
constexpr bool cube_below_zero(uint32_t v) { return soft::less<F32Layout>(v, 0); }
constexpr uint32_t cube_negate(uint32_t v) { return v ^ F32Layout::kSign; }

constexpr uint32_t f32_cube_id(uint32_t x, uint32_t y, uint32_t z) {
  constexpr uint32_t kFace[] = {0, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000};  // 0.0 .. 5.0
  const int axis = cube_axis(x, y, z);
  return kFace[2 * axis + cube_below_zero(axis == 2 ? z : axis == 1 ? y : x)];
}
constexpr uint32_t f32_cube_sc(uint32_t x, uint32_t y, uint32_t z) {
  const int axis = cube_axis(x, y, z);
  if (axis == 2) return cube_below_zero(z) ? cube_negate(x) : x;
  if (axis == 1) return x;
  return cube_below_zero(x) ? z : cube_negate(z);
}
constexpr uint32_t f32_cube_tc(uint32_t x, uint32_t y, uint32_t z) {
  const int axis = cube_axis(x, y, z);
  if (axis == 1) return cube_below_zero(y) ? cube_negate(z) : z;
  return cube_negate(y);
}
inline uint32_t f32_cube_ma(uint32_t x, uint32_t y, uint32_t z, const Mode& m) {
  const int axis = cube_axis(x, y, z);
  return soft::mul<F32Layout>(axis == 2 ? z : axis == 1 ? y : x, 0x40000000, m.f32());
}

}  // namespace wavetwin
