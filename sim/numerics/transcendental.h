// SPDX-License-Identifier: MIT
// v_exp, v_log, v_rcp, v_rsq, v_sqrt, v_sin, v_cos, and the software functions that kernels use in their
// place.
//
// f32 functions ignore MODE: subnormals are flushed on input and output (CDNA4 ISA guide, "V_EXP_F32" and
// following). f16 functions evaluate in f32 and round once to f16 (AMD's emulator).
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

// The argument counts turns. assumption: correctly rounded up to a double-precision error below 2^-45; |x| >
// 256 counts as a whole number of turns (guide: the valid domain is [-256, 256]). Real bits: unknown.
uint32_t f32_sin(uint32_t x);
uint32_t f32_cos(uint32_t x);

// assumption: correctly rounded; the part's approximation (about 2^-24 relative) has no published bits.
uint64_t f64_rcp(uint64_t x);
uint64_t f64_rsq(uint64_t x);
uint64_t f64_sqrt(uint64_t x);

// v_trig_preop_f64: 53 bits of 2 / pi, from bit 53 * segment on (further for huge x), scaled. source: guide,
// V_TRIG_PREOP_F64.
uint64_t f64_trig_preop(uint64_t x, uint32_t segment);

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
