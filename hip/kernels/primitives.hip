// SPDX-License-Identifier: MIT
// Every device word as a kernel of its own; twin of sim/kernels/primitives.cpp. Thread i works on element i.
#include "common/kernels/primitives.h"
#include "hip/device/sync.h"

namespace wavetwin {

// A word: operand words in, result words out.
#define WAVETWIN_WORD(name)              \
  template <uint32_t kIn, uint32_t kOut> \
  WAVETWIN_INLINE void word_##name([[maybe_unused]] const uint32_t(&in)[kIn], uint32_t(&out)[kOut])

// ---- arithmetic and packing ----

WAVETWIN_WORD(bf16_pair) { out[0] = bf16_pair(float_of(in[0]), float_of(in[1])); }
WAVETWIN_WORD(bf16_round) { out[0] = bits_of(bf16_round(float_of(in[0]))); }
WAVETWIN_WORD(bf_lo) { out[0] = bits_of(bf_lo(in[0])); }
WAVETWIN_WORD(bf_hi) { out[0] = bits_of(bf_hi(in[0])); }
WAVETWIN_WORD(fp8_pack4) {
  out[0] = fp8_pack4(float_of(in[0]), float_of(in[1]), float_of(in[2]), float_of(in[3]));
}
WAVETWIN_WORD(fp8x8_bf16) {
  const U32x4 v = fp8x8_bf16(in[0], in[1], float_of(in[2]));
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) out[i] = v[i];
}
WAVETWIN_WORD(fp8_pair_f32) {
  const F32x2 low = fp8_pair_f32<false>(in[0], float_of(in[1]));
  const F32x2 high = fp8_pair_f32<true>(in[0], float_of(in[1]));
  out[0] = bits_of(low[0]);
  out[1] = bits_of(low[1]);
  out[2] = bits_of(high[0]);
  out[3] = bits_of(high[1]);
}
WAVETWIN_WORD(clamp_fp8) { out[0] = bits_of(clamp_fp8(float_of(in[0]))); }
WAVETWIN_WORD(abs_f32) { out[0] = bits_of(abs_f32(float_of(in[0]))); }
WAVETWIN_WORD(ceil_exp) { out[0] = ceil_exp(float_of(in[0])); }
WAVETWIN_WORD(pow2) { out[0] = bits_of(pow2(in[0])); }
WAVETWIN_WORD(rcp_pow2) { out[0] = bits_of(rcp_pow2(in[0])); }
WAVETWIN_WORD(mx_mul) { out[0] = bits_of(mx_mul(in[0])); }
WAVETWIN_WORD(mx_code) { out[0] = mx_code(float_of(in[0])); }
WAVETWIN_WORD(div_rn) {
  out[0] = bits_of(div_rn(float_of(in[0]), float_of(kFp8MaxBits), float_of(kR448Bits)));
}
WAVETWIN_WORD(fma) { out[0] = bits_of(fma(float_of(in[0]), float_of(in[1]), float_of(in[2]))); }
WAVETWIN_WORD(max_nan) { out[0] = bits_of(max_nan(float_of(in[0]), float_of(in[1]))); }
WAVETWIN_WORD(min_nan) { out[0] = bits_of(min_nan(float_of(in[0]), float_of(in[1]))); }
WAVETWIN_WORD(exp2_det) { out[0] = bits_of(exp2_det(float_of(in[0]))); }
WAVETWIN_WORD(exp2_word) { out[0] = bits_of(exp2_word(float_of(in[0]))); }
WAVETWIN_WORD(rsq_det) { out[0] = bits_of(rsq_det(float_of(in[0]))); }
WAVETWIN_WORD(hw_exp2) { out[0] = bits_of(hw_exp2(float_of(in[0]))); }
WAVETWIN_WORD(hw_rcp) { out[0] = bits_of(hw_rcp(float_of(in[0]))); }
WAVETWIN_WORD(hw_rsq) { out[0] = bits_of(hw_rsq(float_of(in[0]))); }
WAVETWIN_WORD(perm) {
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) out[i] = perm(in[0], in[1], kPermSelectors[i]);
}
WAVETWIN_WORD(fresh) { out[0] = fresh(in[0]); }

// ---- lanes ----

