// SPDX-License-Identifier: MIT
// Random and edge operands for whole MFMA instructions, and the options as text.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "common/mfma/layout.h"
#include "sim/numerics/mfma.h"
#include "tests/oracle/mfma/mfma_oracle.h"

namespace wavetwin::mfma {

// How the elements of one instruction are distributed.
enum class Kind : uint8_t { raw, gaussian, zeros, tiny, edges, narrow, cancelling, specials };
inline constexpr Kind kKinds[] = {Kind::raw,   Kind::gaussian, Kind::zeros,      Kind::tiny,
                                  Kind::edges, Kind::narrow,   Kind::cancelling, Kind::specials};
inline const char* kind_name(Kind kind) {
  constexpr const char* kNames[] = {"raw",   "gaussian", "zeros",      "tiny",
                                    "edges", "narrow",   "cancelling", "specials"};
  return kNames[static_cast<unsigned>(kind)];
}

// The registers of one instruction, D twice.
struct Registers {
  uint32_t a[kMaxInputVgprs][64], b[kMaxInputVgprs][64], c[kMaxOutputVgprs][64];
  uint32_t d[kMaxOutputVgprs][64], plain[kMaxOutputVgprs][64];
  uint32_t scale_a[64], scale_b[64];

  RegisterOperands to_d() { return {a, b, c, d, scale_a, scale_b}; }
  RegisterOperands to_plain() { return {a, b, c, plain, scale_a, scale_b}; }
};

inline void put_bits(uint32_t (*registers)[64], Place place, unsigned bits, uint64_t code) {
  for (unsigned bit = 0; bit < bits; ++bit) {
    uint32_t& word = registers[(place.bit + bit) / 32][place.lane];
    const unsigned in_word = (place.bit + bit) % 32;
    word = (word & ~(1u << in_word)) | static_cast<uint32_t>(code >> bit & 1) << in_word;
  }
}
inline uint64_t get_bits(const uint32_t (*registers)[64], Place place, unsigned bits) {
  uint64_t code = 0;
  for (unsigned bit = 0; bit < bits; ++bit) {
    const unsigned at = place.bit + bit;
    // Read first, shift then: g++ 12 with -fsanitize=undefined loses the index of an array inside a shift.
    const uint32_t word = registers[at / 32][place.lane];
    code |= static_cast<uint64_t>(word >> at % 32 & 1) << bit;
  }
  return code;
}

class OperandSource {
 public:
  explicit OperandSource(uint64_t seed) : random_(seed) {}

  uint64_t bits() { return random_(); }
  unsigned below(unsigned count) { return static_cast<unsigned>(random_() % count); }
  bool one_in(unsigned count) { return below(count) == 0; }

  uint64_t element(Format format, Kind kind) {
    const FloatFormat* f = format_info(format).float_format;
    if (f == nullptr) return kind == Kind::edges ? (one_in(2) ? 0x80u : 0x7Fu) : bits() & 0xFF;
    const uint64_t all = low_mask<uint64_t>(format_bits(format));
    const uint64_t sign = one_in(2) ? f->sign_mask() : 0;
    const uint64_t mantissa = bits() & f->mantissa_mask();
    const auto with_field = [&](uint64_t field) { return sign | field << f->mantissa_bits | mantissa; };
    switch (kind) {
      case Kind::gaussian:
        return gaussian(format, *f);
      case Kind::zeros:
        return one_in(4) ? bits() & all : sign * (f->nan != NanEncoding::negative_zero);
      case Kind::tiny:
        return with_field(below(3));
      case Kind::edges:
        return edge(*f, sign);
      case Kind::narrow:
        return finite(*f, with_field(middle(*f) + below(2)));
      case Kind::cancelling:
        return finite(*f, with_field(middle(*f) + below(4)));
      case Kind::specials:
        return one_in(12) ? special(*f, sign) : finite(*f, bits() & all);
      default:
        return finite(*f, bits() & all);
    }
  }

