// SPDX-License-Identifier: MIT
// What a wrong conversion or a forgotten factor makes of every element of a result, as functions of its bits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "golden/io/tensor.h"

namespace wavetwin::golden {

struct ValueMap {
  std::string text;    // "twice as large"
  std::string family;  // of Mistake
  std::function<uint64_t(uint64_t bits)> apply;
};

// Whether elements have signs, magnitudes and roundings: floats, those of eight bits too.
bool has_values(DType dtype);

// The maps worth trying on elements of this type: factors of a power of two, signs, subnormals, the bits of
// another format, less precision, saturation.
std::vector<ValueMap> value_maps(DType dtype);

}  // namespace wavetwin::golden
