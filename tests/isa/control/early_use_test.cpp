// SPDX-License-Identifier: MIT
// A load's register read, or overwritten, before the s_waitcnt that covers the load (CDNA4 ISA guide 4.4).
#include <doctest/doctest.h>

#include "sim/isa/load_hazards.h"
#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

std::vector<std::string> early_uses(const std::string& kernel) {
  Machine machine("early_use");
  const uint64_t in = machine.zeroed("in", 512), out = machine.poisoned("out", 512);
  const ExecuteReport report = machine.run(kernel, 1, 64, {in, out});
  std::vector<std::string> lines;
  for (const Finding& finding : report.dispatch.findings.kept()) {
    if (finding.kind == FindingKind::early_register_use) lines.push_back(finding.line());
  }
  return lines;
}

}  // namespace

TEST_CASE("loads of every kind used before their wait are found, with the load's pc and the use's") {
  struct Mistake {
    const char *kernel, *load, *use;
  };
  const Mistake mistakes[] = {{"use_global", "global_load_dword v2", "v_add_u32"},
                              {"use_global_partly_waited", "global_load_dword v4", "v_add_u32"},
                              {"use_scalar", "s_load_dword s8", "v_mov_b32"},
                              {"use_lds", "ds_read_b32 v2", "v_mov_b32"},
                              {"use_as_address", "global_load_dword v2", "global_load_dword v3"},
                              {"use_store_data", "global_load_dword v2", "global_store_dword"},
                              {"overwrite", "global_load_dword v3", "v_mov_b32"},
                              {"use_in_loop", "global_load_dword v2", "v_add_u32"},
                              {"use_flat", "flat_load_dword v2", "v_add_u32"},
                              {"use_flat_only_vm_waited", "flat_load_dword v2", "v_add_u32"},
                              {"use_flat_only_lgkm_waited", "flat_load_dword v2", "v_add_u32"},
                              {"use_flat_counted_down", "flat_load_dword v2", "v_add_u32"},
                              {"use_lds_behind_scalar", "ds_read_b32 v2", "v_mov_b32"},
                              {"use_global_behind_flat", "global_load_dword v4", "v_mov_b32"},
                              {"use_second_dword", "global_load_dwordx2 v[4:5]", "v_add_u32"},
                              {"use_in_tuple", "global_load_dword v5", "v_lshlrev_b64"},
                              {"overwrite_by_carry", "s_load_dword s9", "v_add_co_u32"},
                              {"use_of_twenty", "global_load_dword v2", "v_add_u32"},
                              {"global_over_lds", "ds_read_b32 v3", "in global_load_dword v3"},
                              {"lds_over_global", "global_load_dword v3", "in ds_read_b32 v3"},
                              {"lds_over_global_wide", "global_load_dwordx2 v[4:5]", "in ds_read_b32 v5"},
                              {"global_over_flat", "flat_load_dword v2", "in global_load_dword v2"},
                              {"flat_over_flat", "flat_load_dword v2", "in flat_load_dword v2"},
                              {"scalar_over_scalar", "s_load_dword s8", "in s_load_dword s8"}};
  for (const Mistake& m : mistakes) {
    CAPTURE(m.kernel);
    const auto lines = early_uses(m.kernel);
    REQUIRE(lines.size() == 1);
    INFO(lines[0]);
    CHECK(contains(lines[0], m.load));
    CHECK(contains(lines[0], m.use));
    CHECK(contains(lines[0], "at pc 0x"));
  }
}

TEST_CASE("waits that cover, loads in order and paths not taken are no findings") {
  for (const char* kernel :
       {"waited", "flat_waited", "lds_behind_lds", "waited_of_twenty", "buffer_over_global"}) {
    CAPTURE(kernel);
    CHECK(early_uses(kernel).empty());
  }
  CHECK(early_uses("use_on_dead_path").empty());
  for (const std::string& line : early_uses("lds_over_lds")) CHECK_FALSE(contains(line, ", in ds_read_b32"));
}

TEST_CASE("with threadgroup split FLAT loads are in order with global ones") {
  CHECK(early_uses("flat_and_global_split").empty());
}

TEST_CASE("what the compiler and the other hand-written kernels wait for needs no watching") {
  for (const char* object : {"memory", "registers", "sync", "valu_mix", "control", "livelock"}) {
    CAPTURE(object);
    Machine machine(object);
    const auto loads = unwaited_operations(ProgramPaths(machine.executable().program())).loads;
    for (const uint32_t load : loads)
      FAIL_CHECK(hex_address("watched load at", machine.executable().program().instructions[load].pc));
    CHECK(machine.executable().watched_lds().empty());
  }
  for (const char* object : {"language.co", "gemm_fp8.co"}) {
    CAPTURE(object);
    const Machine machine(std::string(HIP_DIR) + object);
    CHECK(machine.executable().watched_loads().empty());
    CHECK(machine.executable().watched_lds().empty());
  }
}

}  // namespace wavetwin::isa