  // C as f32: of any exponent, or near the sums that the kinds make, or an edge.
  uint32_t f32(Kind kind) {
    const auto b = static_cast<uint32_t>(bits());
    switch (below(6)) {
      case 0:
        return kind == Kind::specials ? b : b & 0xBFFFFFFFu;
      case 1:
        return (b & 0x80000000u) | below(3) << 22;
      case 2:
        return (b & 0x807FFFFFu) | (100 + below(60)) << 23;
      case 3:
        return (b & 0x80000000u) | (100 + below(60)) << 23 | below(4);
      default:
        return (b & 0x80FFFFFFu) | (118 + below(20)) << 23;
    }
  }

  uint8_t scale(Kind kind) {
    if (kind == Kind::specials && one_in(40)) return one_in(2) ? 0xFF : 0;
    if (kind == Kind::edges) return static_cast<uint8_t>(one_in(2) ? below(3) : 252 + below(3));
    return static_cast<uint8_t>(kind == Kind::raw ? below(255) : 117 + below(20));
  }

  // Every register of an instruction. Kinds other than the named one are mixed in, a row at a time.
  void fill(const Shape& shape, Format a_format, Format b_format, Kind kind, Registers& r) {
    fill_input(a_layout(shape, a_format), a_format, kind, r.a);
    fill_input(b_layout(shape, b_format), b_format, kind, r.b);
    for (auto& vgpr : r.c)
      for (uint32_t& word : vgpr) word = f32(kind);
    for (unsigned lane = 0; lane < 64; ++lane) {
      r.scale_a[lane] = static_cast<uint32_t>(bits() << 8) | scale(kind);
      r.scale_b[lane] = static_cast<uint32_t>(bits() << 8) | scale(kind);
    }
  }

 private:
  static uint64_t middle(const FloatFormat& f) { return f.top_exponent_field() / 2; }

  static bool is_finite(const FloatFormat& f, uint64_t code) {
    const NumberClass kind = unpack(f, code).kind;
    return kind == NumberClass::zero || kind == NumberClass::finite;
  }
  // The code itself, or the largest finite one of its sign.
  static uint64_t finite(const FloatFormat& f, uint64_t code) {
    if (is_finite(f, code)) return code;
    return f.nan == NanEncoding::negative_zero ? f.max_finite_magnitude()
                                               : (code & f.sign_mask()) | f.max_finite_magnitude();
  }

  uint64_t gaussian(Format format, const FloatFormat& f) {
    const double value = normal_(random_) * std::ldexp(1.0, f.max_exponent() / 3);
    if (format == Format::f64) return std::bit_cast<uint64_t>(value);
    if (format_info(format).can_encode) return encode(format, value, Overflow::saturate);
    const uint64_t code =
        encode(format == Format::e4m3fnuz ? Format::e4m3 : Format::e5m2, value, Overflow::saturate);
    return finite(f, code);
  }

  uint64_t edge(const FloatFormat& f, uint64_t sign) {
    const uint64_t magnitudes[] = {1,
                                   f.mantissa_mask(),
                                   f.mantissa_mask() + 1,
                                   f.max_finite_magnitude(),
                                   f.max_finite_magnitude() - 1,
                                   middle(f) << f.mantissa_bits,
                                   (middle(f) << f.mantissa_bits) + 1};
    return sign | magnitudes[below(7)];
  }

  uint64_t special(const FloatFormat& f, uint64_t sign) {
    if (f.nan == NanEncoding::negative_zero) return f.sign_mask();
    return sign | (one_in(2) && f.has_infinity ? f.infinity_magnitude() : f.all_ones_magnitude());
  }

