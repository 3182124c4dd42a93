// SPDX-License-Identifier: MIT
// Kernels linked with ROCm's own device libraries, where they are installed.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "tests/isa/foreign/printed.h"
#include "tests/isa/foreign/run_object.h"

namespace wavetwin::isa {
namespace {

// Of code object versions 4 and 5, and with the buffer. Empty without the libraries.
std::vector<std::string> builds() {
  std::vector<std::string> builds;
  for (const char* name : {"device_libs.v4", "device_libs.v5", "device_libs.buffered"}) {
    if (std::filesystem::exists(foreign(name))) builds.push_back(name);
  }
  if (builds.empty()) MESSAGE("skipped: the package rocm-device-libs is not there");
  return builds;
}

uint64_t sum_of(uint32_t item, uint32_t bytes, uint32_t rounds) {
  const uint64_t words = (bytes + (item & 3) * 100) / 4;
  uint64_t sum = 0;
  for (uint64_t round = 0; round < rounds; ++round) sum += words * (item + round) + words * (words - 1) / 2;
  return sum;
}

}  // namespace

TEST_CASE("device libraries: printf prints every line, by host calls and by way of the buffer") {
  constexpr uint32_t kItems = 320;
  for (const std::string& build : builds()) {
    CAPTURE(build);
    Machine machine(foreign(build));
    const uint64_t out = machine.zeroed("out", 4 * kItems);
    const ExecuteReport report = machine.run("print", kItems / 64, 64, {out}, Printed().options());
    CHECK(report.dispatch.findings.total() == 0);
    std::vector<std::string> lines, expected;
    for (uint32_t item = 0; item < kItems; ++item) {
      expected.push_back(host_printf("%d: %5.2f %s %p %c|%-6s|\n", item, item * 0.5,
                                     "a text that takes several messages, because it is long",
                                     reinterpret_cast<void*>(out), 'a' + static_cast<int>(item) % 26, "ab"));
    }
    for (const HostText& text : report.printed) lines.push_back(text.text);
    std::sort(lines.begin(), lines.end());
    std::sort(expected.begin(), expected.end());
    CHECK(lines == expected);
    if (build == "device_libs.buffered") continue;
    for (const uint32_t bytes : machine.words(out, kItems)) CHECK(bytes > 80);
  }
}

TEST_CASE("device libraries: a message on stderr and a trap end the run as a failed assert") {
  for (const std::string& build : builds()) {
    CAPTURE(build);
    Machine machine(foreign(build));
    const uint64_t in = machine.zeroed("in", 4 * 64);
    machine.memory().fill(in, 4 * 62, 1);
    Printed printed;
    CHECK(contains(machine.error_of("check", 1, 64, {in}, printed.options()), "s_trap 2"));
    CHECK(printed.err == "in is zero\nin is zero\n");
  }
}

TEST_CASE("device libraries: malloc and free, of small, of middle and of large blocks") {
  constexpr uint32_t kItems = 128;
  for (const std::string& build : builds()) {
    CAPTURE(build);
    Machine machine(foreign(build));
    const uint64_t sums = machine.zeroed("sums", 8 * kItems);
    for (const uint32_t bytes : {16u, 500u, 3000u, 20000u}) {
      CAPTURE(bytes);
      const ExecuteReport report = machine.run("heap", kItems / 64, 64, {sums, bytes | uint64_t{2} << 32});
      CHECK(report.dispatch.findings.total() == 0);
      std::vector<uint64_t> got(kItems);
      machine.memory().read(sums, got.data(), 8 * kItems);
      for (uint32_t item = 0; item < kItems; ++item) REQUIRE(got[item] == sum_of(item, bytes, 2));
    }
  }
}

TEST_CASE("device libraries: what one kernel allocates another one frees") {
  constexpr uint32_t kItems = 192;
  for (const std::string& build : builds()) {
    CAPTURE(build);
    Machine machine(foreign(build));
    const uint64_t blocks = machine.zeroed("blocks", 8 * kItems), sums = machine.zeroed("sums", 8 * kItems);
    CHECK(machine.run("keep", kItems / 64, 64, {blocks}).dispatch.findings.total() == 0);
    CHECK(machine.run("release", kItems / 64, 64, {blocks, sums}).dispatch.findings.total() == 0);
    std::vector<uint64_t> got(kItems);
    machine.memory().read(sums, got.data(), 8 * kItems);
    for (uint32_t item = 0; item < kItems; ++item) REQUIRE(got[item] == item);
  }
}

}  // namespace wavetwin::isa
