// SPDX-License-Identifier: MIT
// The plain MFMA model: one output element at a time, integers only, written to be read. Everything else is
// compared with it. The rules and constants are gfx942's, measured on MI300X by the published MMA-Sim probes
// and model; what gfx950 adds is assumption, see mfma_model.h.
#pragma once

#include <cstdint>

#include "common/mfma/shape.h"
#include "sim/numerics/mfma_model.h"
#include "sim/numerics/mfma_steps.h"

namespace wavetwin::mfma {

// One output of an instruction with f32 results and inputs narrower than 32 bits: row i of A against column j
// of B.
struct Dot {
  Format a_format, b_format;
  const uint16_t* a;       // [K] codes
  const uint16_t* b;       // [K]
  const uint8_t* scale_a;  // [K/32] E8M0 codes, or null for 1.0
  const uint8_t* scale_b;
};

// The f32 bits of D for one output. `plan` is step_plan() of the same model.
uint32_t dot_reference(const MfmaModel& model, const StepPlan& plan, const Dot& dot, uint32_t c);

// One output of the f32, f64 and i8 shapes. Fused multiply-adds in ascending k, one rounding each (RNE);
// subnormals are kept, except that `flush` replaces subnormal A and B by zeros of their sign; a NaN result is
// `nan_bits`. The option fp16Ovfl reaches the f32 results (AMD CDNA4 ISA guide 7.1.2), not the f64 ones (7.4:
// they ignore MODE).
uint32_t dot_f32(const MfmaModel& model, unsigned k, const uint32_t* a, const uint32_t* b, uint32_t c,
                 bool flush);
uint64_t dot_f64(const MfmaModel& model, unsigned k, const uint64_t* a, const uint64_t* b, uint64_t c);
// Exact products, sum modulo 2^32. a and b are two's complement bytes.
uint32_t dot_i8(unsigned k, const uint8_t* a, const uint8_t* b, uint32_t c);

}  // namespace wavetwin::mfma
