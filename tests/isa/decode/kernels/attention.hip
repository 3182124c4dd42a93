// SPDX-License-Identifier: MIT
// Attention-like code: bf16 MFMA, softmax with exp2 and shuffles, transposing LDS reads, normalisation.
#include "tests/isa/decode/kernels/device.h"

namespace {

constexpr int kTile = 16, kHead = 32;

DEVICE float row_max(float x) {
  for (uint32_t step = 1; step < 16; step *= 2) x = __builtin_fmaxf(x, shuffle(x, lane() ^ step));
  return x;
}

DEVICE float row_sum(float x) {
  x = dpp_add<0x111>(x);  // row_shr:1
  x = dpp_add<0x112>(x);
  x = dpp_add<0x114>(x);
  x = dpp_add<0x118>(x);
  return real(static_cast<uint32_t>(__builtin_amdgcn_readlane(static_cast<int>(bits(x)), 15)));
}

DEVICE float exp2_of(float x) { return __builtin_amdgcn_exp2f(x); }

}  // namespace

extern "C" GLOBAL void attend(const Bf16x8* q, const Bf16x8* k, const Bf16x8* v, float* out, int keys,
                              float scale) {
  SHARED Bf16x8 staged[64];
  const Bf16x8 query = q[lane()];
  float running_max = -__builtin_inff(), total = 0;
  F32x4 acc = 0;
  for (int t = 0; t < keys; t += kTile) {
    F32x4 score = 0;
    score = __builtin_amdgcn_mfma_f32_16x16x32_bf16(query, k[t * 4 + lane()], score, 0, 0, 0);
    staged[lane()] = v[t * 4 + lane()];
    barrier();
    float probability[4];
    for (int i = 0; i < 4; ++i) {
      const float s = score[i] * scale;
      const float top = __builtin_fmaxf(running_max, row_max(s));
      total = total * exp2_of(running_max - top) + row_sum(exp2_of(s - top));
      probability[i] = exp2_of(s - top);
      running_max = top;
    }
    Bf16x8 p = 0;
    for (int i = 0; i < 4; ++i) p[i] = static_cast<__bf16>(probability[i]);
    const I16x4 turned =
        __builtin_amdgcn_ds_read_tr16_b64_v4i16(reinterpret_cast<__attribute__((address_space(3))) I16x4*>(
            reinterpret_cast<uint64_t>(&staged[lane() & 31])));
    Bf16x8 value = staged[lane()];
    for (int i = 0; i < 4; ++i) value[i] = __builtin_bit_cast(__bf16, turned[i]);
    acc = __builtin_amdgcn_mfma_f32_16x16x32_bf16(p, value, acc, 0, 0, 0);
    barrier();
  }
  const float scale_out = 1.0f / total;
  for (int i = 0; i < 4; ++i) out[group() * 256 + i * 64 + lane()] = acc[i] * scale_out;
}

extern "C" GLOBAL void wide_attend(const Bf16x8* a, const Bf16x8* b, float* out) {
  F32x16 acc = 0;
  for (int i = 0; i < kHead; ++i)
    acc = __builtin_amdgcn_mfma_f32_32x32x16_bf16(a[i * 64 + lane()], b[lane()], acc, 0, 0, 0);
  for (int i = 0; i < 16; ++i) out[i * 64 + lane()] = acc[i];
}

extern "C" GLOBAL void rms_normalise(const float* x, const float* weight, float* out, int n, float epsilon) {
  SHARED float partial[16];
  float sum = 0;
  for (int i = static_cast<int>(item()); i < n; i += 256) sum += x[i] * x[i];
  for (uint32_t step = 32; step > 0; step /= 2) sum += shuffle(sum, lane() ^ step);
  if (lane() == 0) partial[item() / 64] = sum;
  barrier();
  float all = 0;
  for (int i = 0; i < 4; ++i) all += partial[i];
  const float r = __builtin_amdgcn_rsqf(all / static_cast<float>(n) + epsilon);
  for (int i = static_cast<int>(item()); i < n; i += 256) out[i] = x[i] * r * weight[i];
}
