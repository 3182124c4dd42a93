// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>

#include "tests/unit/core/one_wave.h"

using namespace wavetwin;

namespace {

struct Out {
  DevicePtr<uint32_t> out;
};

SubTask<LaneU32> fibonacci(Wave& wave, uint32_t n) {
  if (n < 2) {
    co_await wave.sleep();
    co_return LaneU32(n) + wave.lane() * 0;
  }
  const LaneU32 a = co_await fibonacci(wave, n - 1);
  const LaneU32 b = co_await fibonacci(wave, n - 2);
  co_return a + b;
}

struct Accumulator {
  uint32_t step;
  SubTask<> add(Wave& wave, LaneU32* sum) const {
    co_await wave.sleep();
    *sum += step;
  }
};

size_t frames_in_use = 0;

WaveTask nested(Wave& wave, Out a) {
  const LaneU32 f = co_await fibonacci(wave, 10);
  LaneU32 sum = wave.lane();
  const Accumulator acc{3};
  for (unsigned i = 0; i < 100; ++i) co_await acc.add(wave, &sum);
  wave.store_element(a.out, wave.lane(), f * 1000 + sum);
  frames_in_use = wave.workgroup().frames().bytes_in_use();
}

SubTask<uint32_t> fails(Wave& wave) {
  co_await wave.sleep();
  wave.stage("deep");
  wave.load<1>(LaneU64(8u));
  co_return 1;
}

WaveTask fails_inside(Wave& wave, Out) {
  const uint32_t r = co_await fails(wave);
  wave.store<1>(LaneU64(r), Vgprs<1>::uniform(r));
}

// Keeps 4 KiB of lanes alive across a wait, as a GEMV does.
WaveTask big_frame(Wave& wave, Out a) {
  Vgprs<16> held;
  for (unsigned i = 0; i < 16; ++i) held[i] = wave.lane() * i;
  co_await wave.barrier();
  LaneU32 sum = 0u;
  for (unsigned i = 0; i < 16; ++i) sum += held[i];
  wave.store_element(a.out, wave.thread_id(), sum);
}

}  // namespace

TEST_CASE("tasks: device functions that wait nest, return lanes and work as members") {
  GlobalMemory memory;
  const Out a{memory.allocate_array<uint32_t>("out", 64)};
  run_small(memory, nested, a);
  const std::vector<uint32_t> out = memory.read_array(a.out, 64);
  for (uint32_t l = 0; l < 64; ++l) CHECK(out[l] == 55 * 1000 + l + 300);
  CHECK(frames_in_use <= 16 * 1024);  // the kernel's own frame: the 277 others were given back
}

TEST_CASE("tasks: an error inside a device function ends the run with its place") {
  GlobalMemory memory;
  const Out a{memory.allocate_array<uint32_t>("out", 64)};
  const std::string error = error_of([&] { run_small(memory, fails_inside, a, 2, 128); });
  CHECK(contains(error, "workgroup 0, wave 0 (deep): lane 0: load of 4 bytes at 0x8"));
}

TEST_CASE("tasks: values held across a wait survive in every lane") {
  GlobalMemory memory;
  const Out a{memory.allocate_array<uint32_t>("out", 512)};
  run_small(memory, big_frame, a, 1, 512);
  const std::vector<uint32_t> out = memory.read_array(a.out, 512);
  for (uint32_t t = 0; t < 512; ++t) CHECK(out[t] == t % 64 * 120);
}

TEST_CASE("tasks: frames are 64-byte aligned, reused, and taken back all at once") {
  FramePool pool;
  void* a = pool.allocate(5000);
  void* b = pool.allocate(100);
  CHECK(reinterpret_cast<uintptr_t>(a) % 64 == 0);
  CHECK(reinterpret_cast<uintptr_t>(b) % 64 == 0);
  std::memset(a, 1, 5000);
  std::memset(b, 2, 100);
  const size_t used = pool.bytes_in_use();
  FramePool::release(a);
  CHECK(pool.bytes_in_use() < used);
  CHECK(pool.allocate(5040) == a);
  void* large = pool.allocate(300 * 1024);
  std::memset(large, 3, 300 * 1024);
  FramePool::release(large);
  CHECK(pool.allocate(290 * 1024) == large);
  pool.reset();
  CHECK(pool.bytes_in_use() == 0);
  CHECK(pool.allocate(5000) == a);
}

TEST_CASE("tasks: a kernel called outside a launch is an error, not a stray frame") {
  CHECK(contains(error_of([] { FramePool::current(); }), "outside a launch"));
  FramePool pool;
  {
    const FramePool::Use use(pool);
    CHECK(&FramePool::current() == &pool);
  }
  CHECK_FALSE(error_of([] { FramePool::current(); }).empty());
}
