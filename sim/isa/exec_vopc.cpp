// SPDX-License-Identifier: MIT
// Vector compares: the loops of the rows of tables/vopc.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define LANE_TABLE "sim/isa/tables/vopc.inc"
#include "sim/isa/lane_rows.inc"

}  // namespace

LaneTable vopc_lane_rows() { return kLaneTable; }

}  // namespace wavetwin::isa
