// SPDX-License-Identifier: MIT
// What no document fixes: every value of every named option that reaches vector rows gives bits of its own,
// and the oracle follows; every row without a known answer names its options.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tests/isa/valu/row_bench.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;

namespace {

// Everything kept; f32, f16 and f64, or all flushed; IEEE off.
constexpr uint32_t kModes[] = {0x3f0, 0x3c0, 0x330, 0x300, 0x1f0};

reference::Coding coding_of(const Row& row) {
  if (row.format == Format::vop3) return reference::Coding::vop3;
  return row.format == Format::vop3p ? reference::Coding::vop3p : reference::Coding::short_form;
}

// Answers of the oracle that the setting changes, over all modes and some operands; every one is checked.
unsigned changed_answers(const Row& row, const NumericModel& model, const reference::Choices& choices) {
  unsigned changed = 0;
  for (uint32_t mode : kModes) {
    for (uint64_t round = 0; round < 3; ++round) {
      RowBench bench(row, seed_of(row) + 97 * mode + round);
      Setup usual;
      usual.coding = coding_of(row);
      if (row.has(ABS_NEG_HI) && round == 1) {
        usual.coding = reference::Coding::vop3;
        usual.abs = 1;
      }
      usual.mode = mode;
      Setup set = usual;
      set.model = &model;
      set.choices = &choices;
      changed += bench.differing(usual, set);
      if (!bench.check(set)) return changed;
    }
  }
  return changed;
}

}  // namespace

TEST_CASE("options: every value changes answers of the vector rows it reaches, as the oracle says") {
  std::string table;
  for (const NumericOption& option : numeric_options()) {
    for (size_t v = 1; v < option.values.size(); ++v) {
      NumericModel model;
      model.set(option.name, option.values[v]);
      const reference::Choices choices{{option.name, option.values[v]}};
      unsigned rows_reached = 0, changed = 0;
      for (const Row& row : rows()) {
        // (An option of every row would take too long; it acts on a few of them alike.)
        const bool one_of_many = std::string_view(option.reaches) == "V_*" && row.opcode % 16 != 1;
        if (!is_lane_row(row) || !option.covers(row.name) || one_of_many) continue;
        CAPTURE(std::string(row.name));
        CAPTURE(option.name);
        ++rows_reached;
        changed += changed_answers(row, model, choices);
      }
      if (rows_reached == 0) continue;
      table +=
          fmt::format("{}={}: {} rows, {} answers\n", option.name, option.values[v], rows_reached, changed);
      // Of a result that only rounding makes normal the operands are too rare here: tests/unit/numerics has
      // one.
      if (option.name == std::string_view("flush_test")) continue;
      CHECK_MESSAGE(changed > 0, std::string(option.name) << "=" << option.values[v] << " changes nothing");
    }
  }
  MESSAGE(table);
}

TEST_CASE("options: a row of level unknown names the options that decide it, and they reach it") {
  for (const Row& row : rows()) {
    if (row.evidence != Evidence::unknown) continue;
    CAPTURE(std::string(row.name));
    unsigned named = 0;
    for (const NumericOption& option : numeric_options()) {
      if (row.source.find(option.name) == std::string_view::npos) continue;
      CAPTURE(option.name);
      CHECK(option.covers(row.name));
      ++named;
    }
    CHECK(named > 0);
  }
}

TEST_CASE("options: every pattern of instructions names at least one row") {
  for (const NumericOption& option : numeric_options()) {
    std::istringstream patterns(option.reaches);
    for (std::string pattern; patterns >> pattern;) {
      CAPTURE(pattern);
      if (pattern == "*_DPP") continue;  // a form, not a row
      NumericOption one = option;
      one.reaches = pattern.c_str();
      CHECK(std::any_of(rows().begin(), rows().end(), [&](const Row& row) { return one.covers(row.name); }));
    }
  }
}

TEST_CASE("measured on gfx950: v_dot2 keeps f16 subnormals in every MODE, v_mad_mix as the f32 field says") {
  // LLVM pull request 205101: 0x8001 * 0x0400 in the low halves, 0 elsewhere.
  constexpr uint32_t kProduct = 0xac800000;
  for (uint32_t mode : {0x3f0u, 0x1f0u, 0x3c0u, 0x300u}) {
    CAPTURE(mode);
    for (const char* name : {"V_DOT2_F32_F16", "V_MAD_MIX_F32"}) {
      const Row& row =
          *std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return r.name == name; });
      TestWave wave;
      wave.state.mode.bits = mode;
      wave.v(32, 0) = 0x8001;
      wave.v(64, 0) = 0x0400;
      Encoding e;
      e.dst = 0;
      for (unsigned i = 0; i < 3; ++i) e.src[i] = vgpr_code(32 + 32 * i);
      e.op_sel_hi = row.has(MIX) ? 3 : 7;
      wave.run(encode_vop3p(row, e));
      const bool flushed = row.has(MIX) && (mode & 0x10) == 0;
      CHECK(wave.v(0, 0) == (flushed ? 0u : kProduct));
    }
  }
}
