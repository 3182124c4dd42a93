// SPDX-License-Identifier: MIT
// Values of MX elements and scales, from their definitions in the OCP MX specification 1.0 (section 5), and
// of bf16: 1 sign, 8 exponent and 7 fraction bits, bias 127.
#pragma once

#include <array>
#include <cstdint>

namespace wavetwin::oracle {

// Value of each e4m3 code (5.3.1): bias 7, no infinities, S.1111.111 is NaN.
const std::array<double, 256>& e4m3_values();

// Value of each E8M0 code (5.4.1): 2^(code - 127), 255 is NaN.
const std::array<double, 256>& e8m0_values();

// Value of a finite bf16.
double bf16_value(uint32_t bits);
// To nearest even at 8 significant bits.
double round_to_bf16(double v);
// To nearest even of e4m3's values, |v| <= 448.
double round_to_e4m3(double v);

}  // namespace wavetwin::oracle
