// SPDX-License-Identifier: MIT
// `wavetwin disasm` and `wavetwin list --instructions`, run as a user runs them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "sim/isa/listing.h"
#include "tests/isa/decode/llvm_tools.h"

namespace wavetwin::isa {
namespace {

struct Result {
  int status = 0;
  std::string out;
};

Result wavetwin_program(const std::string& arguments) {
  Result result;
  FILE* pipe = ::popen(fmt::format("'{}' {} 2>&1", WAVETWIN_PROGRAM, arguments).c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer;
  for (size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.out.append(buffer.data(), n);
  result.status = ::pclose(pipe);
  return result;
}

std::string expected_line(const llvm_tools::Line& line) {
  std::string dwords;
  for (const uint32_t w : line.words) dwords += fmt::format("{}{:08X}", dwords.empty() ? "" : " ", w);
  return fmt::format("  {:6x}:  {:<35}  {}", line.pc, dwords, line.text);
}

}  // namespace

TEST_CASE("disasm: prints pc, dwords and the text of llvm-objdump, with the labels of branches") {
  const std::string file = DECODE_KERNELS "/misc.O1.co";
  const Result result = wavetwin_program("disasm " + file);
  CHECK(result.status == 0);
  std::istringstream lines(result.out);
  std::string line;
  size_t functions = 0, labels = 0;
  for (const llvm_tools::Line& expected : llvm_tools::objdump(file)) {
    REQUIRE(std::getline(lines, line));
    if (line.ends_with(":") && line[0] != ' ') {
      ++functions;
      REQUIRE(std::getline(lines, line));
    }
    CHECK(line.starts_with(expected_line(expected)));
    labels += line.find("  ; ") != std::string::npos;
  }
  CHECK_FALSE(std::getline(lines, line));
  CHECK(functions >= 10);
  CHECK(labels > 20);
}

TEST_CASE("disasm: --kernel prints that kernel alone, an unknown one is an error") {
  const std::string file = DECODE_KERNELS "/sync.O3.co";
  const Result one = wavetwin_program("disasm --kernel grid_barrier " + file);
  CHECK(one.status == 0);
  CHECK(one.out.starts_with("grid_barrier:\n"));
  CHECK(one.out.find("produce_consume:") == std::string::npos);
  CHECK(one.out.find("s_endpgm") != std::string::npos);
  const Result unknown = wavetwin_program("disasm --kernel nothing " + file);
  CHECK(unknown.status != 0);
  CHECK(unknown.out.find("nothing") != std::string::npos);
}

TEST_CASE("list: --instructions has a line for every encoding and the counts") {
  const Result result = wavetwin_program("list --instructions");
  CHECK(result.status == 0);
  CHECK(result.out.find("V_CVT_SCALEF32_PK_BF16_FP8") != std::string::npos);
  const InstructionCounts counts = count_instructions();
  CHECK(result.out.find(fmt::format("{} instructions: {} executed (", counts.total, counts.executed)) !=
        std::string::npos);
  CHECK(result.out.find("V_MFMA_F32_16X16X8_XF32: gfx942 only") != std::string::npos);
}

}  // namespace wavetwin::isa
