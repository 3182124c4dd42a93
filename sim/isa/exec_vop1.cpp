// SPDX-License-Identifier: MIT
// Vector, one source: the loops of the rows of tables/vop1.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_cross_lane.h"
#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define ROW WAVETWIN_LANE_OP
#include "sim/isa/tables/vop1.inc"
#undef ROW

#define ROW(opcode, name, ...) RowId::name,
constexpr RowId kNames[] = {
#include "sim/isa/tables/vop1.inc"
};
#undef ROW

#define ROW(opcode, name, ...) lane_row<name##_op>(),
constexpr LaneRow kRows[] = {
#include "sim/isa/tables/vop1.inc"
};
#undef ROW

}  // namespace

LaneTable vop1_lane_rows() { return {kNames[0], kRows, std::size(kRows)}; }

}  // namespace wavetwin::isa
