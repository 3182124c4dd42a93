// SPDX-License-Identifier: MIT
// Matrix instructions and moves of accumulation registers: the loops of the rows of tables/mai.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_cross_lane.h"
#include "sim/isa/exec_mfma.h"
#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define LANE_TABLE "sim/isa/tables/mai.inc"
#include "sim/isa/lane_rows.inc"

}  // namespace

LaneTable mai_lane_rows() { return kLaneTable; }

}  // namespace wavetwin::isa
