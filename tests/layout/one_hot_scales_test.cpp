// SPDX-License-Identifier: MIT
// The scale bytes of the scaled MFMAs are where the register maps say: each byte alone.
//
// Every scale byte is 1, the hot one 2. A is 1 at one k of each block of 32 and B is another power of two in
// each block, so that a row of D (a column for B's scales) grows by the power of the block whose scale is
// hot, and only if that k belongs to it. The k runs through the block: each element of A and B meets each
// byte.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "golden/layout/mfma_map.h"
#include "sim/numerics/mfma.h"
#include "tests/layout/one_hot.h"

namespace wavetwin::golden {
namespace {

using mfma::Format;

constexpr unsigned kBlock = 32;            // elements along K that share a scale
constexpr uint8_t kOne = 127, kTwo = 128;  // E8M0
double weight(unsigned k_block) {          // all formats have 0.5, 1, 2 and 4
  return std::array{1.0, 2.0, 4.0, 0.5}[k_block];
}

struct ScaleCase {
  std::string mnemonic;
  Format a, b;
  unsigned opsel_a, opsel_b;
};

class ScaleCheck {
 public:
  explicit ScaleCheck(const ScaleCase& c)
      : map_(map_of(c)),
        wave_(encode_matrix(
            c.mnemonic, {static_cast<unsigned>(c.a), 0, static_cast<unsigned>(c.b), c.opsel_a, c.opsel_b})),
        one_(code_of(c.a, 1)),
        expected_(map_) {
    const OperandMap& b = map_.operand("B");
    OperandImage image(b);
    for (unsigned k = 0; k < map_.k; ++k)
      for (unsigned j = 0; j < map_.n; ++j) image.set(b.place(k, j, 0), code_of(c.b, weight(k / kBlock)));
    wave_.load(OneHotWave::kB, image.words());
    for (unsigned kb = 0; kb < map_.k / kBlock; ++kb) sum_ += weight(kb);
    for (unsigned n = 0; n < map_.operand("D").places.size(); ++n) expected_.rest(n, expected_.code(sum_));
    for (const unsigned scale : {OneHotWave::kScaleA, OneHotWave::kScaleB})
      std::fill_n(wave_.vgpr(scale), 64, kOne * 0x01010101u);
  }

  // Every byte of the scale register of A (or B); those that opsel does not choose with one k only.
  OneHotOutcome run(bool of_a) {
    const OperandMap& scale = map_.operand(of_a ? "scale_a" : "scale_b");
    const auto elements = scale.elements_by_slot();
    OneHotOutcome outcome;
    for (unsigned offset = 0; offset < kBlock; ++offset) {
      load_a(offset);
      for (unsigned place = 0; place < elements.size(); ++place) {
        if (elements[place].empty() && offset != 0) continue;
        outcome.difference = hot_byte(of_a, scale, place, elements[place]);
        ++outcome.counts.runs;
        if (!outcome.difference.empty()) {
          outcome.difference += fmt::format(", A is 1 at k % 32 = {}", offset);
          return outcome;
        }
        outcome.counts.places += offset == 0;
        outcome.counts.elements += elements[place].size();
      }
    }
    return outcome;
  }

 private:
  static RegisterMap map_of(const ScaleCase& c) {
    MatrixFields fields;
    fields.a_format = c.a;
    fields.b_format = c.b;
    fields.opsel_a = c.opsel_a;
    fields.opsel_b = c.opsel_b;
    return mfma_map(*mfma::find_shape(c.mnemonic), fields);
  }

  void load_a(unsigned offset) {
    const OperandMap& a = map_.operand("A");
    OperandImage image(a);
    for (unsigned i = 0; i < map_.m; ++i)
      for (unsigned kb = 0; kb < map_.k / kBlock; ++kb) image.set(a.place(i, kBlock * kb + offset, 0), one_);
    wave_.load(OneHotWave::kA, image.words());
  }

