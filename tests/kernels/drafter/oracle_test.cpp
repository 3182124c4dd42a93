// SPDX-License-Identifier: MIT
// The drafter's two references against each other, and what they refuse.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "common/kernels/drafter.h"
#include "golden/cases/drafter_inputs.h"
#include "golden/oracle/drafter.h"
#include "golden/oracle/drafter_exact.h"
#include "golden/oracle/mx.h"

namespace wavetwin::drafter {
namespace {

using golden::drafter_codes;
using golden::drafter_unit_codes;
using oracle::Bytes;

constexpr uint32_t kBytes = kBlock * kDim;

// One block in the middle of every row's window.
oracle::DrafterBlocks interior(const Bytes& q, const Bytes& k, const Bytes& v) {
  return {q, {{20 * static_cast<int32_t>(kBlock), k, v}}, 5000, 905, 5006};
}

}  // namespace

TEST_CASE("drafter oracle: the exact words lie within the bounds of the fp64 meaning") {
  const Bytes q = drafter_unit_codes(1, "q", kBytes), k = drafter_unit_codes(2, "k", kBytes),
              v = drafter_unit_codes(3, "v", kBytes);
  const oracle::DrafterBlocks data = interior(q, k, v);
  const oracle::DrafterExactPartial words = oracle::drafter_exact_block(data);
  oracle::DrafterPartial meant = oracle::drafter_blocks(data);
  double worst = 0;
  for (uint32_t i = 0; i < kQueries * kDim; ++i) {
    CHECK(std::abs(words.o[i] - meant.o.value[i]) <= meant.o.bound[i]);
    CHECK(std::abs(words.o[i] - meant.semantic.value[i]) <= meant.semantic.bound[i]);
    worst = std::max(worst, std::abs(words.o[i] - meant.semantic.value[i]) / meant.semantic.bound[i]);
  }
  CHECK(worst > 0.02);  // the rounding of P is there
  for (uint32_t i = 0; i < kQueries; ++i) {
    CHECK(std::abs(words.m[i] - meant.m.value[i]) <= meant.m.bound[i]);
    CHECK(std::abs(words.l[i] - meant.l.value[i]) <= meant.l.bound[i]);
  }
}

TEST_CASE("drafter oracle: P's bound is well within 2^-8 of the sum of p |v|") {
  const Bytes q = drafter_codes(1, "q", kBytes), k = drafter_codes(2, "k", kBytes),
              v = drafter_codes(3, "v", kBytes);
  const oracle::DrafterPartial meant = oracle::drafter_blocks(interior(q, k, v));
  double bounds = 0, magnitudes = 0;
  for (uint32_t i = 0; i < kQueries * kDim; ++i) {
    bounds += meant.o.bound[i];
    magnitudes += meant.magnitude[i];
  }
  CHECK(bounds < 0x1p-8 * magnitudes);
}

TEST_CASE("drafter oracle: a chain that is split anywhere merges to the same whole") {
  const Bytes q = drafter_codes(1, "q", kBytes);
  oracle::DrafterBlocks chain{q, {}, 5000, 905, 5006};
  for (int32_t b = 0; b < 3; ++b) {
    chain.blocks.push_back({(20 - b) * static_cast<int32_t>(kBlock),
                            drafter_codes(static_cast<uint64_t>(b), "k", kBytes),
                            drafter_codes(static_cast<uint64_t>(b), "v", kBytes)});
  }
  oracle::DrafterWhole together, apart;
  together.add(oracle::drafter_blocks(chain));
  for (const auto& block : chain.blocks) {
    apart.add(oracle::drafter_blocks({q, {block}, chain.p0, chain.lo, chain.hi}));
  }
  for (const uint32_t row : {0u, 17u, 111u}) {
    const oracle::Judged a = together.semantic(row), b = apart.semantic(row);
    for (uint32_t d = 0; d < kDim; ++d) CHECK(a.value[d] == doctest::Approx(b.value[d]).epsilon(1e-12));
  }
}

TEST_CASE("drafter oracle: data whose sums are rounded have no exact words") {
  const Bytes units = drafter_unit_codes(1, "q", kBytes);
  Bytes uneven = units;
  uneven[5] = 0x01;  // 2^-9: sums of P V are no multiples of 2^-9 any more
  CHECK_NOTHROW(oracle::drafter_exact_block(interior(units, units, units)));
  CHECK_THROWS_AS(oracle::drafter_exact_block(interior(units, units, uneven)), std::logic_error);
  oracle::DrafterBlocks chain = interior(units, units, units);
  chain.blocks.push_back(chain.blocks[0]);
  CHECK_THROWS_AS(oracle::drafter_exact_block(chain), std::logic_error);
}

TEST_CASE("drafter oracle: two references leave their common interval, or nothing but its middle") {
  oracle::Judged a{{1, 1, 1}, {0.5, 0.5, 0}};
  oracle::narrow(a, {{1.75, 3, 1.25}, {0.5, 0.5, 0.5}});
  CHECK(a.value[0] == 1.375);
  CHECK(a.bound[0] == doctest::Approx(0.125));
  CHECK(a.value[1] == 2);
  CHECK(a.bound[1] == 0);
  CHECK(a.value[2] == 1);
  CHECK(a.bound[2] == 0);
}

TEST_CASE("drafter oracle: a byte of a V tile belongs to one key and dim") {
  Bytes tile(kBytes);
  for (uint32_t key = 0; key < kBlock; ++key) {
    for (uint32_t d = 0; d < kDim; ++d) {
      tile[oracle::drafter_tile_byte(d, oracle::drafter_key_byte(key))] = golden::drafter_distinct_code(key);
      CHECK(oracle::drafter_tile_byte(d, oracle::drafter_key_byte(key)) ==
            4 * tw(0u, d, tv_word(key)) + key % 4);
    }
  }
  const Bytes plain = oracle::drafter_plain_values(tile);
  for (uint32_t i = 0; i < kBytes; ++i) REQUIRE(plain[i] == golden::drafter_distinct_code(i / kDim));
}

}  // namespace wavetwin::drafter
