// SPDX-License-Identifier: MIT
// Quantisation: fp8 / bf8 / bf16 conversions, the scaled family, scaled MFMA in the f8f6f4 formats.
#include "tests/isa/decode/kernels/device.h"

namespace {

DEVICE float block_max(float x) {
  for (uint32_t step = 1; step < 32; step *= 2)
    x = __builtin_fmaxf(x, __builtin_fabsf(shuffle(x, lane() ^ step)));
  return x;
}

}  // namespace

extern "C" GLOBAL void quantise_mx(const Bf16x2* in, uint16_t* codes, uint8_t* scales, int n) {
  const int i = static_cast<int>(group() * 256 + item());
  if (i >= n) return;
  const float lo = static_cast<float>(in[i][0]), hi = static_cast<float>(in[i][1]);
  const float top = block_max(__builtin_fmaxf(__builtin_fabsf(lo), __builtin_fabsf(hi)));
  const int exponent = static_cast<int>(bits(top) >> 23) - 8;
  const int code = exponent < 0 ? 0 : exponent;
  const float inverse = real(static_cast<uint32_t>(254 - code) << 23);
  const int packed = __builtin_amdgcn_cvt_pk_fp8_f32(lo * inverse, hi * inverse, 0, false);
  codes[i] = static_cast<uint16_t>(packed);
  if (lane() % 16 == 0) scales[i / 16] = static_cast<uint8_t>(code);
}

extern "C" GLOBAL void quantise_scaled(const Bf16x2* in, I16x2* out, float scale, uint32_t seed) {
  const Bf16x2 x = in[item()];
  I16x2 packed = out[item()];
  packed = __builtin_amdgcn_cvt_scalef32_pk_fp8_bf16(packed, x, scale, false);
  packed = __builtin_amdgcn_cvt_scalef32_pk_bf8_bf16(packed, x, scale, true);
  out[item()] = packed;
  const int word = __builtin_bit_cast(int, packed);
  const F32x2 wide = __builtin_amdgcn_cvt_scalef32_pk_f32_fp8(static_cast<uint32_t>(word), scale, true);
  const int random = __builtin_amdgcn_cvt_sr_fp8_f32(wide[0], static_cast<int>(seed + item()), word, 2);
  out[item() + 64] = __builtin_bit_cast(I16x2, random);
}

extern "C" GLOBAL void dequantise(const uint32_t* in, float* out, const float* scale) {
  const int word = static_cast<int>(in[item()]);
  const float s = scale[item() / 32];
  const F32x2 low = __builtin_amdgcn_cvt_pk_f32_fp8(word, false),
              high = __builtin_amdgcn_cvt_pk_f32_bf8(word, true);
  out[item() * 8 + 0] = low[0] * s;
  out[item() * 8 + 1] = low[1] * s;
  out[item() * 8 + 2] = high[0] * s;
  out[item() * 8 + 3] = high[1] * s;
  out[item() * 8 + 4] = __builtin_amdgcn_cvt_f32_fp8(word, 1);
  out[item() * 8 + 5] = __builtin_amdgcn_cvt_f32_fp8(word, 3);
  out[item() * 8 + 6] = __builtin_amdgcn_cvt_f32_bf8(word, 2);
  out[item() * 8 + 7] = static_cast<float>(static_cast<uint8_t>(word));
}

extern "C" GLOBAL void scaled_product(const I32x8* a, const I32x8* b, const int* sa, const int* sb,
                                      F32x4* out) {
  F32x4 acc = out[lane()];
  const I32x8 x = a[lane()], y = b[lane()];
  const int p = sa[lane()], q = sb[lane()];
  acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(x, y, acc, 0, 0, 0, p, 0, q);
  acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(x, y, acc, 1, 0, 1, p, 2, q);
  acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(x, y, acc, 4, 4, 3, p, 1, q);
  acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(x, y, acc, 2, 3, 0, p, 0, q);
  out[lane()] = acc;
}

extern "C" GLOBAL void scaled_product_wide(const I32x8* a, const I32x8* b, const int* s, F32x16* out) {
  F32x16 acc = out[lane()];
  acc = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(a[lane()], b[lane()], acc, 0, 1, 0, s[lane()], 1,
                                                        s[lane() + 64]);
  out[lane()] = acc;
}
