// SPDX-License-Identifier: MIT
// The register maps of every SMFMAC are what the executor does: each element of A, B and D alone, and which k
// each index field chooses, in every index set. How: tests/layout/one_hot.h.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "golden/layout/mfma_map.h"
#include "sim/numerics/mfma.h"
#include "tests/layout/one_hot_factor.h"

namespace wavetwin::golden {
namespace {

// What the two compressed elements of every four k stand for: k = 4 g + first and 4 g + second. The first of
// a pair has the lower index.
struct Pattern {
  unsigned first, second;
};
constexpr Pattern kPatterns[] = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}, {1, 3}};
constexpr unsigned kFewPatterns = 3;  // the first ones: every index of either element
uint32_t pattern_word(const Pattern& p) { return (p.first | p.second << 2) * 0x11111111u; }

unsigned k_of(const Pattern& p, unsigned c) { return 4 * (c / 2) + (c % 2 == 0 ? p.first : p.second); }

Routes sparse_routes_of_a(const RegisterMap& map, const Pattern& pattern) {
  const OperandMap &a = map.operand("A"), &b = map.operand("B"), &d = map.operand("D");
  const auto elements = a.elements_by_slot();
  Routes routes(elements.size());
  for (size_t place = 0; place < elements.size(); ++place) {
    routes[place].elements = elements[place];
    for (const unsigned n : elements[place]) {
      const OperandMap::Element e = a.element(n);  // its column is the compressed element
      for (unsigned j = 0; j < map.n; ++j)
        routes[place].routes.push_back({d.number(e.row, j, 0), b.number(k_of(pattern, e.column), j, 0)});
    }
  }
  return routes;
}

Routes sparse_routes_of_b(const RegisterMap& map, const Pattern& pattern) {
  const OperandMap &a = map.operand("A"), &b = map.operand("B"), &d = map.operand("D");
  const auto elements = b.elements_by_slot();
  Routes routes(elements.size());
  for (size_t place = 0; place < elements.size(); ++place) {
    routes[place].elements = elements[place];
    for (const unsigned n : elements[place]) {
      const OperandMap::Element e = b.element(n);  // its row is k
      for (unsigned c = e.row / 4 * 2; c < e.row / 4 * 2 + 2; ++c) {
        if (k_of(pattern, c) != e.row) continue;  // k that no element of A stands for
        for (unsigned i = 0; i < map.m; ++i)
          routes[place].routes.push_back({d.number(i, e.column, 0), a.number(i, c, 0)});
      }
    }
  }
  return routes;
}

// The instruction's index fields hold the pattern, every other bit of the register another one.
void load_index(const RegisterMap& map, OneHotWave& wave, const Pattern& pattern, const Pattern& unread) {
  const OperandMap& index = map.operand("index");
  OperandImage image(index);
  image.fill(pattern_word(unread));
  for (unsigned i = 0; i < index.rows; ++i)
    for (unsigned c = 0; c < index.columns; ++c)
      image.set(index.place(i, c, 0), c % 2 == 0 ? pattern.first : pattern.second);
  wave.load(OneHotWave::kIndex, image.words());
}

// An instruction and its index set: `encoded_abid` may have bits that the sets do not need.
struct SparseCase {
  const mfma::SparseShape* shape;
  unsigned cbsz, abid, encoded_abid;
  std::string text() const { return fmt::format(", cbsz {} abid {}", cbsz, encoded_abid); }
};
SparseCase sparse_case(const std::string& mnemonic, unsigned cbsz, unsigned abid) {
  SparseCase c{mfma::find_sparse_shape(mnemonic), cbsz, abid, abid};
  REQUIRE_MESSAGE(c.shape != nullptr, mnemonic);
  return c;
}
RegisterMap map_of(const SparseCase& c) {
  MatrixFields fields;
  fields.cbsz = c.cbsz;
  fields.abid = c.abid;
  return smfmac_map(*c.shape, fields);
}
OneHotWave wave_of(const SparseCase& c) {
  return OneHotWave(encode_matrix(c.shape->name, {c.cbsz, c.encoded_abid, 0, 0, 0}));
}

struct SparseCounts {
  OneHotCounts a, b, d, index;
  SparseCounts& operator+=(const SparseCounts& more) {
    a += more.a, b += more.b, d += more.d, index += more.index;
    return *this;
  }
};

