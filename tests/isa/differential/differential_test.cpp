// SPDX-License-Identifier: MIT
// Compilers against each other: generated kernels, built by clang for gfx950 at -O0, -O1 and -O3 and
// executed, against the host build of the same source. The arithmetic is that of integers or exactly rounded,
// so every bit must agree; NaNs are compared as NaNs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>

#include "tests/isa/differential/coverage.h"
#include "tests/isa/differential/object_run.h"
#include "tests/isa/differential/table.h"

namespace wavetwin::differential {
namespace {

std::string describe(const KernelEntry& kernel, int level, const std::string& what) {
  return fmt::format(
      "{} ({}, seed {:#x}, {} threads) at -O{}: {}\n"
      "its source: {} --kernel {}   (--host: the host half; --statements N: the first N statements)",
      kernel.name, group_names()[kernel.group], kernel.seed, kernel.threads, level, what, GENERATOR,
      kernel.name);
}

// Runs the kernels of one object; counts into the table and reports the first difference of each.
void check_object(const CorpusFile& file, size_t level, const std::vector<uint8_t>& input,
                  const std::vector<Result>& host, Table& table) {
  ObjectRun object(object_path(file, kLevels[level]));
  Coverage coverage;
  for (size_t i = 0; i < file.kernels.size(); ++i) {
    const KernelEntry& kernel = file.kernels[i];
    TableRow& row = table.row(group_names()[kernel.group]);
    const ObjectRun::Run run = object.run(kernel, input, coverage);
    row.mnemonics.merge(coverage.take());
    row.instructions[level] += run.instructions;
    const Difference difference = compare(kernel, run.result, host[i]);
    row.mismatches += difference.count != 0;
    CHECK_MESSAGE(difference.count == 0,
                  describe(kernel, kLevels[level],
                           fmt::format("{} differ, first {}", difference.count, difference.first)));
    CHECK_MESSAGE(run.findings.empty(), describe(kernel, kLevels[level], run.findings));
  }
}

}  // namespace

TEST_CASE("generated kernels give the host's bits at -O0, -O1 and -O3") {
  const std::vector<uint8_t> input = make_input();
  Table table;
  for (const CorpusFile& file : corpus_files()) {
    std::vector<Result> host;
    for (const KernelEntry& kernel : file.kernels) {
      host.push_back(run_on_host(kernel, input));
      table.row(group_names()[kernel.group]).kernels += 1;
    }
    for (size_t level = 0; level < kLevels.size(); ++level) check_object(file, level, input, host, table);
  }
  std::fputs(table.text().c_str(), stdout);
  const TableRow total = table.total();
  CHECK(total.mismatches == 0);
}

TEST_CASE("one changed bit of a result is a difference, wherever it lies") {
  const std::vector<uint8_t> input = make_input();
  const KernelEntry& kernel = corpus_files()[0].kernels[0];
  const Result host = run_on_host(kernel, input);
  CHECK(compare(kernel, host, host).count == 0);
  for (std::vector<uint8_t> Result::*part : {&Result::out, &Result::own, &Result::cells}) {
    for (const size_t at : {size_t{0}, (host.*part).size() / 2, (host.*part).size() - 1}) {
      CAPTURE(at);
      Result changed = host;
      (changed.*part)[at] ^= 0x10;
      CHECK(compare(kernel, changed, host).count == 1);
    }
  }
}

TEST_CASE("a difference names the variable, its type, the thread and both values") {
  const KernelEntry kernel{"k", 0, 0, 64, 0, 0, "u32 i8 f64", nullptr};
  const Result host;
  Result changed = host;
  changed.out[kVariableBytes + 64 + 5] = 0x17;  // v1 has one byte a thread
  CHECK(compare(kernel, changed, host).first == "variable v1 (i8), workgroup 1 thread 5: 0x17, host 0xa5");
  changed = host;
  changed.out[2 * kVariableBytes + 8 * 3 + 7] = 0;
  CHECK(compare(kernel, changed, host).first ==
        "variable v2 (f64), workgroup 0 thread 3: 0x00a5a5a5a5a5a5a5, host 0xa5a5a5a5a5a5a5a5");
}

}  // namespace wavetwin::differential
