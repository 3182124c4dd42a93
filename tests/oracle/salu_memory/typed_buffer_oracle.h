// SPDX-License-Identifier: MIT
// Typed buffer elements by tables and exact rationals: the formats of the CDNA4 ISA guide, 9.1.2 and 9.1.11,
// the conversions of the Direct3D 11.3 functional specification, 3.1.3 and 3.2.3. Nothing of sim/ or common/
// is used here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wavetwin::reference {

struct TypedFormat {
  unsigned data_format, number_format;  // the codes
  std::string name;                     // "10_11_11 float"
  std::vector<unsigned> bits;           // of x, y, z, w
  std::string number;                   // "unorm", ...

  unsigned bytes() const;
  bool integer() const { return number == "uint" || number == "sint"; }
};

// Every pair that the guide's table 9.1.11 lists, but the ones a 3-bit field cannot hold (SRGB).
const std::vector<TypedFormat>& typed_formats();

// Where no document fixes a conversion.
struct TypedChoices {
  enum Rounding { half_away, nearest_even, truncated };
  bool float_nearest = false;    // into narrower floats: nearest even, not towards zero
  Rounding norm = half_away;     // floats to unorm and snorm
  bool scaled_nearest = false;   // floats to uscaled and sscaled: nearest even, not truncated
  bool norm_multiplied = false;  // unorm and snorm to float: times the rounded reciprocal of the largest code
};

// The components of an element, lowest bits first, as 32-bit register values; absent ones are 0.
std::array<uint32_t, 4> typed_load(const TypedFormat& format, const std::vector<uint8_t>& element,
                                   const TypedChoices& choices);
// The element of these components.
std::vector<uint8_t> typed_store(const TypedFormat& format, const std::array<uint32_t, 4>& values,
                                 const TypedChoices& choices);
// 16-bit register values.
uint16_t typed_narrow(const TypedFormat& format, uint32_t value, const TypedChoices& choices);
uint32_t typed_widen(const TypedFormat& format, uint16_t value);

}  // namespace wavetwin::reference