// A and B under one pattern, and D.
void check_factors(const SparseCase& c, unsigned pattern, SparseCounts& counts) {
  const RegisterMap map = map_of(c);
  OneHotWave wave = wave_of(c);
  load_index(map, wave, kPatterns[pattern], kPatterns[(pattern + 1) % kFewPatterns]);
  const Factor a{map.operand("A"), OneHotWave::kA, c.shape->a},
      b{map.operand("B"), OneHotWave::kB, c.shape->b};
  const auto check = [&](const OneHotOutcome& outcome, OneHotCounts& of_operand) {
    CHECK_MESSAGE(outcome.difference.empty(), outcome.difference, c.text(), ", index ",
                  kPatterns[pattern].first, " and ", kPatterns[pattern].second);
    of_operand += outcome.counts;
  };
  check(check_factor(map, wave, a, b, sparse_routes_of_a(map, kPatterns[pattern])), counts.a);
  check(check_factor(map, wave, b, a, sparse_routes_of_b(map, kPatterns[pattern])), counts.b);
  if (pattern == 0) check(check_c(map, wave), counts.d);
}

// Each index field alone: all others hold 0 (first of a pair) or 3 (second), it holds 1, then 2. A is 1, and
// B(4 g + r, j) = r w(g, j), where w is 2 where bit j of g is set, else 1: a field that moves from 0 to 2,
// say, makes its row of D grow by 2 w(g, j) in every column j, which shows g, and by a positive amount, which
// shows that it was the first of its pair.
class IndexCheck {
 public:
  explicit IndexCheck(const SparseCase& c) : map_(map_of(c)), wave_(wave_of(c)), expected_(map_) {
    const OperandMap &a = map_.operand("A"), &b = map_.operand("B"), &d = map_.operand("D");
    OperandImage ones(a), ramp(b);
    for (const mfma::Place& place : a.places) ones.set(place, code_of(c.shape->a, 1));
    for (unsigned k = 0; k < map_.k; ++k)
      for (unsigned j = 0; j < map_.n; ++j)
        ramp.set(b.place(k, j, 0), code_of(c.shape->b, k % 4 * weight(k / 4, j)));
    wave_.load(OneHotWave::kA, ones.words());
    wave_.load(OneHotWave::kB, ramp.words());
    std::fill_n(wave_.vgpr(OneHotWave::kIndex), 64, pattern_word({0, 3}));
    rest_.resize(map_.n);
    for (unsigned j = 0; j < map_.n; ++j)
      for (unsigned g = 0; g < map_.k / 4; ++g) rest_[j] += 3 * weight(g, j);
    for (unsigned n = 0; n < d.places.size(); ++n)
      expected_.rest(n, expected_.code(rest_[d.element(n).column]));
  }

  // All fields of the register, also those of sets that are not read.
  OneHotOutcome run() {
    const OperandMap& index = map_.operand("index");
    const auto elements = index.elements_by_slot();
    OneHotOutcome outcome;
    for (unsigned place = 0; place < elements.size(); ++place) {
      for (const unsigned value : {1u, 2u}) {
        outcome.difference = hot_field(index, place, value, elements[place]);
        ++outcome.counts.runs;
        if (!outcome.difference.empty()) return outcome;
      }
      ++outcome.counts.places;
      outcome.counts.read += !elements[place].empty();
      outcome.counts.elements += elements[place].size();
    }
    return outcome;
  }

 private:
  static double weight(unsigned g, unsigned j) { return j < 5 && (g >> j & 1) ? 2 : 1; }

  std::string hot_field(const OperandMap& index, unsigned place, unsigned value,
                        const std::vector<unsigned>& elements) {
    const OperandMap& d = map_.operand("D");
    const unsigned rest = place % 2 == 0 ? 0 : 3;  // fields of first and second elements alternate
    for (const unsigned n : elements) {
      const OperandMap::Element e = index.element(n);
      const double moved = static_cast<double>(value) - (e.column % 2 == 0 ? 0 : 3);
      for (unsigned j = 0; j < map_.n; ++j)
        expected_.set(d.number(e.row, j, 0), expected_.code(rest_[j] + moved * weight(e.column / 2, j)));
    }
    wave_.put(OneHotWave::kIndex, place_of(index, place), index.bits, value);
    std::fill_n(wave_.vgpr(OneHotWave::kD), size_t{64} * d.vgprs, 0);
    wave_.run();
    std::string difference;
    if (!expected_.equals(wave_)) {
      unsigned element = 0;
      difference = fmt::format("{}: index {} in place of {} in {} alone: {}", map_.instruction, value, rest,
                               place_text(index, place), expected_.difference(wave_, element));
    }
    wave_.put(OneHotWave::kIndex, place_of(index, place), index.bits, rest);
    expected_.clear();
    return difference;
  }

