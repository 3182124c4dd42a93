// SPDX-License-Identifier: MIT
#include "golden/io/launch_file.h"

#include <doctest/doctest.h>

#include <random>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

const std::string kGood =
    R"({"code_object": "k.co", "kernel": "f", "grid": [2, 3], "block": [128], "dynamic_lds": 16,
  "args": [{"buffer": "a", "bytes": 4096, "file": "a.bin"}, {"buffer": "o", "bytes": 64, "fill": "zero", "address": 8},
           {"i32": -1}, {"f32": 0.5}, {"bytes": "00ff"}, 7], "outputs": {"o": "o.bin"}})";

}  // namespace

TEST_CASE("launch file: every member arrives") {
  const LaunchFile launch = parse_launch_file(kGood, "test");
  CHECK(launch.code_object == "k.co");
  CHECK(launch.kernel == "f");
  CHECK(launch.grid == std::array<uint32_t, 3>{2, 3, 1});
  CHECK(launch.block == std::array<uint32_t, 3>{128, 1, 1});
  CHECK(launch.dynamic_lds == 16);
  REQUIRE(launch.arguments.size() == 6);
  CHECK(launch.arguments[0].buffer->file == "a.bin");
  CHECK(launch.arguments[1].buffer->zero);
  CHECK(launch.arguments[1].buffer->address == 8);
  CHECK(launch.arguments[2].bytes == std::vector<uint8_t>{255, 255, 255, 255});
  CHECK(launch.arguments[3].bytes == std::vector<uint8_t>{0, 0, 0, 0x3f});
  CHECK(launch.arguments[4].bytes == std::vector<uint8_t>{0, 255});
  CHECK(launch.arguments[5].untyped);
  CHECK(launch.outputs.at("o") == "o.bin");
}

TEST_CASE("launch file: what it prints is what it reads") {
  const LaunchFile launch = parse_launch_file(kGood, "test");
  const LaunchFile again = parse_launch_file(launch_file_text(launch), "again");
  CHECK(launch_file_text(again) == launch_file_text(launch));
}

TEST_CASE("launch file: mutated text is read or refused with an Error") {
  const uint64_t seed = 7;
  MESSAGE("seed ", seed);
  std::mt19937_64 random(seed);
  unsigned refused = 0;
  for (unsigned run = 0; run < 5000; ++run) {
    std::string text = kGood;
    for (unsigned change = 0; change <= random() % 4; ++change)
      text[random() % text.size()] = "{}[]\":,0aé-"[random() % 12];
    try {
      parse_launch_file(text, "mutant");
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}

}  // namespace wavetwin::golden
