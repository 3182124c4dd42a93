// SPDX-License-Identifier: MIT
// Files of LDS addresses: 64 of them an instruction, one a lane.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace wavetwin::golden {

// One instruction a row; nothing: the lane is off. A file that ends in .json is an array of arrays of numbers
// and nulls (or one such array); any other has a line an instruction, numbers (decimal or 0x...) or '-'
// between commas or spaces; '#' starts a comment. Throws FileError naming the line for anything but 64 of
// them.
std::vector<std::vector<std::optional<uint32_t>>> read_lane_addresses(const std::filesystem::path& path);

}  // namespace wavetwin::golden
