// SPDX-License-Identifier: MIT
// `wavetwin layout` as a user types it: pinned text, the forms of output, speed, errors.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
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

// Runs every "$ wavetwin layout ..." of a file; what follows it, up to the next, is what it must print.
unsigned check_pinned(const std::filesystem::path& path) {
  const std::string prompt = "$ wavetwin layout ";
  std::ifstream in(path);
  std::string arguments, expected;
  unsigned commands = 0;
  const auto check = [&] {
    if (arguments.empty()) return;
    CAPTURE(path.filename().string());
    CAPTURE(arguments);
    const Outcome outcome = layout(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == expected);
    ++commands;
  };
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(prompt)) {
      expected += line + "\n";
      continue;
    }
    check();
    arguments = line.substr(prompt.size());
    expected.clear();
  }
  check();
  return commands;
}

}  // namespace

TEST_CASE("layout text: what it prints is pinned, for eleven instructions and controls") {
  unsigned files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WAVETWIN_PINNED)) {
    CHECK(check_pinned(entry.path()) > 0);
    ++files;
  }
  CHECK(files == 11);
}

TEST_CASE("layout: an element's register and its scale in under 50 ms") {
  const std::string question =
      "--instruction v_mfma_scale_f32_16x16x128_f8f6f4 --get-register --matrix A --i 3 --k 70";
  layout(question);  // the program's pages are read from disk once
  double best = 1;
  for (int run = 0; run < 5; ++run) best = std::min(best, layout(question).seconds);
  if (!program_is_sanitized()) CHECK(best < 0.05);
}

TEST_CASE("layout: what it cannot answer is one line and exit code 2") {
  const std::string scaled = "--instruction v_mfma_scale_f32_16x16x128_f8f6f4 ";
  const std::string bf16 = "--instruction v_mfma_f32_16x16x32_bf16 ";
  const std::string sparse = "--instruction v_smfmac_f32_16x16x64_f16 ";
  const std::string wrong[] = {
      "",
      "--matrix A --i 3",
      "--instruction v_nope",
      "--instruction row_shr:4 --dpp row_shr:4",
      scaled + "--dpp row_shr:4",
      // outside, or not a number
      scaled + "--get-register --matrix A --i 16",
      scaled + "--get-register --matrix A --k 128",
      scaled + "--get-register --matrix A --i -1",
      scaled + "--get-register --matrix A --i x",
      scaled + "--get-register --matrix A --i 99999999999999999999",
      scaled + "--get-register --matrix D --k 1",
      scaled + "--get-register --matrix X",
      scaled + "--get-register --matrix A --block 1",
      scaled + "--matrix-entry --matrix A --register v8",
      scaled + "--matrix-entry --matrix A --register vx",
      scaled + "--matrix-entry --matrix A --register v0 --lane 64",
      sparse + "--get-register --matrix A --i 3 --k 64",
      sparse + "--get-register --matrix index --i 3 --j 32",
      // fields
      scaled + "--a-format bf16",
      scaled + "--a-format e9m9",
      scaled + "--cbsz 5",
      scaled + "--cbsz 4 --a-format e4m3",
      scaled + "--opsel-a 4",
      scaled + "--opsel-a -1",
      bf16 + "--matrix-layout --matrix scale_a",
      bf16 + "--cbsz 1",
      bf16 + "--opsel-a 0",
      sparse + "--blgp 1",
      sparse + "--abid 2",
      // questions that contradict each other, or that nobody asked
      scaled + "--detail --get-register",
      scaled + "--get-register --matrix A --j 3 --k 70",
      scaled + "--matrix-layout --i 3",
      scaled + "--matrix A",
      scaled + "--detail --matrix B",
      scaled + "--get-register --lane 3",
      scaled + "--matrix-entry --lane 3",
      scaled + "--offset 4",
      "--dpp row_shr:4 --matrix A",
      // outputs
      scaled + "--csv --json",
      scaled + "--csv --svg a.svg",
      scaled + "--matrix-layout --svg /nonexistent/a.svg",
      scaled + "--svg /nonexistent/a.svg",
      scaled + "--html /nonexistent/a.html",
      "--dpp row_shr:4 --svg /nonexistent/a.svg",
      "--dpp row_shr:4 --detail --svg a.svg",
      // lane maps
      "--dpp row_shr:16",
      "--dpp row_shr",
      "--dpp row_mirror:1",
      "--dpp row_bcast:16",
      "--dpp quad_perm:[0,1,2,4]",
      "--dpp quad_perm:[0,1,2]",
      "--dpp v_permlane16_swap_b32",
      "--dpp row_shr:4 --lane 64",
      "--dpp row_shr:4 --exec 0xfffffffffffffffff",
      "--dpp row_shr:4 --row-mask 16",
      "--dpp row_shr:4 --offset 4",
      "--instruction ds_swizzle_b32",
      "--instruction ds_swizzle_b32 --offset 0x10000",
      "--instruction ds_swizzle_b32 --offset pattern",
      "--instruction ds_swizzle_b32 --offset 1 --bound-ctrl",
      "--instruction ds_bpermute_b32 --lanes xor:64",
      "--instruction ds_bpermute_b32 --lanes 1,2,3",
      "--instruction ds_read_b64_tr_b8 --exec 1",
      "--instruction ds_read_b64_tr_b8 --lanes xor:1",
      "--instruction v_permlane16_swap_b32 --lane 5 --matrix-layout --detail",
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

TEST_CASE("layout: a drawing without a file name is refused, not left out") {
  for (const char* option : {"--svg", "--html"}) {
    const Outcome outcome = run_wavetwin({"layout", "--dpp", "row_shr:4", option, ""});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(is_one_line(outcome.err));
  }
}

TEST_CASE("layout: an unknown instruction is answered with the nearest name") {
  const auto nearest = [](const char* wrong, const char* right) {
    const Outcome outcome = layout(std::string("--instruction ") + wrong);
    CAPTURE(outcome.err);
    CHECK(outcome.err.find(std::string("the nearest name is ") + right) != std::string::npos);
  };
  nearest("v_mfma_scale_f32_16x16x182_f8f6f4", "v_mfma_scale_f32_16x16x128_f8f6f4");
  nearest("v_smfmac_f32_16x16x64_f61", "v_smfmac_f32_16x16x64_f16");
  nearest("ds_read_b64_tr_8", "ds_read_b64_tr_b8");
  nearest("row_mirrow", "row_mirror");
}

TEST_CASE("layout: a name may be spelled as in the builtins") {
  const Outcome builtin =
      layout("--instruction mfma_f32_16x16x16bf16_1k --get-register --matrix A --i 1 --k 5");
  CHECK(builtin.exit_code == 0);
  CHECK(builtin.out.find("v0{17}.[31:16]") != std::string::npos);
  const Outcome sparse = layout("--instruction V_SMFMAC_F32_16X16X64_F16 --detail");
  CHECK(sparse.exit_code == 0);
}

}  // namespace wavetwin::golden
