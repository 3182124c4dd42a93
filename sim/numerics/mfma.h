// SPDX-License-Identifier: MIT
// D = A * B + C of one MFMA instruction: on the registers of a wave (kernels and executor) and on plain
// matrices (`wavetwin mfma`).
//
//   const Shape& shape = *find_shape("v_mfma_scale_f32_16x16x128_f8f6f4");
//   mfma(model, shape, {.a_format = Format::e4m3, .b_format = Format::e4m3}, {a, b, c, d, scale_a, scale_b});
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/mfma/sparse.h"
#include "sim/numerics/mfma_model.h"

namespace wavetwin::mfma {

// The row of a mnemonic or builtin name. Accepts any case, a missing "v_", "f16" or "_f16", "_1k", and a
// missing "_2b" / "_4b" / "_16b": "mfma_f32_16x16x16bf16_1k" is v_mfma_f32_16x16x16_bf16. Null if there is
// none.
const Shape* find_shape(std::string_view name);
// The same for the SMFMAC instructions.
const SparseShape* find_sparse_shape(std::string_view name);

// One wave's registers, VGPR-major: operand[vgpr][lane]. D may be any of A, B and C. All 64 lanes take part
// whatever EXEC says. The counts of VGPRs are a_vgprs(), b_vgprs(), cd_vgprs() of common/mfma/shape.h.
using WaveRegisters = const uint32_t (*)[64];
struct RegisterOperands {
  WaveRegisters a, b, c;
  uint32_t (*d)[64];
  const uint32_t* scale_a = nullptr;  // [64] scaled shapes only
  const uint32_t* scale_b = nullptr;
};

// Instruction fields and the MODE bits that reach an MFMA.
struct Modifiers {
  Format a_format = Format::e4m3;  // f8f6f4 only: CBSZ and BLGP
  Format b_format = Format::e4m3;
  uint8_t opsel_a = 0;  // byte of the scale VGPR, 0..3
  uint8_t opsel_b = 0;
  uint8_t cbsz = 0;  // not for f8f6f4
  uint8_t abid = 0;
  bool broadcast_by_lanes = false;  // CBSZ and ABID by the lanes of 7.1.6.1: option mfma_broadcast
  uint8_t blgp = 0;                 // f64: bits 0, 1, 2 negate A, B, C
  bool fp16_ovfl = false;           // MODE.FP16_OVFL
  bool flush_f32_denormals =
      false;  // MODE.FP_DENORM flushes f32 inputs (reaches A and B of the f32 shapes only)
};

// Never allocates. Throws Error when the model's part does not have the instruction or the modifiers are not
// legal.
void mfma(const MfmaModel& model, const Shape& shape, const Modifiers& modifiers,
          const RegisterOperands& operands);

// The same with the plain reference model only: slower, for tests.
void mfma_reference(const MfmaModel& model, const Shape& shape, const Modifiers& modifiers,
                    const RegisterOperands& operands);

// D = C + sums, clamped to 32 bits, for `vgprs` registers. D may be C. What a multiplication with C = 0 gives
// never leaves 32 bits, so this is the clamped result of an integer instruction (AMD CDNA4 ISA guide 7.1.2,
// 7.5: "clamped to +/-MAX on overflow/underflow"; assumption: the lower end is -2^31, and the whole sum is
// clamped once).
void add_saturated(unsigned vgprs, WaveRegisters sums, WaveRegisters c, uint32_t (*d)[64]);

// Logical matrices of one block, row-major, one code an element in the low bits of a 64-bit word.
struct MatrixOperands {
  std::span<const uint64_t> a;       // [M][K]
  std::span<const uint64_t> b;       // [K][N]
  std::span<const uint64_t> c;       // [M][N] f32, i32 or f64 bits
  std::span<const uint8_t> scale_a;  // [M][K/32] E8M0, empty for 1.0
  std::span<const uint8_t> scale_b;  // [N][K/32]
  std::span<uint64_t> d;             // [M][N]
};

// One block through the plain reference model. Formats: those of f8f6f4, or exactly the shape's own (the FNUZ
// ones when the model's part is gfx942). Throws Error on a format, size or scale that does not fit.
void mfma(const MfmaModel& model, const Shape& shape, Format a_format, Format b_format,
          const MatrixOperands& operands, bool flush_f32_denormals = false);

// The formats that an instruction without a format field reads on the model's part.
Format a_format_of(const MfmaModel& model, const Shape& shape);
Format b_format_of(const MfmaModel& model, const Shape& shape);

}  // namespace wavetwin::mfma
