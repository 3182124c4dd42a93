// SPDX-License-Identifier: MIT
// Conversions between f16, f32, f64 and integers. guide 12.8, 12.11.
#include <algorithm>

#include "tests/oracle/isa/valu_oracle.h"

namespace wavetwin::reference {
namespace {

using In = const LaneInput&;
using Rows = std::map<std::string, LaneFunction>;

// NaN: sign and the top of the payload kept, made quiet.
uint64_t convert(const Spec& from, const Spec& to, uint64_t x, const ModeBits& m, int direction) {
  const bool negative = neg(from, x);
  if (nan(from, x)) {
    uint64_t payload = x & ((uint64_t{1} << from.fraction_bits) - 1);
    if (to.fraction_bits >= from.fraction_bits)
      payload <<= to.fraction_bits - from.fraction_bits;
    else
      payload >>= from.fraction_bits - to.fraction_bits;
    if (m.ieee() || payload == 0) payload |= to.quiet();
    return signed_code(to, negative, to.infinity() | payload);
  }
  x = take(from, x, m);
  if (inf(from, x)) return signed_code(to, negative, to.infinity());
  return finish(to, value(from, x), negative, m, direction);
}

// An integer from truncation, floor, floor of a number plus a half, or nearest, saturated; NaN is 0.
enum Kind { kToZero, kFloor, kFloorPlusHalf, kToNearest };
int64_t to_integer(const Spec& s, uint64_t x, const ModeBits& m, Kind kind, int64_t low, int64_t high) {
  if (nan(s, x)) return 0;
  x = take(s, x, m);
  if (inf(s, x)) return neg(s, x) ? low : high;
  Exact v = value(s, x);
  if (kind == kFloorPlusHalf) {
    v = v + exact(false, 1, -1);
    if (m.chosen("cvt_rpi", "rounded") && !v.magnitude.zero()) v = value(s, rounded(s, v, kNearest));
  }
  // The largest integer up to |v|, bit by bit.
  if (compare(v.magnitude, exact(false, 1, 50).magnitude) >= 0) return v.negative ? low : high;
  uint64_t whole = 0;
  for (int b = 50; b >= 0; --b) {
    const Big candidate = exact(false, whole + (uint64_t{1} << b), 0).magnitude;
    if (compare(candidate, v.magnitude) <= 0) whole += uint64_t{1} << b;
  }
  const bool exactly = compare(whole == 0 ? Big{} : exact(false, whole, 0).magnitude, v.magnitude) == 0;
  int64_t r = static_cast<int64_t>(whole);
  if (kind == kToNearest) {
    const int o = compare(v.magnitude, exact(false, 2 * whole + 1, -1).magnitude);
    if (o > 0 || (o == 0 && whole % 2 == 1)) ++r;
    return std::clamp(v.negative ? -r : r, low, high);
  }
  if (v.negative) r = -r - (kind != kToZero && !exactly ? 1 : 0);
  return std::clamp(r, low, high);
}

uint64_t from_integer(const Spec& s, int64_t v, const ModeBits& m) {
  const uint64_t magnitude = v < 0 ? static_cast<uint64_t>(-v) : static_cast<uint64_t>(v);
  return finish(s, exact(v < 0, magnitude, 0), false, m, m.direction(s));
}

// x * top, rounded, after clamping to [-1, 1] or [0, 1].
int64_t normalized(const Spec& s, uint64_t x, const ModeBits& m, int64_t low, int64_t high) {
  if (nan(s, x)) return 0;
  x = take(s, x, m);
  if (mag(s, x) >= s.one()) return neg(s, x) ? low : high;
  if (neg(s, x) && low == 0) return 0;
  const Parts p = parts(s, x);
  const Exact product = exact_product(false, p.integer, static_cast<uint64_t>(high), p.exponent);
  int64_t below = 0;
  for (int b = 16; b >= 0; --b) {
    const int64_t candidate = below + (int64_t{1} << b);
    if (compare(exact(false, static_cast<uint64_t>(candidate), 0).magnitude, product.magnitude) <= 0)
      below = candidate;
  }
  const Exact middle = exact(false, static_cast<uint64_t>(2 * below + 1), -1);
  const int o = compare(product.magnitude, middle.magnitude);
  if (!m.chosen("cvt_norm", "truncate")) {
    below += o > 0 || (o == 0 && below % 2 == 1) ? 1 : 0;
  }
  return neg(s, x) ? -below : below;
}

void add_between_floats(Rows& rows) {
  rows["V_CVT_F16_F32"] = [](In i) {
    return word(convert(kSingle, kHalf, i.u32(0), i.mode, i.mode.direction(kHalf)));
  };
  rows["V_CVT_F32_F16"] = [](In i) { return word(convert(kHalf, kSingle, i.u16(0), i.mode, kNearest)); };
  rows["V_CVT_F32_F64"] = [](In i) {
    return word(convert(kDouble, kSingle, i.u64(0), i.mode, i.mode.direction(kDouble)));  // LLVM
  };
  rows["V_CVT_F64_F32"] = [](In i) {
    return two_words(convert(kSingle, kDouble, i.u32(0), i.mode, kNearest));
  };
  const auto pair = [&rows](const char* name, int direction) {
    rows[name] = [=](In i) {
      return halves(convert(kSingle, kHalf, i.u32(0), i.mode, direction),
                    convert(kSingle, kHalf, i.u32(1), i.mode, direction));
    };
  };
  pair("V_CVT_PK_F16_F32", kNearest);
  pair("V_CVT_PKRTZ_F16_F32", kTruncate);
  rows["V_CVT_F32_BF16"] = [](In i) { return word(i.u16(0) << 16); };
}

}  // namespace

void add_convert_rows(Rows& rows) {
  constexpr int64_t kMaxI32 = 0x7fffffff, kMinI32 = -kMaxI32 - 1, kMaxU32 = 0xffffffff;
  add_between_floats(rows);
  const auto to_word = [&rows](const char* name, const Spec& s, Kind kind, int64_t low, int64_t high) {
    rows[name] = [=](In i) {
      const uint64_t x = s.fraction_bits == 10 ? i.u16(0) : s.fraction_bits == 23 ? i.u32(0) : i.u64(0);
      const int64_t v = to_integer(s, x, i.mode, kind, low, high);
      return word(static_cast<uint64_t>(v) & (s.fraction_bits == 10 ? 0xffffu : 0xffffffffu));
    };
  };
  to_word("V_CVT_I32_F32", kSingle, kToZero, kMinI32, kMaxI32);
  to_word("V_CVT_U32_F32", kSingle, kToZero, 0, kMaxU32);
  to_word("V_CVT_I32_F64", kDouble, kToZero, kMinI32, kMaxI32);
  to_word("V_CVT_U32_F64", kDouble, kToZero, 0, kMaxU32);
  to_word("V_CVT_I16_F16", kHalf, kToZero, -32768, 32767);
  to_word("V_CVT_U16_F16", kHalf, kToZero, 0, 65535);
  to_word("V_CVT_FLR_I32_F32", kSingle, kFloor, kMinI32, kMaxI32);
  to_word("V_CVT_RPI_I32_F32", kSingle, kFloorPlusHalf, kMinI32, kMaxI32);
  rows["V_CVT_F32_I32"] = [](In i) { return word(from_integer(kSingle, i.i32(0), i.mode)); };
  rows["V_CVT_F32_U32"] = [](In i) { return word(from_integer(kSingle, i.u32(0), i.mode)); };
  rows["V_CVT_F64_I32"] = [](In i) { return two_words(from_integer(kDouble, i.i32(0), i.mode)); };
  rows["V_CVT_F64_U32"] = [](In i) { return two_words(from_integer(kDouble, i.u32(0), i.mode)); };
  rows["V_CVT_F16_I16"] = [](In i) { return word(from_integer(kHalf, i.i16(0), i.mode)); };
  rows["V_CVT_F16_U16"] = [](In i) { return word(from_integer(kHalf, i.u16(0), i.mode)); };
  for (int n = 0; n < 4; ++n) {
    rows["V_CVT_F32_UBYTE" + std::to_string(n)] = [n](In i) {
      return word(from_integer(kSingle, i.element(0, n, 8), i.mode));
    };
  }
  rows["V_CVT_OFF_F32_I4"] = [](In i) {  // sixteenths of a signed nibble
    const int v = i.signed_element(0, 0, 4);
    return word(v == 0 ? 0
                       : rounded(kSingle, exact(v < 0, static_cast<uint64_t>(v < 0 ? -v : v), -4), kNearest));
  };
  const auto byte = [](In i) {
    const Kind kind = i.mode.chosen("cvt_u8", "nearest_even") ? kToNearest : kToZero;
    return static_cast<uint32_t>(to_integer(kSingle, i.u32(0), i.mode, kind, 0, 255));
  };
  rows["V_CVT_PK_U8_F32"] = [=](In i) {
    const unsigned at = i.u32(1) % 4 * 8;
    return word((i.u32(2) & ~(0xffu << at)) | byte(i) << at);
  };
  rows["V_CVT_PKACCUM_U8_F32"] = [=](In i) {
    const unsigned at = i.u32(1) % 4 * 8;
    return word((i.old[0] & ~(0xffu << at)) | byte(i) << at);
  };
  const auto norm = [](In i, int n, const Spec& s, bool is_signed) {
    const uint64_t x = s.fraction_bits == 10 ? i.u16(n) : i.u32(n);
    return static_cast<uint64_t>(is_signed ? normalized(s, x, i.mode, -32767, 32767)
                                           : normalized(s, x, i.mode, 0, 65535));
  };
  for (const bool is_signed : {true, false}) {
    const std::string type = is_signed ? "I16" : "U16";
    rows["V_CVT_PKNORM_" + type + "_F32"] = [=](In i) {
      return halves(norm(i, 0, kSingle, is_signed), norm(i, 1, kSingle, is_signed));
    };
    rows["V_CVT_PKNORM_" + type + "_F16"] = [=](In i) {
      return halves(norm(i, 0, kHalf, is_signed), norm(i, 1, kHalf, is_signed));
    };
    rows["V_CVT_NORM_" + type + "_F16"] = [=](In i) { return word(norm(i, 0, kHalf, is_signed) & 0xffff); };
  }
  rows["V_CVT_PK_U16_U32"] = [](In i) {
    return halves(std::min<uint32_t>(i.u32(0), 0xffff), std::min<uint32_t>(i.u32(1), 0xffff));
  };
  rows["V_CVT_PK_I16_I32"] = [](In i) {
    return halves(static_cast<uint64_t>(std::clamp(i.i32(0), -32768, 32767)),
                  static_cast<uint64_t>(std::clamp(i.i32(1), -32768, 32767)));
  };
}

}  // namespace wavetwin::reference
