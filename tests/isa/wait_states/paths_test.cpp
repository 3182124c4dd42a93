// SPDX-License-Identifier: MIT
// Distances along the paths of whole programs, and in waves that run.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "sim/isa/disassemble.h"
#include "sim/isa/wait_states.h"
#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

std::vector<std::string> objects() {
  std::vector<std::string> files;
  for (const std::string folder : {CODE_OBJECTS, HIP_DIR, DECODE_KERNELS}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".co") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<uint32_t> nops_of(const Program& program) {
  std::vector<uint32_t> nops;
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& in = program.instructions[i];
    if (in.valid() && static_cast<RowId>(in.row) == RowId::S_NOP) nops.push_back(i);
  }
  return nops;
}

// The findings of a run of a kernel of wait_states.s.
FindingLog run(const std::string& kernel, uint64_t flag = 0, const ExecuteOptions& options = {}) {
  Machine machine("wait_states");
  return machine.run(kernel, 1, 64, {machine.poisoned("out", 256), flag}, options).dispatch.findings;
}

bool close(const FindingLog& findings) { return findings.total(FindingKind::missing_wait_states) != 0; }

}  // namespace

TEST_CASE("wait states: compiled code keeps every distance on every path") {
  const auto files = objects();
  CHECK(files.size() > 30);
  for (const std::string& file : files) {
    const Executable executable(CodeObject::load(file));
    for (const CloseFollower& close : close_followers(executable.program())) {
      const auto& code = executable.program().instructions;
      FAIL_CHECK(file << ": " << disassemble(code[close.second]) << " " << wait_rule_name(close.need.rule)
                      << " " << disassemble(code[close.first]) << ", needs " << int{close.need.states}
                      << ", has " << int{close.found});
    }
  }
}

TEST_CASE("wait states: without its s_nop, compiled code breaks rules of many kinds") {
  std::set<WaitRule> broken;
  for (const std::string& file : objects()) {
    const Executable executable(CodeObject::load(file));
    for (const CloseFollower& close : close_followers(executable.program(), nops_of(executable.program())))
      broken.insert(close.need.rule);
  }
  for (const WaitRule rule :
       {WaitRule::matrix_read, WaitRule::vector_to_matrix, WaitRule::transcendental, WaitRule::partial_result,
        WaitRule::vector_to_lane_move, WaitRule::vector_scalar_result, WaitRule::memory_scalar,
        WaitRule::div_scale_flag, WaitRule::m0, WaitRule::store_data}) {
    CHECK_MESSAGE(broken.contains(rule), wait_rule_name(rule));
  }
}

TEST_CASE("wait states: the other hand-written kernels keep every distance") {
  for (const auto& entry : std::filesystem::directory_iterator(ASM_DIR)) {
    if (entry.path().extension() != ".co" || entry.path().stem() == "wait_states") continue;
    CAPTURE(entry.path());
    CHECK(close_followers(Executable(CodeObject::load(entry.path().string())).program()).empty());
  }
}

TEST_CASE("wait states: a wave that follows too closely is reported with both instructions") {
  CHECK_FALSE(close(run("distance_kept")));
  const FindingLog findings = run("distance_short");
  REQUIRE(findings.kept().size() == 1);
  const std::string line = findings.kept()[0].line();
  CAPTURE(line);
  CHECK(line.starts_with("missing wait states: workgroup 0 wave 0"));
  CHECK(contains(line, "global_store_dword v1, v16, s[4:5] reads the result of v_mfma_f32_16x16x32_bf16"));
  CHECK(contains(line, "8 wait states are needed between them, and there are 7"));
}

TEST_CASE("wait states: a path is reported when a wave takes it") {
  CHECK_FALSE(close(run("distance_path", 0)));
  CHECK(close(run("distance_path", 1)));
}

TEST_CASE("wait states: the turns of a loop follow each other") {
  CHECK_FALSE(close(run("distance_loop")));
  CHECK(run("distance_loop_short").total(FindingKind::missing_wait_states) == 2);  // of three turns
}

TEST_CASE("wait states: a later matrix result hides an earlier one in the same registers") {
  CHECK_FALSE(close(run("distance_hidden")));
}

TEST_CASE("wait states: findings do not depend on where turns end") {
  for (const uint64_t quantum : {1u, 2u, 3u, 7u}) {
    CAPTURE(quantum);
    ExecuteOptions options;
    options.dispatch.quantum = quantum;
    CHECK(close(run("distance_short", 0, options)));
    CHECK_FALSE(close(run("distance_kept", 0, options)));
    CHECK(run("distance_loop_short", 0, options).total(FindingKind::missing_wait_states) == 2);
  }
}

}  // namespace wavetwin::isa
