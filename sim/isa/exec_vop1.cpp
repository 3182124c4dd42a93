// SPDX-License-Identifier: MIT
// Vector, one source: the loops of the rows of tables/vop1.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_cross_lane.h"
#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define LANE_TABLE "sim/isa/tables/vop1.inc"
#include "sim/isa/lane_rows.inc"

}  // namespace

LaneTable vop1_lane_rows() { return kLaneTable; }

}  // namespace wavetwin::isa
