// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "sim/core/error.h"
#include "sim/isa/environment.h"
#include "sim/isa/exec.h"
#include "sim/isa/rows.h"
#include "sim/isa/wave_state.h"
#include "tests/isa/scalar/encode_scalar.h"
#include "tests/isa/tested_rows.h"
#include "tests/oracle/salu_memory/scalar_oracle.h"

namespace wavetwin::isa {
namespace {

// Edge values of both widths, then random ones of random length.
std::vector<uint64_t> operands(uint64_t seed) {
  std::vector<uint64_t> values{0, 1, 2, 15, 16, 31, 32, 63, 64, 0x7f, 0x80, 0x7fff, 0x8000, 0x10000};
  for (const uint64_t v : {0x7fffffffu, 0x80000000u, 0xffffffffu, 0xfffffffeu, 0x00080004u, 0x00200000u,
                           0x00210000u, 0x001f0001u}) {
    values.push_back(v);
  }
  for (const uint64_t v : {0x100000000u, 0x7fffffffffffffffu, 0x8000000000000000u, 0xffffffffffffffffu})
    values.push_back(v);
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < 12; ++i) values.push_back(random() >> random() % 64);
  return values;
}

uint64_t result_of(const WaveState& state, const Row& row) {
  return operand_dwords(row.dst[0]) == 2 ? state.pair(kD) : state.scalar[kD];
}

// Compares one execution with the oracle; false when they differ.
bool check_one(const Row& row, uint64_t s0, uint64_t s1, uint16_t simm16, bool scc, uint64_t exec) {
  const Instruction in = decode_tested(encode_scalar(row, simm16));
  WaveState state;
  Environment env;
  const Program no_program;
  env.program = &no_program;
  state.env = &env;
  state.set_pair(kS0, s0);
  state.set_pair(kS1, s1);
  const uint64_t old = 0x0123456789abcdefu;
  state.set_pair(kD, old);
  state.scc = scc;
  state.set_exec(exec);
  reference::ScalarState before{operand_dwords(row.dst[0]) == 2 ? old : old & 0xffffffffu, scc, exec};
  const auto after = reference::scalar_oracle(std::string(row.name), s0, s1, simm16, before);
  try {
    execute_function(in)(state, in);
  } catch (const Error& error) {
    FAIL_CHECK(row.name << ": " << error.what());
    return false;
  }
  const bool has_result = row.dst[0] != NONE;
  const bool same = state.scc == after->scc && state.exec() == after->exec &&
                    (!has_result || result_of(state, row) == after->d);
  if (!same) {
    FAIL_CHECK(fmt::format(
        "{} s0={:#x} s1={:#x} simm16={:#x} scc={} exec={:#x}: got d={:#x} scc={} exec={:#x}, want "
        "d={:#x} scc={} exec={:#x}",
        row.name, s0, s1, simm16, scc, exec, has_result ? result_of(state, row) : 0, state.scc, state.exec(),
        after->d, after->scc, after->exec));
  }
  // Nothing else may change.
  CHECK(state.pair(kS0) == s0);
  CHECK(state.pair(kS1) == s1);
  if (has_result && operand_dwords(row.dst[0]) == 1) CHECK(state.scalar[kD + 1] == old >> 32);
  return same;
}

bool scalar_alu(const Row& row) {
  const bool format = row.format == Format::sop1 || row.format == Format::sop2 ||
                      row.format == Format::sopc || row.format == Format::sopk;
  return format && row.implemented;
}

}  // namespace

TEST_CASE("scalar ALU: every row agrees with the oracle on edge and random operands, SCC and EXEC") {
  const uint64_t seed = 11;
  MESSAGE("seed ", seed);
  const std::vector<uint64_t> values = operands(seed);
  unsigned rows_tested = 0;
  for (const Row& row : rows()) {
    if (!scalar_alu(row)) continue;
    // control_rows_test.cpp has the rest.
    if (!reference::scalar_oracle(std::string(row.name), 0, 0, 0, {})) continue;
    ++rows_tested;
    bool same = true;
    for (size_t i = 0; same && i < values.size(); ++i) {
      for (size_t j = 0; same && j < values.size(); ++j) {
        const bool scc = (i + j) % 2;
        const auto simm16 = static_cast<uint16_t>(values[j] ^ values[j] >> 16);
        same = check_one(row, values[i], values[j], simm16, scc, values[(i + 2 * j) % values.size()]);
      }
    }
  }
  CHECK(rows_tested > 120);
}

