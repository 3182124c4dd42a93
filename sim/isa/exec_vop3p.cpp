// SPDX-License-Identifier: MIT
// Packed math: the loops of the rows of tables/vop3p.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define LANE_TABLE "sim/isa/tables/vop3p.inc"
#include "sim/isa/lane_rows.inc"

}  // namespace

LaneTable vop3p_lane_rows() { return kLaneTable; }

}  // namespace wavetwin::isa
