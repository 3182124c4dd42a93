// SPDX-License-Identifier: MIT
// Scaled matrix instructions: the loops of the rows of tables/vop3px.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_mfma.h"
#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define LANE_TABLE "sim/isa/tables/vop3px.inc"
#include "sim/isa/lane_rows.inc"

}  // namespace

LaneTable vop3px_lane_rows() { return kLaneTable; }

}  // namespace wavetwin::isa
