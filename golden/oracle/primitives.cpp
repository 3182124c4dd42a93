// SPDX-License-Identifier: MIT
#include "golden/oracle/primitives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "golden/oracle/mx.h"

namespace wavetwin::oracle {
namespace {

float f32(uint32_t bits) {
  float v;
  std::memcpy(&v, &bits, 4);
  return v;
}
uint32_t word(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  return bits;
}

// Nearest even by search over all codes of one sign; above 464 the result is NaN.
uint32_t to_e4m3(float v) {
  const uint32_t sign = std::signbit(v) ? 128 : 0;
  const double magnitude = std::fabs(static_cast<double>(v));
  if (std::isnan(v) || magnitude > 464) return sign | 127;
  const auto& values = e4m3_values();
  uint32_t best = 0;
  for (uint32_t code = 1; code < 127; ++code) {
    const double was = std::fabs(values[best] - magnitude), is = std::fabs(values[code] - magnitude);
    if (is < was || (is == was && code % 2 == 0)) best = code;
  }
  return sign | best;
}

// Nearest even bf16 of a number that a double holds exactly.
uint32_t to_bf16(double v) {
  const uint32_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isnan(v)) return sign | 0x7FC0;
  const double magnitude = std::fabs(v);
  if (magnitude == 0) return sign;
  if (std::isinf(v)) return sign | 0x7F80;
  const int exponent = std::max(std::ilogb(magnitude), -126);
  const double quantum = std::ldexp(1.0, exponent - 7);
  const double steps = std::nearbyint(magnitude / quantum);  // exact division; host mode is nearest even
  const double rounded = steps * quantum;
  if (rounded >= std::ldexp(1.0, 128)) return sign | 0x7F80;
  return sign | word(static_cast<float>(rounded)) >> 16;
}

// 2^(exponent field - 127): what a conversion makes of its scale operand.
double scale_of(uint32_t bits) { return std::ldexp(1.0, static_cast<int>(bits >> 23 & 255) - 127); }

float maximum(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<float>::quiet_NaN();
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
float minimum(float a, float b) { return -maximum(-a, -b); }

// Smallest code in 1..254 with 448 * 2^(code - 127) >= amax.
uint32_t scale_code(float amax) {
  for (uint32_t code = 1; code < 254; ++code) {
    if (std::ldexp(448.0, static_cast<int>(code) - 127) >= amax) return code;
  }
  return 254;
}

uint32_t ceil_exponent(uint32_t bits) { return (bits >> 23 & 255) + ((bits & 0x7FFFFF) != 0); }

// One wave: in[w][lane] -> out[w][lane].
struct WaveWords {
  std::vector<std::array<uint32_t, 64>> in, out;
};
using Meaning = std::function<void(WaveWords&)>;

// Lane by lane.
template <class F>
Meaning lanewise(F f) {
  return [f](WaveWords& wave) {
    for (unsigned l = 0; l < 64; ++l) {
      uint32_t in[4] = {}, out[16] = {};
      for (size_t w = 0; w < wave.in.size(); ++w) in[w] = wave.in[w][l];
      f(in, out);
      for (size_t w = 0; w < wave.out.size(); ++w) wave.out[w][l] = out[w];
    }
  };
}

using Lanes = std::array<uint32_t, 64>;
Lanes reduce(const Lanes& v, unsigned off, bool add) {
  Lanes r;
  for (unsigned l = 0; l < 64; ++l) {
    // Across rows the lower lane's value stands first; a sum or a maximum of two does not depend on it.
    const float a = f32(v[l]), b = f32(v[l ^ off]);
    r[l] = word(add ? a + b : maximum(a, b));
  }
  return r;
}
Lanes reduce(Lanes v, std::initializer_list<unsigned> offs, bool add) {
  for (const unsigned off : offs) v = reduce(v, off, add);
  return v;
}
constexpr unsigned kOffsets[] = {1, 2, 4, 8, 16, 32};

Meaning every_offset(bool add) {
  return [add](WaveWords& wave) {
    for (unsigned i = 0; i < 6; ++i) wave.out[i] = reduce(wave.in[0], kOffsets[i], add);
  };
}

Meaning gather() {
  return [](WaveWords& wave) {
    for (unsigned l = 0; l < 64; ++l) wave.out[0][l] = wave.in[0][wave.in[1][l] % 64];
  };
}

std::map<std::string, Meaning> arithmetic_meanings() {
  std::map<std::string, Meaning> m;
  m["bf16_pair"] =
      lanewise([](auto* in, auto* out) { out[0] = to_bf16(f32(in[0])) | to_bf16(f32(in[1])) << 16; });
  m["bf16_round"] = lanewise([](auto* in, auto* out) { out[0] = to_bf16(f32(in[0])) << 16; });
  m["bf_lo"] = lanewise([](auto* in, auto* out) { out[0] = in[0] << 16; });
  m["bf_hi"] = lanewise([](auto* in, auto* out) { out[0] = in[0] >> 16 << 16; });
  m["fp8_pack4"] = lanewise([](auto* in, auto* out) {
    for (int i = 0; i < 4; ++i) out[0] |= to_e4m3(f32(in[i])) << (8 * i);
  });
  m["fp8x8_bf16"] = lanewise([](auto* in, auto* out) {
    for (int i = 0; i < 8; ++i)
      out[i / 2] |= to_bf16(e4m3_values()[in[i / 4] >> (8 * (i % 4)) & 255] * scale_of(in[2]))
                    << (16 * (i % 2));
  });
  m["fp8_pair_f32"] = lanewise([](auto* in, auto* out) {
    for (int i = 0; i < 4; ++i)
      out[i] = word(static_cast<float>(e4m3_values()[in[0] >> (8 * i) & 255] * scale_of(in[1])));
  });
  m["clamp_fp8"] =
      lanewise([](auto* in, auto* out) { out[0] = word(maximum(minimum(f32(in[0]), 448), -448)); });
  m["abs_f32"] = lanewise([](auto* in, auto* out) { out[0] = in[0] & 0x7FFFFFFFu; });
  m["ceil_exp"] = lanewise([](auto* in, auto* out) { out[0] = ceil_exponent(in[0]); });
  m["pow2"] = lanewise([](auto* in, auto* out) {
    out[0] = in[0] == 0 ? 0 : word(static_cast<float>(std::ldexp(1.0, static_cast<int>(in[0]) - 127)));
  });
  m["mx_mul"] = lanewise([](auto* in, auto* out) {
    out[0] = in[0] == 254 ? 0 : word(static_cast<float>(std::ldexp(1.0, 127 - static_cast<int>(in[0]))));
  });
  m["rcp_pow2"] = m["mx_mul"];
  m["mx_code"] = lanewise([](auto* in, auto* out) { out[0] = scale_code(f32(in[0])); });
  m["div_rn"] = lanewise([](auto* in, auto* out) {
    const float x = f32(in[0]), r = f32(0x3B124925u), q = x * r;
    out[0] = word(std::fma(std::fma(-q, 448.0f, x), r, q));
  });
  m["fma"] =
      lanewise([](auto* in, auto* out) { out[0] = word(std::fma(f32(in[0]), f32(in[1]), f32(in[2]))); });
  m["max_nan"] = lanewise([](auto* in, auto* out) { out[0] = word(maximum(f32(in[0]), f32(in[1]))); });
  m["min_nan"] = lanewise([](auto* in, auto* out) { out[0] = word(minimum(f32(in[0]), f32(in[1]))); });
  m["rsq_det"] = lanewise([](auto* in, auto* out) { out[0] = word(1.0f / std::sqrt(f32(in[0]))); });
  m["fresh"] = lanewise([](auto* in, auto* out) { out[0] = in[0]; });
  m["perm"] = lanewise([](auto* in, auto* out) {
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 4; ++k) {
        const uint32_t from = kPermSelectors[i] >> (8 * k) & 7;
        out[i] |= (in[from < 4 ? 1 : 0] >> (8 * (from % 4)) & 255) << (8 * k);
      }
    }
  });
  m["tile_map"] = lanewise([](auto* in, auto* out) {
    for (int i = 0; i < 7; ++i) {
      out[2 * i] = in[0] / kTileWidths[i];
      out[2 * i + 1] = in[0] % kTileWidths[i];
    }
  });
  m["first_task"] = lanewise([](auto* in, auto* out) {
    // The smallest task >= 0 that is bid - base modulo 256.
    for (uint32_t task = 0; task < 256; ++task) {
      if ((task + in[1]) % 256 == in[0]) out[0] = task;
    }
  });
  return m;
}

