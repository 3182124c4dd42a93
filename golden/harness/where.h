// SPDX-License-Identifier: MIT
// Where a region's differing elements lie, and how far they are off, when that is a pattern.
#pragma once

#include <string>

#include "golden/harness/case.h"

namespace wavetwin::golden {

// "  all of 'y' that differ lie in rows 5 (of 6)\n", by the dimensions in which other positions are right;
// "" when the differing elements are everywhere or few.
std::string where_text(const RegionSpec& region, const Tensor& right, const Tensor& found);

// "  every differing element of 'y' is the next number toward zero: ...\n" when that holds for all (or: away
// from zero); "" otherwise. Says nothing about what made it so.
std::string rounding_text(const RegionSpec& region, const Tensor& right, const Tensor& found);

}  // namespace wavetwin::golden
