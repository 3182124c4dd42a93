// SPDX-License-Identifier: MIT
#include "sim/numerics/mfma_steps.h"

#include <algorithm>

namespace wavetwin::mfma {
namespace {

// The k at position `position` when a step takes the low 64 bits (4 elements of 16 bits) of `width` / 4
// neighbouring lane groups, then their high 64 bits. A lane of the 16-bit gfx950 shapes holds 8 consecutive
// k.
unsigned register_half_k(unsigned position, unsigned width, unsigned k) {
  constexpr unsigned kHalf = 4, kRun = 8;
  const unsigned groups = std::min(width / kHalf, k / kRun);  // lane groups that share a step
  const unsigned half_set = groups * kHalf;                   // elements in one half of these groups
  const unsigned set = position / (2 * half_set);             // which lane groups
  const unsigned in_set = position % (2 * half_set);
  const unsigned half = in_set / half_set;
  const unsigned group = in_set % half_set / kHalf;
  return set * groups * kRun  // lane groups before
         + group * kRun       // this lane group
         + half * kHalf       // low or high half
         + position % kHalf;  // element of the half
}

}  // namespace

StepPlan step_plan(const MfmaModel& model, const Shape& shape, Format a_format, Format b_format) {
  StepPlan plan{};
  plan.k = shape.k;
  unsigned width = 0;
  bool halves = false;
  switch (shape.input) {
    case InputClass::f8f6f4: {
      const bool has_8bit = format_bits(a_format) == 8 || format_bits(b_format) == 8;
      width = has_8bit ? model.l_f8f6f4_8bit : model.l_f8f6f4_no8bit;
      plan.even_odd = model.even_odd_f8f6f4;
      plan.c_cut = model.c_cut_f8f6f4;
      break;
    }
    case InputClass::f8:
      width = model.l_f8;
      plan.even_odd = model.even_odd_f8;
      plan.c_cut = model.c_cut_f8;
      break;
    default:
      width = shape.parts == Parts::gfx950_only ? model.l_16bit : model.l_16bit_legacy;
      halves = shape.parts == Parts::gfx950_only && model.k_order == Order::register_halves;
      plan.even_odd = model.even_odd_16bit;
      plan.c_cut = model.c_cut_16bit;
      break;
  }
  plan.width = width == kWholeK ? plan.k : std::min(width, plan.k);
  // Elements under different scales are summed apart, unless each product takes its scale along.
  const bool by_scale_block = shape.input == InputClass::f8f6f4 && !model.scale_per_product;
  plan.segment = by_scale_block ? std::min(plan.width, kScaleBlock) : plan.width;
  plan.ascending = !halves;
  for (unsigned i = 0; i < plan.k; ++i)
    plan.order[i] = static_cast<uint8_t>(halves ? register_half_k(i, plan.width, plan.k) : i);
  return plan;
}

}  // namespace wavetwin::mfma
