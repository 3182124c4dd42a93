// SPDX-License-Identifier: MIT
// Combine stage of the attention back; twin of hip/device/back_combine.h.
#pragma once

#include "sim/kernels/back_context.h"

namespace wavetwin::back {

// Cosines and sines of a lane's four pairs of dims.
struct Rotation {
  LaneF32 cs[4], sn[4];
};

// Lanes of the rotated dims read their position's row, the others rotate by nothing.
inline Rotation load_rotation(Wave& wave, const Args& args, uint32_t t) {
  const uint32_t pos = wave.load_uniform(args.pos, 2 * t);
  const LaneU32 d0 = 8 * wave.lane();
  const LaneMask rope = d0 >= kNope;
  const LaneU32 pair = select(rope, (d0 - kNope) / 2, 0u);
  Rotation r;
  for (uint32_t i = 0; i < 4; ++i) {
    r.cs[i] = select(rope, ld_f32(wave, args.cos_sin, pos * kRope + pair + i, rope), 1.0f);
    r.sn[i] = select(rope, ld_f32(wave, args.cos_sin, pos * kRope + kHalf + pair + i, rope), 0.0f);
  }
  return r;
}

// A head's chunks, the lane's 8 dims of each.
template <Form kForm>
struct Chunks {
  LaneF32 max[kForm.chunks()], sum[kForm.chunks()], v[kForm.chunks()][8];
};

// Chunks past the live ones count nothing, whatever their memory holds.
template <Form kForm>
Chunks<kForm> load_chunks(Wave& wave, const Context& c, uint32_t t, uint32_t head, uint32_t live) {
  Chunks<kForm> out;
  for (uint32_t k = 0; k < kForm.chunks(); ++k) {
    const LaneMask in = LaneMask::uniform(k < live);
    const uint32_t row = part_row(kForm, t, k, head);
    const Vgprs<2> stat = wave.buffer_load<2>(c.region(c.at.pstat), LaneU32(8 * row));
    const Vgprs<4> part = wave.buffer_load<4>(c.region(c.at.part), 2 * (row * kHeadDim + 8 * wave.lane()));
    out.max[k] = select(in, as_f32(stat[0]), float_of(kNegBits));
    out.sum[k] = select(in, as_f32(stat[1]), 0.0f);
    for (uint32_t e = 0; e < 8; ++e) {
      out.v[k][e] = select(in, e % 2 == 0 ? bf_lo(part[e / 2]) : bf_hi(part[e / 2]), 0.0f);
    }
  }
  return out;
}

struct Dims8 {
  LaneF32 v[8];
};

// The softmax over all chunks and the sink (in log2 units), as bf16 values.
template <Form kForm>
Dims8 merge(const Chunks<kForm>& chunks, const LaneF32& sink) {
  LaneF32 m = float_of(kNegBits);
  for (uint32_t k = 0; k < kForm.chunks(); ++k) m = max_nan(m, chunks.max[k]);
  m = max_nan(m, sink);
  LaneF32 l = exp2_word(sink - m);
  LaneF32 total[8];
  for (LaneF32& v : total) v = 0.0f;
  for (uint32_t k = 0; k < kForm.chunks(); ++k) {
    const LaneF32 weight = exp2_word(chunks.max[k] - m);
    l = l + chunks.sum[k] * weight;
    for (uint32_t e = 0; e < 8; ++e) total[e] = total[e] + chunks.v[k][e] * weight;
  }
  const LaneF32 inverse = 1.0f / l;
  Dims8 out;
  for (uint32_t e = 0; e < 8; ++e) out.v[e] = bf16_round(total[e] * inverse);
  return out;
}

// Pairs of neighbouring dims turned back by their position, in every lane (a rotation by nothing still makes
// some -0 a +0).
inline Dims8 rotate_back(const Dims8& o, const Rotation& r) {
  Dims8 y;
  for (uint32_t i = 0; i < 4; ++i) {
    const LaneF32 even = o.v[2 * i], odd = o.v[2 * i + 1];
    y.v[2 * i] = even * r.cs[i] + odd * r.sn[i];
    y.v[2 * i + 1] = odd * r.cs[i] - even * r.sn[i];
  }
  return y;
}

// MXFP8 of each 32 dims (4 lanes) -> xo, xos.
template <Form kForm>
void store_xo(Wave& wave, const Context& c, uint32_t t, uint32_t head, const Dims8& y) {
  const LaneU32 row = head * kHeadDim + 8 * wave.lane();
  LaneF32 amax = abs_f32(y.v[0]);
  for (uint32_t e = 1; e < 8; ++e) amax = max_nan(amax, abs_f32(y.v[e]));
  amax = butterfly<Max, 1, 2>(amax);
  const LaneU32 code = mx_code(amax);
  const LaneF32 mul = mx_mul(code);
  LaneF32 f[8];
  for (uint32_t e = 0; e < 8; ++e) f[e] = clamp_fp8(y.v[e] * mul);
  const Vgprs<2> words{{fp8_pack4(f[0], f[1], f[2], f[3]), fp8_pack4(f[4], f[5], f[6], f[7])}};
  wave.buffer_store<2>(c.region(c.at.xo), t * kForm.dims().q_rows() + row, words, kAllLanes, kCmDev);
  wave.buffer_store(c.region(c.at.xos), 4 * (t * (kForm.dims().q_rows() / 32) + row / 32), code,
                    wave.lane() % 4 == 0, kCmDev);
}

// Token unit / (heads / 8), eight heads: a wave a head, 8 dims a lane.
template <Form kForm>
SubTask<> stage_combine(Wave& wave, Context c, uint32_t unit) {
  wave.stage("combine: await split");
  const uint32_t t = unit / kForm.dims().head_octets(), octet = unit % kForm.dims().head_octets();
  const uint32_t head = octet * kCombineHeads + wave.wave_id();
  const uint32_t live = live_chunks(kForm, wave.load_uniform(c.args.klen, t));
  const LaneF32 sink = LaneF32(wave.load_uniform(c.args.sink, head)) * float_of(kLog2EBits);
  const Rotation rotation = load_rotation(wave, c.args, t);
  co_await await_flags(wave, c.mail, c.region(c.at.srdy), live, t * kForm.chunks() + wave.thread_id());
  wave.stage("combine: merge");
  store_xo<kForm>(wave, c, t, head,
                  rotate_back(merge<kForm>(load_chunks<kForm>(wave, c, t, head, live), sink), rotation));
  wave.stage("combine: publish");
  co_await publish(wave, c.mail, c.region(c.at.crdy), t * kForm.dims().head_octets() + octet);
}

}  // namespace wavetwin::back