TEST_CASE(
    "relative SGPR moves add M0 to the register number; where there is none, s0 is read and nothing "
    "written") {
  WaveState state;
  for (unsigned s = 0; s < kSgprCount; ++s) state.scalar[s] = 100 + s;
  state.scalar[kM0] = 10;
  const auto run = [&](uint32_t dword) {
    const Instruction in = decode_tested(std::vector<uint32_t>{dword});
    execute_function(in)(state, in);
  };
  run(0xbe800000u | 50 << 16 | 0x2a << 8 | 4);  // s_movrels_b32 s50, s4
  CHECK(state.scalar[50] == 114);
  run(0xbe800000u | 52 << 16 | 0x2b << 8 | 4);  // s_movrels_b64 s[52:53], s[4:5]
  CHECK(state.scalar[52] == 114);
  CHECK(state.scalar[53] == 115);
  run(0xbe800000u | 60 << 16 | 0x2c << 8 | 4);  // s_movreld_b32 s60, s4
  CHECK(state.scalar[70] == 104);
  run(0xbe800000u | 62 << 16 | 0x2d << 8 | 4);  // s_movreld_b64 s[62:63], s[4:5]
  CHECK(state.scalar[72] == 104);
  CHECK(state.scalar[73] == 105);
  state.scalar[kM0] = 97;  // the last one
  run(0xbe800000u | 50 << 16 | 0x2a << 8 | 4);
  CHECK(state.scalar[50] == 201);
  for (const uint32_t m0 : {98u, 100u, 0xfffffffeu}) {  // an unsigned index, which does not come round
    CAPTURE(m0);
    state.scalar[kM0] = m0;
    state.scalar[50] = state.scalar[52] = state.scalar[53] = 1;
    run(0xbe800000u | 50 << 16 | 0x2a << 8 | 4);
    CHECK(state.scalar[50] == 100);
    run(0xbe800000u | 52 << 16 | 0x2b << 8 | 4);
    CHECK(state.scalar[52] == 100);
    CHECK(state.scalar[53] == 101);
    const auto before = state.scalar;
    run(0xbe800000u | 60 << 16 | 0x2c << 8 | 4);
    run(0xbe800000u | 62 << 16 | 0x2d << 8 | 4);
    CHECK(state.scalar == before);
  }
}

TEST_CASE("trap temporaries: without a handler writes are ignored and reads give 0; SCC is written") {
  // Guide 3.10. Codes 108..123.
  for (unsigned code = 108; code < 124; ++code) {
    CAPTURE(code);
    WaveState state;
    for (unsigned s = 0; s < kSgprCount; ++s) state.scalar[s] = 100 + s;
    const auto run = [&](uint32_t dword) {
      const Instruction in = decode_tested(std::vector<uint32_t>{dword});
      execute_function(in)(state, in);
    };
    const auto before = state.scalar;
    run(0xbe800000u | code << 16 | 4);  // s_mov_b32 ttmp, s4
    CHECK(state.scalar == before);
    run(0xb0000000u | code << 16 | 77);  // s_movk_i32 ttmp, 77
    CHECK(state.scalar == before);
    state.scc = false;
    run(0x80000000u | code << 16 | 5 << 8 | 193);  // s_add_u32 ttmp, -1, s5
    CHECK(state.scalar == before);
    CHECK(state.scc);
    if (code % 2 == 0) run(0xbe800000u | 1 << 8 | code << 16 | 4);  // s_mov_b64 ttmp, s[4:5]
    CHECK(state.scalar == before);
    run(0xbe800000u | 50 << 16 | code);  // s_mov_b32 s50, ttmp
    CHECK(state.scalar[50] == 0);
    if (code % 2 == 0) run(0xbe800000u | 1 << 8 | 52 << 16 | code);  // s_mov_b64 s[52:53], ttmp
    CHECK(state.pair(52) == (code % 2 == 0 ? 0 : uint64_t{153} << 32 | 152));
  }
}

TEST_CASE("inline constants and literals: 64-bit literals are zero-extended, small integers sign-extended") {
  WaveState state;
  const auto run = [&](std::vector<uint32_t> dwords) {
    const Instruction in = decode_tested(dwords);
    execute_function(in)(state, in);
    return state.pair(8);
  };
  CHECK(run({0xbe8801ffu, 0xdeadbeefu}) == 0xdeadbeefu);  // s_mov_b64 s[8:9], 0xdeadbeef
  CHECK(run({0xbe8801c1u}) == ~uint64_t{0});              // s_mov_b64 s[8:9], -1
  CHECK(run({0xbe8801f2u}) == 0x3ff0000000000000u);       // s_mov_b64 s[8:9], 1.0: LLVM reads it as f64
}

}  // namespace wavetwin::isa
