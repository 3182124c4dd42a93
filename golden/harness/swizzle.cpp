// SPDX-License-Identifier: MIT
// LDS swizzles that one side of a kernel makes and the other does not, as maps of an operand.
#include <fmt/format.h>

#include "golden/harness/rearrangement.h"

namespace wavetwin::golden {
namespace {

// Chunk k of row r trades places with chunk k ^ x(r), x(r) = (r >> shift) % 2^bits.
struct Swizzle {
  uint64_t unit;  // bytes of a chunk
  unsigned bits, shift;
  int other_shift = -1;  // x(r) ^= (r >> other_shift) % 2^bits: the two sides shift differently
};

// What kernels use: 8 or 4 chunks of 16 bytes by the row, by pairs or quads of rows; a mask of one side that
// is too narrow leaves its top bits (64 bytes by row bit 2, say); half a tile's 32 or 64 bytes by its half.
constexpr Swizzle kLikely[] = {
    {16, 3, 0},    {16, 2, 0},    {16, 3, 1},    {64, 1, 2},    {16, 2, 1}, {16, 1, 0},
    {32, 1, 1},    {32, 2, 1},    {32, 1, 3},    {64, 1, 3},    {16, 4, 0}, {16, 2, 2},
    {16, 3, 0, 1}, {16, 3, 0, 2}, {16, 2, 0, 1}, {16, 3, 1, 2}, {8, 3, 0},  {8, 2, 0},
    {4, 3, 0},     {32, 2, 0},    {128, 1, 3},   {16, 3, 2},    {8, 4, 0},  {64, 1, 1},
};
constexpr uint64_t kUnits[] = {16, 64, 32, 8, 128, 4};

bool is_likely(const Swizzle& swizzle) {
  for (const Swizzle& one : kLikely) {
    if (one.other_shift < 0 && one.unit == swizzle.unit && one.bits == swizzle.bits &&
        one.shift == swizzle.shift)
      return true;
  }
  return false;
}

std::string row_part(unsigned shift, unsigned bits) {
  return shift == 0 ? fmt::format("r % {}", 1u << bits) : fmt::format("r / {} % {}", 1u << shift, 1u << bits);
}

std::string text_of(const Swizzle& swizzle) {
  std::string x = row_part(swizzle.shift, swizzle.bits);
  if (swizzle.other_shift >= 0)
    x += " ^ " + row_part(static_cast<unsigned>(swizzle.other_shift), swizzle.bits);
  return fmt::format(
      "{}-byte chunks k and k ^ ({}) of row r exchanged (a swizzle on one side only, or another mask or "
      "shift "
      "there)",
      swizzle.unit, x);
}

void add(const Swizzle& swizzle, DType dtype, const Shape& shape, std::vector<Rearrangement>& list) {
  const uint64_t columns = shape[shape.size() - 1], rows = shape[shape.size() - 2];
  const uint64_t chunk = swizzle.unit / size_of(dtype);
  if (chunk == 0 || columns % (chunk << swizzle.bits) != 0 || rows <= uint64_t{1} << swizzle.shift) return;
  list.push_back({text_of(swizzle), [=](uint64_t index) {
                    const uint64_t column = index % columns, row = index / columns % rows;
                    uint64_t x = row >> swizzle.shift;
                    if (swizzle.other_shift >= 0) x ^= row >> swizzle.other_shift;
                    x %= uint64_t{1} << swizzle.bits;
                    return index - column + (column ^ (x * chunk));
                  }});
}

}  // namespace

std::vector<Rearrangement> swizzles(DType dtype, const Shape& shape) {
  std::vector<Rearrangement> list;
  if (shape.size() < 2) return list;
  for (const Swizzle& swizzle : kLikely) add(swizzle, dtype, shape, list);
  for (const uint64_t unit : kUnits) {
    for (const unsigned bits : {3u, 2u, 1u, 4u}) {
      for (unsigned shift = 0; shift <= 4; ++shift) {
        if (!is_likely({unit, bits, shift})) add({unit, bits, shift}, dtype, shape, list);
      }
    }
  }
  return list;
}

}  // namespace wavetwin::golden
