// SPDX-License-Identifier: MIT
// v_exp, v_log, v_rcp, v_rsq, v_sqrt, v_sin, v_cos, and the software functions that kernels use in their
// place.
//
// exp, log, rcp, rsq and sqrt of f32 ignore MODE: subnormals are flushed on input and output (CDNA4 ISA
// guide, "V_EXP_F32" and following). f16 functions evaluate in f32 and round once to f16 (AMD's emulator).
#pragma once

#include <cstdint>

#include "common/evidence.h"
#include "sim/numerics/mode.h"

namespace wavetwin {

// Integer models of the sibling parts gfx1100 / gfx1201, all bits.
inline constexpr Evidence kTranscendentalEvidence = Evidence::inferred;
uint32_t f32_exp2(uint32_t x);
uint32_t f32_log2(uint32_t x);
uint32_t f32_rcp(uint32_t x);
uint32_t f32_rsq(uint32_t x);
uint32_t f32_sqrt(uint32_t x);

// 2^x and log2 x "with legacy semantics" (MI100 ISA guide 12.8; the CDNA4 guide leaves both out), which
// nobody has published: option exp_log_legacy, by default the functions above, or correctly rounded up to a
// double-precision error below 2^-45. Special values and flushing are those of the functions above.
uint32_t f32_exp2_legacy(uint32_t x, const Mode& mode);
uint32_t f32_log2_legacy(uint32_t x, const Mode& mode);

// The argument counts turns; the full range and subnormals as MODE says (guide, V_SIN_F32, which also fixes
// the results for infinities, zeros, quarters and huge arguments). The other bits are unknown: options
// sin_cos (by default correctly rounded, up to a double-precision error below 2^-45) and sin_domain (the
// [-256, 256] of older parts).
uint32_t f32_sin(uint32_t x, const Mode& mode);
uint32_t f32_cos(uint32_t x, const Mode& mode);

// The guide allows 2^29 units of error and nobody has published the bits: option f64_approx, by default
// correctly rounded.
uint64_t f64_rcp(uint64_t x, const Mode& mode);
uint64_t f64_rsq(uint64_t x, const Mode& mode);
uint64_t f64_sqrt(uint64_t x, const Mode& mode);

// v_trig_preop_f64: 53 bits of 2 / pi, from bit 53 * segment on (further for huge x), scaled. source: guide,
// V_TRIG_PREOP_F64; a NaN is made quiet as everywhere (guide 3.5, IEEE; LLVM 22's constant folding).
uint64_t f64_trig_preop(uint64_t x, uint32_t segment, const Mode& mode);

uint16_t f16_exp2(uint16_t x, const Mode& mode);
uint16_t f16_log2(uint16_t x, const Mode& mode);
uint16_t f16_rcp(uint16_t x, const Mode& mode);
uint16_t f16_rsq(uint16_t x, const Mode& mode);
uint16_t f16_sqrt(uint16_t x, const Mode& mode);
uint16_t f16_sin(uint16_t x, const Mode& mode);
uint16_t f16_cos(uint16_t x, const Mode& mode);

// EXP2_DET: 2^x by a degree-6 polynomial in fma, whose bits need no knowledge of the part. NaN -> 0x7fc00000;
// x >= 128 -> +inf; x < -126 -> +0; exact at integers; at most 0.8755 ulp (exhaustive test); never above 1
// for x <= 0.
float exp2_det(float x);

// RSQ_DET: the correctly rounded reciprocal of the correctly rounded square root.
float rsq_det(float x);

}  // namespace wavetwin
