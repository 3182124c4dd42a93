// SPDX-License-Identifier: MIT
// The device words one by one: each has a kernel that applies it to every lane of its input.
#pragma once

#include <cstdint>

#include "common/device_ptr.h"
#include "common/evidence.h"
#include "common/kernels/device.h"

namespace wavetwin {

// The kernarg segment. Thread i of the launch takes word w of its operands from in[w][i] and stores out[w][i].
struct PrimitiveArgs {
  DevicePtr<const uint32_t> in;  // [operand words][n]
  DevicePtr<uint32_t> out;       // [result words][n]
  uint32_t n;                    // elements, a multiple of kThreads
  uint32_t reserved;
};
static_assert(sizeof(PrimitiveArgs) == 24);

// How result words are compared: floats and bf16 halves let a NaN match a NaN.
enum class PrimitiveType : uint8_t { word, f32, bf16x2 };

// Which operands a word is given (golden/cases/primitives_inputs.cpp makes them).
enum class PrimitiveInput : uint8_t { f32, finite, bits, fp8, code, amax, thread, task };

// EXP2 of the kernels: the build option WAVETWIN_EXP2.
#ifdef WAVETWIN_EXP2_HW
#define WAVETWIN_EXP2_EVIDENCE inferred
#else
#define WAVETWIN_EXP2_EVIDENCE specified
#endif

// clang-format off
// name, the symbol after "_ZN5aiter", operand words, result words, type of the results, evidence of their bits, operands
#define WAVETWIN_PRIMITIVES(X)                                                 \
  X(bf16_pair, "20primitives_bf16_pairE", 2, 1, bf16x2, specified, f32)        \
  X(bf16_round, "21primitives_bf16_roundE", 1, 1, f32, specified, f32)         \
  X(bf_lo, "16primitives_bf_loE", 1, 1, f32, specified, bits)                  \
  X(bf_hi, "16primitives_bf_hiE", 1, 1, f32, specified, bits)                  \
  X(fp8_pack4, "20primitives_fp8_pack4E", 4, 1, word, specified, f32)          \
  X(fp8x8_bf16, "21primitives_fp8x8_bf16E", 3, 4, bf16x2, inferred, fp8)       \
  X(fp8_pair_f32, "23primitives_fp8_pair_f32E", 2, 4, f32, inferred, fp8)      \
  X(clamp_fp8, "20primitives_clamp_fp8E", 1, 1, f32, specified, f32)           \
  X(abs_f32, "18primitives_abs_f32E", 1, 1, word, specified, bits)             \
  X(ceil_exp, "19primitives_ceil_expE", 1, 1, word, specified, f32)            \
  X(pow2, "15primitives_pow2E", 1, 1, word, specified, code)                   \
  X(rcp_pow2, "19primitives_rcp_pow2E", 1, 1, word, specified, code)           \
  X(mx_mul, "17primitives_mx_mulE", 1, 1, word, specified, code)               \
  X(mx_code, "18primitives_mx_codeE", 1, 1, word, specified, amax)             \
  X(div_rn, "17primitives_div_rnE", 1, 1, f32, specified, amax)                \
  X(fma, "14primitives_fmaE", 3, 1, f32, specified, f32)                       \
  X(max_nan, "18primitives_max_nanE", 2, 1, f32, specified, f32)               \
  X(min_nan, "18primitives_min_nanE", 2, 1, f32, specified, f32)               \
  X(exp2_det, "19primitives_exp2_detE", 1, 1, f32, specified, f32)             \
  X(exp2_word, "20primitives_exp2_wordE", 1, 1, f32, WAVETWIN_EXP2_EVIDENCE, f32)             \
  X(rsq_det, "18primitives_rsq_detE", 1, 1, f32, specified, f32)               \
  X(hw_exp2, "18primitives_hw_exp2E", 1, 1, f32, inferred, f32)                \
  X(hw_rcp, "17primitives_hw_rcpE", 1, 1, f32, inferred, f32)                  \
  X(hw_rsq, "17primitives_hw_rsqE", 1, 1, f32, inferred, f32)                  \
  X(perm, "15primitives_permE", 2, 4, word, specified, bits)                   \
  X(fresh, "16primitives_freshE", 1, 1, word, specified, bits)                 \
  X(lane_gather, "22primitives_lane_gatherE", 2, 1, word, specified, bits)     \
  X(lane_f32, "19primitives_lane_f32E", 2, 1, f32, specified, bits)            \
  X(xshfl, "16primitives_xshflE", 1, 6, word, specified, bits)                 \
  X(xred_add, "19primitives_xred_addE", 1, 6, f32, specified, finite)          \
  X(xred_max, "19primitives_xred_maxE", 1, 6, f32, specified, f32)             \
  X(butterfly, "20primitives_butterflyE", 1, 3, f32, specified, finite)        \
  X(row_shr, "18primitives_row_shrE", 1, 5, f32, specified, f32)               \
  X(wave_sum, "19primitives_wave_sumE", 1, 1, f32, specified, finite)          \
  X(wave_max, "19primitives_wave_maxE", 1, 1, f32, specified, f32)             \
  X(permlane_swap, "24primitives_permlane_swapE", 2, 4, word, specified, bits) \
  X(readlane, "19primitives_readlaneE", 1, 3, word, specified, bits)           \
  X(uniform, "18primitives_uniformE", 1, 1, word, specified, bits)             \
  X(tile_map, "19primitives_tile_mapE", 1, 14, word, specified, thread)        \
  X(first_task, "21primitives_first_taskE", 2, 1, word, specified, task)
// clang-format on

struct Primitive {
  const char* name;
  const char* symbol;
  uint32_t in, out;
  PrimitiveType type;
  Evidence evidence;
  PrimitiveInput input;
};
#define WAVETWIN_PRIMITIVE_ROW(name, mangled, in, out, type, evidence, input) \
  {#name, "_ZN5aiter" mangled, in, out, PrimitiveType::type, Evidence::evidence, PrimitiveInput::input},
inline constexpr Primitive kPrimitives[] = {WAVETWIN_PRIMITIVES(WAVETWIN_PRIMITIVE_ROW)};
#undef WAVETWIN_PRIMITIVE_ROW

// Arguments of the words that take constants.
inline constexpr uint32_t kPermSelectors[4] = {0x05010400u, 0x07030602u, 0x05040100u, 0x07060302u};
inline constexpr uint32_t kReadLanes[3] = {0, 17, 63};
inline constexpr uint32_t kTileWidths[7] = {160, 80, 20, 10, 256, 128, 32};

}  // namespace wavetwin
