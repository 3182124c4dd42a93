// SPDX-License-Identifier: MIT
// tests/isa/kernels/partial.hip, whose work-items say where they are, against loops on the host over grids
// whose last workgroups are partial.
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

using Extent = std::array<uint32_t, 3>;
constexpr uint32_t kWords = 12;
constexpr uint32_t kUnwritten = 0xdeadbeef;

struct Grid {
  Extent items, block;
  uint32_t dimensions;
};

constexpr Grid kGrids[] = {
    {{100, 1, 1}, {64, 1, 1}, 1}, {{10, 1, 1}, {64, 1, 1}, 1},     {{300, 1, 1}, {256, 1, 1}, 1},
    {{1, 1, 1}, {1024, 1, 1}, 1}, {{1500, 1, 1}, {1024, 1, 1}, 3}, {{128, 1, 1}, {64, 1, 1}, 1},
    {{37, 13, 1}, {16, 8, 1}, 2}, {{5, 100, 1}, {8, 8, 1}, 2},     {{64, 9, 1}, {64, 4, 1}, 2},
    {{9, 7, 5}, {4, 4, 4}, 3},    {{33, 3, 3}, {32, 2, 2}, 3},     {{70, 2, 3}, {64, 2, 2}, 3},
    {{3, 5, 130}, {2, 4, 64}, 3},
};

// What the work-item at `global` has to store; each line from the launch alone.
std::array<uint32_t, kWords> expected_words(const Grid& grid, const Extent& global) {
  Extent size, item;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const uint32_t begin = global[axis] / grid.block[axis] * grid.block[axis];
    item[axis] = global[axis] - begin;
    size[axis] = std::min(grid.block[axis], grid.items[axis] - begin);
  }
  const uint32_t all = size[0] * size[1] * size[2];
  const uint32_t flat = (item[2] * size[1] + item[1]) * size[0] + item[0];
  return {flat,
          flat % 64,                            // lane
          std::min(64u, all - flat / 64 * 64),  // lanes of its wave
          all * (all + 1) / 2,                  // every work-item of the workgroup added flat + 1
          size[0] | size[1] << 10 | size[2] << 20,
          grid.dimensions,
          grid.dimensions,
          grid.block[0] | grid.block[1] << 16,
          grid.block[2],
          grid.items[0],
          grid.items[1],
          grid.items[2]};
}

// Gives the number of executed instructions.
uint64_t check_grid(Machine& machine, const Grid& grid, const ExecuteOptions& options) {
  const uint32_t items = grid.items[0] * grid.items[1] * grid.items[2];
  const uint64_t bytes = 4ull * kWords * items;
  // One workgroup's room behind the grid: nothing may be stored there.
  const uint64_t out = machine.poisoned("out", bytes + 4096 * kWords);
  const std::vector<uint32_t> before((bytes + 4096 * kWords) / 4, kUnwritten);
  machine.memory().write(out, before.data(), before.size() * 4);
  LaunchShape shape = LaunchShape::of_items(grid.items, grid.block);
  shape.dimensions = grid.dimensions;
  const auto* raw = reinterpret_cast<const uint8_t*>(&out);
  const ExecuteReport report = machine.run("partial", shape, std::span(raw, 8), options);
  CHECK(report.dispatch.findings.total() == 0);
  const auto words = machine.words(out, before.size());
  size_t at = 0;
  for (uint32_t z = 0; z < grid.items[2]; ++z) {
    for (uint32_t y = 0; y < grid.items[1]; ++y) {
      for (uint32_t x = 0; x < grid.items[0]; ++x) {
        const auto expected = expected_words(grid, {x, y, z});
        for (uint32_t w = 0; w < kWords; ++w, ++at) {
          CAPTURE(x);
          CAPTURE(y);
          CAPTURE(z);
          CAPTURE(w);
          REQUIRE(words[at] == expected[w]);
        }
      }
    }
  }
  for (; at < words.size(); ++at) REQUIRE(words[at] == kUnwritten);
  return report.instructions();
}

}  // namespace

TEST_CASE("partial workgroups: work-items, barriers, hidden arguments and the packet as the grid has them") {
  for (const char* build : {"partial.O0.co", "partial.O1.co", "partial.co"}) {
    CAPTURE(build);
    for (const Grid& grid : kGrids) {
      Machine machine(HIP_DIR + std::string(build));
      CAPTURE(grid.items[0]);
      CAPTURE(grid.items[1]);
      CAPTURE(grid.items[2]);
      check_grid(machine, grid, {});
    }
  }
}

TEST_CASE("partial workgroups: waves without work-items are not there and execute nothing") {
  Machine small(HIP_DIR "partial.co"), large(HIP_DIR "partial.co");
  const uint64_t one_wave = check_grid(small, {{10, 1, 1}, {64, 1, 1}, 3}, {});
  CHECK(check_grid(large, {{10, 1, 1}, {1024, 1, 1}, 3}, {}) == one_wave);
}

TEST_CASE("partial workgroups: slots of the resident set take workgroups of any number of waves") {
  for (const uint32_t resident : {1u, 3u}) {
    ExecuteOptions options;
    options.dispatch.resident = resident;
    options.dispatch.schedule_seed = 7;
    Machine machine(HIP_DIR "partial.co");
    check_grid(machine, {{1500, 3, 1}, {512, 2, 1}, 3}, options);
  }
}

}  // namespace wavetwin::isa
