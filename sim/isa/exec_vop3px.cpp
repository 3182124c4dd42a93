// SPDX-License-Identifier: MIT
// Scaled matrix instructions: the loops of the rows of tables/vop3px.inc.
#include <algorithm>
#include <bit>

#include "sim/isa/exec_mfma.h"
#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {
namespace {

#define ROW WAVETWIN_LANE_OP
#include "sim/isa/tables/vop3px.inc"
#undef ROW

#define ROW(opcode, name, ...) RowId::name,
constexpr RowId kNames[] = {
#include "sim/isa/tables/vop3px.inc"
};
#undef ROW

#define ROW(opcode, name, ...) lane_row<name##_op>(),
constexpr LaneRow kRows[] = {
#include "sim/isa/tables/vop3px.inc"
};
#undef ROW

}  // namespace

LaneTable vop3px_lane_rows() { return {kNames[0], kRows, std::size(kRows)}; }

}  // namespace wavetwin::isa
