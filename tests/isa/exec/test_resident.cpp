// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Runs `workgroups` workgroups of 512 work-items with 160 KiB of LDS each; every word stored is right.
bool run_resident(uint32_t workgroups) {
  Machine machine("resident");
  const uint64_t out = machine.zeroed("out", uint64_t{workgroups} * 2048);
  const auto report = machine.run("resident", workgroups, 512, {out});
  if (report.dispatch.resident > 256) return false;
  const auto words = machine.words(out, uint64_t{workgroups} * 512);
  for (uint64_t i = 0; i < words.size(); ++i) {
    if (words[i] != (i % 512 ^ 64)) return false;
  }
  return true;
}

// Peak memory in MiB of a process of its own that runs it; 0 when the result was wrong.
uint64_t peak_mebibytes(uint32_t workgroups) {
  const pid_t child = fork();
  if (child == 0) _exit(run_resident(workgroups) ? 0 : 1);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) / 1024 : 0;
}

}  // namespace

TEST_CASE("256 workgroups of 512 work-items with all of LDS are resident together in less than 600 MiB") {
  const uint64_t peak = peak_mebibytes(256);
  MESSAGE("peak ", peak, " MiB");
  CHECK(peak != 0);
  if (!kSanitized) CHECK(peak < 600);
}

TEST_SUITE("slow") {
  TEST_CASE("16,384 workgroups take no more memory than 256") {
    const uint64_t peak = peak_mebibytes(16384);
    MESSAGE("peak ", peak, " MiB");
    CHECK(peak != 0);
    if (!kSanitized) CHECK(peak < 600);
  }
}

}  // namespace wavetwin::isa