  RegisterMap map_;
  OneHotWave wave_;
  ExpectedOutput expected_;
  std::vector<double> rest_;  // a row of D when every pair's index is 0 and 3
};

void check_index(const SparseCase& c, SparseCounts& counts) {
  const OneHotOutcome outcome = IndexCheck(c).run();
  CHECK_MESSAGE(outcome.difference.empty(), outcome.difference, c.text());
  CHECK(outcome.counts.places == 64 * 16);  // two bits each
  counts.index += outcome.counts;
}

// Index sets by the width of the fields of one lane: M K / 2 fields of 2 bits over 64 lanes.
unsigned sets_of(const std::string& mnemonic) {
  const MatrixSize size = size_of_mnemonic(mnemonic);
  return static_cast<unsigned>(32 * 64 / (size.m * size.k));
}

// A, B, D of every instruction under `patterns` patterns, with the index sets that `wanted` chooses.
template <class Wanted>
void check_every_factor(unsigned patterns, Wanted wanted) {
  SparseCounts total;
  size_t a = 0, b = 0, d = 0;  // by the mnemonics
  for (const std::string& mnemonic : executed_mnemonics("v_smfmac_"))
    for (unsigned set = 0; set < sets_of(mnemonic); ++set) {
      if (!wanted(set, sets_of(mnemonic))) continue;
      for (unsigned pattern = 0; pattern < patterns; ++pattern)
        check_factors(sparse_case(mnemonic, 0, set), pattern, total);
      const MatrixSize size = size_of_mnemonic(mnemonic);
      a += patterns * size.m * size.k / 2;
      b += patterns * size.k * size.n;
      d += size.m * size.n;
    }
  MESSAGE("SMFMAC elements alone: A ", total.a.elements, ", B ", total.b.elements, ", D ", total.d.elements,
          "; ", total.a.runs + total.b.runs + total.d.runs, " executions");
  CHECK(total.a.places == a);
  CHECK(total.a.elements == a);
  CHECK(total.b.places == b);
  CHECK(total.b.elements == b);
  CHECK(total.d.places == d);
  CHECK(total.d.elements == d);
}

// The index fields of every instruction, with the CBSZ and ABID that `wanted` chooses.
template <class Wanted>
void check_every_index(Wanted wanted) {
  SparseCounts total;
  size_t fields = 0;  // by the mnemonics
  for (const std::string& mnemonic : executed_mnemonics("v_smfmac_"))
    for (unsigned cbsz = 0; cbsz < 4; ++cbsz)
      for (unsigned abid = 0; abid < 16; ++abid) {
        if (!wanted(cbsz, abid, sets_of(mnemonic))) continue;
        // CBSZ[1:0] other than 0: the first set; else the low bits of ABID.
        SparseCase c = sparse_case(mnemonic, cbsz, cbsz == 0 ? abid % sets_of(mnemonic) : 0);
        c.encoded_abid = abid;
        check_index(c, total);
        const MatrixSize size = size_of_mnemonic(mnemonic);
        fields += size.m * size.k / 2;
      }
  MESSAGE("SMFMAC index fields alone: ", total.index.elements, " that are read, of ", total.index.places,
          "; ", total.index.runs, " executions");
  CHECK(total.index.elements == fields);
  CHECK(total.index.read == fields);
}

}  // namespace

TEST_CASE("one-hot: the executor has every SMFMAC of the table, and no other") {
  CHECK(executed_mnemonics("v_smfmac_").size() == mfma::kSparseShapeCount);
}

TEST_CASE("one-hot: each element of A, B and D of every SMFMAC alone, with every index, in the last set") {
  check_every_factor(kFewPatterns, [](unsigned set, unsigned sets) { return set + 1 == sets; });
}

TEST_CASE("one-hot: each index field of every SMFMAC alone, in every set; with CBSZ in the first") {
  check_every_index(
      [](unsigned cbsz, unsigned abid, unsigned sets) { return cbsz == 0 ? abid < sets : abid == 1; });
}

TEST_SUITE("slow") {
  TEST_CASE("one-hot: each element of A, B and D of every SMFMAC alone, with every pair of indices and set") {
    check_every_factor(static_cast<unsigned>(std::size(kPatterns)), [](unsigned, unsigned) { return true; });
  }

  TEST_CASE("one-hot: each index field of every SMFMAC alone under every CBSZ[1:0] and ABID") {
    check_every_index([](unsigned, unsigned, unsigned) { return true; });
  }
}

}  // namespace wavetwin::golden