std::map<std::string, Meaning> lane_meanings() {
  std::map<std::string, Meaning> m;
  m["lane_gather"] = gather();
  m["lane_f32"] = gather();
  m["xshfl"] = [](WaveWords& wave) {
    for (unsigned i = 0; i < 6; ++i)
      for (unsigned l = 0; l < 64; ++l) wave.out[i][l] = wave.in[0][l ^ kOffsets[i]];
  };
  m["xred_add"] = every_offset(true);
  m["xred_max"] = every_offset(false);
  m["butterfly"] = [](WaveWords& wave) {
    wave.out[0] = reduce(wave.in[0], {8, 4, 2, 1}, true);
    wave.out[1] = reduce(wave.in[0], {16, 32}, true);
    wave.out[2] = reduce(wave.in[0], {1, 2, 4, 8, 16}, false);
  };
  m["wave_sum"] = [](WaveWords& wave) { wave.out[0] = reduce(wave.in[0], {32, 16, 8, 4, 2, 1}, true); };
  m["wave_max"] = [](WaveWords& wave) { wave.out[0] = reduce(wave.in[0], {32, 16, 8, 4, 2, 1}, false); };
  m["row_shr"] = [](WaveWords& wave) {
    constexpr unsigned kBy[] = {1, 2, 4, 8, 15};
    for (unsigned i = 0; i < 5; ++i)
      for (unsigned l = 0; l < 64; ++l) wave.out[i][l] = l % 16 >= kBy[i] ? wave.in[0][l - kBy[i]] : 0;
  };
  m["permlane_swap"] = [](WaveWords& wave) {
    // 16: odd rows of the first with even rows of the second; 32: its upper half with the other's lower half.
    for (const unsigned off : {16u, 32u}) {
      const size_t at = off == 16 ? 0 : 2;
      for (unsigned l = 0; l < 64; ++l) {
        wave.out[at][l] = l & off ? wave.in[1][l - off] : wave.in[0][l];
        wave.out[at + 1][l] = l & off ? wave.in[1][l] : wave.in[0][l + off];
      }
    }
  };
  m["readlane"] = [](WaveWords& wave) {
    for (unsigned i = 0; i < 3; ++i) wave.out[i].fill(wave.in[0][kReadLanes[i]]);
  };
  m["uniform"] = [](WaveWords& wave) { wave.out[0].fill(wave.in[0][0]); };
  return m;
}

