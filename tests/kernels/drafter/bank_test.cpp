// SPDX-License-Identifier: MIT
// LDS bank conflicts of the drafter's swizzled tiles, as common/kernels/drafter.md states them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "common/kernels/drafter.h"
#include "golden/layout/bank_model.h"

namespace wavetwin::drafter {
namespace {

// One kind of access: row and word of a tile that thread tid starts at, in its instruction `part`.
struct Access {
  const char* what;
  const char* instruction;
  uint32_t words;  // a lane
  uint32_t waves;  // that do it
  uint32_t parts;  // instructions of a wave and block
  std::array<uint32_t, 2> (*at)(uint32_t tid, uint32_t part);
};
const Access kAccesses[] = {
    {"K operand of the scores", "ds_read_b128", 4, kRows, 16,
     [](uint32_t tid, uint32_t part) {
       return std::array{16 * (part / 2) + tid % 16, 4 * (tid % 64 / 16) + 16 * (part % 2)};
     }},
    {"V operand of the output", "ds_read_b128", 4, kRows, 16,
     [](uint32_t tid, uint32_t part) {
       return std::array{16 * (part / 2) + tid % 16, 8 * (tid % 64 / 16) + 4 * (part % 2)};
     }},
    {"K of a block", "ds_write_b128", 4, kWaves, 2,
     [](uint32_t tid, uint32_t part) {
       return std::array{tid / 4, tid % 4 * 8 + 4 * part};
     }},
    {"V of a block, transposed", "ds_write_b32", 1, kWaves, 8,
     [](uint32_t tid, uint32_t part) {
       return std::array{tid % 16 * 8 + part, tv_word(tid / 16 * 4)};
     }},
    // 112 rows, four neighbours an instruction; dealt to 7 waves here, to 8 in three and a half rounds there.
    {"q rows", "ds_write_b32", 1, kRows, 8,
     [](uint32_t tid, uint32_t part) {
       return std::array{tid / 16 + 28 * (part / 2), (dims_a(tid) + kDimsB * (part % 2)) / 4};
     }},
};

// Cycles of a whole block, over its waves.
struct Cycles {
  uint32_t one = 0;  // the most of an instruction
  uint32_t all = 0;
};
// Cycles of an instruction without conflicts: its groups of lanes.
uint32_t least_cycles(const Access& access) {
  return static_cast<uint32_t>(
      golden::lanes_of(golden::find_lds_instruction(access.instruction).groups).size());
}
template <class Word>
Cycles cycles_of(const Access& access, Word word) {
  Cycles cycles;
  for (uint32_t wave = 0; wave < access.waves; ++wave) {
    for (uint32_t part = 0; part < access.parts; ++part) {
      golden::LaneAddresses addresses;
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        const auto [row, first] = access.at(wave * kLanes + lane, part);
        REQUIRE(row < kBlock);
        REQUIRE(first + access.words <= kTileRow);
        addresses.push_back(4 * word(row, first));
      }
      const uint32_t one =
          golden::bank_use(golden::find_lds_instruction(access.instruction), addresses).cycles();
      cycles.one = std::max(cycles.one, one);
      cycles.all += one;
    }
  }
  return cycles;
}
Cycles swizzled(const Access& access) {
  return cycles_of(access, [](uint32_t r, uint32_t w) { return tw(0u, r, w); });
}
Cycles unswizzled(const Access& access) {
  return cycles_of(access, [](uint32_t r, uint32_t w) { return r * kTileRow + w; });
}

std::vector<std::string> table() {
  std::vector<std::string> lines;
  uint32_t with = 0, without = 0, least = 0;
  for (const Access& access : kAccesses) {
    const Cycles s = swizzled(access), u = unswizzled(access);
    const uint32_t times = access.waves * access.parts;
    lines.push_back(fmt::format("| {} | {} | {} | {} | {} | {} |", access.what, access.instruction, times,
                                s.one, u.one, least_cycles(access)));
    if (&access == std::end(kAccesses) - 1) break;  // q rows are stored once a launch
    with += s.all;
    without += u.all;
    least += times * least_cycles(access);
  }
  lines.push_back(
      fmt::format("| K and V of a block, cycles in all | | | {} | {} | {} |", with, without, least));
  return lines;
}

}  // namespace

TEST_CASE("tiles: the swizzle makes the operand reads conflict less and no access more") {
  for (const Access& access : kAccesses) {
    CAPTURE(access.what);
    CHECK(swizzled(access).all <= unswizzled(access).all);
    CHECK(swizzled(access).one >= least_cycles(access));
  }
  CHECK(4 * swizzled(kAccesses[0]).all == unswizzled(kAccesses[0]).all);
  CHECK(2 * swizzled(kAccesses[1]).all == unswizzled(kAccesses[1]).all);
}

TEST_CASE("tiles: the document states the bank conflicts that the index functions have") {
  std::ifstream file(std::string(WAVETWIN_SOURCE_DIR) + "/common/kernels/drafter.md");
  REQUIRE(file.good());
  std::vector<std::string> stated;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("<!-- banks:", 0) == 0) inside = true;
    if (inside && line.rfind("| ", 0) == 0 && line.rfind("| access", 0) != 0) stated.push_back(line);
    if (inside && line.empty()) break;
  }
  std::string expected;
  for (const std::string& line : table()) expected += line + "\n";
  INFO("the table must be:\n", expected);
  CHECK(stated == table());
}

}  // namespace wavetwin::drafter
