// SPDX-License-Identifier: MIT
// Wrong rules that a kernel's conversions may follow. A report of a difference runs the twin under one to see
// whether it gives the words found; nothing else changes them.
#pragma once

#include <cstdint>

namespace wavetwin {

// A null pointer, a zero and false mean the right rule.
struct DeviceRules {
  uint32_t (*bf16_code_of)(float) = nullptr;  // in place of the conversion to bf16
  uint32_t (*e4m3_code_of)(float) = nullptr;  // in place of the conversion to e4m3
  int e4m3_read_power = 0;                    // codes read as f32 or bf16 are 2^power as large
  int mx_code_offset = 0;                     // added to a group's scale code before it is used
  uint32_t (*mx_code_of)(float) = nullptr;    // another choice of a group's scale code, by its maximum
  int mx_mul_offset = 0;                      // added to a group's scale code where its values are divided
  int scale_read_offset = 0;                  // added to a scale code that is read
  bool no_clamp = false;                      // values are not limited to the largest e4m3 number
  bool halves_swapped = false;                // the two bf16 of a word
  bool other_exp2 = false;                    // v_exp_f32 for the polynomial, or the other way round
  bool f16_products = false;                  // bf16 operands given to the MFMA of f16
};

// Replaced only between launches.
const DeviceRules& device_rules();
void set_device_rules(const DeviceRules& rules);

}  // namespace wavetwin
