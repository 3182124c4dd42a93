// SPDX-License-Identifier: MIT
// Random encodings: of one row in one form, mostly legal, or dwords that only have a format's prefix.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sim/isa/rows.h"

namespace wavetwin::isa::test {

using Words = std::vector<uint32_t>;

class EncodingGenerator {
 public:
  explicit EncodingGenerator(uint64_t seed) : random_(seed) {}

  // Random operands and modifiers of `row`. `segment` matters for FLAT rows only.
  Words of_row(const Row& row, Form form, Segment segment = Segment::flat);

  // Four dwords: a random format prefix, the rest uniform.
  Words any();

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  uint32_t sometimes(uint32_t value) { return below(2) ? value : 0; }
  uint32_t bits(unsigned n) { return below(1u << n); }
  uint32_t even_register() { return 2 * below(112); }
  uint32_t scalar_pair() { return 2 * below(48); }
  uint32_t source9();
  // Makes all but the first scalar register of `count` sources a VGPR: VALU instructions read one
  // (guide 6.2.1).
  void keep_one_scalar(uint32_t* sources, unsigned count, bool already_one);
  uint32_t scalar_source();
  uint32_t select() { return below(7); }
  uint32_t op_sel_field(const Row& row);
  uint32_t modifier_bits(const Row& row);

  Words scalar(const Row& row);
  Words smem(const Row& row);
  Words short_vector(const Row& row, Form form);
  Words vop3(const Row& row);
  Words packed(const Row& row);
  Words matrix(const Row& row);
  Words ds(const Row& row);
  Words flat(const Row& row, Segment segment);
  Words buffer(const Row& row);

  std::mt19937_64 random_;
};

}  // namespace wavetwin::isa::test
