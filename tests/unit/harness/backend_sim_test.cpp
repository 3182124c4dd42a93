// SPDX-License-Identifier: MIT
// The backend sim on a small kernel of its own, with the mistakes it must notice.
#include <doctest/doctest.h>

#include <cstring>

#include "golden/harness/run.h"
#include "golden/harness/simulated_memory.h"
#include "sim/core/dispatch.h"
#include "sim/core/error.h"
#include "tests/unit/harness/fake_case.h"

namespace wavetwin::golden {
namespace {

struct DoubleArgs {
  DevicePtr<const float> x;
  DevicePtr<float> y;
  uint32_t elements;
  uint32_t mistake;  // 0: none
};

enum Mistake : uint32_t { kNone, kSkipLast, kWriteInput, kOutOfBounds, kRace, kReadOutput, kNeverEnds };

WaveTask double_kernel(Wave& wave, DoubleArgs args) {
  const LaneU32 i = wave.thread_id();
  const LaneMask in = i < (args.mistake == kSkipLast ? args.elements - 1 : args.elements);
  const LaneF32 x = wave.load_element(args.x, i, in);
  if (args.mistake == kReadOutput) (void)wave.load_element(args.y, i, in);
  if (args.mistake == kRace || wave.workgroup_id() == 0) wave.store_element(args.y, i, x + x, in);
  if (args.mistake == kWriteInput) wave.store_element(DevicePtr<float>{args.x.address}, i, x, in);
  if (args.mistake == kOutOfBounds) (void)wave.load_element(args.x, i + 1000u, in);
  if (args.mistake == kNeverEnds) {
    while (true) co_await wave.sleep();
  }
}

// FakeCase's inputs and oracle, with a launch of two workgroups.
struct SimCase : FakeCase {
  uint32_t mistake = kNone;
  Program program(const Tensors& inputs) const override {
    Program program = FakeCase::program(inputs);
    Launch launch;
    launch.symbol = "double_kernel";
    launch.grid = {2, 1, 1};
    launch.kernarg = [mistake = mistake](const Addresses& at) {
      const DoubleArgs args{{at.of("x")}, {at.of("y")}, 8, mistake};
      std::vector<std::byte> bytes(sizeof args);
      std::memcpy(bytes.data(), &args, sizeof args);
      return bytes;
    };
    launch.sim = [](Wave& wave, std::span<const std::byte> kernarg) {
      DoubleArgs args;
      std::memcpy(&args, kernarg.data(), sizeof args);
      return double_kernel(wave, args);
    };
    program.launches.push_back(launch);
    return program;
  }
};

RunResult run(uint32_t mistake, const RunOptions& options = {}) {
  SimCase sim_case;
  sim_case.mistake = mistake;
  return run_case(sim_case, sim_case.generate(), *make_sim_backend(), options);
}

void check_finding(uint32_t mistake, const char* part) {
  const RunResult result = run(mistake);
  CAPTURE(part);
  REQUIRE_FALSE(result.findings.empty());
  CAPTURE(result.findings.front());
  CHECK(result.findings.front().find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("sim: a right kernel has its outputs and no finding") {
  const RunResult result = run(kNone);
  CHECK(result.findings.empty());
  CHECK(result.regions.at("y") == f32({2, 4}, {2, 4, 6, 8, 10, 12, 14, 16}));
  CHECK(result.rounds > 0);
}

TEST_CASE("sim: a never-written element, a race and a read of never-written memory are findings") {
  check_finding(kSkipLast, "1 elements of 'y' were never written, first 7");
  check_finding(kRace, "race");
  check_finding(kReadOutput, "y");
}

TEST_CASE("sim: a store to an input and an access out of bounds end the run with the place") {
  CHECK_THROWS_WITH_AS(run(kWriteInput), doctest::Contains("double_kernel"), Error);
  CHECK_THROWS_WITH_AS(run(kOutOfBounds), doctest::Contains("x"), Error);
}

TEST_CASE("sim: a kernel that never ends is ended by the idle rounds asked for") {
  RunOptions options;
  options.max_idle_rounds = 20;
  CHECK_THROWS_AS(run(kNeverEnds, options), NoProgressError);
}

TEST_CASE("sim: addresses are asked for by name, and an unknown name is an error") {
  const SimCase sim_case;
  const Program program = sim_case.program(sim_case.generate());
  BufferImage image;
  image.spec = &program.buffers[0];
  image.bytes.resize(32);
  image.initialised.assign(32, 1);
  const SimulatedMemory memory({image});
  CHECK(memory.of("x") != 0);
  CHECK_THROWS_WITH_AS(memory.of("q"), doctest::Contains("no buffer 'q'"), Error);
}

TEST_CASE("sim: what was written is known byte by byte") {
  BufferSpec spec;
  spec.name = "b";
  spec.bytes = 10;
  BufferImage image;
  image.spec = &spec;
  image.bytes.assign(10, std::byte{0x11});
  image.initialised = {0, 0, 1, 1, 0, 0, 0, 0, 0, 0};
  std::vector<BufferImage> images = {image};
  SimulatedMemory memory(images);
  const uint8_t value = 0x22;
  memory.memory().write(memory.of("b") + 9, &value, 1);
  memory.read_back(images);
  CHECK(images[0].written == std::vector<uint8_t>{0, 0, 1, 1, 0, 0, 0, 0, 0, 1});
  CHECK(images[0].bytes[9] == std::byte{0x22});
  CHECK(images[0].bytes[0] == std::byte{0x11});  // never written: the image's own poison stays
}

TEST_CASE("hip: without a device the backend says why, and asking twice is the same") {
  const auto hip = make_hip_backend();
  const auto why = hip->unavailable();
  if (!why) return;  // a gfx950 is here
  CHECK_FALSE(why->empty());
  CHECK(hip->unavailable() == why);
  std::vector<BufferImage> images;
  CHECK_THROWS_AS(hip->execute({}, images, {}), Error);
}

TEST_CASE(
    "backends: sim comes first and hip last, since the first one that runs is what the others are compared "
    "with") {
  const auto backends = all_backends();
  REQUIRE(backends.size() >= 2);
  CHECK(std::string(backends.front()->name()) == "sim");
  CHECK(std::string(backends.back()->name()) == "hip");
}

}  // namespace wavetwin::golden
