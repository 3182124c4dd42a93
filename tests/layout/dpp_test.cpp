// SPDX-License-Identifier: MIT
// The lane map of the DPP controls is written once for simulated kernels and once, as tables, for the
// executor.
#include <doctest/doctest.h>

#include "sim/core/cross_lane.h"
#include "sim/isa/exec_dpp.h"

namespace wavetwin::golden {

TEST_CASE("dpp: the executor and the simulated kernels read the same source lane for every control") {
  unsigned controls = 0;
  for (uint32_t control = 0; control < 0x200; ++control) {
    if (!dpp_is_valid(control)) continue;
    ++controls;
    const isa::DppLanes lanes = isa::dpp_lanes(control, ~uint64_t{0}, false);
    for (unsigned lane = 0; lane < 64; ++lane) {
      CAPTURE(control);
      CAPTURE(lane);
      const int source = dpp_source(control, lane);
      REQUIRE((lanes.valid >> lane & 1) == (source >= 0));
      if (source >= 0) REQUIRE(lanes.from[lane] == source);
    }
  }
  CHECK(controls == 256 + 3 * 15 + 4 + 4 + 16);
}

}  // namespace wavetwin::golden
