// SPDX-License-Identifier: MIT
#include "tests/isa/valu/matrix_bench.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

namespace wavetwin::test {

namespace ref = reference;

int element_a(unsigned b, unsigned i, unsigned k) {
  return static_cast<int>((b * 5 + i * 3 + k * 2 + i * k) % 7) - 3;
}
int element_b(unsigned b, unsigned k, unsigned j) {
  return static_cast<int>((b * 3 + k * 4 + j * 5 + j * k) % 7) - 3;
}
int element_c(unsigned b, unsigned i, unsigned j) {
  return static_cast<int>((b * 7 + i * 11 + j * 13) % 100) - 50;
}

void put(TestWave& wave, unsigned first, const ref::MatrixPlace& place, unsigned width, uint64_t code) {
  const unsigned bit = place.item * width;
  wave.v(first + bit / 32, place.lane) |= static_cast<uint32_t>(code << bit % 32);
  if (bit % 32 + width > 32)
    wave.v(first + bit / 32 + 1, place.lane) |= static_cast<uint32_t>(code >> (32 - bit % 32));
}

uint64_t get(TestWave& wave, unsigned first, const ref::MatrixPlace& place, unsigned width) {
  if (width == 32) return wave.v(first + place.item, place.lane);
  return wave.v(first + 2 * place.item, place.lane) | uint64_t{wave.v(first + 2 * place.item + 1, place.lane)}
                                                          << 32;
}

void fill_matrices(TestWave& wave, const ref::MatrixShape& s) {
  const unsigned result_width = ref::format_width(s.result);
  for (unsigned b = 0; b < s.blocks; ++b) {
    for (unsigned k = 0; k < s.k; ++k) {
      for (unsigned i = 0; i < s.m; ++i)
        put(wave, kA, a_place(s, b, i, k), ref::format_width(s.a),
            ref::integer_code(s.a, element_a(b, i, k)));
      for (unsigned j = 0; j < s.n; ++j)
        put(wave, kB, b_place(s, b, k, j), ref::format_width(s.b),
            ref::integer_code(s.b, element_b(b, k, j)));
    }
    for (unsigned i = 0; i < s.m; ++i) {
      for (unsigned j = 0; j < s.n; ++j)
        put(wave, kC, d_place(s, b, i, j), result_width, ref::integer_code(s.result, element_c(b, i, j)));
    }
  }
}

std::vector<uint64_t> matrix_result(TestWave& wave, const ref::MatrixShape& s) {
  std::vector<uint64_t> d;
  for (unsigned b = 0; b < s.blocks; ++b)
    for (unsigned i = 0; i < s.m; ++i)
      for (unsigned j = 0; j < s.n; ++j)
        d.push_back(get(wave, kD, d_place(s, b, i, j), ref::format_width(s.result)));
  return d;
}

void check_product(TestWave& wave, const isa::Row& row, const ref::MatrixShape& s, int factor) {
  const std::string name(row.name);
  const unsigned width = ref::format_width(s.result);
  for (unsigned b = 0; b < s.blocks; ++b) {
    for (unsigned i = 0; i < s.m; ++i) {
      for (unsigned j = 0; j < s.n; ++j) {
        int sum = 0;
        for (unsigned k = 0; k < s.k; ++k) sum += element_a(b, i, k) * element_b(b, k, j);
        const uint64_t want = ref::integer_code(s.result, element_c(b, i, j) + factor * sum);
        const uint64_t got = get(wave, kD, d_place(s, b, i, j), width);
        if (got == want) continue;
        FAIL_CHECK(fmt::format("{} {} {} block {} D({}, {}) is {:#x}, want {:#x}", name, s.a, s.b, b, i, j,
                               got, want));
        return;
      }
    }
  }
}

ref::MatrixShape dense_shape_of(const isa::Row& row) {
  const auto shape = ref::matrix_shape(std::string(row.name));
  REQUIRE_MESSAGE(shape.has_value(), std::string(row.name));
  return *shape;
}

uint32_t mai_dword(const isa::Row& row, unsigned cbsz, unsigned abid) {
  return 0xd3800000u | uint32_t{row.opcode} << 16 | cbsz << 8 | abid << 11 | kD;
}

std::vector<uint32_t> encode_mai(const isa::Row& row, unsigned cbsz, unsigned abid, unsigned blgp) {
  return {mai_dword(row, cbsz, abid), vgpr_code(kA) | vgpr_code(kB) << 9 | vgpr_code(kC) << 18 | blgp << 29};
}

}  // namespace wavetwin::test
