// SPDX-License-Identifier: MIT
// Every dense MFMA of gfx950 as one table row. D (M x N) = A (M x K) * B (K x N) + C, for each of `blocks`
// independent blocks.
//
// Source: AMD CDNA4 ISA guide, chapter 7 and the VOP3P-MAI opcode list; existence and operand sizes checked
// with LLVM 22's assembler (tests/unit/mfma). V_MFMA_*_XF32 stand in the guide's list but gfx950 has no xf32
// (the assembler refuses them), so they have no row.
#pragma once

#include <cstdint>

#include "common/format/format_id.h"
#include "common/host_device.h"

namespace wavetwin::mfma {

// Formats of the elements of A and B. The first five have the codes that CBSZ (for A) and BLGP (for B) carry
// in the f8f6f4 instructions. The FNUZ formats are gfx942's FP8 / BF8.
using Format = FormatId;
inline constexpr unsigned kF8F6F4Formats = 5;

// Width of one element in bits.
WAVETWIN_HD constexpr unsigned format_bits(Format format) { return format_info(format).bits; }

// Which datapath an instruction belongs to: it decides the rule of its sums.
enum class InputClass : uint8_t {
  f8f6f4,  // 8-, 6- or 4-bit floats, formats chosen by CBSZ and BLGP, scaled or not
  f8,      // the 8-bit floats of the shapes that gfx942 has too; OCP formats on gfx950, FNUZ on gfx942
  bf16,
  f16,
  f32,
  f64,
  i8
};

// Which parts have the instruction.
enum class Parts : uint8_t { gfx942_and_gfx950, gfx950_only };

struct Shape {
  const char* name;  // mnemonic as the ISA document and LLVM spell it
  uint8_t m, n, k;
  uint8_t blocks;
  InputClass input;
  Format a, b;  // f8f6f4: what CBSZ = BLGP = 0 mean; otherwise fixed (gfx942 reads e4m3 / e5m2 as FNUZ)
  bool scaled;  // has the two E8M0 scale operands
  Parts parts;
};

inline constexpr unsigned kScaleBlock = 32;  // elements along K that share one E8M0 scale

// Short names for the table.
namespace shape_table {
inline constexpr InputClass kF8F6F4 = InputClass::f8f6f4, kF8 = InputClass::f8;
inline constexpr InputClass kBF16In = InputClass::bf16, kF16In = InputClass::f16;
inline constexpr InputClass kF32In = InputClass::f32, kF64In = InputClass::f64, kI8In = InputClass::i8;
inline constexpr Format kE4M3 = Format::e4m3, kE5M2 = Format::e5m2, kBF16 = Format::bf16, kF16 = Format::f16;
inline constexpr Format kF32 = Format::f32, kF64 = Format::f64, kI8 = Format::i8;
inline constexpr Parts kNew = Parts::gfx950_only, kBoth = Parts::gfx942_and_gfx950;

// clang-format off
inline constexpr Shape kShapes[] = {
    // name                                  M   N    K  blocks, datapath, A, B, scaled, parts
    {"v_mfma_scale_f32_16x16x128_f8f6f4",  16, 16, 128,  1, kF8F6F4,  kE4M3, kE4M3, true,  kNew},
    {"v_mfma_scale_f32_32x32x64_f8f6f4",   32, 32,  64,  1, kF8F6F4,  kE4M3, kE4M3, true,  kNew},
    {"v_mfma_f32_16x16x128_f8f6f4",        16, 16, 128,  1, kF8F6F4,  kE4M3, kE4M3, false, kNew},
    {"v_mfma_f32_32x32x64_f8f6f4",         32, 32,  64,  1, kF8F6F4,  kE4M3, kE4M3, false, kNew},

    {"v_mfma_f32_16x16x32_fp8_fp8",        16, 16,  32,  1, kF8,      kE4M3, kE4M3, false, kBoth},
    {"v_mfma_f32_16x16x32_fp8_bf8",        16, 16,  32,  1, kF8,      kE4M3, kE5M2, false, kBoth},
    {"v_mfma_f32_16x16x32_bf8_fp8",        16, 16,  32,  1, kF8,      kE5M2, kE4M3, false, kBoth},
    {"v_mfma_f32_16x16x32_bf8_bf8",        16, 16,  32,  1, kF8,      kE5M2, kE5M2, false, kBoth},
    {"v_mfma_f32_32x32x16_fp8_fp8",        32, 32,  16,  1, kF8,      kE4M3, kE4M3, false, kBoth},
    {"v_mfma_f32_32x32x16_fp8_bf8",        32, 32,  16,  1, kF8,      kE4M3, kE5M2, false, kBoth},
    {"v_mfma_f32_32x32x16_bf8_fp8",        32, 32,  16,  1, kF8,      kE5M2, kE4M3, false, kBoth},
    {"v_mfma_f32_32x32x16_bf8_bf8",        32, 32,  16,  1, kF8,      kE5M2, kE5M2, false, kBoth},

    {"v_mfma_f32_16x16x32_bf16",           16, 16,  32,  1, kBF16In,  kBF16, kBF16, false, kNew},
    {"v_mfma_f32_32x32x16_bf16",           32, 32,  16,  1, kBF16In,  kBF16, kBF16, false, kNew},
    {"v_mfma_f32_16x16x16_bf16",           16, 16,  16,  1, kBF16In,  kBF16, kBF16, false, kBoth},
    {"v_mfma_f32_32x32x8_bf16",            32, 32,   8,  1, kBF16In,  kBF16, kBF16, false, kBoth},
    {"v_mfma_f32_4x4x4_16b_bf16",           4,  4,   4, 16, kBF16In,  kBF16, kBF16, false, kBoth},
    {"v_mfma_f32_16x16x4_4b_bf16",         16, 16,   4,  4, kBF16In,  kBF16, kBF16, false, kBoth},
    {"v_mfma_f32_32x32x4_2b_bf16",         32, 32,   4,  2, kBF16In,  kBF16, kBF16, false, kBoth},

    {"v_mfma_f32_16x16x32_f16",            16, 16,  32,  1, kF16In,   kF16,  kF16,  false, kNew},
    {"v_mfma_f32_32x32x16_f16",            32, 32,  16,  1, kF16In,   kF16,  kF16,  false, kNew},
    {"v_mfma_f32_16x16x16_f16",            16, 16,  16,  1, kF16In,   kF16,  kF16,  false, kBoth},
    {"v_mfma_f32_32x32x8_f16",             32, 32,   8,  1, kF16In,   kF16,  kF16,  false, kBoth},
    {"v_mfma_f32_4x4x4_16b_f16",            4,  4,   4, 16, kF16In,   kF16,  kF16,  false, kBoth},
    {"v_mfma_f32_16x16x4_4b_f16",          16, 16,   4,  4, kF16In,   kF16,  kF16,  false, kBoth},
    {"v_mfma_f32_32x32x4_2b_f16",          32, 32,   4,  2, kF16In,   kF16,  kF16,  false, kBoth},

    {"v_mfma_f32_16x16x4_f32",             16, 16,   4,  1, kF32In,   kF32,  kF32,  false, kBoth},
    {"v_mfma_f32_32x32x2_f32",             32, 32,   2,  1, kF32In,   kF32,  kF32,  false, kBoth},
    {"v_mfma_f32_4x4x1_16b_f32",            4,  4,   1, 16, kF32In,   kF32,  kF32,  false, kBoth},
    {"v_mfma_f32_16x16x1_4b_f32",          16, 16,   1,  4, kF32In,   kF32,  kF32,  false, kBoth},
    {"v_mfma_f32_32x32x1_2b_f32",          32, 32,   1,  2, kF32In,   kF32,  kF32,  false, kBoth},

    {"v_mfma_f64_16x16x4_f64",             16, 16,   4,  1, kF64In,   kF64,  kF64,  false, kBoth},
    {"v_mfma_f64_4x4x4_4b_f64",             4,  4,   4,  4, kF64In,   kF64,  kF64,  false, kBoth},

    {"v_mfma_i32_16x16x64_i8",             16, 16,  64,  1, kI8In,    kI8,   kI8,   false, kNew},
    {"v_mfma_i32_32x32x32_i8",             32, 32,  32,  1, kI8In,    kI8,   kI8,   false, kNew},
    {"v_mfma_i32_16x16x32_i8",             16, 16,  32,  1, kI8In,    kI8,   kI8,   false, kBoth},
    {"v_mfma_i32_32x32x16_i8",             32, 32,  16,  1, kI8In,    kI8,   kI8,   false, kBoth},
    {"v_mfma_i32_4x4x4_16b_i8",             4,  4,   4, 16, kI8In,    kI8,   kI8,   false, kBoth},
    {"v_mfma_i32_16x16x4_4b_i8",           16, 16,   4,  4, kI8In,    kI8,   kI8,   false, kBoth},
    {"v_mfma_i32_32x32x4_2b_i8",           32, 32,   4,  2, kI8In,    kI8,   kI8,   false, kBoth},
};
// clang-format on
}  // namespace shape_table
using shape_table::kShapes;
inline constexpr unsigned kShapeCount = sizeof(kShapes) / sizeof(kShapes[0]);

// Width of one element of C and D in bits: f32 or i32, and f64 for the f64 shapes.
WAVETWIN_HD constexpr unsigned output_bits(const Shape& shape) {
  return shape.input == InputClass::f64 ? 64 : 32;
}

// VGPRs of one operand. A and B depend on the element width only for f8f6f4 (8, 6 or 4 VGPRs).
WAVETWIN_HD constexpr unsigned a_vgprs(const Shape& shape, Format format) {
  return shape.m * shape.k * shape.blocks * format_bits(format) / (64 * 32);
}
WAVETWIN_HD constexpr unsigned b_vgprs(const Shape& shape, Format format) {
  return shape.n * shape.k * shape.blocks * format_bits(format) / (64 * 32);
}
WAVETWIN_HD constexpr unsigned cd_vgprs(const Shape& shape) {
  return shape.m * shape.n * shape.blocks * output_bits(shape) / (64 * 32);
}
inline constexpr unsigned kMaxInputVgprs = 8, kMaxOutputVgprs = 32;

// CBSZ = s lets 2^s neighbouring blocks of the result read one block of A: block ABID of their group ("within
// each contiguous set of 2^CBSZ blocks", CDNA4 ISA guide 13.3.6.1; AMD's page of the MFMA intrinsics and its
// matrix instruction calculator have examples). The lane formula of 7.1.6.1 says the same where 2^s is the
// number of blocks, and otherwise repeats the lanes of 64 / 2^s: numeric option mfma_broadcast. f64 and
// f8f6f4 do not broadcast: f64 ignores the two fields of the encoding, f8f6f4 uses CBSZ as the format of A.
// More blocks than there are is undefined. BLGP is the lane-group pattern of B; f64 uses its three bits to
// negate A, B, C, and f8f6f4 as the format of B. (AMD CDNA3 and CDNA4 ISA guides, chapter 7.)
WAVETWIN_HD constexpr bool legal_modifiers(const Shape& shape, unsigned cbsz, unsigned abid, unsigned blgp) {
  if (shape.input == InputClass::f8f6f4) return cbsz < kF8F6F4Formats && blgp < kF8F6F4Formats;
  if (blgp > 7 || cbsz > 4) return false;
  const bool broadcasts = shape.blocks > 1 && shape.input != InputClass::f64;
  const unsigned group = 1u << cbsz;
  return broadcasts ? group <= shape.blocks && abid < group : cbsz == 0 && abid == 0;
}

// The row of a mnemonic as the table spells it, or null. (sim/numerics/mfma.h also accepts other spellings.)
constexpr const Shape* find_exact(const char* name) {
  for (const Shape& shape : kShapes) {
    unsigned i = 0;
    while (shape.name[i] != 0 && shape.name[i] == name[i]) ++i;
    if (shape.name[i] == name[i]) return &shape;
  }
  return nullptr;
}

}  // namespace wavetwin::mfma
