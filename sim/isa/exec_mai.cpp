// SPDX-License-Identifier: MIT
// Matrix instructions and moves of accumulation registers: the loops of the rows of tables/mai.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_cross_lane.h"
#include "sim/isa/exec_mfma.h"
#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define ROW WAVETWIN_LANE_OP
#include "sim/isa/tables/mai.inc"
#undef ROW

#define ROW(opcode, name, ...) RowId::name,
constexpr RowId kNames[] = {
#include "sim/isa/tables/mai.inc"
};
#undef ROW

#define ROW(opcode, name, ...) lane_row<name##_op>(),
constexpr LaneRow kRows[] = {
#include "sim/isa/tables/mai.inc"
};
#undef ROW

}  // namespace

LaneTable mai_lane_rows() { return {kNames[0], kRows, std::size(kRows)}; }

}  // namespace wavetwin::isa
