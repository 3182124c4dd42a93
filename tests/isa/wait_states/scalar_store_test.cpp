// SPDX-License-Identifier: MIT
// Scalar stores that nobody writes back from their cache.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "sim/isa/scalar_stores.h"
#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

// The findings of a run of a kernel of scalar_stores.s.
FindingLog run(const std::string& kernel, uint64_t flag = 0, uint32_t items = 64, uint32_t workgroups = 1) {
  Machine machine("scalar_stores");
  const uint64_t out = machine.zeroed("out", 256);
  return machine.run(kernel, workgroups, items, {out, flag}).dispatch.findings;
}
uint64_t lost(const FindingLog& findings) { return findings.total(FindingKind::lost_scalar_store); }

}  // namespace

TEST_CASE("scalar stores: one that is written back before the end is no finding") {
  CHECK(run("written_back").empty());
  CHECK(run("only_atomic").empty());
}

TEST_CASE("scalar stores: one that is left in its cache is reported with its place and wave") {
  const FindingLog findings = run("left");
  REQUIRE(findings.kept().size() == 1);
  const std::string line = findings.kept()[0].line();
  CAPTURE(line);
  CHECK(line.starts_with("lost scalar store: workgroup 0 wave 0"));
  CHECK(contains(line, "no s_dcache_wb of the workgroup follows s_store_dwordx2 s[6:7], s[4:5], 0x8 at pc"));
  CHECK(lost(run("written_back_before")) == 1);
  CHECK(lost(run("written_back_volatile")) == 1);
  CHECK(lost(run("left", 0, 64, 3)) == 3);
}

TEST_CASE("scalar stores: a path without a write-back is reported when a wave takes it") {
  CHECK(lost(run("left_on_a_path", 0)) == 0);
  CHECK(lost(run("left_on_a_path", 1)) == 1);
}

TEST_CASE("scalar stores: any wave of the workgroup writes back for all") {
  CHECK(lost(run("written_back_by_one", 0, 256)) == 0);
  CHECK(lost(run("written_back_by_one", 192, 256)) == 0);
  CHECK(lost(run("written_back_by_one", 1, 256)) == 4);
}

TEST_CASE("scalar stores: a function's is followed into its caller") {
  CHECK(lost(run("left_by_a_function", 0)) == 0);
  CHECK(lost(run("left_by_a_function", 1)) == 1);
}

TEST_CASE("scalar stores: every form that stores is followed, each instruction on its own") {
  const FindingLog findings = run("left_by_every_form");
  REQUIRE(findings.kept().size() == 3);
  for (const char* form : {"s_store_dwordx4", "s_buffer_store_dword", "s_scratch_store_dword"}) {
    CAPTURE(form);
    CHECK(std::count_if(findings.kept().begin(), findings.kept().end(),
                        [&](const Finding& finding) { return contains(finding.line(), form); }) == 1);
  }
}

TEST_CASE("scalar stores: one in a loop is reported once") { CHECK(lost(run("left_by_a_loop")) == 1); }

TEST_CASE("scalar stores: one that is left where the program ends is certain, whatever another path does") {
  CHECK(lost(run("left_at_two_ends", 0)) == 0);
  CHECK(lost(run("left_at_two_ends", 1)) == 1);
}

TEST_CASE("scalar stores: the code says which stores may be left") {
  const Executable executable(CodeObject::load(ASM_DIR "scalar_stores.co"));
  const auto kernel_of = [&](uint32_t index) {
    const uint64_t pc = executable.program().instructions[index].pc;
    for (const KernelInfo& kernel : executable.object().kernels()) {
      if (pc >= kernel.entry_address && pc < executable.object().end_of(kernel)) return kernel.name;
    }
    return std::string("function");
  };
  std::vector<std::string> found;
  for (const UnwrittenStore& unwritten : unwritten_scalar_stores(ProgramPaths(executable.program()))) {
    const std::string kernel = kernel_of(unwritten.store);
    CAPTURE(kernel);
    CHECK(unwritten.certain == (kernel != "function"));
    found.push_back(kernel);
  }
  CHECK(found == std::vector<std::string>{"left", "written_back_volatile", "written_back_before",
                                          "left_on_a_path", "written_back_by_one", "left_by_every_form",
                                          "left_by_every_form", "left_by_every_form", "left_by_a_loop",
                                          "left_at_two_ends", "function"});
}

TEST_CASE("scalar stores: the other hand-written kernels leave none") {
  for (const auto& entry : std::filesystem::directory_iterator(ASM_DIR)) {
    if (entry.path().extension() != ".co" || entry.path().stem() == "scalar_stores") continue;
    CAPTURE(entry.path());
    CHECK(unwritten_scalar_stores(ProgramPaths(Executable(CodeObject::load(entry.path().string())).program()))
              .empty());
  }
}

}  // namespace wavetwin::isa
