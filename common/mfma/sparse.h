// SPDX-License-Identifier: MIT
// Every SMFMAC of gfx950: D (M x N) += A (M x K, sparse) * B (K x N), and where its operands sit.
//
// Two of every four neighbouring k of A may be non-zero. The registers of A hold these two only: compressed
// element c of a row stands for k = 4 * (c / 2) + index, and its two index bits are in a register of their
// own, in the lane that holds the element. The first of a pair has the lower index. A lane's elements of A
// and the k of B that they choose from are in lanes of the same group, so A, B and the index register share
// one layout: runs of 8 k (16-bit elements) or 16 k (8-bit elements) a lane, then the next lane group, then
// further registers.
//
// Source: AMD CDNA4 ISA guide 7.5, tables 33 to 37 and the tables of 7.5.1.3. For the shapes of double K the
// guide's text still speaks of 8-bit sets of the index register; its tables show 16-bit sets (32-bit for
// 8-bit elements), as LLVM pull request 193541 also says, and the tables are followed.
#pragma once

#include "common/mfma/layout.h"

namespace wavetwin::mfma {

struct SparseShape {
  const char* name;  // mnemonic as the ISA document and LLVM spell it
  uint8_t m, n, k;   // k of the matrices; A's registers hold k / 2 elements a row
  InputClass input;
  Format a, b;
  Parts parts;
};

// Short names for the table.
namespace sparse_table {
using namespace shape_table;

// clang-format off
inline constexpr SparseShape kSparseShapes[] = {
    // name                              M   N    K  datapath, A, B, parts
    {"v_smfmac_f32_16x16x32_f16",       16, 16,  32, kF16In,   kF16,  kF16,  kBoth},
    {"v_smfmac_f32_32x32x16_f16",       32, 32,  16, kF16In,   kF16,  kF16,  kBoth},
    {"v_smfmac_f32_16x16x64_f16",       16, 16,  64, kF16In,   kF16,  kF16,  kNew},
    {"v_smfmac_f32_32x32x32_f16",       32, 32,  32, kF16In,   kF16,  kF16,  kNew},

    {"v_smfmac_f32_16x16x32_bf16",      16, 16,  32, kBF16In,  kBF16, kBF16, kBoth},
    {"v_smfmac_f32_32x32x16_bf16",      32, 32,  16, kBF16In,  kBF16, kBF16, kBoth},
    {"v_smfmac_f32_16x16x64_bf16",      16, 16,  64, kBF16In,  kBF16, kBF16, kNew},
    {"v_smfmac_f32_32x32x32_bf16",      32, 32,  32, kBF16In,  kBF16, kBF16, kNew},

    {"v_smfmac_i32_16x16x64_i8",        16, 16,  64, kI8In,    kI8,   kI8,   kBoth},
    {"v_smfmac_i32_32x32x32_i8",        32, 32,  32, kI8In,    kI8,   kI8,   kBoth},
    {"v_smfmac_i32_16x16x128_i8",       16, 16, 128, kI8In,    kI8,   kI8,   kNew},
    {"v_smfmac_i32_32x32x64_i8",        32, 32,  64, kI8In,    kI8,   kI8,   kNew},

    {"v_smfmac_f32_16x16x64_fp8_fp8",   16, 16,  64, kF8,      kE4M3, kE4M3, kBoth},
    {"v_smfmac_f32_16x16x64_fp8_bf8",   16, 16,  64, kF8,      kE4M3, kE5M2, kBoth},
    {"v_smfmac_f32_16x16x64_bf8_fp8",   16, 16,  64, kF8,      kE5M2, kE4M3, kBoth},
    {"v_smfmac_f32_16x16x64_bf8_bf8",   16, 16,  64, kF8,      kE5M2, kE5M2, kBoth},
    {"v_smfmac_f32_32x32x32_fp8_fp8",   32, 32,  32, kF8,      kE4M3, kE4M3, kBoth},
    {"v_smfmac_f32_32x32x32_fp8_bf8",   32, 32,  32, kF8,      kE4M3, kE5M2, kBoth},
    {"v_smfmac_f32_32x32x32_bf8_fp8",   32, 32,  32, kF8,      kE5M2, kE4M3, kBoth},
    {"v_smfmac_f32_32x32x32_bf8_bf8",   32, 32,  32, kF8,      kE5M2, kE5M2, kBoth},

    {"v_smfmac_f32_16x16x128_fp8_fp8",  16, 16, 128, kF8,      kE4M3, kE4M3, kNew},
    {"v_smfmac_f32_16x16x128_fp8_bf8",  16, 16, 128, kF8,      kE4M3, kE5M2, kNew},
    {"v_smfmac_f32_16x16x128_bf8_fp8",  16, 16, 128, kF8,      kE5M2, kE4M3, kNew},
    {"v_smfmac_f32_16x16x128_bf8_bf8",  16, 16, 128, kF8,      kE5M2, kE5M2, kNew},
    {"v_smfmac_f32_32x32x64_fp8_fp8",   32, 32,  64, kF8,      kE4M3, kE4M3, kNew},
    {"v_smfmac_f32_32x32x64_fp8_bf8",   32, 32,  64, kF8,      kE4M3, kE5M2, kNew},
    {"v_smfmac_f32_32x32x64_bf8_fp8",   32, 32,  64, kF8,      kE5M2, kE4M3, kNew},
    {"v_smfmac_f32_32x32x64_bf8_bf8",   32, 32,  64, kF8,      kE5M2, kE5M2, kNew},
};
// clang-format on
}  // namespace sparse_table
using sparse_table::kSparseShapes;
inline constexpr unsigned kSparseShapeCount = sizeof(kSparseShapes) / sizeof(kSparseShapes[0]);

// Registers of one operand. C and D are one tuple.
WAVETWIN_HD constexpr unsigned sparse_a_vgprs(const SparseShape& shape) {
  return shape.m * shape.k / 2u * format_bits(shape.a) / (64 * 32);
}
WAVETWIN_HD constexpr unsigned sparse_b_vgprs(const SparseShape& shape) {
  return shape.n * unsigned{shape.k} * format_bits(shape.b) / (64 * 32);
}
WAVETWIN_HD constexpr unsigned sparse_d_vgprs(const SparseShape& shape) {
  return unsigned{shape.m} * shape.n / 64;
}

// k of B that one lane holds before the next lane group continues.
WAVETWIN_HD constexpr unsigned sparse_run(const SparseShape& shape) {
  return format_bits(shape.b) == 16 ? 8 : 16;
}
// A(row, c): `k` of its InputElement counts compressed elements.
WAVETWIN_HD constexpr InputLayout sparse_a_layout(const SparseShape& shape) {
  return {shape.m,
          static_cast<uint8_t>(shape.k / 2),
          1,
          static_cast<uint8_t>(format_bits(shape.a)),
          static_cast<uint8_t>(sparse_run(shape) / 2),
          static_cast<uint8_t>(64 / shape.m)};
}
WAVETWIN_HD constexpr InputLayout sparse_b_layout(const SparseShape& shape) {
  return {shape.n,
          shape.k,
          1,
          static_cast<uint8_t>(format_bits(shape.b)),
          static_cast<uint8_t>(sparse_run(shape)),
          static_cast<uint8_t>(64 / shape.n)};
}
// As cd_layout() of the dense shape with the same M and N.
WAVETWIN_HD constexpr OutputLayout sparse_d_layout(const SparseShape& shape) {
  return {shape.m, shape.n, 1, 32, 4, static_cast<uint8_t>(64 / shape.n), false, shape.n, 4};
}

// ---- the index register ----

// Compressed elements of A in one lane; each has two index bits.
WAVETWIN_HD constexpr unsigned sparse_lane_elements(const SparseShape& shape) {
  return shape.m * shape.k / 2u / 64;
}
// Sets of index bits that fit into the 32 bits of a lane: 4, 2 or 1.
WAVETWIN_HD constexpr unsigned sparse_index_sets(const SparseShape& shape) {
  return 16 / sparse_lane_elements(shape);
}
// The set an instruction reads: with CBSZ[1:0] = 0 ABID chooses it (the low bits that the sets need), else it
// is the first.
WAVETWIN_HD constexpr unsigned sparse_index_set(const SparseShape& shape, unsigned cbsz, unsigned abid) {
  return (cbsz & 3) == 0 ? abid % sparse_index_sets(shape) : 0;
}
// The two index bits of A(row, c).
WAVETWIN_HD constexpr Place sparse_index_place(const SparseShape& shape, unsigned set, InputElement element) {
  const Place a = sparse_a_layout(shape).place(element);
  const unsigned slot = a.bit / format_bits(shape.a);
  const unsigned first = set * 2 * sparse_lane_elements(shape);
  return {a.lane, static_cast<uint16_t>(first + 2 * slot)};
}
// The k that compressed element c stands for, given its index bits.
WAVETWIN_HD constexpr unsigned sparse_k(unsigned c, unsigned index) { return c / 2 * 4 + index; }

}  // namespace wavetwin::mfma
