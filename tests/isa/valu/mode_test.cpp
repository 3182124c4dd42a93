// SPDX-License-Identifier: MIT
// The MODE register (guide 3.3, 6.4): every combination of rounding and denormal modes of f32 and f16/f64,
// DX10_CLAMP, IEEE and FP16_OVFL, on what depends on them and on what must not.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/isa/valu/random_setup.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

// Round f32 [1:0] and f16/f64 [3:2], denormals f32 [5:4] and f16/f64 [7:6], DX10_CLAMP 8, IEEE 9, and
// FP16_OVFL, which is bit 23.
constexpr unsigned kCombinations = 2048;
uint32_t mode_of(unsigned n) { return (n & 1023) | (n >> 10) << 23; }

// A row of each kind of arithmetic, in each format.
constexpr const char* kClasses[] = {"V_ADD_F32",
                                    "V_MUL_F32",
                                    "V_FMA_F32",
                                    "V_FMAC_F32",
                                    "V_MIN_F32",
                                    "V_MED3_F32",
                                    "V_MAXIMUM3_F32",
                                    "V_MUL_LEGACY_F32",
                                    "V_ADD_F16",
                                    "V_MUL_F16",
                                    "V_FMA_F16",
                                    "V_MAD_F16",
                                    "V_MAX_F16",
                                    "V_MIN3_F16",
                                    "V_ADD_F64",
                                    "V_MUL_F64",
                                    "V_FMA_F64",
                                    "V_MAX_F64",
                                    "V_LDEXP_F32",
                                    "V_LDEXP_F16",
                                    "V_LDEXP_F64",
                                    "V_FRACT_F32",
                                    "V_FRACT_F16",
                                    "V_FRACT_F64",
                                    "V_RNDNE_F32",
                                    "V_FLOOR_F16",
                                    "V_CEIL_F64",
                                    "V_FREXP_MANT_F32",
                                    "V_FREXP_EXP_I16_F16",
                                    "V_CVT_F16_F32",
                                    "V_CVT_F32_F16",
                                    "V_CVT_F32_F64",
                                    "V_CVT_F64_F32",
                                    "V_CVT_F32_I32",
                                    "V_CVT_F16_U16",
                                    "V_CVT_F64_I32",
                                    "V_CVT_I32_F32",
                                    "V_CVT_U16_F16",
                                    "V_CVT_RPI_I32_F32",
                                    "V_CVT_PKRTZ_F16_F32",
                                    "V_CVT_PK_F16_F32",
                                    "V_CVT_PK_BF16_F32",
                                    "V_CVT_PK_FP8_F32",
                                    "V_CVT_PK_BF8_F32",
                                    "V_CVT_SR_FP8_F32",
                                    "V_CVT_SCALEF32_PK_FP8_F32",
                                    "V_CVT_SCALEF32_PK_F16_FP8",
                                    "V_CVT_SCALEF32_PK_FP4_BF16",
                                    "V_CVT_PKNORM_I16_F16",
                                    "V_EXP_F32",
                                    "V_RCP_F16",
                                    "V_DIV_SCALE_F32",
                                    "V_DIV_FMAS_F32",
                                    "V_DIV_FIXUP_F64",
                                    "V_CMP_LT_F32",
                                    "V_CMP_EQ_F16",
                                    "V_CMP_NLE_F64",
                                    "V_CMP_CLASS_F32",
                                    "V_CUBEMA_F32",
                                    "V_PK_ADD_F16",
                                    "V_PK_FMA_F32",
                                    "V_PK_MAXIMUM3_F16",
                                    "V_MAD_MIX_F32",
                                    "V_MAD_MIXLO_F16",
                                    "V_DOT2_F32_F16",
                                    "V_DOT2C_F32_BF16"};

bool has_float(const Row& row) {
  for (OperandType t : {row.dst[0], row.src[0], row.src[1], row.src[2]})
    if (is_float(t)) return true;
  return row.name.find("SCALEF32") != std::string_view::npos;
}

// The widest coding of a row, with clamp where it has it, so that DX10_CLAMP shows.
Setup widest(const Row& row, bool clamp) {
  Setup s;
  const auto codings = codings_of(row);
  for (ref::Coding c : codings)
    if (c == ref::Coding::vop3 || c == ref::Coding::vop3p) s.coding = c;
  if (s.coding == ref::Coding::vop3p) s.op_sel_hi = row.has(MIX) ? 1 : 7 & ((1u << source_count(row)) - 1);
  s.clamp = clamp && row.has(CLAMP) && s.coding != ref::Coding::short_form;
  return s;
}

// v_cvt_scalef32_* of 32 elements a lane.
bool is_wide(const Row& row) {
  return is_lane_row(row) && (operand_dwords(row.src[0]) > 2 || operand_dwords(row.dst[0]) > 2) &&
         row.name.find("SCALEF32") != std::string_view::npos;
}

// All modes; the lanes of EXEC take turns.
bool check_modes(const Row& row, unsigned lanes_log2) {
  RowBench bench(row, seed_of(row));
  for (unsigned n = 0; n < kCombinations; ++n) {
    Setup s = widest(row, n / 3 % 2);
    s.mode = mode_of(n);
    const unsigned turns = 6 - lanes_log2;  // 2^turns executions see all lanes
    const uint64_t every = turns == 0 ? ~uint64_t{0} : ~uint64_t{0} / ((uint64_t{1} << (1u << turns)) - 1);
    s.exec = every << (n * 5 / 8 % (1u << turns));
    if (!bench.check(s)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("MODE: every combination of its fields on each kind of arithmetic") {
  for (const char* name : kClasses) check_modes(row_named(name), 3);
}

TEST_SUITE("slow") {
  TEST_CASE("MODE: every combination of its fields on every floating-point row") {
    unsigned count = 0;
    for (const Row& row : rows()) {
      if (!is_lane_row(row) || !has_float(row) || is_wide(row)) continue;
      check_modes(row, 5);
      ++count;
    }
    MESSAGE(count << " rows");
    CHECK(count > 250);
  }

  TEST_CASE("MODE: every combination of its fields on the wide conversions, in every lane") {
    for (const Row& row : rows()) {
      if (is_wide(row)) check_modes(row, 5);
    }
  }
}

TEST_CASE("MODE: every combination of its fields on every scaled conversion of 32 elements") {
  unsigned count = 0;
  for (const Row& row : rows()) {
    if (!is_wide(row)) continue;
    ++count;
    check_modes(row, 1);
  }
  CHECK(count == 18);
}

TEST_CASE("MODE: no field of it changes an integer, bit or move row") {
  unsigned count = 0;
  for (const Row& row : rows()) {
    if (!is_lane_row(row) || has_float(row)) continue;
    ++count;
    RowBench bench(row, seed_of(row));
    Random random(seed_of(row));
    bool same = true;
    for (unsigned n = 0; n < 12 && same; ++n) {
      Setup s = widest(row, n % 2);
      s.mode = random_mode(random);
      s.exec = random_exec(random);
      same = bench.check(s);
    }
  }
  CHECK(count > 200);
}

TEST_CASE("MODE: exception enables and the other bits that arithmetic does not know change nothing") {
  for (const char* name : kClasses) {
    const Row& row = row_named(name);
    RowBench bench(row, seed_of(row) + 1);
    bool same = true;
    for (unsigned bit = 10; bit < 27 && same; ++bit) {
      if (bit == 23) continue;
      Setup s = widest(row, bit % 2);
      s.mode = 0x3f0u | 1u << bit;
      s.exec = 0xff00000000ff0ff0;
      same = bench.check(s);
    }
  }
}
