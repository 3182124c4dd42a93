// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <set>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {

TEST_CASE("DPP: row_shr adds the left neighbour, row_bcast:15 feeds rows 1 and 3 only") {
  Machine machine("registers");
  const uint64_t out = machine.poisoned("out", 512);
  machine.run("dpp_sum", 1, 64, {out});
  const auto words = machine.words(out, 128);
  const auto shifted = [](uint32_t lane) { return lane + 1 + (lane % 16 == 0 ? 0 : lane); };
  for (uint32_t lane = 0; lane < 64; ++lane) {
    CAPTURE(lane);
    CHECK(words[lane] == shifted(lane));
    const bool fed = lane / 16 % 2 == 1;
    CHECK(words[64 + lane] == (fed ? shifted(lane / 16 * 16 - 1) : 0));
  }
}

TEST_CASE("SDWA: selects, sign extension and the three ways to treat the rest of the destination") {
  Machine machine("registers");
  const uint64_t out = machine.poisoned("out", 768);
  machine.run("sdwa_selects", 1, 64, {out});
  const auto words = machine.words(out, 192);
  for (uint32_t lane = 0; lane < 64; ++lane) {
    CAPTURE(lane);
    CHECK(words[3 * lane] == 0xffff90ffu);        // 0x84 + 0x0c in byte 1 of all ones
    CHECK(words[3 * lane + 1] == 0x00000e91u);    // sext(0x83) + 0x0f0e, low word, positive
    CHECK(words[3 * lane + 2] == (0x828d0000u));  // word 0 | byte 1 in word 1
  }
}

TEST_CASE("VGPR indexing: M0 is added to the operands that the mode names") {
  Machine machine("registers");
  const uint64_t out = machine.poisoned("out", 1024);
  machine.run("gpr_indexing", 1, 64, {out});
  const auto words = machine.words(out, 256);
  for (uint32_t lane = 0; lane < 64; ++lane) {
    CAPTURE(lane);
    CHECK(words[4 * lane] == 102);      // v10 + 2
    CHECK(words[4 * lane + 1] == 103);  // v10 + 3
    CHECK(words[4 * lane + 2] == 7);    // v3 + 3 as destination
    CHECK(words[4 * lane + 3] == 100);  // off again
  }
}

TEST_CASE("hardware registers: MODE, XCC_ID = workgroup mod 8, the aperture bases") {
  Machine machine("registers");
  const uint64_t out = machine.poisoned("out", 20 * 16);
  machine.run("hardware_registers", 20, 64, {out});
  const auto words = machine.words(out, 80);
  for (uint32_t workgroup = 0; workgroup < 20; ++workgroup) {
    CAPTURE(workgroup);
    CHECK(words[4 * workgroup] == 0x3f0);
    CHECK(words[4 * workgroup + 1] == 0x3c0);
    CHECK(words[4 * workgroup + 2] == workgroup % 8);
    CHECK(words[4 * workgroup + 3] == 0x00010002);
  }
}

TEST_CASE("registers without a defined value hold a recognisable pattern that depends on the seed") {
  std::set<uint32_t> seen;
  for (const uint64_t seed : {1, 2}) {
    Machine machine("registers");
    const uint64_t out = machine.poisoned("out", 512);
    ExecuteOptions options;
    options.register_seed = seed;
    machine.run("undefined_registers", 1, 64, {out}, options);
    const auto words = machine.words(out, 128);
    for (const uint32_t word : words) CHECK((word >> 16) == 0x7fa5);
    for (uint32_t lane = 0; lane < 64; ++lane) seen.insert(words[2 * lane]);
    CHECK(words[1] == words[3]);  // an SGPR is one value
  }
  CHECK(seen.size() > 100);
}

TEST_CASE("s_trap stops the run with an error that names the workgroup") {
  Machine machine("registers");
  const std::string text = machine.error_of("trap", 5, 64, {});
  INFO(text);
  CHECK(contains(text, "s_trap 2"));
  CHECK(contains(text, "workgroup 3"));
}

TEST_CASE("what cannot be executed names pc, dwords and text; nothing is skipped silently") {
  Machine machine("registers");
  const std::string missing = machine.error_of("missing_row", 1, 64, {});
  INFO(missing);
  for (const char* part : {"not implemented", "pc 0x", "bf910001", "s_sendmsghalt"})
    CHECK(contains(missing, part));
  const std::string bad = machine.error_of("no_instruction", 1, 64, {});
  INFO(bad);
  for (const char* part : {"no gfx950 instruction", "pc 0x", "f4000000"}) CHECK(contains(bad, part));
  const std::string past = machine.error_of("last_kernel", 1, 64, {});
  INFO(past);
  CHECK((contains(past, "past the end of the code") || contains(past, "no gfx950 instruction")));
}

TEST_CASE("MODE can be overridden for a launch") {
  Machine machine("registers");
  const uint64_t out = machine.poisoned("out", 16);
  ExecuteOptions options;
  options.mode_bits = 0x3f5;
  machine.run("hardware_registers", 1, 64, {out}, options);
  CHECK(machine.words(out, 2) == std::vector<uint32_t>{0x3f5, 0x3c5});
}

}  // namespace wavetwin::isa
