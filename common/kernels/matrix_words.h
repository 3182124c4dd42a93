// SPDX-License-Identifier: MIT
// The matrix words one by one: each wave multiplies its own operands once.
#pragma once

#include <cstdint>

#include "common/device_ptr.h"
#include "common/kernels/device.h"

namespace wavetwin {

inline constexpr uint32_t kMatrixWaves = kWaves;  // one workgroup, one product a wave
inline constexpr uint32_t kMatrixWords = 8;  // operand dwords a lane; the short operands use the first ones

// The kernarg segment. Registers of wave w: [w][dword][lane].
struct MatrixArgs {
  DevicePtr<const uint32_t> a, b;              // [8][8][64]
  DevicePtr<const uint32_t> scale_a, scale_b;  // [8][64], the code in the low byte
  DevicePtr<const uint32_t> c;                 // [8][4][64], f32 bits
  DevicePtr<uint32_t> d;                       // [8][4][64], f32 bits
};
static_assert(sizeof(MatrixArgs) == 48);

// mfma_scaled with these two formats; mfma_bf16 (K 32); mfma16_bf16 (K 16).
enum class MatrixWord : uint8_t { scaled, bf16, bf16_16 };

// clang-format off
#define WAVETWIN_MATRIX_WORDS(X)                                                       \
  X(mfma_scaled_fp8_fp8, "30primitives_mfma_scaled_fp8_fp8E", scaled, kFp8, kFp8)      \
  X(mfma_scaled_fp8_fp4, "30primitives_mfma_scaled_fp8_fp4E", scaled, kFp8, kFp4)      \
  X(mfma_scaled_fp4_fp8, "30primitives_mfma_scaled_fp4_fp8E", scaled, kFp4, kFp8)      \
  X(mfma_scaled_fp4_fp4, "30primitives_mfma_scaled_fp4_fp4E", scaled, kFp4, kFp4)      \
  X(mfma_bf16, "20primitives_mfma_bf16E", bf16, kFp8, kFp8)                            \
  X(mfma16_bf16, "22primitives_mfma16_bf16E", bf16_16, kFp8, kFp8)
// clang-format on

struct MatrixKernel {
  const char* name;
  const char* symbol;
  MatrixWord word;
  uint32_t a_format, b_format;
};
#define WAVETWIN_MATRIX_ROW(name, mangled, word, a, b) {#name, "_ZN5aiter" mangled, MatrixWord::word, a, b},
inline constexpr MatrixKernel kMatrixKernels[] = {WAVETWIN_MATRIX_WORDS(WAVETWIN_MATRIX_ROW)};
#undef WAVETWIN_MATRIX_ROW

}  // namespace wavetwin
