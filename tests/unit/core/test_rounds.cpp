// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "tests/unit/core/ring.h"

using namespace wavetwin;

namespace {

DispatchOptions on_threads(unsigned threads) {
  DispatchOptions options;
  options.threads = threads;
  options.oversubscribe = true;
  return options;
}

}  // namespace

TEST_CASE("rounds: a ring of 256 workgroups gives the same memory and rounds on 1, 2 and 7 threads") {
  const RingResult one = run_ring(256, on_threads(1));
  CHECK(one.report.findings.empty());
  for (const unsigned threads : {2u, 7u}) {
    const RingResult many = run_ring(256, on_threads(threads));
    CHECK(many.report.threads == threads);
    CHECK(many.hash == one.hash);
    CHECK(many.rounds == one.rounds);
    CHECK(many.report.instructions == one.report.instructions);
    CHECK(many.report.findings.empty());
  }
}

TEST_CASE("rounds: the quantum does not change results") {
  const RingResult expected = run_ring(64, on_threads(1));
  for (const uint64_t quantum : {uint64_t{1}, uint64_t{64}, uint64_t{0}}) {
    DispatchOptions options = on_threads(2);
    options.quantum = quantum;
    CHECK(run_ring(64, options).hash == expected.hash);
  }
}
