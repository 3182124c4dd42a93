// SPDX-License-Identifier: MIT
#include "sim/kernels/primitives.h"

#include "sim/kernels/device_sync.h"

namespace wavetwin {
namespace {

// A word: operand words in, result words out.
#define WAVETWIN_WORD(name)              \
  template <uint32_t kIn, uint32_t kOut> \
  void word_##name([[maybe_unused]] const Vgprs<kIn>& in, Vgprs<kOut>& out)

// ---- arithmetic and packing ----

WAVETWIN_WORD(bf16_pair) { out[0] = bf16_pair(as_f32(in[0]), as_f32(in[1])); }
WAVETWIN_WORD(bf16_round) { out[0] = as_u32(bf16_round(as_f32(in[0]))); }
WAVETWIN_WORD(bf_lo) { out[0] = as_u32(bf_lo(in[0])); }
WAVETWIN_WORD(bf_hi) { out[0] = as_u32(bf_hi(in[0])); }
WAVETWIN_WORD(fp8_pack4) { out[0] = fp8_pack4(as_f32(in[0]), as_f32(in[1]), as_f32(in[2]), as_f32(in[3])); }
WAVETWIN_WORD(fp8x8_bf16) { out = fp8x8_bf16(in[0], in[1], as_f32(in[2])); }
WAVETWIN_WORD(fp8_pair_f32) {
  const F32Pair low = fp8_pair_f32<false>(in[0], as_f32(in[1]));
  const F32Pair high = fp8_pair_f32<true>(in[0], as_f32(in[1]));
  out[0] = as_u32(low[0]);
  out[1] = as_u32(low[1]);
  out[2] = as_u32(high[0]);
  out[3] = as_u32(high[1]);
}
WAVETWIN_WORD(clamp_fp8) { out[0] = as_u32(clamp_fp8(as_f32(in[0]))); }
WAVETWIN_WORD(abs_f32) { out[0] = as_u32(abs_f32(as_f32(in[0]))); }
WAVETWIN_WORD(ceil_exp) { out[0] = ceil_exp(as_f32(in[0])); }
WAVETWIN_WORD(pow2) { out[0] = as_u32(pow2(in[0])); }
WAVETWIN_WORD(rcp_pow2) { out[0] = as_u32(rcp_pow2(in[0])); }
WAVETWIN_WORD(mx_mul) { out[0] = as_u32(mx_mul(in[0])); }
WAVETWIN_WORD(mx_code) { out[0] = mx_code(as_f32(in[0])); }
WAVETWIN_WORD(div_rn) { out[0] = as_u32(div_rn(as_f32(in[0]), float_of(kFp8MaxBits), float_of(kR448Bits))); }
WAVETWIN_WORD(fma) { out[0] = as_u32(fma(as_f32(in[0]), as_f32(in[1]), as_f32(in[2]))); }
WAVETWIN_WORD(max_nan) { out[0] = as_u32(max_nan(as_f32(in[0]), as_f32(in[1]))); }
WAVETWIN_WORD(min_nan) { out[0] = as_u32(min_nan(as_f32(in[0]), as_f32(in[1]))); }
WAVETWIN_WORD(exp2_det) { out[0] = as_u32(exp2_det(as_f32(in[0]))); }
WAVETWIN_WORD(exp2_word) { out[0] = as_u32(exp2_word(as_f32(in[0]))); }
WAVETWIN_WORD(rsq_det) { out[0] = as_u32(rsq_det(as_f32(in[0]))); }
WAVETWIN_WORD(hw_exp2) { out[0] = as_u32(hw_exp2(as_f32(in[0]))); }
WAVETWIN_WORD(hw_rcp) { out[0] = as_u32(hw_rcp(as_f32(in[0]))); }
WAVETWIN_WORD(hw_rsq) { out[0] = as_u32(hw_rsq(as_f32(in[0]))); }
WAVETWIN_WORD(perm) {
  for (uint32_t i = 0; i < 4; ++i) out[i] = perm(in[0], in[1], kPermSelectors[i]);
}
WAVETWIN_WORD(fresh) { out[0] = fresh(in[0]); }

// ---- lanes ----

WAVETWIN_WORD(lane_gather) { out[0] = lane_gather(in[0], in[1]); }
WAVETWIN_WORD(lane_f32) { out[0] = as_u32(lane_f32(as_f32(in[0]), in[1])); }
WAVETWIN_WORD(xshfl) {
  out[0] = xshfl<1>(in[0]);
  out[1] = xshfl<2>(in[0]);
  out[2] = xshfl<4>(in[0]);
  out[3] = xshfl<8>(in[0]);
  out[4] = xshfl<16>(in[0]);
  out[5] = xshfl<32>(in[0]);
}
template <class Op>
void xred_all(const LaneF32& v, Vgprs<6>& out) {
  out[0] = as_u32(xred<Op, 1>(v));
  out[1] = as_u32(xred<Op, 2>(v));
  out[2] = as_u32(xred<Op, 4>(v));
  out[3] = as_u32(xred<Op, 8>(v));
  out[4] = as_u32(xred<Op, 16>(v));
  out[5] = as_u32(xred<Op, 32>(v));
}
WAVETWIN_WORD(xred_add) { xred_all<Add>(as_f32(in[0]), out); }
WAVETWIN_WORD(xred_max) { xred_all<Max>(as_f32(in[0]), out); }
WAVETWIN_WORD(butterfly) {
  out[0] = as_u32(butterfly<Add, 8, 4, 2, 1>(as_f32(in[0])));
  out[1] = as_u32(butterfly<Add, 16, 32>(as_f32(in[0])));
  out[2] = as_u32(butterfly<Max, 1, 2, 4, 8, 16>(as_f32(in[0])));
}
WAVETWIN_WORD(row_shr) {
  out[0] = row_shr<1>(in[0]);
  out[1] = row_shr<2>(in[0]);
  out[2] = row_shr<4>(in[0]);
  out[3] = row_shr<8>(in[0]);
  out[4] = row_shr<15>(in[0]);
}
WAVETWIN_WORD(wave_sum) { out[0] = as_u32(wave_sum(as_f32(in[0]))); }
WAVETWIN_WORD(wave_max) { out[0] = as_u32(wave_max(as_f32(in[0]))); }
WAVETWIN_WORD(permlane_swap) {
  out[0] = in[0];
  out[1] = in[1];
  permlane_swap<16>(out[0], out[1]);
  out[2] = in[0];
  out[3] = in[1];
  permlane_swap<32>(out[2], out[3]);
}
WAVETWIN_WORD(readlane) {
  for (uint32_t i = 0; i < 3; ++i) out[i] = LaneU32(readlane(in[0], kReadLanes[i]));
}
WAVETWIN_WORD(uniform) { out[0] = LaneU32(uniform(in[0])); }

// ---- indices ----

WAVETWIN_WORD(tile_map) {
  for (uint32_t i = 0; i < 7; ++i) {
    const TileAt<LaneU32> at = tile_map(in[0], kTileWidths[i]);
    out[2 * i] = at.row;
    out[2 * i + 1] = at.col;
  }
}
WAVETWIN_WORD(first_task) { out[0] = map_lanes(first_task, in[0], in[1]); }

#undef WAVETWIN_WORD

#define WAVETWIN_PRIMITIVE_KERNEL(name, mangled, in_words, out_words, type, evidence, input)      \
  WaveTask primitives_##name(Wave& wave, PrimitiveArgs args) {                                    \
    const LaneU32 i = wave.workgroup_id() * kThreads + wave.thread_id();                          \
    Vgprs<in_words> in;                                                                           \
    Vgprs<out_words> out;                                                                         \
    for (uint32_t w = 0; w < in_words; ++w) in[w] = wave.load_element(args.in, w * args.n + i);   \
    word_##name(in, out);                                                                         \
    for (uint32_t w = 0; w < out_words; ++w) wave.store_element(args.out, w* args.n + i, out[w]); \
    co_return;                                                                                    \
  }
WAVETWIN_PRIMITIVES(WAVETWIN_PRIMITIVE_KERNEL)
#undef WAVETWIN_PRIMITIVE_KERNEL

using Kernel = WaveTask (*)(Wave&, PrimitiveArgs);
#define WAVETWIN_PRIMITIVE_ENTRY(name, ...) primitives_##name,
constexpr Kernel kKernels[] = {WAVETWIN_PRIMITIVES(WAVETWIN_PRIMITIVE_ENTRY)};
#undef WAVETWIN_PRIMITIVE_ENTRY

}  // namespace

WaveTask primitive_kernel(uint32_t word, Wave& wave, const PrimitiveArgs& args) {
  return kKernels[word](wave, args);
}

}  // namespace wavetwin
