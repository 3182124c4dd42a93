// SPDX-License-Identifier: MIT
// `wavetwin layout` as a user types it: the text of six instructions, the forms of output, errors.
#include <doctest/doctest.h>

#include <sstream>

#include "tests/cli/program.h"

namespace wavetwin::golden {
namespace {

// Splits at spaces.
std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

Outcome layout(const std::string& arguments) {
  std::vector<std::string> all = words(arguments);
  all.insert(all.begin(), "layout");
  return run_wavetwin(all);
}

void check_text(const std::string& arguments, const std::string& expected) {
  CAPTURE(arguments);
  const Outcome outcome = layout(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == expected);
}

}  // namespace

TEST_CASE("layout text: scaled 16x16x128, an 8-bit element and the scale that goes with it, quickly") {
  const std::string question =
      "--instruction v_mfma_scale_f32_16x16x128_f8f6f4 --get-register --matrix A --i 3 --k 70";
  check_text(question,
             "element        register       lane  vgpr  bits    evidence\n"
             "A[3][70]       v5{3}.[23:16]  3     5     16..23  specified\n"
             "scale_a[3][2]  v0{35}.[7:0]   35    0     0..7    specified\n");
  if (!program_is_sanitized()) CHECK(layout(question).seconds < 0.05);
}

TEST_CASE("layout text: scaled 32x32x64, a 6-bit element over two VGPRs and a 4-bit one") {
  const std::string instruction =
      "--instruction v_mfma_scale_f32_32x32x64_f8f6f4 --a-format e2m3 --b-format e2m1 --opsel-b 2 ";
  check_text(instruction + "--get-register --matrix A --i 31 --k 37",
             "element         register                     lane  vgpr  bits    evidence\n"
             "A[31][37]       v0{63}.[31:30] v1{63}.[3:0]  63    0     30..35  specified\n"
             "scale_a[31][1]  v0{63}.[7:0]                 63    0     0..7    specified\n");
  check_text(instruction + "--get-register --matrix B --k 40 --j 5",
             "element        register        lane  vgpr  bits    evidence\n"
             "B[40][5]       v1{37}.[3:0]    37    1     0..3    specified\n"
             "scale_b[1][5]  v0{37}.[23:16]  37    0     16..23  specified\n");
}

TEST_CASE("layout text: 32x32x64 without scales, formats by code") {
  check_text("--instruction v_mfma_f32_32x32x64_f8f6f4 --cbsz 2 --blgp 4",
             "fact                 value\n"
             "instruction          v_mfma_f32_32x32x64_f8f6f4\n"
             "D = A * B + C        M 32, N 32, K 64, 1 block\n"
             "A format, VGPRs      e2m3, 6\n"
             "B format, VGPRs      e2m1, 4\n"
             "C, D VGPRs           16 of 32 bits an element\n"
             "scales               none\n"
             "layout evidence      specified\n"
             "arithmetic evidence  inferred\n");
}

TEST_CASE("layout text: bf16 16x16x32, registers to elements in every form of output") {
  const std::string b =
      "--instruction v_mfma_f32_16x16x32_bf16 --matrix-entry --matrix B --register v2 --lane 17";
  check_text(b,
             "register        element\n"
             "v2{17}.[15:0]   B[12][1]\n"
             "v2{17}.[31:16]  B[13][1]\n");
  check_text(b + " --csv", "register,element\nv2{17}.[15:0],B[12][1]\nv2{17}.[31:16],B[13][1]\n");
  check_text(b + " --markdown",
             "| register | element |\n|---|---|\n"
             "| v2{17}.[15:0] | B[12][1] |\n| v2{17}.[31:16] | B[13][1] |\n");
  check_text(b + " --json",
             "[\n  {\"register\": \"v2{17}.[15:0]\", \"element\": \"B[12][1]\"},\n"
             "  {\"register\": \"v2{17}.[31:16]\", \"element\": \"B[13][1]\"}\n]\n");
}

TEST_CASE("layout text: f16 32x32x8, a register of D") {
  check_text("--instruction v_mfma_f32_32x32x8_f16 --matrix-entry --matrix D --register v5 --lane 40",
             "register  element\nv5{40}    D[13][8]\n");
}

TEST_CASE("layout text: f64 4x4x4 in four blocks, the whole of D") {
  const Outcome outcome = layout("--instruction v_mfma_f64_4x4x4_4b_f64 --matrix-layout --matrix D");
  CHECK(outcome.exit_code == 0);
  // Lane 16 row + 4 block + column; every element takes a register pair.
  std::string expected = "D     0           1           2           3\n";
  for (int block = 0; block < 4; ++block) {
    for (int row = 0; row < 4; ++row) {
      std::string line = "b" + std::to_string(block) + " " + std::to_string(row);
      for (int column = 0; column < 4; ++column) {
        line.resize(column == 0 ? 6 : line.size(), ' ');
        std::string cell = "v[0:1]{" + std::to_string(16 * row + 4 * block + column) + "}";
        if (column < 3) cell.resize(12, ' ');
        line += cell;
      }
      expected += line + "\n";
    }
  }
  CHECK(outcome.out == expected);
}

TEST_CASE("layout: what it cannot answer is one line and exit code 2") {
  const std::string scaled = "--instruction v_mfma_scale_f32_16x16x128_f8f6f4 ";
  const std::string wrong[] = {
      "",
      "--instruction v_nope",
      scaled + "--get-register --matrix A --i 16",
      scaled + "--get-register --matrix A --k 128",
      scaled + "--get-register --matrix D --k 1",
      scaled + "--get-register --matrix X",
      scaled + "--matrix-entry --matrix A --register v8",
      scaled + "--matrix-entry --matrix A --register vx",
      scaled + "--matrix-entry --matrix A --register v0 --lane 64",
      scaled + "--a-format bf16",
      scaled + "--cbsz 5",
      scaled + "--opsel-a 4",
      scaled + "--detail --get-register",
      scaled + "--csv --json",
      scaled + "--matrix-layout --svg /nonexistent/a.svg",
      scaled + "--svg /nonexistent/a.svg",
      "--instruction v_mfma_f32_16x16x32_bf16 --matrix-layout --matrix scale_a",
      "--instruction v_mfma_f32_16x16x32_bf16 --cbsz 1",
  };
  for (const std::string& arguments : wrong) {
    CAPTURE(arguments);
    const Outcome outcome = layout(arguments);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("wavetwin: "));
    CHECK(is_one_line(outcome.err));
  }
}

}  // namespace wavetwin::golden
