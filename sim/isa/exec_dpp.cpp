// SPDX-License-Identifier: MIT
#include "sim/isa/exec_dpp.h"

#include <array>

#include "common/lane_map.h"

namespace wavetwin::isa {
namespace {

// Every control's lanes, laid out once.
struct Control {
  std::array<uint8_t, kLanes> from{};
  uint64_t valid = 0;
};
constexpr unsigned kControls = 0x160;
const std::array<Control, kControls> kTable = [] {
  std::array<Control, kControls> table{};
  for (unsigned control = 0; control < kControls; ++control) {
    if (!dpp_is_valid(control)) continue;  // refused by the decoder
    for (unsigned n = 0; n < kLanes; ++n) {
      const int from = dpp_source(control, n);
      table[control].from[n] = static_cast<uint8_t>(from < 0 ? n : static_cast<unsigned>(from));
      table[control].valid |= uint64_t{from >= 0} << n;
    }
  }
  return table;
}();

}  // namespace

DppLanes dpp_lanes(unsigned control, uint64_t exec, bool bound_ctrl) {
  const Control& lanes = kTable[control];
  uint64_t valid = lanes.valid;
  if (exec != ~uint64_t{0}) {
    for (unsigned n = 0; n < kLanes; ++n) valid &= ~(uint64_t{!(exec >> lanes.from[n] & 1)} << n);
  }
  return {lanes.from.data(), valid, bound_ctrl ? ~uint64_t{0} : valid};
}

uint64_t dpp_destinations(unsigned row_mask, unsigned bank_mask) {
  if (row_mask == 15 && bank_mask == 15) return ~uint64_t{0};
  uint64_t mask = 0;
  for (unsigned n = 0; n < kLanes; ++n) {
    if (dpp_writes(row_mask, bank_mask, n)) mask |= uint64_t{1} << n;
  }
  return mask;
}

}  // namespace wavetwin::isa
