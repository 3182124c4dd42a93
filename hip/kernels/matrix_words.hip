// SPDX-License-Identifier: MIT
// The matrix words one by one; twin of sim/kernels/matrix_words.cpp.
#include "common/kernels/matrix_words.h"
#include "hip/device/intrinsics.h"

namespace wavetwin {

// Dword i of the lane: registers [wave][words][lane].
WAVETWIN_INLINE uint32_t register_at(const Wave& wave, const uint32_t* from, uint32_t words, uint32_t i) {
  return from[(wave.wave_id() * words + i) * kLanes + wave.lane()];
}

template <MatrixWord kWord, uint32_t kAFormat, uint32_t kBFormat>
WAVETWIN_INLINE void matrix_word(const MatrixArgs& args) {
  const Wave wave = this_wave();
  U32x8 a, b;
#pragma unroll
  for (uint32_t i = 0; i < kMatrixWords; ++i) {
    a[i] = register_at(wave, pointer(args.a), kMatrixWords, i);
    b[i] = register_at(wave, pointer(args.b), kMatrixWords, i);
  }
  U32x4 c;
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) c[i] = register_at(wave, pointer(args.c), 4, i);
  F32x4 d = __builtin_bit_cast(F32x4, c);
  if constexpr (kWord == MatrixWord::scaled) {
    d = mfma_scaled<kAFormat, kBFormat>(a, b, d, register_at(wave, pointer(args.scale_a), 1, 0),
                                        register_at(wave, pointer(args.scale_b), 1, 0));
  } else if constexpr (kWord == MatrixWord::bf16) {
    d = mfma_bf16(__builtin_shufflevector(a, a, 0, 1, 2, 3), __builtin_shufflevector(b, b, 0, 1, 2, 3), d);
  } else {
    d = mfma16_bf16(__builtin_shufflevector(a, a, 0, 1), __builtin_shufflevector(b, b, 0, 1), d);
  }
  uint32_t* to = pointer(args.d);
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) {
    to[(wave.wave_id() * 4 + i) * kLanes + wave.lane()] = __builtin_bit_cast(U32x4, d)[i];
  }
}

#define WAVETWIN_MATRIX_KERNEL(name, mangled, word, a, b)                                          \
  extern "C" WAVETWIN_KERNEL void primitives_##name(MatrixArgs args) __asm__("_ZN5aiter" mangled); \
  extern "C" WAVETWIN_KERNEL void primitives_##name(MatrixArgs args) {                             \
    matrix_word<MatrixWord::word, a, b>(args);                                                     \
  }
WAVETWIN_MATRIX_WORDS(WAVETWIN_MATRIX_KERNEL)

}  // namespace wavetwin
