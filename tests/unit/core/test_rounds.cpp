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

TEST_CASE("rounds: a schedule seed permutes the order but not the results of a correct kernel") {
  const uint64_t expected = run_ring(64, on_threads(1)).hash;
  bool differs = false;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    DispatchOptions options = on_threads(2);
    options.schedule_seed = seed;
    const RingResult r = run_ring(64, options);
    CHECK(r.hash == expected);
    CHECK(r.report.findings.empty());
    differs |= r.rounds != 128;
  }
  CHECK(differs);
}

TEST_CASE("rounds: one seed gives one schedule on any number of threads") {
  DispatchOptions options = on_threads(1);
  options.schedule_seed = 99;
  const RingResult one = run_ring(64, options);
  options.threads = 7;
  const RingResult many = run_ring(64, options);
  CHECK(one.hash == many.hash);
  CHECK(one.rounds == many.rounds);
}

TEST_SUITE("slow") {
  TEST_CASE("rounds: 1,000 schedule seeds leave the ring's results alone") {
    const uint64_t expected = run_ring(64, on_threads(1)).hash;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
      CAPTURE(seed);
      DispatchOptions options = on_threads(2);
      options.schedule_seed = seed;
      CHECK(run_ring(64, options).hash == expected);
    }
  }
}