  std::string hot_byte(bool of_a, const OperandMap& scale, unsigned place,
                       const std::vector<unsigned>& elements) {
    const OperandMap& d = map_.operand("D");
    const unsigned first = of_a ? OneHotWave::kScaleA : OneHotWave::kScaleB;
    for (const unsigned n : elements) {
      const OperandMap::Element e = scale.element(n);
      const uint64_t grown = expected_.code(sum_ + weight(of_a ? e.column : e.row));
      for (unsigned t = 0; t < (of_a ? map_.n : map_.m); ++t)
        expected_.set(of_a ? d.number(e.row, t, 0) : d.number(t, e.column, 0), grown);
    }
    wave_.put(first, place_of(scale, place), scale.bits, kTwo);
    wave_.poison(d.vgprs);
    wave_.run();
    std::string difference;
    if (!expected_.equals(wave_)) {
      unsigned element = 0;
      difference = fmt::format("{}: {} is 2 in {} alone: {} (floats)", map_.instruction, scale.name,
                               place_text(scale, place), expected_.difference(wave_, element));
    }
    wave_.put(first, place_of(scale, place), scale.bits, kOne);
    expected_.clear();
    return difference;
  }

  RegisterMap map_;
  OneHotWave wave_;
  uint64_t one_;
  ExpectedOutput expected_;
  double sum_ = 0;  // an element of D when every scale is 1
};

OneHotCounts check_scales(const ScaleCase& c) {
  const MatrixSize size = size_of_mnemonic(c.mnemonic);
  OneHotCounts counts;
  for (const bool of_a : {true, false}) {
    const OneHotOutcome outcome = ScaleCheck(c).run(of_a);
    CHECK_MESSAGE(outcome.difference.empty(), outcome.difference, ", A ", std::string(to_string(c.a)), " B ",
                  std::string(to_string(c.b)), ", opsel ", c.opsel_a, " ", c.opsel_b);
    CHECK(outcome.counts.places == 64 * 4);
    // Each element of A (of B) met its scale alone.
    CHECK(outcome.counts.elements == (of_a ? size.m : size.n) * size.k);
    counts += outcome.counts;
  }
  return counts;
}

// The scaled instructions in the cases that `wanted` chooses.
template <class Wanted>
void check_every_scaled(size_t cases, Wanted wanted) {
  OneHotCounts total;
  const std::vector<std::string> mnemonics = executed_mnemonics("v_mfma_scale_");
  CHECK(mnemonics.size() == 2);
  for (const std::string& mnemonic : mnemonics)
    for (unsigned pair = 0; pair < 25; ++pair)
      for (unsigned opsel = 0; opsel < 16; ++opsel) {
        if (wanted(pair / 5, pair % 5, opsel & 3, opsel >> 2))
          total += check_scales({mnemonic, static_cast<Format>(pair / 5), static_cast<Format>(pair % 5),
                                 opsel & 3, opsel >> 2});
      }
  MESSAGE("scale bytes alone: ", total.places, ", with elements ", total.elements, "; ", total.runs,
          " executions");
  CHECK(total.places == mnemonics.size() * cases * 2 * 256);
}

}  // namespace

TEST_CASE("one-hot: each scale byte alone, each byte of the register chosen by opsel") {
  check_every_scaled(4 + 3, [](unsigned a, unsigned b, unsigned opsel_a, unsigned opsel_b) {
    const bool every_opsel = a == 0 && b == 4 && opsel_a + opsel_b == 3;
    const bool other_formats = (a == 2 && b == 1) || (a == 4 && b == 3) || (a == 1 && b == 2);
    return every_opsel || (other_formats && opsel_a == 1 && opsel_b == 2);
  });
}

TEST_SUITE("slow") {
  TEST_CASE("one-hot: each scale byte alone in every pair of formats and every pair of opsels") {
    check_every_scaled(25 * 16, [](unsigned, unsigned, unsigned, unsigned) { return true; });
  }
}

}  // namespace wavetwin::golden
