// SPDX-License-Identifier: MIT
// Asks the executor where the elements of an operand are, and compares its answer with a register map.
//
// An MFMA is linear in A and in B: D_r = C_r + sum over places p of A and q of B of R(r, p, q) A_p B_q, where
// R counts how often the product enters. A one-hot A (one place p holds 1) and a B of known values show
// the row of R for that p. The argument for doing many one-hots at once: let A hold 1 in all places S that
// the map gives to one k (one place a row), and B 1 everywhere. If every D_r is 1 then exactly one pair
// (p in S, q) enters D_r. Then give the places of A the value 2 where bit b of the place's number is set,
// else 1, for each b; and likewise B. D_r is 1 or 2 and shows bit b of the number of p (or of q), so together
// the passes name p and q for every r. Over all k this determines all of R, as the single one-hots would; a k
// takes 1 + bits(A) + bits(B) runs. Values are 0, 1 and 2, so that every sum is exact in every format. (The
// suite "slow" runs the single one-hots as well.)
#pragma once

#include <array>
#include <string>
#include <vector>

#include "golden/layout/register_map.h"
#include "tests/isa/valu/wave_fixture.h"

namespace wavetwin::golden {

using Registers = std::vector<std::array<uint32_t, 64>>;

// Codes of 1 and 2 in a format.
struct SmallCodes {
  uint64_t one, two;
};
SmallCodes small_codes(mfma::Format format);

// The registers of one operand and what writes to them.
class OperandImage {
 public:
  explicit OperandImage(const OperandMap& map) : map_(map), words_(map.vgprs) {}
  void clear() { words_.assign(map_.vgprs, {}); }
  void fill(uint32_t word) {
    for (auto& vgpr : words_) vgpr.fill(word);
  }
  void set(const mfma::Place& place, uint64_t code);
  const Registers& words() const { return words_; }

 private:
  const OperandMap& map_;
  Registers words_;
};

// The number of a place among the slots of its operand: what the passes spell out bit by bit.
inline unsigned place_number(const OperandMap& map, const mfma::Place& place) {
  return place.lane * map.slots() + place.bit / map.bits;
}
inline unsigned place_bits(const OperandMap& map) {
  unsigned bits = 6;
  while ((1u << (bits - 6)) < map.slots()) ++bits;
  return bits;
}

// A wave that runs one instruction again and again on registers it is given.
class OneHotWave {
 public:
  static constexpr unsigned kD = 0, kC = 32, kA = 64, kB = 72, kIndex = 80, kScaleA = 80, kScaleB = 81;
  explicit OneHotWave(const std::vector<uint32_t>& dwords)
      : instruction_(isa::decode(dwords, 0)), run_(isa::execute_function(instruction_)) {}
  void load(unsigned first, const Registers& words);
  void run() { run_(wave_.state, instruction_); }
  uint32_t& v(unsigned r, unsigned lane) { return wave_.v(r, lane); }

 private:
  test::TestWave wave_;
  isa::Instruction instruction_;
  isa::ExecFn run_;
};

// The encoding of a matrix instruction on OneHotWave's registers (guide 13.3.6; scaled: 13.3.7).
struct MatrixEncoding {
  unsigned cbsz = 0, abid = 0, blgp = 0, opsel_a = 0, opsel_b = 0;
};
std::vector<uint32_t> encode_matrix(const std::string& instruction, const MatrixEncoding& fields);

// Which element of A and of B the map sends to each element of D, by element number; runs all passes of one
// such set and compares every register of D in every lane. Returns the first difference as text, empty when
// there is none; adds the executions to `runs`.
struct Route {
  unsigned a, b;
};
std::string compare_routes(const RegisterMap& map, OneHotWave& wave, const std::vector<Route>& routes,
                           SmallCodes a_codes, SmallCodes b_codes, size_t& runs);

// Dense: the routes of every k.
std::string compare_by_k(const RegisterMap& map, OneHotWave& wave, SmallCodes a_codes, SmallCodes b_codes,
                         size_t& runs);

// Dense, the single one-hots: each place of A in turn holds the only 1; B spells its places bit by bit.
std::string compare_single(const RegisterMap& map, OneHotWave& wave, SmallCodes a_codes, SmallCodes b_codes,
                           size_t& runs);

// A = 0: D must be C, register for register, with the sign of C.
std::string compare_c(const RegisterMap& map, OneHotWave& wave);

// The word or words that stand for the integer in D's format.
uint64_t output_code(const RegisterMap& map, int value);

}  // namespace wavetwin::golden
