// SPDX-License-Identifier: MIT
// Words that move values between the lanes of a wave; their twin is hip/device/lanes.h. lane_gather and
// read_lane are the machine's own (sim/core/cross_lane.h).
#pragma once

#include "sim/core/cross_lane.h"
#include "sim/kernels/device_arithmetic.h"

namespace wavetwin {

inline LaneF32 lane_f32(const LaneF32& v, const LaneU32& src) { return lane_gather(v, src); }
// v of one lane, wave uniform.
template <class T>
T readlane(const Lane<T>& v, uint32_t lane) {
  return read_lane(v, lane);
}
// Lane 0's value as a wave-uniform one; it must be the same in all active lanes.
template <class T>
T uniform(const Lane<T>& v) {
  return read_first_lane(v);
}

// v of lane l ^ kOff, kOff a power of two.
template <uint32_t kOff, class T>
Lane<T> xshfl(const Lane<T>& v) {
  static_assert(kOff == 1 || kOff == 2 || kOff == 4 || kOff == 8 || kOff == 16 || kOff == 32);
  return lane_xor(v, kOff);
}

// kOff 32: swaps x's lanes 32..63 with y's lanes 0..31. kOff 16: x's odd rows with y's even rows.
template <uint32_t kOff, class T>
void permlane_swap(Lane<T>& x, Lane<T>& y) {
  static_assert(kOff == 16 || kOff == 32);
  if constexpr (kOff == 32) {
    permlane32_swap(x, y);
  } else {
    permlane16_swap(x, y);
  }
}

struct Add {
  static LaneF32 apply(const LaneF32& a, const LaneF32& b) { return a + b; }
};
struct Max {
  static LaneF32 apply(const LaneF32& a, const LaneF32& b) { return max_nan(a, b); }
};

// op of v and its partner's v; across rows op(lower lane's, upper lane's) in both lanes.
template <class Op, uint32_t kOff>
LaneF32 xred(const LaneF32& v) {
  if constexpr (kOff < 16) {
    return Op::apply(v, xshfl<kOff>(v));
  } else {
    LaneF32 lower = v;
    LaneF32 upper = v;
    permlane_swap<kOff>(lower, upper);
    return Op::apply(lower, upper);
  }
}

// xred for each offset in the listed order; the order is part of the result.
template <class Op, uint32_t kFirst, uint32_t... kRest>
LaneF32 butterfly(LaneF32 v) {
  v = xred<Op, kFirst>(v);
  if constexpr (sizeof...(kRest) != 0) v = butterfly<Op, kRest...>(v);
  return v;
}
inline LaneF32 wave_sum(const LaneF32& v) { return butterfly<Add, 32, 16, 8, 4, 2, 1>(v); }
inline LaneF32 wave_max(const LaneF32& v) { return butterfly<Max, 32, 16, 8, 4, 2, 1>(v); }

// Lanes with lane % 16 >= kBy get lane - kBy's value, the others +0.
template <uint32_t kBy, class T>
Lane<T> row_shr(const Lane<T>& v) {
  static_assert(kBy >= 1 && kBy <= 15);
  return row_shr(v, kBy);
}

}  // namespace wavetwin
