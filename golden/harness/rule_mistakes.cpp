// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "common/bits.h"
#include "common/format/convert.h"
#include "common/format/e4m3.h"
#include "common/format/e5m2.h"
#include "common/format/f16.h"
#include "golden/harness/mistake.h"

namespace wavetwin::golden {
namespace {

uint32_t e4m3(float value) { return encode<E4M3>(value, Overflow::ieee).bits; }

// The distance of e4m3 numbers at a finite value's magnitude.
float e4m3_step(float value) { return std::ldexp(1.0f, std::max(std::ilogb(value), -6) - 3); }

uint32_t e4m3_toward_zero(float value) {
  if (!std::isfinite(value) || value == 0) return e4m3(value);
  const float step = e4m3_step(value);
  return e4m3(std::copysign(std::trunc(std::fabs(value) / step) * step, value));
}
uint32_t e4m3_half_away(float value) {
  if (!std::isfinite(value) || value == 0) return e4m3(value);
  const float step = e4m3_step(value);
  return e4m3(std::copysign(std::floor(std::fabs(value) / step + 0.5f) * step, value));
}
uint32_t e4m3_saturated(float value) { return encode<E4M3>(value, Overflow::saturate).bits; }
// The code of x in FNUZ, whose bias is 8, is OCP's of 2 x up to 240.
uint32_t e4m3_fnuz(float value) {
  const uint32_t code = e4m3(2 * value);
  return code == 0x80 ? 0 : code;
}
uint32_t e5m2(float value) { return encode<E5M2>(value, Overflow::saturate).bits; }

uint32_t bf16_toward_zero(float value) { return f32_bits(value) >> 16; }
uint32_t bf16_half_away(float value) {
  return std::isfinite(value) ? (f32_bits(value) + 0x8000u) >> 16 : f32_bits(value) >> 16;
}
uint32_t f16_code(float value) { return encode<F16>(value, Overflow::ieee).bits; }

// OCP MX 1.0, 6.3: the exponent of the largest magnitude less that of the largest e4m3 number (8).
uint32_t mx_code_floor(float amax) {
  const int code = static_cast<int>(f32_bits(amax) >> 23 & 255) - 8;
  return static_cast<uint32_t>(code > 0 ? code : 0);
}

struct RuleMistake {
  const char* text;
  const char* family;
  void (*set)(DeviceRules&);
};
constexpr RuleMistake kRules[] = {
    {"conversions to bf16 that round toward zero (the upper half of the f32)", "",
     [](DeviceRules& r) { r.bf16_code_of = bf16_toward_zero; }},
    {"conversions to bf16 that round halves away from zero (0x8000 added)", "",
     [](DeviceRules& r) { r.bf16_code_of = bf16_half_away; }},
    {"conversions to e4m3 that round toward zero", "",
     [](DeviceRules& r) { r.e4m3_code_of = e4m3_toward_zero; }},
    {"conversions to e4m3 that round halves away from zero", "",
     [](DeviceRules& r) { r.e4m3_code_of = e4m3_half_away; }},
    {"values not limited to the largest e4m3 number before they are converted", "",
     [](DeviceRules& r) { r.no_clamp = true; }},
    {"conversions to e4m3 that saturate", "", [](DeviceRules& r) { r.e4m3_code_of = e4m3_saturated; }},
    {"conversions to FNUZ codes (gfx942) in place of OCP ones", "",
     [](DeviceRules& r) { r.e4m3_code_of = e4m3_fnuz; }},
    {"conversions to e5m2 in place of e4m3", "", [](DeviceRules& r) { r.e4m3_code_of = e5m2; }},
    {"conversions to f16 in place of bf16", "", [](DeviceRules& r) { r.bf16_code_of = f16_code; }},
    {"the two bf16 of each word exchanged", "", [](DeviceRules& r) { r.halves_swapped = true; }},
    {"bf16 operands given to the MFMA of f16", "", [](DeviceRules& r) { r.f16_products = true; }},
    {"e4m3 codes converted to values half as large (FNUZ codes, or an E8M0 bias of 128)", kPowerFamily,
     [](DeviceRules& r) { r.e4m3_read_power = -1; }},
    {"e4m3 codes converted to values twice as large (an E8M0 bias of 126)", kPowerFamily,
     [](DeviceRules& r) { r.e4m3_read_power = 1; }},
    {"scale codes read one too small (an E8M0 bias of 128)", kPowerFamily,
     [](DeviceRules& r) { r.scale_read_offset = -1; }},
    {"scale codes read one too large (an E8M0 bias of 126)", kPowerFamily,
     [](DeviceRules& r) { r.scale_read_offset = 1; }},
    {"a group's scale code one too large (an E8M0 bias of 128)", "",
     [](DeviceRules& r) { r.mx_code_offset = 1; }},
    {"a group's scale code one too small (an E8M0 bias of 126)", "",
     [](DeviceRules& r) { r.mx_code_offset = -1; }},
    {"a group's values divided by twice its scale", "", [](DeviceRules& r) { r.mx_mul_offset = 1; }},
    {"a group's values divided by half its scale", "", [](DeviceRules& r) { r.mx_mul_offset = -1; }},
    {"a group's scale code by the exponent of its maximum (OCP MX floor) in place of the smallest that fits",
     "", [](DeviceRules& r) { r.mx_code_of = mx_code_floor; }},
    {"2^x by v_exp_f32 where the twin has its polynomial, or the other way round", "",
     [](DeviceRules& r) { r.other_exp2 = true; }},
};

}  // namespace

std::vector<Mistake> rule_mistakes(const RunOptions& options, const Backend& backend) {
  std::vector<Mistake> list;
  if (backend.name() == std::string_view("sim")) {
    for (const RuleMistake& rule : kRules) {
      list.push_back({rule.text, rule.family, {{}}, [&rule](RunOptions& run) { rule.set(run.rules); }});
    }
  }
  for (const std::string& name : mfma::preset_names()) {
    const mfma::MfmaModel model = mfma::preset(name);
    if (model.part != options.model.part || model.describe() == options.model.describe()) continue;
    list.push_back({fmt::format("the MFMA model {} (another order or width of the sums)", name),
                    "",
                    {{}},
                    [model](RunOptions& run) { run.model = model; }});
  }
  return list;
}

}  // namespace wavetwin::golden
