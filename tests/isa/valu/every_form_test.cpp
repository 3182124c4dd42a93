// SPDX-License-Identifier: MIT
// Every vector row in every encoding it has, with legal modifiers drawn at random.
#include <doctest/doctest.h>

#include "tests/isa/valu/random_setup.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;

namespace {

void check_rows(int draws, uint64_t salt) {
  unsigned forms = 0;
  for (const Row& row : rows()) {
    if (!is_lane_row(row)) continue;
    for (const reference::Coding coding : codings_of(row)) {
      ++forms;
      Random random(seed_of(row) + salt + static_cast<uint64_t>(coding));
      bool same = true;
      for (int n = 0; n < draws && same; ++n) {
        RowBench bench(row, random());
        // The operands of one bench serve several setups.
        for (int k = 0; k < 8 && same; ++k) same = bench.check(random_setup(row, coding, random));
      }
    }
  }
  MESSAGE(forms << " encodings of rows, " << 8 * draws << " executions each");
  CHECK(forms > 900);
}

}  // namespace

TEST_CASE("valu: every row in every encoding, with random modifiers, MODE, EXEC and kinds of operands") {
  check_rows(3, 0);
}

TEST_SUITE("slow") {
  TEST_CASE("valu: every row in every encoding, with many random modifiers") { check_rows(200, 1); }
}
