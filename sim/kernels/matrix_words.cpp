// SPDX-License-Identifier: MIT
#include "sim/kernels/matrix_words.h"

#include "sim/kernels/device.h"

namespace wavetwin {
namespace {

// Dword i of the lane: registers [wave][words][lane].
LaneU32 register_at(Wave& wave, DevicePtr<const uint32_t> from, uint32_t words, uint32_t i) {
  return wave.load_element(from, (wave.wave_id() * words + i) * kLanes + wave.lane());
}

template <unsigned N>
Vgprs<N> first(const Vgprs<kMatrixWords>& v) {
  Vgprs<N> out;
  for (unsigned i = 0; i < N; ++i) out[i] = v[i];
  return out;
}

WaveTask matrix_word(Wave& wave, MatrixKernel kernel, MatrixArgs args) {
  Vgprs<kMatrixWords> a, b;
  for (uint32_t i = 0; i < kMatrixWords; ++i) {
    a[i] = register_at(wave, args.a, kMatrixWords, i);
    b[i] = register_at(wave, args.b, kMatrixWords, i);
  }
  Accumulator d;
  for (uint32_t i = 0; i < 4; ++i) d[i] = register_at(wave, args.c, 4, i);
  if (kernel.word == MatrixWord::scaled) {
    d = mfma_scaled(a, b, d, register_at(wave, args.scale_a, 1, 0), register_at(wave, args.scale_b, 1, 0),
                    kernel.a_format, kernel.b_format);
  } else if (kernel.word == MatrixWord::bf16) {
    d = mfma_bf16(first<4>(a), first<4>(b), d);
  } else {
    d = mfma16_bf16(first<2>(a), first<2>(b), d);
  }
  for (uint32_t i = 0; i < 4; ++i) {
    wave.store_element(args.d, (wave.wave_id() * 4 + i) * kLanes + wave.lane(), d[i]);
  }
  co_return;
}

}  // namespace

WaveTask matrix_kernel(uint32_t word, Wave& wave, const MatrixArgs& args) {
  return matrix_word(wave, kMatrixKernels[word], args);
}

}  // namespace wavetwin
