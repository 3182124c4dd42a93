// SPDX-License-Identifier: MIT
#include "sim/isa/exec_dpp.h"

#include <array>

namespace wavetwin::isa {
namespace {

// The lane that feeds lane n, or -1.
int source_lane(unsigned control, int n) {
  const int in_row = n & 15, row = n & ~15;
  const int amount = static_cast<int>(control & 15);
  if (control <= 0xff) return (n & ~3) + static_cast<int>(control >> (2 * (n & 3)) & 3);  // quad_perm
  switch (control >> 4) {
    case 0x10:  // row_shl: data moves to lower lanes
      return in_row + amount <= 15 ? n + amount : -1;
    case 0x11:  // row_shr
      return in_row >= amount ? n - amount : -1;
    case 0x12:  // row_ror
      return row + ((n - amount) & 15);
    case 0x15:  // row_newbcast
      return row + amount;
    default:
      break;
  }
  switch (control) {
    case 0x130:  // wave_shl:1
      return n < 63 ? n + 1 : -1;
    case 0x134:  // wave_rol:1
      return (n + 1) & 63;
    case 0x138:  // wave_shr:1
      return n > 0 ? n - 1 : -1;
    case 0x13c:  // wave_ror:1
      return (n - 1) & 63;
    case 0x140:  // row_mirror
      return row + 15 - in_row;
    case 0x141:  // row_half_mirror
      return (n & ~7) + 7 - (n & 7);
    case 0x142:  // row_bcast:15
      return n > 15 ? (n & 0x30) - 1 : -1;
    case 0x143:  // row_bcast:31
      return n > 31 ? 31 : -1;
    default:
      return -1;
  }
}

// Every control's lanes, laid out once.
struct Control {
  std::array<uint8_t, kLanes> from{};
  uint64_t valid = 0;
};
constexpr unsigned kControls = 0x160;
const std::array<Control, kControls> kTable = [] {
  std::array<Control, kControls> table{};
  for (unsigned control = 0; control < kControls; ++control) {
    for (unsigned n = 0; n < kLanes; ++n) {
      const int from = source_lane(control, static_cast<int>(n));
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
    const bool enabled = (row_mask >> (n / 16) & 1) && (bank_mask >> (n / 4 % 4) & 1);
    if (enabled) mask |= uint64_t{1} << n;
  }
  return mask;
}

}  // namespace wavetwin::isa
