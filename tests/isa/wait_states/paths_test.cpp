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
  for (const std::string folder : {CODE_OBJECTS, HIP_DIR, DECODE_KERNELS, CORPUS_DIR}) {
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

// What the code of a kernel of wait_states.s says without running.
std::vector<CloseFollower> close_followers_of(const std::string& kernel) {
  const Executable executable(CodeObject::load(ASM_DIR "wait_states.co"));
  const KernelInfo& info = executable.object().kernel(kernel);
  std::vector<CloseFollower> found = close_followers(ProgramPaths(executable.program()));
  std::erase_if(found, [&](const CloseFollower& close) {
    const uint64_t pc = executable.program().instructions[close.second].pc;
    return pc < info.entry_address || pc >= executable.object().end_of(info);
  });
  return found;
}

bool close(const FindingLog& findings) { return findings.total(FindingKind::missing_wait_states) != 0; }

}  // namespace

TEST_CASE("wait states: compiled code keeps every distance on every path") {
  const auto files = objects();
  CHECK(files.size() > 30);
  for (const std::string& file : files) {
    const Executable executable(CodeObject::load(file));
    for (const CloseFollower& close : close_followers(ProgramPaths(executable.program()))) {
      if (close.depends_on_index) continue;
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
    for (const CloseFollower& close :
         close_followers(ProgramPaths(executable.program()), nops_of(executable.program())))
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
    CHECK(
        close_followers(ProgramPaths(Executable(CodeObject::load(entry.path().string())).program())).empty());
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

TEST_CASE("wait states: of several distances the one that lacks most is reported") {
  const FindingLog findings = run("worst_of_two");
  REQUIRE(findings.kept().size() == 1);
  const std::string line = findings.kept()[0].line();
  CAPTURE(line);
  CHECK(contains(line, "depends on EXEC as written by v_cmpx_eq_u32"));
  CHECK(contains(line, "5 wait states are needed between them, and there are none"));
  CHECK(close_followers_of("worst_of_two").size() == 2);
}

TEST_CASE("wait states: an instruction that a loop repeats is the nearest of its kind") {
  const auto found = close_followers_of("again_in_loop");
  REQUIRE(found.size() == 1);
  CHECK(int{found[0].found} == 0);
}

TEST_CASE("wait states: a path is reported when a wave takes it") {
  CHECK_FALSE(close(run("distance_path", 0)));
  CHECK(close(run("distance_path", 1)));
}

TEST_CASE("wait states: a function that s_call calls follows what stands before the call") {
  const Executable executable(CodeObject::load(ASM_DIR "wait_states.co"));
  const Program& program = executable.program();
  const auto found = close_followers(ProgramPaths(program));
  const auto store_after = [&](const std::string& kernel) {
    const KernelInfo& info = executable.object().kernel(kernel);
    return std::any_of(found.begin(), found.end(), [&](const CloseFollower& close) {
      const uint64_t pc = program.instructions[close.first].pc;
      return pc >= info.entry_address && pc < executable.object().end_of(info) && int{close.found} == 7;
    });
  };
  CHECK(store_after("call_short"));
  CHECK_FALSE(store_after("call_kept"));
  CHECK_FALSE(store_after("call_of_another"));
  CHECK(close(run("call_short")));
  CHECK_FALSE(close(run("call_kept")));
  CHECK_FALSE(close(run("call_of_another")));
}

TEST_CASE("wait states: the turns of a loop follow each other") {
  CHECK_FALSE(close(run("distance_loop")));
  CHECK(run("distance_loop_short").total(FindingKind::missing_wait_states) == 2);  // of three turns
}

TEST_CASE("wait states: a later matrix result hides an earlier one in the same registers") {
  CHECK_FALSE(close(run("distance_hidden")));
}

TEST_CASE("wait states: a later matrix result in some of the registers does not hide the others") {
  for (const std::string kernel : {"hidden_begin", "hidden_end"}) {
    CAPTURE(kernel);
    CHECK(close(run(kernel)));
    CHECK_FALSE(close_followers_of(kernel).empty());
  }
}

TEST_CASE("wait states: the longest distance is looked at to its end") {
  CHECK_FALSE(close(run("f64_kept")));
  CHECK(close_followers_of("f64_kept").empty());
  const FindingLog findings = run("f64_short");
  REQUIRE(findings.kept().size() == 1);
  CHECK(contains(findings.kept()[0].line(), "19 wait states are needed between them, and there are 18"));
}

TEST_CASE("wait states: of two paths the shorter one counts, whichever comes first") {
  for (const std::string kernel : {"distance_path", "distance_path_turned"}) {
    CAPTURE(kernel);
    const auto found = close_followers_of(kernel);
    REQUIRE(found.size() == 1);
    CHECK(int{found[0].found} == 2);
  }
}

TEST_CASE("wait states: VGPR indexing decides in a running wave which register is meant") {
  for (const std::string kernel : {"index_reads", "index_writes"}) {
    CAPTURE(kernel);
    CHECK_FALSE(close(run(kernel, 0)));
    CHECK_FALSE(close(run(kernel, 7)));
    CHECK(close(run(kernel, 8)));
    CHECK(close(run(kernel, 11)));
    CHECK_FALSE(close(run(kernel, 12)));
  }
  CHECK(close(run("index_passes", 3)));
  CHECK_FALSE(close(run("index_passes", 4)));
  CHECK(contains(run("index_reads", 8).kept()[0].line(), "v_mov_b32_e32 v2, v16 reads the result of v_mfma"));
  CHECK_FALSE(close(run("index_result", 7)));
  const FindingLog findings = run("index_result", 8);
  REQUIRE(findings.kept().size() == 1);
  CHECK(contains(findings.kept()[0].line(), "reads across lanes the result of v_mov_b32_e32 v16, v2"));
}

TEST_CASE("wait states: a distance that VGPR indexing decides is looked at in waves and not called certain") {
  for (const std::string kernel : {"index_reads", "index_writes", "index_passes", "index_result"}) {
    CAPTURE(kernel);
    const auto found = close_followers_of(kernel);
    CHECK_FALSE(found.empty());
    for (const CloseFollower& close : found) CHECK(close.depends_on_index);
  }
  for (const CloseFollower& close : close_followers_of("distance_short")) CHECK_FALSE(close.depends_on_index);
}

TEST_CASE("waits for loads: VGPR indexing decides in a running wave which register is read") {
  const auto early = [](uint64_t index) {
    return run("index_loads", index).total(FindingKind::early_register_use) != 0;
  };
  CHECK_FALSE(early(7));
  CHECK(early(8));
  CHECK(early(11));
  CHECK_FALSE(early(12));
}

TEST_CASE("wait states: an instruction without lanes leaves nothing to wait for") {
  for (const std::string kernel : {"no_lanes", "no_lanes_behind"}) {
    CAPTURE(kernel);
    CHECK(close_followers_of(kernel).empty());
    CHECK_FALSE(close(run(kernel, 0)));
    CHECK_FALSE(close(run(kernel, 1)));
  }
  for (const std::string kernel : {"lanes_lost", "lanes_passed", "lanes_taken"}) {
    CAPTURE(kernel);
    CHECK(close_followers_of(kernel).size() == 1);
  }
  CHECK(close(run("lanes_lost")));
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
