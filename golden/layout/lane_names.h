// SPDX-License-Identifier: MIT
// Names of the instructions and controls that move data between lanes.
#pragma once

#include <string>

#include "golden/layout/lane_moves.h"

namespace wavetwin::golden {

struct TransposingRead {
  const char* name;
  unsigned bits, elements;  // of one element; elements a lane
  Evidence evidence;
  const char* source;
};
const TransposingRead* find_transposing_read(const std::string& name);

// Whether the text has the name of a DPP control before its colon.
bool is_dpp_name(const std::string& text);
// "row_shr:4" of a valid DPP_CTRL code.
std::string dpp_name(unsigned control);

// "and 0x1f, or 0x00, xor 0x10 of the lane's low 5 bits", "rotate ..." of a ds_swizzle_b32 offset.
std::string swizzle_mode(unsigned offset);

// Throws Error for an unknown name, and for a field that means nothing to it or is out of range.
void check_lane_fields(const std::string& name, const LaneFields& fields);

}  // namespace wavetwin::golden
