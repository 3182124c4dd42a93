// SPDX-License-Identifier: MIT
// The backend `hip` and its plugin on a fake HIP runtime: what they call, in which order and sizes, what they
// notice, and that nothing is left behind when a call fails.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "golden/harness/install.h"
#include "golden/harness/run.h"
#include "golden/io/file.h"
#include "sim/core/error.h"
#include "tests/unit/harness/fake_case.h"
#include "tests/unit/hip/fake_hip.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

struct Args {
  uint64_t x, y, table;
};

// y = 2 * x, with a buffer of which only 16 bytes exist.
struct HipCase : FakeCase {
  Program program(const Tensors& inputs) const override {
    Program program = FakeCase::program(inputs);
    BufferSpec table;
    table.name = "table";
    table.bytes = 1 << 20;
    table.sparse = true;
    table.initial.push_back({1 << 19, std::vector<std::byte>(16, std::byte{0x5A})});
    program.buffers.push_back(table);
    Launch launch;
    launch.code_object = "double";
    launch.symbol = "double_kernel";
    launch.grid = {3, 2, 1};
    launch.block = {128, 1, 1};
    launch.dynamic_lds_bytes = 640;
    launch.kernarg = [](const Addresses& at) {
      const Args args{at.of("x"), at.of("y"), at.of("table")};
      std::vector<std::byte> bytes(sizeof args);
      std::memcpy(bytes.data(), &args, sizeof args);
      return bytes;
    };
    program.launches.push_back(launch);
    return program;
  }
};

Args args_of(const FakeLaunch& launch) {
  Args args;
  REQUIRE(launch.kernarg_bytes == sizeof args);
  std::memcpy(&args, launch.kernarg, sizeof args);
  return args;
}

void double_kernel(const FakeLaunch& launch) {
  CHECK(launch.symbol == "double_kernel");
  CHECK(launch.grid[0] == 3);
  CHECK(launch.grid[1] == 2);
  CHECK(launch.block[0] == 128);
  CHECK(launch.dynamic_lds == 640);
  const Args args = args_of(launch);
  const auto* x = reinterpret_cast<const float*>(args.x);
  auto* y = reinterpret_cast<float*>(args.y);
  for (int i = 0; i < 8; ++i) y[i] = 2 * x[i];
  const auto* table = reinterpret_cast<const uint8_t*>(args.table);
  CHECK(table[(1 << 19) - 1] == 0);
  CHECK(table[1 << 19] == 0x5A);
  CHECK(table[(1 << 19) + 16] == 0);
}

void stray_kernel(const FakeLaunch& launch) {
  double_kernel(launch);
  reinterpret_cast<float*>(args_of(launch).y)[8] = 0;
}

FakeHip& fake() {
  void* plugin = dlopen(hip_plugin_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(plugin != nullptr);
  const auto entry = reinterpret_cast<FakeHipEntry>(dlsym(plugin, kFakeHipEntry));
  REQUIRE((entry != nullptr));
  return *entry();
}

// A fresh runtime with one right device.
FakeHip& fresh(std::vector<std::string> devices = {"gfx950:sramecc+:xnack-"}) {
  FakeHip& hip = fake();
  hip = FakeHip{};
  hip.devices = std::move(devices);
  hip.kernel = double_kernel;
  return hip;
}

RunResult run() {
  const ScratchDirectory dir;
  const auto file = dir / "double.co";
  write_text(file,
             "\x7f"
             "ELF, for the fake runtime");
  RunOptions options;
  options.code_objects["double"] = file.string();
  const HipCase hip_case;
  return run_case(hip_case, hip_case.generate(), *make_hip_backend(), options);
}

}  // namespace

TEST_CASE("hip: a run copies in, loads from memory, launches, waits, unloads, copies back and frees") {
  FakeHip& hip = fresh();
  const RunResult result = run();
  CHECK(result.findings.empty());
  CHECK(result.regions.at("y") == f32({2, 4}, {2, 4, 6, 8, 10, 12, 14, 16}));
  const std::vector<std::string> expected = {"hipGetDeviceCount",
                                             "hipGetDeviceProperties",
                                             "hipSetDevice",
                                             "hipMalloc",
                                             "hipMemcpy to device",
                                             "hipMalloc",
                                             "hipMemcpy to device",
                                             "hipMalloc",
                                             "hipMemcpy to device",
                                             "hipModuleLoadData",
                                             "hipModuleGetFunction",
                                             "hipModuleLaunchKernel",
                                             "hipDeviceSynchronize",
                                             "hipModuleUnload",
                                             "hipMemcpy to host",
                                             "hipMemcpy to host",
                                             "hipFree",
                                             "hipFree",
                                             "hipFree"};
  CHECK(hip.calls == expected);
  // With guards on both sides; of the sparse buffer its 16 bytes alone, and nothing of it back.
  CHECK(hip.copied == std::vector<size_t>{8224, 8224, 16, 8224, 8224});
  CHECK(hip.allocations == 0);
  CHECK(hip.modules == 0);
}

TEST_CASE("hip: a store beside a buffer is a finding") {
  fresh().kernel = stray_kernel;
  const RunResult result = run();
  REQUIRE_FALSE(result.findings.empty());
  CHECK(result.findings.front() == "a store left buffer 'y' of 32 bytes: offset 32");
}

TEST_CASE("hip: the first gfx950 is chosen, whatever features follow its name") {
  FakeHip& hip = fresh({"gfx942:sramecc+:xnack-", "gfx9500", "gfx950", "gfx950:xnack+"});
  CHECK_FALSE(make_hip_backend()->unavailable());
  CHECK(hip.device == 2);
  fresh({"gfx942:sramecc+:xnack-", "gfx9500"});
  CHECK(*make_hip_backend()->unavailable() == "no gfx950: only gfx942:sramecc+:xnack-, gfx9500");
  fresh({});
  CHECK(*make_hip_backend()->unavailable() == "no gfx950: hipErrorNoDevice (100) no device here");
}

TEST_CASE("hip: a call that fails is named, and memory and modules are given back") {
  for (const char* call :
       {"hipMalloc", "hipMemcpy to device", "hipMemcpy to host", "hipModuleLoadData", "hipModuleGetFunction",
        "hipModuleLaunchKernel", "hipDeviceSynchronize", "hipModuleUnload"}) {
    for (const int after : {0, 1, 2}) {
      FakeHip& hip = fresh();
      hip.failing = call;
      hip.failing_after = after;
      const auto calls = [&] { return std::count(hip.calls.begin(), hip.calls.end(), call); };
      std::string error;
      try {
        run();
      } catch (const Error& e) {
        error = e.what();
      }
      CAPTURE(call);
      CAPTURE(after);
      CHECK(error.empty() == (calls() <= after));
      if (!error.empty()) CHECK(error.find(std::string("hip: ") + call) != std::string::npos);
      CHECK(hip.allocations == 0);
      CHECK(hip.modules == 0);
    }
  }
  for (const char* call : {"hipGetDeviceCount", "hipGetDeviceProperties", "hipSetDevice"}) {
    FakeHip& hip = fresh();
    hip.failing = call;
    CHECK(make_hip_backend()->unavailable());
  }
}

}  // namespace wavetwin::golden
