// SPDX-License-Identifier: MIT
// Combine stage of the attention back; twin of sim/kernels/back_combine.h.
#pragma once

#include "hip/device/back_context.h"

namespace wavetwin::back {

// Cosines and sines of a lane's four pairs of dims.
struct Rotation {
  float cs[4], sn[4];
};

// Lanes of the rotated dims read their position's row, the others rotate by nothing.
WAVETWIN_INLINE Rotation load_rotation(const Wave& wave, const Args& args, uint32_t t) {
  const uint32_t pos = pointer(args.pos)[2 * t];
  const uint32_t d0 = 8 * wave.lane();
  const bool rope = d0 >= kNope;
  const uint32_t pair = rope ? (d0 - kNope) / 2 : 0;
  Rotation r;
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) {
    r.cs[i] = rope ? ld_f32(pointer(args.cos_sin), pos * kRope + pair + i) : 1.0f;
    r.sn[i] = rope ? ld_f32(pointer(args.cos_sin), pos * kRope + kHalf + pair + i) : 0.0f;
  }
  return r;
}

// A head's chunks, the lane's 8 dims of each.
template <Form kForm>
struct Chunks {
  float max[kForm.chunks()], sum[kForm.chunks()], v[kForm.chunks()][8];
};

// Chunks past the live ones count nothing, whatever their memory holds.
template <Form kForm>
WAVETWIN_INLINE Chunks<kForm> load_chunks(const Wave& wave, const Context& c, uint32_t t, uint32_t head,
                                          uint32_t live) {
  Chunks<kForm> out;
#pragma unroll
  for (uint32_t k = 0; k < kForm.chunks(); ++k) {
    const bool in = k < live;
    const uint32_t row = part_row(kForm, t, k, head);
    const U32x2 stat = buffer_load_b64(c.region(c.at.pstat), 8 * row);
    const U32x4 part = buffer_load_b128(c.region(c.at.part), 2 * (row * kHeadDim + 8 * wave.lane()));
    out.max[k] = in ? float_of(stat[0]) : float_of(kNegBits);
    out.sum[k] = in ? float_of(stat[1]) : 0.0f;
#pragma unroll
    for (uint32_t e = 0; e < 8; ++e) {
      out.v[k][e] = in ? (e % 2 == 0 ? bf_lo(part[e / 2]) : bf_hi(part[e / 2])) : 0.0f;
    }
  }
  return out;
}

struct Dims8 {
  float v[8];
};

// The softmax over all chunks and the sink (in log2 units), as bf16 values.
template <Form kForm>
WAVETWIN_INLINE Dims8 merge(const Chunks<kForm>& chunks, float sink) {
  float m = float_of(kNegBits);
#pragma unroll
  for (uint32_t k = 0; k < kForm.chunks(); ++k) m = max_nan(m, chunks.max[k]);
  m = max_nan(m, sink);
  float l = exp2_word(sink - m);
  float total[8];
#pragma unroll
  for (uint32_t e = 0; e < 8; ++e) total[e] = 0.0f;
#pragma unroll
  for (uint32_t k = 0; k < kForm.chunks(); ++k) {
    const float weight = exp2_word(chunks.max[k] - m);
    l = l + chunks.sum[k] * weight;
#pragma unroll
    for (uint32_t e = 0; e < 8; ++e) total[e] = total[e] + chunks.v[k][e] * weight;
  }
  const float inverse = 1.0f / l;
  Dims8 out;
#pragma unroll
  for (uint32_t e = 0; e < 8; ++e) out.v[e] = bf16_round(total[e] * inverse);
  return out;
}

// Pairs of neighbouring dims turned back by their position, in every lane (a rotation by nothing still makes
// some -0 a +0).
WAVETWIN_INLINE Dims8 rotate_back(const Dims8& o, const Rotation& r) {
  Dims8 y;
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) {
    const float even = o.v[2 * i], odd = o.v[2 * i + 1];
    y.v[2 * i] = even * r.cs[i] + odd * r.sn[i];
    y.v[2 * i + 1] = odd * r.cs[i] - even * r.sn[i];
  }
  return y;
}

// MXFP8 of each 32 dims (4 lanes) -> xo, xos.
template <Form kForm>
WAVETWIN_INLINE void store_xo(const Wave& wave, const Context& c, uint32_t t, uint32_t head, const Dims8& y) {
  const uint32_t row = head * kHeadDim + 8 * wave.lane();
  float amax = abs_f32(y.v[0]);
#pragma unroll
  for (uint32_t e = 1; e < 8; ++e) amax = max_nan(amax, abs_f32(y.v[e]));
  amax = butterfly<Max, 1, 2>(amax);
  const uint32_t code = mx_code(amax);
  const float mul = mx_mul(code);
  float f[8];
#pragma unroll
  for (uint32_t e = 0; e < 8; ++e) f[e] = clamp_fp8(y.v[e] * mul);
  const U32x2 words{fp8_pack4(f[0], f[1], f[2], f[3]), fp8_pack4(f[4], f[5], f[6], f[7])};
  buffer_store_b64<kCmDev>(words, c.region(c.at.xo), t * kForm.dims().q_rows() + row);
  if (wave.lane() % 4 == 0) {
    buffer_store_b32<kCmDev>(code, c.region(c.at.xos), 4 * (t * (kForm.dims().q_rows() / 32) + row / 32));
  }
}

// Token unit / (heads / 8), eight heads: a wave a head, 8 dims a lane.
template <Form kForm>
WAVETWIN_INLINE void stage_combine(const Wave& wave, const Context& c, uint32_t unit) {
  const uint32_t t = unit / kForm.dims().head_octets(), octet = unit % kForm.dims().head_octets();
  const uint32_t head = octet * kCombineHeads + wave.wave_id();
  const uint32_t live = live_chunks(kForm, pointer(c.args.klen)[t]);
  const float sink = ld_f32(pointer(c.args.sink), head) * float_of(kLog2EBits);
  const Rotation rotation = load_rotation(wave, c.args, t);
  await_flags(wave, c.mail, c.region(c.at.srdy), live, [&](uint32_t u) { return t * kForm.chunks() + u; });
  store_xo<kForm>(wave, c, t, head,
                  rotate_back(merge<kForm>(load_chunks<kForm>(wave, c, t, head, live), sink), rotation));
  publish(wave, c.mail, c.region(c.at.crdy), t * kForm.dims().head_octets() + octet);
}

}  // namespace wavetwin::back
