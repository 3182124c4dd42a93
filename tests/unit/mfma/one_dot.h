// SPDX-License-Identifier: MIT
// One dot product through a whole instruction, for tests: the values sit in one row of A and one column of B.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/mfma/layout.h"
#include "sim/numerics/mfma.h"
#include "sim/numerics/mfma_reference.h"

namespace wavetwin::mfma {

// The code of an exactly representable value; -0 has its own code.
inline uint64_t code_of(Format format, double value) {
  const auto is_code = [&](uint64_t code) {
    return std::bit_cast<uint64_t>(decode_f64(format, code)) == std::bit_cast<uint64_t>(value);
  };
  if (format_info(format).can_encode) {
    const uint64_t code = encode(format, value, Overflow::ieee);
    REQUIRE_MESSAGE(is_code(code), value, " is not a value of ", to_string(format));
    return code;
  }
  for (uint64_t code = 0; code < 256; ++code)
    if (is_code(code)) return code;
  FAIL(value << " is not a value of " << to_string(format));
  return 0;
}

// A factor pair at position k.
struct Term {
  unsigned k;
  double a, b;
};

// The same pair at every k of a list.
inline std::vector<Term> terms_at(const std::vector<unsigned>& ks, double a, double b) {
  std::vector<Term> terms;
  for (const unsigned k : ks) terms.push_back({k, a, b});
  return terms;
}
inline std::vector<Term> operator+(std::vector<Term> x, const std::vector<Term>& y) {
  for (const Term& term : y) {
    bool replaced = false;
    for (Term& old : x)
      if (old.k == term.k) old = term, replaced = true;
    if (!replaced) x.push_back(term);
  }
  return x;
}
inline std::vector<Term> every_k(const Shape& shape, double a, double b) {
  std::vector<Term> terms;
  for (unsigned k = 0; k < shape.k; ++k) terms.push_back({k, a, b});
  return terms;
}

// One row against one column. Codes are set directly or by value; everything else is zero and every scale
// 127.
struct OneDot {
  const Shape& shape;
  Format a_format, b_format;
  std::array<uint64_t, 128> a{}, b{};
  std::array<uint8_t, 4> scale_a{127, 127, 127, 127}, scale_b{127, 127, 127, 127};
  uint32_t c = 0;

  OneDot(const MfmaModel& model, const char* name) : OneDot(model, name, Format::e4m3, Format::e4m3) {}
  OneDot(const MfmaModel& model, const char* name, Format fa, Format fb) : shape(*find_shape(name)) {
    const bool by_field = shape.input == InputClass::f8f6f4;
    a_format = by_field ? fa : a_format_of(model, shape);
    b_format = by_field ? fb : b_format_of(model, shape);
  }

  OneDot& terms(const std::vector<Term>& list) {
    for (const Term& t : list) {
      a[t.k] = code_of(a_format, t.a);
      b[t.k] = code_of(b_format, t.b);
    }
    return *this;
  }
  OneDot& with_c(double value) {
    c = std::bit_cast<uint32_t>(static_cast<float>(value));
    return *this;
  }
  OneDot& with_c_bits(uint32_t bits) {
    c = bits;
    return *this;
  }
  OneDot& with_scale_a(unsigned block, uint8_t byte) {
    scale_a[block] = byte;
    return *this;
  }
  OneDot& with_scale_b(unsigned block, uint8_t byte) {
    scale_b[block] = byte;
    return *this;
  }

  // The result word, by the bulk path and by the plain model, which must agree.
  uint32_t bits(const MfmaModel& model) const {
    static uint32_t ra[kMaxInputVgprs][64], rb[kMaxInputVgprs][64], rc[kMaxOutputVgprs][64];
    static uint32_t fast[kMaxOutputVgprs][64], sa[64], sb[64];
    std::memset(ra, 0, sizeof ra), std::memset(rb, 0, sizeof rb), std::memset(rc, 0, sizeof rc);
    for (unsigned lane = 0; lane < 64; ++lane) sa[lane] = sb[lane] = 127 << 8;
    const uint8_t row = static_cast<uint8_t>(shape.m - 2), column = 3;
    const InputLayout la = a_layout(shape, a_format), lb = b_layout(shape, b_format);
    for (unsigned k = 0; k < shape.k; ++k) {
      put(ra, la, {0, row, static_cast<uint8_t>(k)}, a[k]);
      put(rb, lb, {0, column, static_cast<uint8_t>(k)}, b[k]);
    }
    for (uint8_t block = 0; shape.scaled && block < shape.k / kScaleBlock; ++block) {
      sa[scale_lane(shape.m, {row, block})] = scale_a[block] << 8;
      sb[scale_lane(shape.n, {column, block})] = scale_b[block] << 8;
    }
    const Place place = cd_layout(shape).place({0, row, column});
    rc[place.vgpr()][place.lane] = c;
    Modifiers modifiers;
    modifiers.a_format = a_format;
    modifiers.b_format = b_format;
    modifiers.opsel_a = modifiers.opsel_b = 1;
    mfma(model, shape, modifiers, {ra, rb, rc, fast, sa, sb});
    const uint32_t word = plain_bits(model);
    CHECK_MESSAGE(fast[place.vgpr()][place.lane] == word, "bulk and plain path differ on ", shape.name, ", ",
                  model.describe());
    return word;
  }
  // The result word by the plain model alone.
  uint32_t plain_bits(const MfmaModel& model) const {
    uint16_t a16[128], b16[128];
    for (unsigned k = 0; k < 128; ++k)
      a16[k] = static_cast<uint16_t>(a[k]), b16[k] = static_cast<uint16_t>(b[k]);
    const Dot dot{a_format,
                  b_format,
                  a16,
                  b16,
                  shape.scaled ? scale_a.data() : nullptr,
                  shape.scaled ? scale_b.data() : nullptr};
    return dot_reference(model, step_plan(model, shape, a_format, b_format), dot, c);
  }
  double value(const MfmaModel& model) const { return std::bit_cast<float>(bits(model)); }

 private:
  static void put(uint32_t (*registers)[64], const InputLayout& layout, InputElement element, uint64_t code) {
    const Place place = layout.place(element);
    for (unsigned bit = 0; bit < layout.bits; ++bit)
      registers[(place.bit + bit) / 32][place.lane] |= static_cast<uint32_t>(code >> bit & 1)
                                                       << (place.bit + bit) % 32;
  }
};

}  // namespace wavetwin::mfma
