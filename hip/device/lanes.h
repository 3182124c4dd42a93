// SPDX-License-Identifier: MIT
// Words that move values between the lanes of a wave; their twin is sim/kernels/device_lanes.h.
#pragma once

#include "hip/device/arithmetic.h"

namespace wavetwin {

WAVETWIN_INLINE uint32_t lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}

// v of lane `src` of the wave (ds_bpermute_b32).
WAVETWIN_INLINE uint32_t lane_gather(uint32_t v, uint32_t src) {
  return static_cast<uint32_t>(__builtin_amdgcn_ds_bpermute(static_cast<int>(4 * src), static_cast<int>(v)));
}
WAVETWIN_INLINE float lane_f32(float v, uint32_t src) { return float_of(lane_gather(bits_of(v), src)); }

// v of one lane, wave uniform.
WAVETWIN_INLINE uint32_t readlane(uint32_t v, uint32_t lane) { return __builtin_amdgcn_readlane(v, lane); }

template <uint32_t kCtrl, uint32_t kRowMask, uint32_t kBankMask, bool kBoundCtrl>
WAVETWIN_INLINE uint32_t dpp(uint32_t old, uint32_t v) {
  return static_cast<uint32_t>(__builtin_amdgcn_update_dpp(static_cast<int>(old), static_cast<int>(v), kCtrl,
                                                           kRowMask, kBankMask, kBoundCtrl));
}

// v of lane l ^ kOff, kOff a power of two: DPP inside a row, ds_bpermute across rows.
template <uint32_t kOff>
WAVETWIN_INLINE uint32_t xshfl(uint32_t v) {
  static_assert(kOff == 1 || kOff == 2 || kOff == 4 || kOff == 8 || kOff == 16 || kOff == 32);
  if constexpr (kOff == 1) {
    return dpp<0xB1, 0xF, 0xF, true>(v, v);  // quad_perm 1,0,3,2
  } else if constexpr (kOff == 2) {
    return dpp<0x4E, 0xF, 0xF, true>(v, v);  // quad_perm 2,3,0,1
  } else if constexpr (kOff == 4) {
    return dpp<0x104, 0xF, 0x5, false>(dpp<0x114, 0xF, 0xA, false>(v, v), v);  // row_shr 4 | row_shl 4
  } else if constexpr (kOff == 8) {
    return dpp<0x108, 0xF, 0x3, false>(dpp<0x118, 0xF, 0xC, false>(v, v), v);  // row_shr 8 | row_shl 8
  } else {
    return lane_gather(v, lane_id() ^ kOff);
  }
}
template <uint32_t kOff>
WAVETWIN_INLINE float xshfl(float v) {
  return float_of(xshfl<kOff>(bits_of(v)));
}

// kOff 32: swaps x's lanes 32..63 with y's lanes 0..31. kOff 16: x's odd rows with y's even rows.
template <uint32_t kOff>
WAVETWIN_INLINE void permlane_swap(uint32_t& x, uint32_t& y) {
  static_assert(kOff == 16 || kOff == 32);
  // Distinct registers: a swap of one value with itself must not see a half-swapped register.
  const auto pair = kOff == 32 ? __builtin_amdgcn_permlane32_swap(x, y, false, false)
                               : __builtin_amdgcn_permlane16_swap(x, y, false, false);
  x = pair[0];
  y = pair[1];
}

struct Add {
  static WAVETWIN_INLINE float apply(float a, float b) { return a + b; }
};
struct Max {
  static WAVETWIN_INLINE float apply(float a, float b) { return max_nan(a, b); }
};

// op of v and its partner's v; across rows op(lower lane's, upper lane's) in both lanes.
template <class Op, uint32_t kOff>
WAVETWIN_INLINE float xred(float v) {
  if constexpr (kOff < 16) {
    return Op::apply(v, xshfl<kOff>(v));
  } else {
    uint32_t lower = bits_of(v);
    uint32_t upper = bits_of(v);
    permlane_swap<kOff>(lower, upper);
    return Op::apply(float_of(lower), float_of(upper));
  }
}

// xred for each offset in the listed order; the order is part of the result.
template <class Op, uint32_t kFirst, uint32_t... kRest>
WAVETWIN_INLINE float butterfly(float v) {
  v = xred<Op, kFirst>(v);
  if constexpr (sizeof...(kRest) != 0) v = butterfly<Op, kRest...>(v);
  return v;
}
WAVETWIN_INLINE float wave_sum(float v) { return butterfly<Add, 32, 16, 8, 4, 2, 1>(v); }
WAVETWIN_INLINE float wave_max(float v) { return butterfly<Max, 32, 16, 8, 4, 2, 1>(v); }

// Lanes with lane % 16 >= kBy get lane - kBy's value, the others +0.
template <uint32_t kBy>
WAVETWIN_INLINE float row_shr(float v) {
  static_assert(kBy >= 1 && kBy <= 15);
  return float_of(dpp<0x110 + kBy, 0xF, 0xF, true>(0, bits_of(v)));
}

}  // namespace wavetwin
