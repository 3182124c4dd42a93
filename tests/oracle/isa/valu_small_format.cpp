// SPDX-License-Identifier: MIT
// 4-, 6- and 8-bit formats, bf16, stochastic rounding and the v_cvt_scalef32 family. guide 12.11 and the
// format tables of chapter 2; OCP MX v1.0. Codes are compared by value: every code of a small format is
// written down from its definition.
#include <cstdlib>

#include "tests/oracle/isa/valu_oracle.h"

namespace wavetwin::reference {
namespace {

using In = const LaneInput&;
using Rows = std::map<std::string, LaneFunction>;

// E4M3: bias 7, S.1111.111 is NaN, no infinity. E5M2: as IEEE, NaN written as 0x7F. The others have numbers
// only.
struct Small {
  Spec spec;
  int bits() const { return 1 + spec.exponent_bits + spec.fraction_bits; }
  uint64_t sign() const { return spec.sign(); }
  bool e4m3() const { return spec.exponent_bits == 4; }
  bool e5m2() const { return spec.exponent_bits == 5 && spec.fraction_bits == 2; }
  bool number_only() const { return bits() < 8; }
  uint64_t max_finite() const { return e4m3() ? 0x7e : e5m2() ? 0x7b : sign() - 1; }
  bool is_nan(uint64_t magnitude) const { return e4m3() ? magnitude == 0x7f : e5m2() && magnitude > 0x7c; }
  bool is_infinity(uint64_t magnitude) const { return e5m2() && magnitude == 0x7c; }
};
const Small kFp8{{4, 3}}, kBf8{{5, 2}}, kFp6{{2, 3}}, kBf6{{3, 2}}, kFp4{{2, 1}};

// Value of a finite magnitude code as integer * 2^exponent.
Parts small_parts(const Small& f, uint64_t magnitude) {
  const int bias = f.spec.bias(), fb = f.spec.fraction_bits;
  const uint64_t field = magnitude >> fb, fraction = magnitude & ((1u << fb) - 1);
  if (field == 0) return {false, fraction, 1 - bias - fb};
  return {false, fraction + (1u << fb), static_cast<int>(field) - bias - fb};
}

// The source of a conversion: a number, an infinity or a NaN.
struct Source {
  enum { number, infinity, nan } kind = number;
  bool negative = false;
  uint64_t integer = 0;
  int exponent = 0;
};
Source source(const Spec& s, uint64_t c, const ModeBits& m, bool flushes) {
  if (flushes) c = take(s, c, m);
  if (nan(s, c)) return {Source::nan, neg(s, c), 0, 0};
  if (inf(s, c)) return {Source::infinity, neg(s, c), 0, 0};
  const Parts p = parts(s, c);
  return {Source::number, p.negative, p.integer, p.exponent};
}

// An infinite source saturates like any overflow (guide, table of v_cvt_pk_fp8_f32).
uint64_t overflow_code(const Small& f, const ModeBits& m) {
  if (f.number_only() || m.fp16_ovfl()) return f.max_finite();
  return f.e5m2() ? 0x7c : 0x7f;
}
uint64_t nan_code(const Small& f, const ModeBits& m) {
  if (f.number_only()) return m.chosen("nan_to_small", "zero") ? 0 : f.max_finite();
  return f.e5m2() && m.chosen("bf8_nan", "0x7e") ? 0x7e : 0x7f;
}

uint64_t sgn(const Small& f, bool negative, uint64_t magnitude) {
  return magnitude | (negative ? f.sign() : 0);
}

// Nearest, ties to the even code. The grid goes on above the largest number with the same spacing.
uint64_t nearest(const Small& f, const Source& x, const ModeBits& m) {
  if (x.kind == Source::nan) return sgn(f, x.negative, nan_code(f, m));
  if (x.kind == Source::infinity) return sgn(f, x.negative, overflow_code(f, m));
  if (x.integer == 0) return sgn(f, x.negative, 0);
  const auto grid = [&](uint64_t code) {
    const Parts p = small_parts(f, code);
    return exact(false, p.integer, p.exponent).magnitude;
  };
  const Big target = x.exponent < -kUnit + 1 ? exact(false, 1, -kUnit).magnitude
                                             : exact(false, x.integer, x.exponent).magnitude;
  uint64_t code = 0;
  while (code <= f.max_finite() && compare(grid(code + 1), target) <= 0) ++code;
  if (code > f.max_finite()) return sgn(f, x.negative, overflow_code(f, m));
  const int o = compare(plus(target, target), plus(grid(code), grid(code + 1)));
  if (o > 0 || (o == 0 && code % 2 == 1)) ++code;
  return sgn(f, x.negative, code > f.max_finite() ? overflow_code(f, m) : code);
}

// The guide's pseudo-code of v_cvt_sr_fp8_f32: the top of the seed is added to the 23-bit mantissa, which
// wraps.
Source with_seed(const Source& x, uint32_t seed, int width) {
  const int up = __builtin_clzll(x.integer) - 40;
  const uint64_t mantissa = ((x.integer << up) + (seed >> (32 - width))) & 0x7fffff;
  return {Source::number, x.negative, 0x800000 | mantissa, x.exponent - up};
}

// Stochastic: `width` bits below the last place of the result's binade are kept, the seed's top `width` bits
// added, the sum truncated. AMD's HIP host emulation.
uint64_t stochastic(const Small& f, const Source& x, uint32_t seed, const ModeBits& m) {
  if (x.kind != Source::number || x.integer == 0) return nearest(f, x, m);
  const int width = 23 - f.spec.fraction_bits;
  if (m.chosen("stochastic", "guide")) return nearest(f, with_seed(x, seed, width), m);
  int leading = x.exponent + 63 - __builtin_clzll(x.integer);
  const int smallest = 1 - f.spec.bias();
  if (leading < smallest) leading = smallest;
  const int place = leading - f.spec.fraction_bits;  // of the result's last bit
  const int shift = place - width - x.exponent;
  uint64_t kept = 0;
  if (shift <= 0)
    kept = x.integer << -shift;
  else if (shift < 64)
    kept = x.integer >> shift;
  const uint64_t steps = (kept + (seed >> (32 - width))) >> width;  // in units of the last place
  // The code whose value is steps * 2^place: walk the codes.
  uint64_t code = 0;
  const Exact target = exact(false, steps, place);
  for (; code <= f.max_finite(); ++code) {
    const Parts p = small_parts(f, code);
    if (compare(exact(false, p.integer, p.exponent).magnitude, target.magnitude) == 0) break;
  }
  if (code > f.max_finite()) return sgn(f, x.negative, overflow_code(f, m));
  return sgn(f, x.negative, code);
}

int e8m0(uint32_t scale) { return static_cast<int>(scale >> 23 & 255); }
bool nan_scale(uint32_t scale, const ModeBits& m) {
  return e8m0(scale) == 255 && !m.chosen("scale_255", "number");
}
Source unscaled(Source x, uint32_t scale, const ModeBits& m) {
  if (nan_scale(scale, m)) return {Source::nan, x.negative, 0, 0};
  x.exponent += 127 - e8m0(scale);
  return x;
}

// A code as f32, f16 or bf16, times the scale. NaN: what the host emulation writes.
uint64_t widened(const Small& f, uint64_t code, uint32_t scale, const Spec& to, const ModeBits& m) {
  const bool negative = (code & f.sign()) != 0;
  const uint64_t magnitude = code & (f.sign() - 1);
  if (f.is_nan(magnitude) || nan_scale(scale, m)) {
    if (to.fraction_bits == 23) return 0x7fc00000;
    return m.chosen("scaled_nan", "canonical") ? to.infinity() | to.quiet() : 0x7fff;
  }
  if (f.is_infinity(magnitude)) return signed_code(to, negative, to.infinity());
  const Parts p = small_parts(f, magnitude);
  if (p.integer == 0) return signed_code(to, negative, 0);
  uint64_t r = rounded(to, exact(negative, p.integer, p.exponent + e8m0(scale) - 127), kNearest);
  if (inf(to, r) && to.fraction_bits != 23 && m.fp16_ovfl()) r -= 1;
  return r;
}

uint32_t advance(uint32_t seed) { return seed * 2 ^ (seed >> 31 ? 0xc5 : 0); }

uint32_t insert(uint32_t old, unsigned at, unsigned width, uint64_t bits) {
  const uint32_t mask = (width == 32 ? ~0u : (1u << width) - 1) << at;
  return (old & ~mask) | (static_cast<uint32_t>(bits) << at & mask);
}

// Where packed results go: op_sel[3] is the half, op_sel[3:2] the byte; sources: op_sel[0] half, op_sel[1:0]
// byte.
unsigned to_half(In i) { return i.op_sel >> 3 << 4; }
unsigned to_byte(In i) { return i.op_sel >> 2 << 3; }
uint32_t from_half(In i) { return i.u32(0) >> ((i.op_sel & 1) * 16) & 0xffff; }
uint32_t from_byte(In i) { return i.u32(0) >> ((i.op_sel & 3) * 8) & 0xff; }

struct Wide {
  const char* name;
  Spec spec;
};
const Wide kWide[] = {{"F32", kSingle}, {"F16", kHalf}, {"BF16", kBfloat}};

void add_eight_bit(Rows& rows, const std::string& name, const Small& f) {
  const auto f32 = [](In i, int n) { return source(kSingle, i.u32(n), i.mode, true); };
  rows["V_CVT_PK_" + name + "_F32"] = [=](In i) {
    return word(
        insert(i.old[0], to_half(i), 16, nearest(f, f32(i, 0), i.mode) | nearest(f, f32(i, 1), i.mode) << 8));
  };
  rows["V_CVT_SR_" + name + "_F32"] = [=](In i) {
    return word(insert(i.old[0], to_byte(i), 8, stochastic(f, f32(i, 0), i.u32(1), i.mode)));
  };
  // Unscaled: NaN keeps its sign.
  const auto plain = [=](In i, unsigned at) -> uint64_t {
    const uint64_t code = i.u32(0) >> at & 255;
    if (f.is_nan(code & 0x7f)) return 0x7fc00000 | (code & 0x80) << 24;
    return widened(f, code, 127u << 23, kSingle, i.mode);
  };
  rows["V_CVT_F32_" + name] = [=](In i) { return word(plain(i, 0)); };
  rows["V_CVT_PK_F32_" + name] = [=](In i) { return two_words(plain(i, 0) | plain(i, 8) << 32); };

  const std::string scaled = "V_CVT_SCALEF32_";
  rows[scaled + "PK_" + name + "_F32"] = [=](In i) {
    const auto one = [&](int n) { return nearest(f, unscaled(f32(i, n), i.u32(2), i.mode), i.mode); };
    return word(insert(i.old[0], to_half(i), 16, one(0) | one(1) << 8));
  };
  rows[scaled + "SR_" + name + "_F32"] = [=](In i) {
    return word(insert(i.old[0], to_byte(i), 8,
                       stochastic(f, unscaled(f32(i, 0), i.u32(2), i.mode), i.u32(1), i.mode)));
  };
  rows[scaled + "PK_F32_" + name] = [=](In i) {
    const uint32_t two = from_half(i);
    return two_words(widened(f, two & 255, i.u32(1), kSingle, i.mode) |
                     widened(f, two >> 8, i.u32(1), kSingle, i.mode) << 32);
  };
  rows[scaled + "F32_" + name] = [=](In i) {
    return word(widened(f, from_byte(i), i.u32(1), kSingle, i.mode));
  };
  rows[scaled + "F16_" + name] = [=](In i) {
    return word(widened(f, from_byte(i), i.u32(1), kHalf, i.mode));
  };
  for (const Wide& w : {kWide[1], kWide[2]}) {
    rows[scaled + "PK_" + name + "_" + w.name] = [=](In i) {
      const auto one = [&](int n) {
        return nearest(f, unscaled(source(w.spec, i.element(0, n, 16), i.mode, false), i.u32(1), i.mode),
                       i.mode);
      };
      return word(insert(i.old[0], to_half(i), 16, one(0) | one(1) << 8));
    };
    rows[scaled + "SR_" + name + "_" + w.name] = [=](In i) {
      const Source x = unscaled(source(w.spec, i.u16(0), i.mode, false), i.u32(2), i.mode);
      return word(insert(i.old[0], to_byte(i), 8, stochastic(f, x, i.u32(1), i.mode)));
    };
    rows[scaled + "PK_" + w.name + "_" + name] = [=](In i) {
      const uint32_t two = from_half(i);
      return halves(widened(f, two & 255, i.u32(1), w.spec, i.mode),
                    widened(f, two >> 8, i.u32(1), w.spec, i.mode));
    };
  }
}

void add_four_bit(Rows& rows) {
  const std::string scaled = "V_CVT_SCALEF32_";
  const auto put = [](In i, uint64_t low, uint64_t high) {
    return word(insert(i.old[0], to_byte(i), 8, low | high << 4));
  };
  rows[scaled + "PK_FP4_F32"] = [=](In i) {
    const auto one = [&](int n) {
      return nearest(kFp4, unscaled(source(kSingle, i.u32(n), i.mode, true), i.u32(2), i.mode), i.mode);
    };
    return put(i, one(0), one(1));
  };
  rows[scaled + "SR_PK_FP4_F32"] = [=](In i) {
    const auto one = [&](int n, uint32_t seed) {
      return stochastic(kFp4, unscaled(source(kSingle, i.source[0][n], i.mode, true), i.u32(2), i.mode), seed,
                        i.mode);
    };
    return put(i, one(0, i.u32(1)), one(1, advance(i.u32(1))));
  };
  rows[scaled + "PK_F32_FP4"] = [](In i) {
    const uint32_t two = from_byte(i);
    return two_words(widened(kFp4, two & 15, i.u32(1), kSingle, i.mode) |
                     widened(kFp4, two >> 4, i.u32(1), kSingle, i.mode) << 32);
  };
  for (const Wide& w : {kWide[1], kWide[2]}) {
    rows[scaled + "PK_FP4_" + w.name] = [=](In i) {
      const auto one = [&](int n) {
        return nearest(kFp4, unscaled(source(w.spec, i.element(0, n, 16), i.mode, false), i.u32(1), i.mode),
                       i.mode);
      };
      return put(i, one(0), one(1));
    };
    rows[scaled + "SR_PK_FP4_" + w.name] = [=](In i) {
      const auto one = [&](int n, uint32_t seed) {
        return stochastic(kFp4,
                          unscaled(source(w.spec, i.element(0, n, 16), i.mode, false), i.u32(2), i.mode),
                          seed, i.mode);
      };
      return put(i, one(0, i.u32(1)), one(1, advance(i.u32(1))));
    };
    rows[scaled + "PK_" + w.name + "_FP4"] = [=](In i) {
      const uint32_t two = from_byte(i);
      return halves(widened(kFp4, two & 15, i.u32(1), w.spec, i.mode),
                    widened(kFp4, two >> 4, i.u32(1), w.spec, i.mode));
    };
  }
}

void set_element(LaneResult& r, int index, int width, uint64_t bits) {
  for (int b = 0; b < width; ++b) {
    const int at = index * width + b;
    if (bits >> b & 1) r.d[at / 32] |= 1u << (at % 32);
  }
}

void add_six_bit(Rows& rows, const std::string& name, const Small& f) {
  const std::string scaled = "V_CVT_SCALEF32_";
  rows[scaled + "2XPK16_" + name + "_F32"] = [=](In i) {
    LaneResult r;
    for (int n = 0; n < 32; ++n) {
      const Source x = source(kSingle, i.source[n % 2][n / 2], i.mode, true);
      set_element(r, n, 6, nearest(f, unscaled(x, i.u32(2), i.mode), i.mode));
    }
    return r;
  };
  for (const Wide& w : kWide) {
    const int width = w.spec.fraction_bits == 23 ? 32 : 16;
    const auto element = [=](In i, int n) {
      return source(w.spec, i.element(0, n, width), i.mode, width == 32);
    };
    rows[scaled + "SR_PK32_" + name + "_" + w.name] = [=](In i) {
      LaneResult r;
      uint32_t seed = i.u32(1);
      for (int n = 0; n < 32; ++n, seed = advance(seed)) {
        set_element(r, n, 6, stochastic(f, unscaled(element(i, n), i.u32(2), i.mode), seed, i.mode));
      }
      return r;
    };
    rows[scaled + "PK32_" + w.name + "_" + name] = [=](In i) {
      LaneResult r;
      for (int n = 0; n < 32; ++n)
        set_element(r, n, width, widened(f, i.element(0, n, 6), i.u32(1), w.spec, i.mode));
      return r;
    };
    if (width == 32) continue;
    rows[scaled + "PK32_" + name + "_" + w.name] = [=](In i) {
      LaneResult r;
      for (int n = 0; n < 32; ++n)
        set_element(r, n, 6, nearest(f, unscaled(element(i, n), i.u32(1), i.mode), i.mode));
      return r;
    };
  }
}

// f32 to bf16: nearest even whatever MODE.round; subnormals kept; a NaN keeps its top half and is made quiet.
uint64_t to_bfloat(uint32_t x, const ModeBits& m) {
  if (nan(kSingle, x)) return m.chosen("bf16_nan", "kept") ? x >> 16 | (x % 0x10000 != 0) : x >> 16 | 0x40;
  const uint64_t y = take(kSingle, x, m);
  if (zero(kSingle, y) || inf(kSingle, y)) return y >> 16;
  uint64_t r = rounded(kBfloat, value(kSingle, y), kNearest);
  if (inf(kBfloat, r) && m.fp16_ovfl()) r -= 1;
  return r;
}

// Stochastic to f16 and bf16 by the same rule as the small formats.
void add_sixteen_bit(Rows& rows) {
  rows["V_CVT_PK_BF16_F32"] = [](In i) {
    return halves(to_bfloat(i.u32(0), i.mode), to_bfloat(i.u32(1), i.mode));
  };
  for (const Wide& w : {kWide[1], kWide[2]}) {
    rows[std::string("V_CVT_SR_") + w.name + "_F32"] = [=](In i) {
      const Spec s = w.spec;
      const uint64_t x = take(kSingle, i.u32(0), i.mode);
      const bool negative = neg(kSingle, x);
      if (nan(kSingle, x)) {
        return word(
            signed_code(s, negative, s.infinity() | s.quiet() | (x & 0x7fffff) >> (23 - s.fraction_bits)));
      }
      if (inf(kSingle, x)) return word(signed_code(s, negative, s.infinity()));
      const Parts p = parts(kSingle, x);
      if (p.integer == 0) return word(signed_code(s, negative, 0));
      const int width = 23 - s.fraction_bits;
      if (i.mode.chosen("stochastic", "guide")) {
        const Source seeded = with_seed({Source::number, negative, p.integer, p.exponent}, i.u32(1), width);
        uint64_t r = rounded(s, exact(negative, seeded.integer, seeded.exponent), kNearest);
        if (inf(s, r) && i.mode.fp16_ovfl()) r -= 1;
        return word(r);
      }
      int leading = p.exponent + 63 - __builtin_clzll(p.integer);
      if (leading < 1 - s.bias()) leading = 1 - s.bias();
      const int place = leading - s.fraction_bits;
      const int shift = place - width - p.exponent;
      const uint64_t kept = shift <= 0 ? p.integer << -shift : shift < 64 ? p.integer >> shift : 0;
      const uint64_t steps = (kept + (i.u32(1) >> (32 - width))) >> width;
      if (steps == 0) return word(signed_code(s, negative, 0));
      uint64_t r = rounded(s, exact(negative, steps, place), kNearest);
      if (inf(s, r) && i.mode.fp16_ovfl()) r -= 1;
      return word(r);
    };
  }
}

}  // namespace

void add_small_format_rows(Rows& rows) {
  add_eight_bit(rows, "FP8", kFp8);
  add_eight_bit(rows, "BF8", kBf8);
  add_four_bit(rows);
  add_six_bit(rows, "FP6", kFp6);
  add_six_bit(rows, "BF6", kBf6);
  add_sixteen_bit(rows);
}

}  // namespace wavetwin::reference