  void fill_input(const InputLayout& layout, Format format, Kind kind, uint32_t (*registers)[64]) {
    for (unsigned block = 0; block < layout.blocks; ++block)
      for (unsigned row = 0; row < layout.rows; ++row) {
        const Kind row_kind = kind != Kind::specials && one_in(8) ? kKinds[below(7)] : kind;
        uint64_t previous = 0;
        for (unsigned k = 0; k < layout.k; ++k) {
          uint64_t code = element(format, row_kind);
          // Neighbours of opposite sign, so that large products cancel.
          const FloatFormat* f = format_info(format).float_format;
          if (row_kind == Kind::cancelling && f != nullptr && k % 2 == 1 && !one_in(4) && previous != 0)
            code = previous ^ f->sign_mask();
          previous = code;
          put_bits(
              registers,
              layout.place({static_cast<uint8_t>(block), static_cast<uint8_t>(row), static_cast<uint8_t>(k)}),
              layout.bits, code);
        }
      }
  }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

// The options of a model as the independent model takes them.
inline reference::MfmaOptions oracle_options(const MfmaModel& model) {
  reference::MfmaOptions options;
  options.rule = model.rule == Rule::steps ? "steps" : model.preset;
  for (const OptionInfo& info : option_list()) options.values[info.name] = model.get(info.name);
  return options;
}

// Row `row` of block `block` of A (or column of B) by the layout.
inline std::vector<uint64_t> row_codes(const InputLayout& layout, const uint32_t (*registers)[64],
                                       unsigned block, unsigned row) {
  std::vector<uint64_t> codes;
  for (unsigned k = 0; k < layout.k; ++k)
    codes.push_back(get_bits(
        registers,
        layout.place({static_cast<uint8_t>(block), static_cast<uint8_t>(row), static_cast<uint8_t>(k)}),
        layout.bits));
  return codes;
}

inline bool is_narrow(const Shape& shape) {
  return shape.input != InputClass::f32 && shape.input != InputClass::f64 && shape.input != InputClass::i8;
}

// D(row, column) of a block by the independent model, operands read through the layouts.
inline uint64_t oracle_output(const MfmaModel& model, const Shape& shape, Format a_format, Format b_format,
                              const Registers& r, unsigned block, unsigned row, unsigned column,
                              unsigned opsel_a, unsigned opsel_b) {
  const std::vector<uint64_t> a = row_codes(a_layout(shape, a_format), r.a, block, row);
  const std::vector<uint64_t> b = row_codes(b_layout(shape, b_format), r.b, block, column);
  const Place place = cd_layout(shape).place(
      {static_cast<uint8_t>(block), static_cast<uint8_t>(row), static_cast<uint8_t>(column)});
  const uint64_t c = get_bits(r.c, place, output_bits(shape));
  const std::vector<uint32_t> a32(a.begin(), a.end()), b32(b.begin(), b.end());
  switch (shape.input) {
    case InputClass::i8:
      return reference::sum_i8(a, b, static_cast<uint32_t>(c));
    case InputClass::f64:
      return reference::fma_chain_f64(a, b, c);
    case InputClass::f32:
      return reference::fma_chain_f32(a32, b32, static_cast<uint32_t>(c), false, model.nan_bits);
    default:
      break;
  }
  reference::MfmaDot dot;
  constexpr const char* kDatapaths[] = {"f8f6f4", "f8", "bf16", "f16"};
  dot.datapath = kDatapaths[static_cast<unsigned>(shape.input)];
  dot.new_shape = shape.parts == Parts::gfx950_only;
  dot.a_format = to_string(a_format);
  dot.b_format = to_string(b_format);
  dot.a = a;
  dot.b = b;
  dot.c = static_cast<uint32_t>(c);
  for (unsigned kb = 0; shape.scaled && kb < shape.k / kScaleBlock; ++kb) {
    const auto k_block = static_cast<uint8_t>(kb);
    const uint32_t word_a = r.scale_a[scale_lane(shape.m, {static_cast<uint8_t>(row), k_block})];
    const uint32_t word_b = r.scale_b[scale_lane(shape.n, {static_cast<uint8_t>(column), k_block})];
    dot.a_scales.push_back(word_a >> 8 * opsel_a & 255);
    dot.b_scales.push_back(word_b >> 8 * opsel_b & 255);
  }
  return reference::mfma_dot(oracle_options(model), dot);
}

}  // namespace wavetwin::mfma
