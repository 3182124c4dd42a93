// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/cli/program.h"
#include "tests/isa/cli/launch_bench.h"

namespace wavetwin::golden {
namespace {

constexpr const char* kCase = "gemv/masked-t1-model/0";

const std::string kLanes =
    R"({"code_object": "memory.co", "kernel": "lds_lanes",
        "kernarg": {"bytes": 64, "fields": [{"offset": 0, "buffer": "o", "bytes": 768, "fill": "zero"}]}})";

void check_refused(const std::vector<std::string>& arguments, std::initializer_list<const char*> parts) {
  const Outcome outcome = run_wavetwin(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(is_one_line(outcome.err));
  CHECK(outcome.out.empty());
  for (const char* part : parts) {
    CAPTURE(part);
    CHECK(contains(outcome.err, part));
  }
}

// The lines of `text` between the instruction `from` and the next one.
std::string after(const std::string& text, const std::string& from) {
  const size_t begin = text.find('\n', text.find(from)) + 1;
  size_t end = begin;
  while (end < text.size() && text.compare(end, 9, "         ") == 0) end = text.find('\n', end) + 1;
  return text.substr(begin, end - begin);
}

}  // namespace

TEST_CASE("trace: executed instructions with changed registers; inactive lanes in parentheses") {
  const LaunchBench bench(kLanes);
  const Outcome all = run_wavetwin({"trace", bench.launch()});
  REQUIRE(all.exit_code == 0);
  CHECK(contains(all.out, "v_add_u32_e32 v2, 0x500, v0"));
  CHECK(contains(all.out, "exec_hi=0fffffff"));
  CHECK(contains(all.out, "  00000503   00000502"));
  // Lanes 60 to 63 are off when ds_swizzle runs: they keep what they had, in parentheses, and only they.
  const std::string swizzle = after(all.out, "ds_swizzle_b32");
  CAPTURE(swizzle);
  CHECK(contains(swizzle, "(7fa5"));
  size_t parentheses = 0;
  for (const char c : swizzle) parentheses += c == '(';
  CHECK(parentheses == 4);
  CHECK(swizzle.find('(') > swizzle.find("lane 56:"));
  const Outcome some = run_wavetwin({"trace", bench.launch(), "--regs", "exec_hi", "--count", "4"});
  CHECK_FALSE(contains(some.out, "lane"));
  CHECK(contains(some.out, "exec_hi=0fffffff"));
}

TEST_CASE(
    "trace: registers, waves, workgroups and addresses the kernel does not have are refused by number") {
  const LaunchBench bench(kLanes);
  const std::string launch = bench.launch();
  check_refused({"trace", launch, "--regs", "v999"}, {"--regs: 'v999' names no register", "v0, a3"});
  check_refused({"trace", launch, "--regs", "q"}, {"'q' names no register"});
  check_refused({"trace", launch, "--regs", "v3-v1"}, {"'v3-v1' runs backwards"});
  check_refused({"trace", launch, "--regs", "v3-s5"}, {"'v3-s5' goes from one kind of register to another"});
  check_refused({"trace", launch, "--regs", "v0,"}, {"'' names no register"});
  check_refused({"trace", launch, "--regs", "s102"}, {"'s102' names no register"});
  check_refused({"trace", launch, "--regs", "v0,v32"},
                {"--regs v32: kernel 'lds_lanes' has 32 VGPRs, v0 to v31"});
  check_refused({"trace", launch, "--regs", "a0"}, {"kernel 'lds_lanes' has no AccVGPRs"});
  check_refused({"trace", launch, "--wave", "1"},
                {"--wave 1: workgroup 0 of kernel 'lds_lanes' has 1 waves, 0 to 0"});
  check_refused({"trace", launch, "--wave", "-1"}, {"--wave", "-1"});
  check_refused({"trace", launch, "--workgroup", "1"},
                {"--workgroup 1: kernel 'lds_lanes' runs 1 workgroups, 0 to 0"});
  check_refused({"trace", launch, "--grid-items", "140", "--block", "128", "--workgroup", "1", "--wave", "1"},
                {"--wave 1: workgroup 1 of kernel 'lds_lanes' has 1 waves, 0 to 0"});
  check_refused({"trace", launch, "--from", "2"},
                {"--from 2: no instruction starts there", "kernel 'lds_lanes' at "});
  check_refused({"trace", launch, "--from", "zz"}, {"--from zz: an address in hexadecimal"});
  check_refused({"trace", launch, "--build", ".O0"}, {"--build", "with a case"});
}

TEST_CASE("trace: ranges and pairs of registers are spelled out") {
  const LaunchBench bench(kLanes);
  for (const char* pair : {"exec", "exec_lo,exec_hi"}) {
    const Outcome outcome = run_wavetwin({"trace", bench.launch(), "--regs", pair});
    CHECK(contains(outcome.out, "exec_hi=0fffffff"));
    CHECK_FALSE(contains(outcome.out, " v2 lane"));
  }
  for (const char* range : {"v2-v3", "v[2:3]", "v2,v3"}) {
    const Outcome outcome = run_wavetwin({"trace", bench.launch(), "--regs", range});
    CHECK(contains(outcome.out, "v2 lane  0:"));
    CHECK_FALSE(contains(outcome.out, "exec_hi="));
  }
}

TEST_CASE("trace: a case is traced from its code object, and the same checks hold") {
  const Outcome outcome = run_wavetwin({"trace", kCase, "--workgroup", "0", "--wave", "1", "--count", "20"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "s_load_dword"));
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), ':') > 20);
  // The address of the third instruction is where --from starts.
  std::string third = outcome.out;
  for (unsigned i = 0; i < 2; ++i) {
    do {
      third = third.substr(third.find('\n') + 1);
    } while (third.starts_with("         "));
  }
  const std::string line = third.substr(0, third.find('\n'));
  const std::string pc =
      line.substr(line.find_first_not_of(' '), line.find(':') - line.find_first_not_of(' '));
  const Outcome later = run_wavetwin({"trace", kCase, "--wave", "1", "--from", pc, "--count", "1"});
  CHECK(later.out.starts_with(line));
  check_refused({"trace", kCase, "--workgroup", "100000"},
                {"--workgroup 100000: kernel '", "workgroups, 0 to "});
  check_refused({"trace", kCase, "--wave", "99"}, {"--wave 99: "});
  check_refused({"trace", kCase, "--regs", "v255"}, {"--regs v255: kernel '", "VGPRs, v0 to v"});
  check_refused({"trace", kCase, "--build", ".O9"}, {".O9.co"});
  check_refused({"trace", kCase, "--mode", "ieee=off"}, {"go with a launch file"});
  check_refused({"trace", "gemv/masked-*"}, {"`trace` takes one"});
}

}  // namespace wavetwin::golden
