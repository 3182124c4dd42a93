// SPDX-License-Identifier: MIT
// Matrix products of small numbers, which are exact in every order of summation: only the lanes' places of
// the elements matter (isa guide, "Dense matrix layouts"). Which k an element has does not, as long as a
// lane's elements of A and B agree.
#pragma once

#include <string_view>

#include "tests/isa/foreign/builtins/host.h"

namespace wavetwin::isa::builtins {

// How to read element `e` of the operand that starts at `word` of a lane.
struct Operand {
  unsigned word;
  int f8f6f4 = -1;  // format code of the scaled instructions, or by section

  unsigned bits() const {
    constexpr unsigned kScaled[] = {8, 8, 6, 6, 4};
    if (f8f6f4 >= 0) return kScaled[f8f6f4];
    if (word >= kSmallFp8 || word < kFloats) return 8;
    if (word >= kSmallHalves) return 16;
    return word >= kSmallDoubles ? 64 : 32;
  }
  double element(const u32* in, unsigned e) const {
    if (bits() == 64) return value_at<f64>(in + word + 2 * e);
    const u32 field = field_of(in + word, bits() * e, bits());
    constexpr const SmallFormat* kScaled[] = {&kE4, &kE5, &kFp6, &kBf6, &kFp4};
    if (f8f6f4 >= 0) return kScaled[f8f6f4]->value(field);
    if (word < kFloats) return static_cast<i8>(field);
    if (word >= kSmallBf8) return kE5.value(field);
    if (word >= kSmallFp8) return kE4.value(field);
    if (word >= kSmallBf16) return bf16_value(field);
    return word >= kSmallHalves ? half_value(field) : std::bit_cast<f32>(field);
  }
};

struct Product {
  std::string_view name;  // "f32_16x16x32_f16": starts with the type of D
  unsigned rows, blocks, per_lane;
  Operand a, b;
  unsigned c;
  double factor = 1;
  bool sparse = false;

  bool f64_results() const { return name.starts_with("f64"); }
  bool small_f64() const { return f64_results() && rows == 4; }
  unsigned groups() const { return small_f64() ? 4 : 64 / rows / blocks; }  // of lanes that share a row
  unsigned registers() const { return rows * rows * blocks / 64; }

  unsigned lane_of(unsigned row, unsigned group, unsigned block) const {
    return small_f64() ? 16 * group + 4 * block + row : rows * (block * groups() + group) + row;
  }
  struct Place {
    unsigned row, column, block;
  };
  Place place(unsigned lane, unsigned r) const {
    if (small_f64()) return {lane / 16, lane % 4, lane / 4 % 4};
    if (f64_results()) return {4 * r + lane / 16, lane % 16, 0};
    if (rows == 32) return {8 * (r / 4 % 4) + 4 * (lane / 32) + r % 4, lane % 32, r / 16};
    if (rows == 16) return {4 * (lane / 16) + r % 4, lane % 16, r / 4};
    return {r, lane % 4, lane / 4};
  }

  double sum(const u32* in_of, Place at) const {
    double total = 0;
    for (unsigned group = 0; group < groups(); ++group) {
      const u32* left = in_of + kInputWords * lane_of(at.row, group, at.block);
      const u32* right = in_of + kInputWords * lane_of(at.column, group, at.block);
      for (unsigned e = 0; e < per_lane; ++e) {
        const unsigned other = sparse ? e / 2 * 4 + (left[kSparseIndex] >> (2 * e) & 3) : e;
        total += a.element(left, e) * b.element(right, other);
      }
    }
    return total * factor;
  }

  // D of one lane; words that it does not fill keep what they have.
  void result(const u32* in_of, unsigned lane, u32* out) const {
    const u32* before = in_of + kInputWords * lane + c;
    for (unsigned r = 0; r < registers(); ++r) {
      const double value = sum(in_of, place(lane, r));
      if (f64_results()) {
        put(&out[2 * r], value + value_at<f64>(before + 2 * r));
      } else if (name.starts_with("i32")) {
        out[r] = before[r] + static_cast<u32>(static_cast<i64>(value));
      } else {
        put(&out[r], static_cast<f32>(value + std::bit_cast<f32>(before[r])));
      }
    }
  }
};

}  // namespace wavetwin::isa::builtins
