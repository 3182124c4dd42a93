// SPDX-License-Identifier: MIT
// Every vector row with an expression, in its 32-bit and 64-bit encodings, beside the oracle: 64 lanes of
// operands in every MODE that changes the answer, full, partial and empty EXEC, integer CLAMP, op_sel.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/isa/valu/row_bench.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

// All formats flush or keep, all rounding modes, IEEE off, FP16_OVFL on. (mode_test.cpp has all of them.)
constexpr uint32_t kModes[] = {0x3f0, 0x3f5, 0x3fa, 0x3ff,    0x300,    0x350,
                               0x3a0, 0x1f0, 0x0f5, 0x8003f0, 0x800305, 0x2f0};
constexpr uint64_t kPartialExec[] = {0x123456789abcdef0ull, 0x8000000000000001ull, 0x00000000ffff5a5aull};

// How one row is tested: its encodings in turn, each execution with operands of its own.
class RowTest {
 public:
  explicit RowTest(const Row& row) : row_(row), seed_(seed_of(row)) {
    native_ = row.format == Format::vop3 || row.format == Format::vop3p;
    has_e64_ = native_ || row.has(E64);
    integer_clamp_ = row.has(CLAMP) && !is_float(row.dst[0]) && row.dst[0] != LANES && has_e64_;
  }

  // In each of the modes, once with finite operands only, then with the default one until all classes of
  // operands have occurred.
  void run(const std::vector<uint32_t>& modes, int rounds, OperandTally& all) {
    for (uint32_t mode : modes)
      for (int round = 0; round <= rounds; ++round)
        if (!check_encodings(mode, round, round == rounds)) return;
    for (int round = 0; round < 64 && !missing().empty(); ++round)
      if (!check_encodings(0x3f0, round, false)) return;
    CHECK_MESSAGE(missing().empty(), fmt::format("{}: no operand was {}", row_.name, missing()));
    Setup none;
    none.exec = 0;
    if (native_) none.coding = row_.format == Format::vop3p ? ref::Coding::vop3p : ref::Coding::vop3;
    RowBench(row_, seed_).check(none);
    all.merge(tally_);
  }

 private:
  bool check_encodings(uint32_t mode, int round, bool finite) {
    for (bool e64 : {false, true}) {
      if (e64 ? !has_e64_ : native_) continue;
      Setup setup;
      setup.mode = mode;
      // Full EXEC every other time in either encoding; never only full, whatever the number of rounds.
      const unsigned turn = turn_++ / (has_e64_ && !native_ ? 2 : 1);
      setup.exec = turn % 2 == 0 ? ~uint64_t{0} : kPartialExec[turn / 2 % 3];
      if (e64) take_fields(setup, round);
      RowBench bench(row_, seed_++, finite);
      bench.tally(tally_);
      if (!bench.check(setup)) return false;
    }
    return true;
  }

  void take_fields(Setup& setup, int round) const {
    const unsigned sources = source_count(row_);
    setup.coding = ref::Coding::vop3;
    if (row_.format == Format::vop3p) {
      setup.coding = ref::Coding::vop3p;
      setup.op_sel_hi = row_.has(MIX) ? 0 : 7 & ((1u << sources) - 1);
    } else if (row_.has(OPSEL)) {
      setup.op_sel = static_cast<unsigned>(seed_ >> 20) & 15;
      if (sources < 3 && !row_.has(FREE2)) setup.op_sel &= ~4u;
    }
    setup.clamp = integer_clamp_ && round % 2 == 1;
    if (row_.has(BITOP3)) setup.table = seed_ >> 8 & 255;
  }

  std::string missing() const {
    std::string text;
    for (unsigned i = 0; i < source_count(row_); ++i) text += tally_.missing(row_.src[i]);
    return text;
  }

  const Row& row_;
  uint64_t seed_;
  bool native_, has_e64_, integer_clamp_;
  unsigned turn_ = 0;
  OperandTally tally_;
};

bool depends_on_mode(const Row& row) {
  for (OperandType t : {row.dst[0], row.src[0], row.src[1], row.src[2]})
    if (is_float(t)) return true;
  return row.name.find("SCALEF32") != std::string_view::npos;
}

void check_format(Format format) {
  unsigned rows_checked = 0;
  OperandTally operands;
  for (const Row& row : rows()) {
    if (row.format != format || !is_lane_row(row)) continue;
    CAPTURE(std::string(row.name));
    const std::vector<uint32_t> modes = depends_on_mode(row)
                                            ? std::vector<uint32_t>(std::begin(kModes), std::end(kModes))
                                            : std::vector<uint32_t>{0x3f0};
    const bool wide = operand_dwords(row.dst[0]) > 4 || operand_dwords(row.src[0]) > 4;
    RowTest(row).run(modes, modes.size() == 1 ? 4 : wide ? 1 : 2, operands);
    ++rows_checked;
  }
  MESSAGE(rows_checked << " rows; operands by class:\n" << operands.text());
  CHECK(rows_checked > 0);
}

}  // namespace

TEST_CASE("valu: every VOP1 row computes what the oracle says") { check_format(Format::vop1); }
TEST_CASE("valu: every VOP2 row computes what the oracle says") { check_format(Format::vop2); }
TEST_CASE("valu: every VOPC row computes what the oracle says") { check_format(Format::vopc); }
TEST_CASE("valu: every VOP3 row computes what the oracle says") { check_format(Format::vop3); }
TEST_CASE("valu: every VOP3P row computes what the oracle says") { check_format(Format::vop3p); }
