// SPDX-License-Identifier: MIT
// Presets, options as text, evidence, names.
#include <doctest/doctest.h>

#include <cstdio>
#include <set>

#include "sim/core/error.h"
#include "sim/numerics/mfma.h"

namespace wavetwin::mfma {
namespace {

TEST_CASE("presets: six names, and each describes itself") {
  const std::vector<std::string> names = {"gfx950-default", "gfx950-wide",    "gfx950-cdna3ext",
                                          "gfx942",         "fma-sequential", "exact-rne"};
  CHECK(preset_names() == names);
  for (const std::string& name : names) {
    CHECK(preset(name).describe() == name);
    CHECK_FALSE(preset(name).modified);
  }
  CHECK(std::string(MfmaModel{}.preset) == "gfx950-default");
  CHECK_THROWS_WITH_AS(
      preset("gfx90a"),
      "unknown MFMA model 'gfx90a'; the models are gfx950-default, gfx950-wide, gfx950-cdna3ext, "
      "gfx942, fma-sequential, exact-rne",
      Error);
}

TEST_CASE("an option is set by text, read back and named in the description") {
  MfmaModel model = preset("gfx950-wide");
  model.set("F", "23");
  model.set("cCut.16bit=25");
  CHECK(model.get("F") == "23");
  CHECK(model.describe() == "gfx950-wide with F=23, cCut.16bit=25");
  CHECK(model.modified);
  model.set("F=24");
  model.set("cCut.16bit=off");
  CHECK(model.describe() == "gfx950-wide");
  CHECK_FALSE(model.modified);
}

TEST_CASE("the name of a group sets all its options, or none") {
  MfmaModel model;
  model.set("cCut=24");
  CHECK(model.describe() == "gfx950-default with cCut.16bit=24, cCut.fp8Legacy=24, cCut.f8f6f4=24");
  model = preset("gfx950-default");
  model.set("f8f6f4.productsPerStep=64");
  CHECK(model.get("f8f6f4.productsPerStep.8bit") == "64");
  CHECK(model.get("f8f6f4.productsPerStep.6bit4bit") == "64");
  CHECK_THROWS_AS(model.set("fp8Legacy=16"), Error);  // L takes it, evenOdd does not
  CHECK(model.get("fp8Legacy.L") == "16");
  CHECK_THROWS_AS(model.get("cCut"), Error);
}

TEST_CASE("every option takes every value its help names, and no other") {
  std::set<std::string> names;
  for (const OptionInfo& info : option_list()) {
    names.insert(info.name);
    MfmaModel model;
    CHECK_THROWS_AS(model.set(info.name, "sideways"), Error);
    CHECK_THROWS_AS(model.set(info.name, ""), Error);
    CHECK(model.describe() == "gfx950-default");
    const std::string default_value = model.get(info.name);
    model.set(info.name, default_value);
    CHECK(model.get(info.name) == default_value);
  }
  CHECK(names.size() == option_list().size());
  for (const char* listed : {"L16bit",
                             "kOrder",
                             "fp8Legacy.L",
                             "fp8Legacy.evenOdd",
                             "f8f6f4.productsPerStep.8bit",
                             "f8f6f4.productsPerStep.6bit4bit",
                             "F",
                             "prodAlign",
                             "groupAlign",
                             "Fc",
                             "F2",
                             "cCut.16bit",
                             "cCut.fp8Legacy",
                             "cCut.f8f6f4",
                             "prodOverflow",
                             "scalePerProduct",
                             "nanBits",
                             "zeroSign",
                             "nanScaleOnZero",
                             "scaleByteZero",
                             "fp16Ovfl"})
    CHECK_MESSAGE(names.count(listed) == 1, listed);
}

TEST_CASE("bad options and values are errors that name the legal ones") {
  MfmaModel model;
  CHECK_THROWS_WITH_AS(model.set("L16bit", "12"), "MFMA option L16bit cannot be '12'; it takes 8|16|K",
                       Error);
  CHECK_THROWS_WITH_AS(model.set("nanBits", "0x3F800000"),
                       "MFMA option nanBits cannot be '0x3F800000'; it takes 0x........", Error);
  CHECK_THROWS_WITH_AS(model.set("F=2"), "MFMA option F cannot be '2'; it takes 4..48", Error);
  CHECK_THROWS_WITH_AS(model.set("F"), "'F' is not an MFMA option setting; write option=value", Error);
  bool named = false;
  try {
    model.set("L", "8");
  } catch (const Error& error) {
    named = std::string(error.what()).find("unknown MFMA option 'L'; the options are L16bit, ") == 0;
  }
  CHECK(named);
}

TEST_CASE("evidence: measured only for gfx942's own instructions under its preset") {
  const Shape &bf16 = *find_exact("v_mfma_f32_16x16x16_bf16"), &i8 = *find_exact("v_mfma_i32_16x16x64_i8");
  const Shape &scaled = *find_exact("v_mfma_scale_f32_16x16x128_f8f6f4"),
              &f64 = *find_exact("v_mfma_f64_4x4x4_4b_f64");
  CHECK(arithmetic_evidence(bf16, preset("gfx942")) == Evidence::measured);
  for (const char* name : {"gfx950-default", "gfx950-wide", "gfx950-cdna3ext"})
    for (const Shape& shape : kShapes) {
      CHECK(arithmetic_evidence(shape, preset(name)) == Evidence::inferred);
      CHECK(std::string(arithmetic_source(shape, preset(name))).size() > 20);
    }
  CHECK(arithmetic_evidence(bf16, preset("exact-rne")) == Evidence::unknown);
  CHECK(arithmetic_evidence(bf16, preset("fma-sequential")) == Evidence::unknown);
  CHECK(arithmetic_evidence(i8, preset("exact-rne")) == Evidence::inferred);
  MfmaModel changed = preset("gfx942");
  changed.set("F=23");
  CHECK(arithmetic_evidence(bf16, changed) == Evidence::unknown);
  CHECK(layout_evidence(scaled) == Evidence::specified);
  CHECK(layout_evidence(f64) == Evidence::inferred);
  CHECK(layout_evidence(i8) == Evidence::specified);
}

TEST_CASE("names: mnemonics, builtins and older spellings find their row") {
  const auto name = [](const char* spelling) {
    const Shape* shape = find_shape(spelling);
    return std::string(shape == nullptr ? "none" : shape->name);
  };
  for (const Shape& shape : kShapes) CHECK(name(shape.name) == shape.name);
  CHECK(name("V_MFMA_F32_16X16X16_BF16") == "v_mfma_f32_16x16x16_bf16");
  CHECK(name("mfma_f32_16x16x16bf16_1k") == "v_mfma_f32_16x16x16_bf16");
  CHECK(name("v_mfma_f32_32x32x8bf16_1k") == "v_mfma_f32_32x32x8_bf16");
  CHECK(name("mfma_f32_4x4x4f16") == "v_mfma_f32_4x4x4_16b_f16");
  CHECK(name("mfma_f32_32x32x1f32") == "v_mfma_f32_32x32x1_2b_f32");
  CHECK(name("v_mfma_f64_4x4x4f64") == "v_mfma_f64_4x4x4_4b_f64");
  CHECK(name("mfma_i32_32x32x16_i8") == "v_mfma_i32_32x32x16_i8");
  CHECK(name("mfma_scale_f32_16x16x128_f8f6f4") == "v_mfma_scale_f32_16x16x128_f8f6f4");
  CHECK(name("v_mfma_f32_16x16x8_xf32") == "none");
  CHECK(name("v_mfma_f32_16x16x128") == "none");
  CHECK(name("") == "none");
}

std::string vgprs(unsigned first, unsigned count) {
  if (count == 1) return "v" + std::to_string(first);
  return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

// How many of the lines are legal instructions of `cpu`: LLVM prints an encoding for each of those.
size_t assembled(const std::vector<std::string>& lines, const char* cpu) {
  std::string command = "printf '%s\\n'";
  for (const std::string& line : lines) command += " '" + line + "'";
  command +=
      std::string(" | " WAVETWIN_LLVM_MC " -triple=amdgcn -show-encoding -mcpu=") + cpu + " 2>/dev/null";
  FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  size_t count = 0;
  char text[512];
  while (std::fgets(text, sizeof text, pipe) != nullptr)
    count += std::string(text).find("encoding:") != std::string::npos;
  pclose(pipe);
  return count;
}

// Each line by itself only when the count is wrong.
void check_assembled(const std::vector<std::string>& lines, const char* cpu, bool legal) {
  REQUIRE_FALSE(lines.empty());
  if (assembled(lines, cpu) == (legal ? lines.size() : 0)) return;
  for (const std::string& line : lines)
    CHECK_MESSAGE(assembled({line}, cpu) == (legal ? 1 : 0), cpu, ": ", line);
}

TEST_CASE("LLVM's assembler knows every shape, with these operand sizes, on these parts") {
  if (std::string(WAVETWIN_LLVM_MC).empty()) {
    MESSAGE("skipped: no llvm-mc-22");
    return;
  }
  std::vector<std::string> all, on_gfx942, not_on_gfx942, wrong_size;
  for (const Shape& shape : kShapes) {
    const unsigned d = cd_vgprs(shape), a = a_vgprs(shape, shape.a), b = b_vgprs(shape, shape.b);
    const auto line = [&](unsigned a_count) {
      return std::string(shape.name) + " " + vgprs(0, d) + ", " + vgprs(32, a_count) + ", " + vgprs(48, b) +
             ", " + vgprs(0, d) + (shape.scaled ? ", v64, v65" : "");
    };
    all.push_back(line(a));
    wrong_size.push_back(line(2 * a));
    (shape.parts == Parts::gfx950_only ? not_on_gfx942 : on_gfx942).push_back(line(a));
  }
  // f8f6f4: operands shrink with the format that CBSZ and BLGP name.
  for (unsigned code = 0; code < kF8F6F4Formats; ++code) {
    const Shape& shape = *find_exact("v_mfma_f32_32x32x64_f8f6f4");
    const std::string a = vgprs(32, a_vgprs(shape, static_cast<Format>(code)));
    all.push_back(std::string(shape.name) + " v[0:15], " + a +
                  ", v[48:55], v[0:15] cbsz:" + std::to_string(code) + " blgp:0");
  }
  check_assembled(all, "gfx950", true);
  check_assembled(wrong_size, "gfx950", false);
  check_assembled(on_gfx942, "gfx942", true);
  check_assembled(not_on_gfx942, "gfx942", false);
}

}  // namespace
}  // namespace wavetwin::mfma
