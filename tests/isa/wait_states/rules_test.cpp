// SPDX-License-Identifier: MIT
// Every rule of wait_rules.h against LLVM 22. llvm_needs.txt holds instructions in the assembler's and in the
// machine-code language of LLVM, and for pairs of them the wait states that its post-RA hazard recognizer
// puts between them for gfx950; the last test asks it again.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "sim/isa/decode.h"
#include "sim/isa/wait_rules.h"
#include "tests/isa/decode/llvm_tools.h"

namespace wavetwin::isa {
namespace {

struct Text {
  std::string assembly, machine_code;
};
struct Need {
  std::string first, second;
  unsigned states;
};
struct Needs {
  std::map<std::string, Text> first, second;
  std::vector<Need> pairs;
};

Needs read_needs() {
  std::ifstream file(NEEDS);
  REQUIRE(file);
  Needs needs;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, '\t');) fields.push_back(field);
    REQUIRE_MESSAGE(fields.size() == 4, line);
    if (fields[0] == "need") {
      needs.pairs.push_back({fields[1], fields[2], static_cast<unsigned>(std::stoul(fields[3]))});
    } else {
      (fields[0] == "first" ? needs.first : needs.second)[fields[1]] = {fields[2], fields[3]};
    }
  }
  return needs;
}

std::map<std::string, Instruction> assembled(const std::map<std::string, Text>& texts) {
  std::vector<std::string> lines;
  for (const auto& [name, text] : texts) lines.push_back(text.assembly);
  const auto words = llvm_tools::assemble(lines);
  std::map<std::string, Instruction> result;
  size_t i = 0;
  for (const auto& [name, text] : texts) {
    REQUIRE_MESSAGE(words[i].has_value(), text.assembly);
    result[name] = decode(*words[i++], 0);
  }
  return result;
}

// What is left of LLVM's wait states without those that are artefacts of its representation.
unsigned without_artefacts(const Need& pair) {
  const auto starts = [](const std::string& name, std::initializer_list<const char*> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](const char* p) { return name.starts_with(p); });
  };
  // The old destination of DPP is an operand of its instruction; the hardware does not read it across lanes.
  // What remains is that a register is written that was partly written before.
  const bool vector = starts(pair.first, {"mov", "exp", "rcp", "rsq", "sdwa", "mix", "cvt", "swap", "load"});
  if (pair.second == "dpp_old" && vector)
    return starts(pair.first, {"sdwa_byte", "sdwa_word", "cvt_pk_fp8_hi"}) ? 1 : 0;
  // It takes any instruction that defines the register for one of the vector ALU; a load has been waited for.
  if (pair.first == "load_v0" && starts(pair.second, {"dpp"})) return 0;
  // For XNACK replay it separates memory instructions of which one uses what another loads.
  if (pair.first == "load_v0" && starts(pair.second, {"store", "lds_dma"})) return 0;
  // It takes op_sel_hi of the first source of packed instructions for op_sel of the destination.
  if (pair.first == "dot2" && pair.states == 1) return 0;
  // EXEC is an operand of its memory instructions, a scalar one that v_cmpx has written; the guide's rule is
  // about the SGPRs of addresses.
  if ((pair.first == "cmpx" || pair.first.find("_exec") != std::string::npos) &&
      starts(pair.second, {"load", "store", "lds_dma", "global_", "buffer_"}))
    return 0;
  // A carry may be taken at once (guide 4.5, table 11).
  if (starts(pair.second, {"addc"}) &&
      starts(pair.first, {"cmp", "add_co", "mad_u64", "readlane_vcc", "sdwa_co"}))
    return 0;
  return pair.states;
}

unsigned need(const std::string& first, const std::string& second) {
  const auto words = llvm_tools::assemble({first, second});
  REQUIRE((words[0] && words[1]));
  return wait_need(decode(*words[0], 0), decode(*words[1], 0)).states;
}

}  // namespace

TEST_CASE("wait states: every pair of instructions needs what LLVM 22 puts between them") {
  const Needs needs = read_needs();
  const auto first = assembled(needs.first), second = assembled(needs.second);
  std::set<WaitRule> rules;
  for (const Need& pair : needs.pairs) {
    const WaitNeed need = wait_need(first.at(pair.first), second.at(pair.second));
    rules.insert(need.rule);
    CAPTURE(needs.first.at(pair.first).assembly);
    CAPTURE(needs.second.at(pair.second).assembly);
    const std::string rule = wait_rule_name(need.rule);
    CAPTURE(rule);
    CHECK(unsigned{need.states} == without_artefacts(pair));
    CHECK(need.states <= most_wait_states_after(first.at(pair.first)));
  }
  CHECK(needs.pairs.size() > 3000);
  // The rules that LLVM does not have are tested below.
  for (int rule = 0; rule <= static_cast<int>(WaitRule::vector_skip); ++rule) {
    const auto r = static_cast<WaitRule>(rule);
    if (r == WaitRule::vector_skip || r == WaitRule::condition_zero) continue;
    CHECK_MESSAGE(rules.contains(r), wait_rule_name(r));
  }
}

