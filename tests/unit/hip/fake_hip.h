// SPDX-License-Identifier: MIT
// What a test can ask of the fake HIP runtime that is linked into its plugin (fake_hip.cpp): device memory is
// host memory, and a launch calls the test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wavetwin::golden {

struct FakeLaunch {
  std::string symbol;
  uint32_t grid[3], block[3], dynamic_lds;
  const uint8_t* kernarg;
  size_t kernarg_bytes;
};

struct FakeHip {
  std::vector<std::string> devices;  // gcnArchName of each
  std::string failing;               // a call that fails ...
  int failing_after = 0;             // ... after so many that do not
  void (*kernel)(const FakeLaunch&) = nullptr;

  std::vector<std::string> calls;       // names, in order
  std::vector<size_t> copied;           // bytes of each copy
  size_t allocations = 0, modules = 0;  // alive
  int device = -1;                      // the one that was set
};

inline constexpr const char* kFakeHipEntry = "wavetwin_fake_hip";
using FakeHipEntry = FakeHip* (*)();

}  // namespace wavetwin::golden
