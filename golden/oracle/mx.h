// SPDX-License-Identifier: MIT
// Values of MX elements and scales, from their definitions in the OCP MX specification 1.0 (section 5).
#pragma once

#include <array>
#include <cstdint>

namespace wavetwin::oracle {

// Value of each e4m3 code (5.3.1): bias 7, no infinities, S.1111.111 is NaN.
const std::array<double, 256>& e4m3_values();

// Value of each E8M0 code (5.4.1): 2^(code - 127), 255 is NaN.
const std::array<double, 256>& e8m0_values();

}  // namespace wavetwin::oracle