WAVETWIN_WORD(lane_gather) { out[0] = lane_gather(in[0], in[1]); }
WAVETWIN_WORD(lane_f32) { out[0] = bits_of(lane_f32(float_of(in[0]), in[1])); }
WAVETWIN_WORD(xshfl) {
  out[0] = xshfl<1>(in[0]);
  out[1] = xshfl<2>(in[0]);
  out[2] = xshfl<4>(in[0]);
  out[3] = xshfl<8>(in[0]);
  out[4] = xshfl<16>(in[0]);
  out[5] = xshfl<32>(in[0]);
}
template <class Op>
WAVETWIN_INLINE void xred_all(float v, uint32_t (&out)[6]) {
  out[0] = bits_of(xred<Op, 1>(v));
  out[1] = bits_of(xred<Op, 2>(v));
  out[2] = bits_of(xred<Op, 4>(v));
  out[3] = bits_of(xred<Op, 8>(v));
  out[4] = bits_of(xred<Op, 16>(v));
  out[5] = bits_of(xred<Op, 32>(v));
}
WAVETWIN_WORD(xred_add) { xred_all<Add>(float_of(in[0]), out); }
WAVETWIN_WORD(xred_max) { xred_all<Max>(float_of(in[0]), out); }
WAVETWIN_WORD(butterfly) {
  out[0] = bits_of(butterfly<Add, 8, 4, 2, 1>(float_of(in[0])));
  out[1] = bits_of(butterfly<Add, 16, 32>(float_of(in[0])));
  out[2] = bits_of(butterfly<Max, 1, 2, 4, 8, 16>(float_of(in[0])));
}
WAVETWIN_WORD(row_shr) {
  out[0] = bits_of(row_shr<1>(float_of(in[0])));
  out[1] = bits_of(row_shr<2>(float_of(in[0])));
  out[2] = bits_of(row_shr<4>(float_of(in[0])));
  out[3] = bits_of(row_shr<8>(float_of(in[0])));
  out[4] = bits_of(row_shr<15>(float_of(in[0])));
}
WAVETWIN_WORD(wave_sum) { out[0] = bits_of(wave_sum(float_of(in[0]))); }
WAVETWIN_WORD(wave_max) { out[0] = bits_of(wave_max(float_of(in[0]))); }
WAVETWIN_WORD(permlane_swap) {
  out[0] = in[0];
  out[1] = in[1];
  permlane_swap<16>(out[0], out[1]);
  out[2] = in[0];
  out[3] = in[1];
  permlane_swap<32>(out[2], out[3]);
}
WAVETWIN_WORD(readlane) {
#pragma unroll
  for (uint32_t i = 0; i < 3; ++i) out[i] = readlane(in[0], kReadLanes[i]);
}
WAVETWIN_WORD(uniform) { out[0] = uniform(in[0]); }

// ---- indices ----

WAVETWIN_WORD(tile_map) {
#pragma unroll
  for (uint32_t i = 0; i < 7; ++i) {
    const TileAt<uint32_t> at = tile_map(in[0], kTileWidths[i]);
    out[2 * i] = at.row;
    out[2 * i + 1] = at.col;
  }
}
WAVETWIN_WORD(first_task) { out[0] = first_task(in[0], in[1]); }

#define WAVETWIN_PRIMITIVE_KERNEL(name, mangled, in_words, out_words, type, evidence, input)          \
  extern "C" WAVETWIN_KERNEL void primitives_##name(PrimitiveArgs args) __asm__("_ZN5aiter" mangled); \
  extern "C" WAVETWIN_KERNEL void primitives_##name(PrimitiveArgs args) {                             \
    const Wave wave = this_wave();                                                                    \
    const uint32_t i = wave.workgroup_id() * kThreads + wave.thread_id();                             \
    const uint32_t* from = pointer(args.in);                                                          \
    uint32_t* to = pointer(args.out);                                                                 \
    uint32_t in[in_words];                                                                            \
    uint32_t out[out_words];                                                                          \
    _Pragma("unroll") for (uint32_t w = 0; w < in_words; ++w) in[w] = from[w * args.n + i];           \
    word_##name(in, out);                                                                             \
    _Pragma("unroll") for (uint32_t w = 0; w < out_words; ++w) to[w * args.n + i] = out[w];           \
  }
WAVETWIN_PRIMITIVES(WAVETWIN_PRIMITIVE_KERNEL)

}  // namespace wavetwin
