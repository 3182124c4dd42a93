// SPDX-License-Identifier: MIT
// Three models of the same sums: bulk path, plain model, and the independent big-number model of
// tests/oracle/mfma, on every shape, format pair and preset, and on every option.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/numerics/mfma_fast.h"
#include "tests/unit/mfma/operands.h"

namespace wavetwin::mfma {
namespace {

struct Pair {
  Format a, b;
};
std::vector<Pair> format_pairs(const MfmaModel& model, const Shape& shape) {
  if (shape.input != InputClass::f8f6f4) return {{a_format_of(model, shape), b_format_of(model, shape)}};
  std::vector<Pair> pairs;
  for (unsigned a = 0; a < kF8F6F4Formats; ++a)
    for (unsigned b = 0; b < kF8F6F4Formats; ++b)
      pairs.push_back({static_cast<Format>(a), static_cast<Format>(b)});
  return pairs;
}

// One instruction on all three models; `samples` outputs go to the slow one.
void compare(const MfmaModel& model, const Shape& shape, Pair formats, Kind kind, uint64_t seed,
             unsigned samples) {
  OperandSource source(seed);
  static Registers r;
  source.fill(shape, formats.a, formats.b, kind, r);
  Modifiers modifiers;
  modifiers.a_format = formats.a;
  modifiers.b_format = formats.b;
  mfma(model, shape, modifiers, r.to_d());
  mfma_reference(model, shape, modifiers, r.to_plain());
  const OutputLayout layout = cd_layout(shape);
  const auto where = [&](OutputElement e) {
    return fmt::format("{} {} {} {}: {}, seed {}, block {} D({},{})", shape.name, to_string(formats.a),
                       to_string(formats.b), model.describe(), kind_name(kind), seed, e.block, e.row,
                       e.column);
  };
  for (unsigned v = 0; v < cd_vgprs(shape); ++v)
    for (uint8_t lane = 0; lane < 64; ++lane)
      if (r.d[v][lane] != r.plain[v][lane])
        FAIL_CHECK(where(layout.element({lane, static_cast<uint16_t>(32 * v)})),
                   fmt::format(": bulk {:#010x}, plain {:#010x}", r.d[v][lane], r.plain[v][lane]));
  for (unsigned i = 0; i < samples; ++i) {
    const OutputElement e{static_cast<uint8_t>(source.below(shape.blocks)),
                          static_cast<uint8_t>(source.below(shape.m)),
                          static_cast<uint8_t>(source.below(shape.n))};
    const uint64_t expected =
        oracle_output(model, shape, formats.a, formats.b, r, e.block, e.row, e.column, 0, 0);
    const uint64_t actual = get_bits(r.plain, layout.place(e), output_bits(shape));
    if (actual != expected)
      FAIL_CHECK(where(e), fmt::format(": plain {:#x}, oracle {:#x}", actual, expected));
  }
}

// Every preset, shape and format pair with `kinds` of the operand kinds, taken in turn.
void compare_everything(unsigned kinds, unsigned rounds, unsigned samples) {
  unsigned combinations = 0, next_kind = 0;
  uint64_t seed = 17;
  for (const std::string& name : preset_names()) {
    const MfmaModel model = preset(name);
    for (const Shape& shape : kShapes) {
      if (model.part == Part::gfx942 && shape.parts == Parts::gfx950_only) continue;
      for (const Pair formats : format_pairs(model, shape)) {
        ++combinations;
        for (unsigned i = 0; i < kinds * rounds; ++i)
          compare(model, shape, formats, kKinds[next_kind++ % 8], seed += 1000003, samples);
      }
    }
  }
  CHECK(combinations == 5 * (4 * 25 + 36) + 30);  // gfx942 has 30 of the shapes
}

TEST_CASE("bulk path, plain model and big-number model agree on every shape, format pair and preset") {
  compare_everything(3, 1, 3);
}

TEST_CASE("the bulk path takes every shape of 16 or 32 columns under every hardware preset") {
  for (const char* name : {"gfx950-default", "gfx950-wide", "gfx950-cdna3ext", "gfx942"})
    for (const Shape& shape : kShapes) {
      const MfmaModel model = preset(name);
      const StepPlan plan = step_plan(model, shape, shape.a, shape.b);
      CHECK_MESSAGE(fast_applies(model, shape, plan) == (is_narrow(shape) && shape.n > 4), shape.name, ", ",
                    name);
    }
}

// A random legal value of an option, from its description.
std::string random_value(OperandSource& source, const OptionInfo& info) {
  const std::string values = info.values, name = info.name;
  if (values == "4..48") return std::to_string(name == "F2" ? 24 + source.below(25) : 4 + source.below(45));
  if (values == "off|1..255") return source.one_in(3) ? "off" : std::to_string(1 + source.below(40));
  if (values[0] == '0') return source.one_in(2) ? "0xFFC00000" : "0x7F812345";
  std::vector<std::string> choices(1);
  for (const char c : values) {
    if (c == '|')
      choices.emplace_back();
    else
      choices.back() += c;
  }
  return choices[source.below(static_cast<unsigned>(choices.size()))];
}

TEST_CASE("every option by itself: the models agree, and the option is described") {
  OperandSource source(20240607);
  for (const OptionInfo& info : option_list())
    for (unsigned round = 0; round < 6; ++round) {
      MfmaModel model = preset(round % 2 == 0 ? "gfx950-default" : "gfx950-wide");
      model.set(info.name, random_value(source, info));
      for (const Shape& shape : kShapes) {
        if (!is_narrow(shape)) continue;
        const std::vector<Pair> pairs = format_pairs(model, shape);
        const Pair formats = pairs[source.below(static_cast<unsigned>(pairs.size()))];
        compare(model, shape, formats, kKinds[source.below(8)], source.bits(), 2);
      }
    }
}

TEST_CASE("options in any combination: the models agree") {
  OperandSource source(99);
  for (unsigned round = 0; round < 150; ++round) {
    const std::vector<std::string>& names = preset_names();
    MfmaModel model = preset(names[source.below(static_cast<unsigned>(names.size()))]);
    for (const OptionInfo& info : option_list())
      if (source.one_in(3)) model.set(info.name, random_value(source, info));
    for (unsigned i = 0; i < 6; ++i) {
      const Shape& shape = kShapes[source.below(kShapeCount)];
      if (!is_narrow(shape) || (model.part == Part::gfx942 && shape.parts == Parts::gfx950_only)) continue;
      const std::vector<Pair> pairs = format_pairs(model, shape);
      compare(model, shape, pairs[source.below(static_cast<unsigned>(pairs.size()))], kKinds[source.below(8)],
              source.bits(), 3);
    }
  }
}

TEST_SUITE("slow") {
  TEST_CASE("slow: the three models agree on many operands") { compare_everything(8, 4, 12); }
}

}  // namespace
}  // namespace wavetwin::mfma
