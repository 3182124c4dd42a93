// SPDX-License-Identifier: MIT
// Vector, two sources: the loops of the rows of tables/vop2.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define LANE_TABLE "sim/isa/tables/vop2.inc"
#include "sim/isa/lane_rows.inc"

}  // namespace

LaneTable vop2_lane_rows() { return kLaneTable; }

}  // namespace wavetwin::isa