// Words whose bits only a model fixes: the function in double, and how far the part may be from it.
struct Approximate {
  double (*value)(double x);
  double ulps;
  bool flushes;  // f32 subnormals count as zero, on input and output (CDNA4 ISA guide, V_EXP_F32 and
                 // following)
};
double reciprocal(double x) { return 1.0 / x; }
double reciprocal_root(double x) {
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), x);
  return 1.0 / std::sqrt(x);
}
const std::map<std::string, Approximate>& approximate_meanings() {
  static const std::map<std::string, Approximate> kWords = {
      {"exp2_det", {[](double x) { return std::exp2(x); }, 0.88, false}},
      {"exp2_word", {[](double x) { return std::exp2(x); }, 1.0, true}},  // either build of it
      {"hw_exp2", {[](double x) { return std::exp2(x); }, 1.0, true}},
      {"hw_rcp", {reciprocal, 1.0, true}},
      {"hw_rsq", {reciprocal_root, 1.0, true}},
  };
  return kWords;
}

PrimitiveReference approximate(const Approximate& word, const std::vector<uint32_t>& in, uint32_t n) {
  PrimitiveReference reference;
  constexpr double kMinNormal = 0x1p-126;
  for (uint32_t i = 0; i < n; ++i) {
    double x = f32(in[i]);
    if (word.flushes && std::fabs(x) < kMinNormal) x = std::copysign(0.0, x);
    double value = word.value(x);
    if (std::fabs(value) < kMinNormal)
      value = std::copysign(0.0, value);  // exp2_det gives +0 below -126, too
    if (value >= 0x1p128) value = std::numeric_limits<double>::infinity();
    const double ulp = std::isfinite(value) && value != 0 ? std::ldexp(1.0, std::ilogb(value) - 23) : 0;
    reference.value.push_back(value);
    reference.bound.push_back(word.ulps * ulp);
  }
  return reference;
}

}  // namespace

PrimitiveReference primitive(const Primitive& word, const std::vector<uint32_t>& in, uint32_t n) {
  const auto near = approximate_meanings().find(word.name);
  if (near != approximate_meanings().end()) return approximate(near->second, in, n);

  static const std::map<std::string, Meaning> kMeanings = [] {
    auto all = arithmetic_meanings();
    all.merge(lane_meanings());
    return all;
  }();
  const auto meaning = kMeanings.find(word.name);
  if (meaning == kMeanings.end()) throw std::logic_error(std::string("no meaning of the word ") + word.name);
  PrimitiveReference reference;
  reference.bits.resize(size_t{word.out} * n);
  for (uint32_t first = 0; first < n; first += 64) {
    WaveWords wave;
    wave.in.resize(word.in);
    wave.out.resize(word.out);
    for (uint32_t w = 0; w < word.in; ++w)
      for (unsigned l = 0; l < 64; ++l) wave.in[w][l] = in[size_t{w} * n + first + l];
    meaning->second(wave);
    for (uint32_t w = 0; w < word.out; ++w)
      for (unsigned l = 0; l < 64; ++l) reference.bits[size_t{w} * n + first + l] = wave.out[w][l];
  }
  return reference;
}

}  // namespace wavetwin::oracle
