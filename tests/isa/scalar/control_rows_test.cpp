// SPDX-License-Identifier: MIT
// Rows that the scalar oracle does not cover: branches, calls, forks, indexing, MODE, the end of a turn. Each
// is executed in the middle of a program, and the whole scalar state is compared.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "sim/core/error.h"
#include "sim/isa/environment.h"
#include "sim/isa/exec.h"
#include "sim/isa/rows.h"
#include "tests/isa/scalar/encode_scalar.h"
#include "tests/isa/tested_rows.h"
#include "tests/oracle/salu_memory/control_oracle.h"
#include "tests/oracle/salu_memory/scalar_oracle.h"

namespace wavetwin::isa {
namespace {

using reference::ControlState;
using reference::ControlStop;

constexpr uint64_t kBase = 0x1000, kLoad = 0x7f0000000000;
constexpr unsigned kDwords = 64, kPlace = 20;  // the tested instruction
constexpr uint64_t kFirst = kLoad + kBase, kLast = kFirst + 4 * kDwords;

// A program of s_nop with one other instruction in it.
Program program_with(const std::vector<uint32_t>& code) {
  std::vector<uint32_t> dwords(kDwords, 0xbf800000u);
  std::copy(code.begin(), code.end(), dwords.begin() + kPlace);
  return decode_program(dwords, kBase);
}

struct Run {
  ControlState after;
  std::string error;
};

ControlStop stop_of(Stop reason) {
  switch (reason) {
    case Stop::end:
      return ControlStop::end;
    case Stop::barrier:
      return ControlStop::barrier;
    case Stop::sleep:
      return ControlStop::sleep;
    default:
      return ControlStop::none;
  }
}

Run execute(const Program& program, const ControlState& before) {
  WaveState state;
  Environment env;
  state.env = &env;
  env.program = &program;
  env.load_address = kLoad;
  for (unsigned i = 0; i < before.s.size(); ++i) state.scalar[i] = before.s[i];
  state.scc = before.scc;
  state.mode.bits = before.mode;
  if (state.mode.gpr_idx_en()) state.attention |= kAttentionGprIndex;
  if (state.mode.vskip()) state.attention |= kAttentionVskip;
  const Instruction in = TestedRows::instance().executed(program.instructions[kPlace]);
  state.next = kPlace + 1;
  Run run;
  try {
    execute_function(in)(state, in);
  } catch (const Error& error) {
    run.after.stop = ControlStop::error;
    run.error = error.what();
    return run;
  }
  for (unsigned i = 0; i < before.s.size(); ++i) run.after.s[i] = state.scalar[i];
  run.after.scc = state.scc;
  run.after.mode = state.mode.bits;
  run.after.next = kLoad + program.instructions[state.next].pc;
  run.after.stop = stop_of(env.reason);
  // What the instruction loop is told of MODE.
  CHECK(((state.attention & kAttentionGprIndex) != 0) == state.mode.gpr_idx_en());
  CHECK(((state.attention & kAttentionVskip) != 0) == state.mode.vskip());
  return run;
}

ControlState random_state(std::mt19937_64& random, const Program& program) {
  ControlState state;
  for (uint32_t& word : state.s) word = static_cast<uint32_t>(random() >> 7);
  // Addresses in the program, small indices, EXEC and VCC that are zero now and then.
  const auto address = [&] { return kFirst + 4 * (random() % kDwords); };
  if (random() % 4) state.set_pair(4, address());
  if (random() % 4) state.set_pair(6, address());
  for (unsigned entry = 0; entry < 6; ++entry) {
    if (entry != 1 && entry != 2) state.set_pair(4 * entry + 2, address());
  }
  if (random() % 3 == 0) state.s[4] = static_cast<uint32_t>(random() % 8);
  if (random() % 8) state.s[124] = static_cast<uint32_t>(random() % 90);
  if (random() % 2) state.set_pair(106, 0);
  if (random() % 3 == 0) state.set_pair(126, random() % 2 ? 0 : random() & state.pair(4));
  state.scc = random() % 2;
  state.mode = 0x3f0 | static_cast<uint32_t>(random() % 32) << 27;
  state.next = kLoad + program.instructions[kPlace].pc + program.instructions[kPlace].size;
  return state;
}

uint16_t random_immediate(const Row& row, std::mt19937_64& random) {
  const bool reg = row.src[0] == HWREG;
  if (row.format == Format::sopp && row.src[0] == NONE) return 0;
  if (!reg) return random() % 4 ? static_cast<uint16_t>(random() % 32 - 16) : static_cast<uint16_t>(random());
  const unsigned offset = random() % 32, size = random() % (32 - offset);
  return static_cast<uint16_t>(1 | offset << 6 | size << 11);
}

// False at the first difference.
bool check_row(const Row& row, std::mt19937_64& random) {
  const std::string name(row.name);
  const uint16_t simm16 = random_immediate(row, random);
  std::vector<uint32_t> code = encode_scalar(row, simm16);
  if (name == "S_SETREG_IMM32_B32") code.push_back(0x9abcdef0);
  const Program program = program_with(code);
  const ControlState before = random_state(random, program);
  const auto want = reference::control_oracle(name, simm16, before, kFirst, kLast);
  REQUIRE_MESSAGE(want.has_value(), name);
  const Run run = execute(program, before);
  const ControlState& got = run.after;
  bool same = got.stop == want->stop;
  if (want->stop != ControlStop::error) {
    same =
        same && got.s == want->s && got.scc == want->scc && got.mode == want->mode && got.next == want->next;
  }
  if (same) return true;
  unsigned r = 0;
  while (r < 127 && got.s[r] == want->s[r]) ++r;
  FAIL_CHECK(fmt::format(
      "{} simm16={:#x} s0={:#x} m0={:#x} exec={:#x}: stop {} want {}, next {:#x} want {:#x}, mode {:#x} want "
      "{:#x}, s{} {:#x} want {:#x} {}",
      name, simm16, before.pair(4), before.s[124], before.pair(126), static_cast<int>(got.stop),
      static_cast<int>(want->stop), got.next, want->next, got.mode, want->mode, r, got.s[r], want->s[r],
      run.error));
  return false;
}

}  // namespace

TEST_CASE("control: every scalar row outside the scalar oracle steers, indexes and stops as the guide says") {
  const uint64_t seed = 12;
  MESSAGE("seed ", seed);
  std::mt19937_64 random(seed);
  unsigned rows_tested = 0;
  for (const Row& row : rows()) {
    if (row.format > Format::sopp || !row.implemented) continue;
    if (reference::scalar_oracle(std::string(row.name), 0, 0, 0, {})) continue;
    ++rows_tested;
    for (unsigned i = 0; i < 400; ++i) {
      if (!check_row(row, random)) break;
    }
  }
  CHECK(rows_tested > 40);
}

}  // namespace wavetwin::isa
