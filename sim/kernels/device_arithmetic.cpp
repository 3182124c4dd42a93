// SPDX-License-Identifier: MIT
#include "sim/kernels/device_arithmetic.h"

#include <algorithm>

namespace wavetwin {
namespace {

NumericModel& numeric_model() {
  static NumericModel active;
  return active;
}

DeviceRules& rules() {
  static DeviceRules active;
  return active;
}

// The default MODE under the options.
Mode conversion_mode() {
  Mode mode;
  mode.model = &numeric_model();
  return mode;
}

// The default MODE by host floats; lanes with a NaN again by the general function.
template <class Fast, class General>
LaneF32 by_host(const LaneF32& a, const LaneF32& b, Fast fast, General general) {
  HostMode host;
  LaneU32 r;
  for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = fast(f32_bits(a.v[l]), f32_bits(b.v[l]), host);
  if (host.retry != 0) {
    const Mode mode;
    for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = general(f32_bits(a.v[l]), f32_bits(b.v[l]), mode);
  }
  return as_f32(r);
}

uint32_t to_bf16(float v, const Mode& mode) {
  if (rules().bf16_code_of != nullptr) return rules().bf16_code_of(v);
  return f32_to_bf16(f32_bits(v), mode);
}
uint32_t to_fp8(float v, const Mode& mode) {
  if (rules().e4m3_code_of != nullptr) return rules().e4m3_code_of(v);
  return f32_to_small<E4M3>(f32_bits(v), mode);
}

// A byte times the scale's power of two, exact in f32 (subnormal results and overflow as the conversion gives
// them).
float scaled(uint32_t byte, float scale) {
  const int exponent = static_cast<int>(f32_bits(scale) >> 23 & 255) - 127 + rules().e4m3_read_power;
  return f32_from_bits(f32_ldexp(f32_bits(decode(E4M3{static_cast<uint8_t>(byte)})), exponent, Mode{}));
}

}  // namespace

void set_numeric_model(const NumericModel& model) { numeric_model() = model; }

const DeviceRules& device_rules() { return rules(); }
void set_device_rules(const DeviceRules& replacement) { rules() = replacement; }

LaneF32 max_nan(const LaneF32& a, const LaneF32& b) {
  return by_host(
      a, b, [](uint32_t x, uint32_t y, HostMode& host) { return f32_max(x, y, host); },
      [](uint32_t x, uint32_t y, const Mode& mode) { return f32_maximum3(x, y, y, mode); });
}

LaneF32 min_nan(const LaneF32& a, const LaneF32& b) {
  return by_host(
      a, b, [](uint32_t x, uint32_t y, HostMode& host) { return f32_min(x, y, host); },
      [](uint32_t x, uint32_t y, const Mode& mode) { return f32_minimum3(x, y, y, mode); });
}

LaneU32 bf16_pair(const LaneF32& a, const LaneF32& b) {
  const Mode mode = conversion_mode();
  const auto pair = [&mode](float x, float y) { return to_bf16(x, mode) | to_bf16(y, mode) << 16; };
  return rules().halves_swapped ? map_lanes(pair, b, a) : map_lanes(pair, a, b);
}

LaneU32 fp8_pack4(const LaneF32& a, const LaneF32& b, const LaneF32& c, const LaneF32& d) {
  const Mode mode = conversion_mode();
  return map_lanes(
      [&mode](float x, float y, float z, float w) {
        return to_fp8(x, mode) | to_fp8(y, mode) << 8 | to_fp8(z, mode) << 16 | to_fp8(w, mode) << 24;
      },
      a, b, c, d);
}

template <bool kHi>
F32Pair fp8_pair_f32(const LaneU32& word, const LaneF32& scale) {
  constexpr uint32_t kShift = kHi ? 16 : 0;
  F32Pair pair;
  pair.v[0] = map_lanes([](uint32_t w, float s) { return scaled(w >> kShift & 255, s); }, word, scale);
  pair.v[1] = map_lanes([](uint32_t w, float s) { return scaled(w >> (kShift + 8) & 255, s); }, word, scale);
  return pair;
}
template F32Pair fp8_pair_f32<false>(const LaneU32&, const LaneF32&);
template F32Pair fp8_pair_f32<true>(const LaneU32&, const LaneF32&);

template <bool kHi>
LaneU32 fp8_pair_bf16(const LaneU32& word, const LaneF32& scale) {
  const F32Pair pair = fp8_pair_f32<kHi>(word, scale);
  return bf16_pair(pair[0], pair[1]);
}
template LaneU32 fp8_pair_bf16<false>(const LaneU32&, const LaneF32&);
template LaneU32 fp8_pair_bf16<true>(const LaneU32&, const LaneF32&);

LaneU32 mx_code(const LaneF32& amax) {
  const DeviceRules& rule = rules();
  return map_lanes(
      [&rule](float x) {
        const uint32_t code = rule.mx_code_of != nullptr ? rule.mx_code_of(x) : uint32_t{mx_code(x).bits};
        return static_cast<uint32_t>(std::clamp(static_cast<int>(code) + rule.mx_code_offset, 0, 254));
      },
      amax);
}

LaneU32 perm(const LaneU32& a, const LaneU32& b, uint32_t sel) {
  return map_lanes(
      [sel](uint32_t high, uint32_t low) {
        const uint64_t both = uint64_t{high} << 32 | low;
        uint32_t out = 0;
        for (unsigned k = 0; k < 4; ++k) {
          const unsigned source = sel >> (8 * k) & 7;
          out |= static_cast<uint32_t>(both >> (8 * source) & 255) << (8 * k);
        }
        return out;
      },
      a, b);
}

}  // namespace wavetwin
