// SPDX-License-Identifier: MIT
#include "golden/oracle/matrix_words.h"

#include <array>
#include <cmath>
#include <cstring>

#include "golden/oracle/mx.h"

namespace wavetwin::oracle {
namespace {

double f32(uint32_t bits) {
  float v;
  std::memcpy(&v, &bits, 4);
  return v;
}

double e2m1(uint32_t nibble) {
  constexpr double kMagnitudes[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return nibble & 8 ? -kMagnitudes[nibble & 7] : kMagnitudes[nibble & 7];
}

// Element (row or column r, k) of one wave's operand [8][64], scale included. Layouts: AMD's matrix core
// documents for the 16x16 shapes.
double element(const MatrixKernel& kernel, uint32_t format, std::span<const uint32_t> v,
               std::span<const uint32_t> scale, unsigned r, unsigned k) {
  if (kernel.word != MatrixWord::scaled) {
    const unsigned per_lane = kernel.word == MatrixWord::bf16 ? 8 : 4;
    const unsigned in_lane = k % per_lane;
    const uint32_t word = v[in_lane / 2 * 64 + 16 * (k / per_lane) + r];
    return f32(in_lane % 2 ? word & 0xFFFF0000u : word << 16);
  }
  const double factor = std::ldexp(1.0, static_cast<int>(scale[16 * (k / 32) + r] & 255) - 127);
  if (format == kFp4) return factor * e2m1(v[k % 32 / 8 * 64 + 16 * (k / 32) + r] >> (4 * (k % 8)) & 15);
  const unsigned byte = 16 * (k / 64) + k % 16;
  return factor * e4m3_values()[v[byte / 4 * 64 + 16 * (k % 64 / 16) + r] >> (8 * (byte % 4)) & 255];
}

}  // namespace

MatrixReference matrix_word(const MatrixKernel& kernel, const MatrixRegisters& registers) {
  const unsigned depth = kernel.word == MatrixWord::scaled ? 128 : kernel.word == MatrixWord::bf16 ? 32 : 16;
  MatrixReference reference;
  for (unsigned wave = 0; wave < kMatrixWaves; ++wave) {
    const auto a = registers.a.subspan(wave * 512, 512), b = registers.b.subspan(wave * 512, 512);
    const auto sa = registers.scale_a.subspan(wave * 64, 64), sb = registers.scale_b.subspan(wave * 64, 64);
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        const unsigned row = 4 * (lane / 16) + i, column = lane % 16;
        double sum = f32(registers.c[(wave * 4 + i) * 64 + lane]);
        double magnitude = std::fabs(sum);
        for (unsigned k = 0; k < depth; ++k) {
          const double product = element(kernel, kernel.a_format, a, sa, row, k) *
                                 element(kernel, kernel.b_format, b, sb, column, k);
          sum += product;
          magnitude += std::fabs(product);
        }
        reference.value.push_back(sum);
        reference.bound.push_back(0x1p-19 * magnitude);
      }
    }
  }
  return reference;
}

}  // namespace wavetwin::oracle