TEST_CASE("wait states: vector skip, VCCZ and EXECZ, which no compiler uses") {
  for (const std::string second :
       {"v_mov_b32_e32 v0, v1", "ds_read_b32 v0, v1", "global_load_dword v0, v[2:3], off",
        "v_mfma_f32_4x4x1_16b_f32 v[0:3], v4, v5, v[0:3]"}) {
    CAPTURE(second);
    CHECK(need("s_setvskip s0, 1", second) == 2);
    CHECK(need("s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s0", second) == 2);
    CHECK(need("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 32), 5", second) == 2);
    CHECK(need("s_setreg_b32 hwreg(HW_REG_MODE, 0, 28), s0", second) == 0);
    CHECK(need("s_setreg_b32 hwreg(HW_REG_MODE, 29, 1), s0", second) == 0);
  }
  CHECK(need("s_setvskip s0, 1", "s_mov_b32 s0, s1") == 0);
  CHECK(need("s_setvskip s0, 1", "s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)") == 2);
  CHECK(need("s_setvskip s0, 1", "s_getreg_b32 s0, hwreg(HW_REG_STATUS)") == 0);
  CHECK(need("v_cmp_eq_u32_e32 vcc, v0, v1", "v_mov_b32_e32 v2, src_vccz") == 5);
  CHECK(need("v_cmp_eq_u32_e64 s[2:3], v0, v1", "v_mov_b32_e32 v2, src_vccz") == 0);
  CHECK(need("v_cmpx_eq_u32_e64 s[2:3], v0, v1", "v_mov_b32_e32 v2, src_execz") == 5);
  CHECK(need("v_cmp_eq_u32_e64 s[2:3], v0, v1", "v_mov_b32_e32 v2, src_execz") == 0);
  CHECK(need("v_cmp_eq_u32_e64 exec, v0, v1", "v_mov_b32_e32 v2, src_execz") == 5);
  CHECK(need("v_readfirstlane_b32 exec_hi, v0", "v_mov_b32_e32 v2, src_execz") == 5);
  CHECK(need("v_add_co_u32_e64 v0, exec, v1, v2", "v_mov_b32_e32 v3, src_execz") == 5);
  CHECK(need("v_add_co_u32_e64 v0, exec, v1, v2", "v_readfirstlane_b32 s0, v3") == 4);
}

TEST_CASE("wait states: a carry may be taken at once, but not read as a constant") {
  for (const std::string name : {"v_addc_co_u32_e64", "v_subb_co_u32_e64", "v_subbrev_co_u32_e64"}) {
    CAPTURE(name);
    CHECK(need("v_add_co_u32_e32 v0, vcc, v1, v2", name + " v3, vcc, v4, v5, vcc") == 0);
    CHECK(need("v_add_co_u32_e64 v0, s[2:3], v1, v2", name + " v3, vcc, v4, v5, s[2:3]") == 0);
    CHECK(need("v_readfirstlane_b32 vcc_lo, v0", name + " v3, vcc, v4, v5, vcc") == 0);
  }
  // v_addc_co_u32_e32 v3, vcc, vcc_lo, v5, vcc, which the assembler refuses.
  const Instruction both = decode(std::vector<uint32_t>{0x38060a6a}, 0);
  const auto carry = llvm_tools::assemble({"v_add_co_u32_e32 v0, vcc, v1, v2"});
  CHECK(int{wait_need(decode(*carry[0], 0), both).states} == 2);
  CHECK(need("v_add_co_u32_e32 v0, vcc, v1, v2", "v_cndmask_b32_e32 v3, v4, v5, vcc") == 2);
  CHECK(need("v_readfirstlane_b32 s2, v0", "v_subrev_u32_e32 v3, s2, v5") == 2);
  CHECK(need("v_add_co_u32_e32 v0, vcc, v1, v2", "v_subrev_co_u32_e32 v3, vcc, vcc_hi, v5") == 2);
}

TEST_CASE("wait states: an instruction is worth one, s_nop its immediate more") {
  const auto words =
      llvm_tools::assemble({"s_nop 0", "s_nop 7", "s_nop 15", "v_mov_b32_e32 v0, 0", "s_waitcnt 0"});
  const unsigned expected[] = {1, 8, 16, 1, 1};
  for (size_t i = 0; i < words.size(); ++i) CHECK(wait_states_of(decode(*words[i], 0)) == expected[i]);
}

TEST_CASE("wait states: LLVM 22's recognizer says what the file says") {
  const Needs needs = read_needs();
  const std::string input = SCRATCH "/pairs.mir", output = SCRATCH "/pairs.out.mir";
  {
    std::ofstream file(input);
    for (size_t i = 0; i < needs.pairs.size(); ++i) {
      file << fmt::format("---\nname: f{}\nbody: |\n  bb.0:\n    {}\n    {}\n    S_ENDPGM 0\n...\n", i,
                          needs.first.at(needs.pairs[i].first).machine_code,
                          needs.second.at(needs.pairs[i].second).machine_code);
    }
  }
  const std::string command = fmt::format(
      "'{}' -mtriple=amdgcn -mcpu=gfx950 -run-pass post-RA-hazard-rec '{}' -o '{}'", LLC, input, output);
  REQUIRE_MESSAGE(std::system(command.c_str()) == 0, command);
  std::ifstream file(output);
  std::map<size_t, unsigned> inserted;
  size_t function = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("name:")) {
      function = std::stoul(line.substr(line.find('f') + 1));
      inserted[function] = 0;
    }
    const size_t nop = line.find("S_NOP ");
    if (nop != std::string::npos)
      inserted[function] += 1 + static_cast<unsigned>(std::stoul(line.substr(nop + 6)));
  }
  REQUIRE(inserted.size() == needs.pairs.size());
  for (size_t i = 0; i < needs.pairs.size(); ++i) {
    CAPTURE(needs.pairs[i].first);
    CAPTURE(needs.pairs[i].second);
    CHECK(inserted.at(i) == needs.pairs[i].states);
  }
}

}  // namespace wavetwin::isa
