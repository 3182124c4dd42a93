// SPDX-License-Identifier: MIT
// Matrices of small integers in the registers of a wave, placed by the formulas of the guide's chapter 7, and
// the encodings of the matrix instructions that read them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/environment.h"
#include "tests/isa/valu/wave_fixture.h"
#include "tests/oracle/isa/valu_matrix.h"

namespace wavetwin::test {

// Registers of the row tests: D v[0..31], C v[32..63], A v[64..79], B v[80..95], scales v96, v97.
inline constexpr unsigned kD = 0, kC = 32, kA = 64, kB = 80, kScaleA = 96, kScaleB = 97;

// A(block; i, k), B(block; k, j) and C(block; i, j): -3 .. 3, -3 .. 3 and -50 .. 49.
int element_a(unsigned b, unsigned i, unsigned k);
int element_b(unsigned b, unsigned k, unsigned j);
int element_c(unsigned b, unsigned i, unsigned j);

// One element of the tuple that begins at register `first`; put() finds its bits 0, get() reads 32 or 64
// bits.
void put(TestWave& wave, unsigned first, const reference::MatrixPlace& place, unsigned width, uint64_t code);
uint64_t get(TestWave& wave, unsigned first, const reference::MatrixPlace& place, unsigned width);

// A, B and C in a wave whose registers are 0.
void fill_matrices(TestWave& wave, const reference::MatrixShape& shape);

// The codes of D: block, row, column.
std::vector<uint64_t> matrix_result(TestWave& wave, const reference::MatrixShape& shape);

// Products of small integers are exact in every format and sum, so D is the integer result. `factor`: of the
// scales.
void check_product(TestWave& wave, const isa::Row& row, const reference::MatrixShape& shape, int factor);

// The shape of a dense row with a fixed format.
reference::MatrixShape dense_shape_of(const isa::Row& row);

// The first dword of a row of MAI, or of the MFMA in a scaled one, and the whole instruction.
uint32_t mai_dword(const isa::Row& row, unsigned cbsz, unsigned abid);
std::vector<uint32_t> encode_mai(const isa::Row& row, unsigned cbsz, unsigned abid, unsigned blgp);

// A wave under numeric options.
struct OptionWave : TestWave {
  explicit OptionWave(const char* option = nullptr, const char* value = nullptr) {
    if (option != nullptr) model.set(option, value);
    env.numeric_model = &model;
    state.env = &env;
  }
  NumericModel model;
  isa::Environment env;
};

}  // namespace wavetwin::test
