// SPDX-License-Identifier: MIT
// Vector, only in the 64-bit encoding: the loops of the rows of tables/vop3.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_convert.h"
#include "sim/isa/exec_cross_lane.h"
#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define LANE_TABLE "sim/isa/tables/vop3.inc"
#include "sim/isa/lane_rows.inc"

}  // namespace

LaneTable vop3_lane_rows() { return kLaneTable; }

}  // namespace wavetwin::isa
