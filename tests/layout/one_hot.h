// SPDX-License-Identifier: MIT
// Asks the executor where the elements of an operand are, one at a time, and compares its answer with a
// register map.
//
// One run: a single place of one operand holds 1 (the hot place), every other place of it 0, and every place
// of its partner, the operand that it is multiplied with, holds a number other than 0. D then is 0 but for
// the elements that the hot place reaches, and there stands the number of the place that it was multiplied
// with. The numbers are the numerals of one digit of the place's number, one digit a pass: a format with few
// codes takes two or three passes until every place of the partner has a name of its own, the others one. All
// registers of D and the free ones behind them are compared, bit for bit, with what the map says.
//
// One wave runs all of it: the instruction is decoded once, and a run rewrites the hot place alone.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "golden/layout/register_map.h"
#include "tests/isa/valu/wave_fixture.h"

namespace wavetwin::golden {

using Registers = std::vector<std::array<uint32_t, 64>>;

// The codes of a format that stand for a non-zero number, and the numbers. The first is 1; of the formats of
// 16 bits and more as many as an operand has places.
struct Numerals {
  std::vector<uint64_t> codes;
  std::vector<double> values;
};
const Numerals& numerals(mfma::Format format);
// The code of a number that the format has exactly; throws Error for another.
uint64_t code_of(mfma::Format format, double value);

// Writes an element into registers [vgpr][lane] that start at `registers`.
void write_bits(uint32_t* registers, const mfma::Place& place, unsigned bits, uint64_t code);

// The registers of one operand and what writes to them.
class OperandImage {
 public:
  explicit OperandImage(const OperandMap& map) : map_(map), words_(map.vgprs) {}
  void fill(uint32_t word) {
    for (auto& vgpr : words_) vgpr.fill(word);
  }
  void set(const mfma::Place& place, uint64_t code) {
    write_bits(words_.data()->data(), place, map_.bits, code);
  }
  const Registers& words() const { return words_; }

 private:
  const OperandMap& map_;
  Registers words_;
};

// Places are numbered by lane, then by slot of the lane's registers.
inline unsigned place_number(const OperandMap& map, const mfma::Place& place) {
  return place.lane * map.slots() + place.bit / map.bits;
}
inline mfma::Place place_of(const OperandMap& map, unsigned number) {
  return {static_cast<uint8_t>(number / map.slots()), static_cast<uint16_t>(number % map.slots() * map.bits)};
}
// "v1{35}.[31:16] (B[5][3])", with every element that the map puts there.
std::string place_text(const OperandMap& map, unsigned number);

// A wave that runs one instruction again and again on registers it is given.
class OneHotWave {
 public:
  static constexpr unsigned kD = 0, kC = 32, kA = 64, kB = 72, kIndex = 80, kScaleA = 80, kScaleB = 81;
  static constexpr unsigned kOutputs = 32;         // VGPRs kept free for D
  static constexpr uint32_t kPoison = 0x7fa5a5a5;  // a signalling NaN
  explicit OneHotWave(const std::vector<uint32_t>& dwords)
      : instruction_(isa::decode(dwords, 0)), run_(isa::execute_function(instruction_)) {
    load(kD, Registers(kOutputs, poisoned()));
  }
  void load(unsigned first, const Registers& words);
  void put(unsigned first, const mfma::Place& place, unsigned bits, uint64_t code) {
    write_bits(vgpr(first), place, bits, code);
  }
  // Nothing of an earlier D is left to be taken for this run's.
  void poison(unsigned vgprs) { std::fill_n(vgpr(kD), size_t{vgprs} * 64, kPoison); }
  void run() { run_(wave_.state, instruction_); }
  uint32_t* vgpr(unsigned r) { return &wave_.v(r, 0); }

 private:
  static std::array<uint32_t, 64> poisoned() {
    std::array<uint32_t, 64> vgpr;
    vgpr.fill(kPoison);
    return vgpr;
  }
  test::TestWave wave_;
  isa::Instruction instruction_;
  isa::ExecFn run_;
};

// The encoding of a matrix instruction on OneHotWave's registers (guide 13.3.6; scaled: 13.3.7).
struct MatrixEncoding {
  unsigned cbsz = 0, abid = 0, blgp = 0, opsel_a = 0, opsel_b = 0;
};
std::vector<uint32_t> encode_matrix(const std::string& instruction, const MatrixEncoding& fields);

// What D must hold after a run: at rest 0 everywhere, or what rest() says, and what was set since.
class ExpectedOutput {
 public:
  explicit ExpectedOutput(const RegisterMap& map);
  // The code in D of a number: f32, i32 or f64.
  uint64_t code(double value) const;
  void rest(unsigned element, uint64_t code);
  void set(unsigned element, uint64_t code);
  void clear();  // the elements that were set are at rest again
  // All registers of D and the free ones behind them.
  bool equals(OneHotWave& wave) const;
  // The first difference as "D[0][3] in v0{3} is 0x0, expected 0x40000000", or the VGPR behind D that was
  // written; `element`: which.
  std::string difference(OneHotWave& wave, unsigned& element) const;
  uint64_t read(OneHotWave& wave, unsigned element) const;

 private:
  const OperandMap& d_;
  bool integers_;
  Registers words_, rest_;
  std::vector<unsigned> set_;
};

// How much was asked.
struct OneHotCounts {
  size_t places = 0;  // places of the operand that were hot
  size_t read = 0;    // of these, those that an element of the operand is read from
  size_t elements =
      0;  // elements of the operand that were hot; more than places when a broadcast shares them
  size_t runs = 0;
  OneHotCounts& operator+=(const OneHotCounts& more) {
    places += more.places, read += more.read, elements += more.elements, runs += more.runs;
    return *this;
  }
};
// `difference`: the first one, empty when there is none.
struct OneHotOutcome {
  std::string difference;
  OneHotCounts counts;
};

// M, N, K and blocks as the mnemonic spells them: what the counts are held against. It knows nothing of the
// tables in common/mfma.
struct MatrixSize {
  size_t m = 0, n = 0, k = 0, blocks = 1;
};
MatrixSize size_of_mnemonic(std::string_view mnemonic);
// Mnemonics in lower case of the executor's rows that begin with `prefix` and name a size.
std::vector<std::string> executed_mnemonics(std::string_view prefix);

}  // namespace wavetwin::golden
