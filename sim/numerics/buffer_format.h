// SPDX-License-Identifier: MIT
// Elements of typed buffers: the data formats and number formats of MTBUF instructions and of the V# (CDNA4
// ISA guide 9.1.2 and 9.1.11), and the conversions between them and 32-bit or 16-bit register values.
//
// A format's name lists its components from the top bit down (Mesa maps R11G11B10 to 10_11_11 and R10G10B10A2
// to 2_10_10_10 on GFX9); X is the lowest. Integers come and go as integers, everything else as floats (guide
// 9.1.3). Elements of 32-bit components are not converted.
//
// What the guide leaves open follows the Direct3D 11.3 functional specification, 3.1.3 and 3.2.3, and is an
// option where a plausible part could differ: to float, UNORM and SNORM codes are divided by the largest code
// with one rounding (format_norm_read), and the two lowest SNORM codes are both -1; from float, they are
// clamped, scaled and rounded half away from
// zero (format_norm), a NaN is 0; integers saturate; floats are rounded towards zero into narrower floats
// (format_float), denormals kept. USCALED and SSCALED, which it does not have, truncate (format_scaled) and
// saturate.
#pragma once

#include <array>
#include <cstdint>

#include "sim/numerics/numeric_model.h"

namespace wavetwin {

// NFMT, in encoding order.
enum class NumberFormat : uint8_t { unorm, snorm, uscaled, sscaled, uint, sint, reserved, floating };

constexpr bool is_integer(NumberFormat format) {
  return format == NumberFormat::uint || format == NumberFormat::sint;
}

// Where the components of an element are: X lowest, one after the other.
struct BufferElement {
  uint8_t bytes = 0;
  uint8_t components = 0;
  std::array<uint8_t, 4> bits{};  // of each component
};

// DFMT: nothing for 0 (an unbound resource) and 15 (reserved).
const BufferElement* buffer_element(unsigned data_format);

// Whether the guide's table 9.1.11 lists the pair.
bool is_buffer_format(unsigned data_format, NumberFormat number);

// Components of an element of `bytes` bytes at `element`, as 32-bit register values; the absent ones are 0.
std::array<uint32_t, 4> read_buffer_element(const BufferElement& format, NumberFormat number,
                                            const uint32_t* element, const NumericModel& model);

// The element whose components are `values`, 32-bit register values. `element` has (bytes + 3) / 4 dwords.
void write_buffer_element(const BufferElement& format, NumberFormat number,
                          const std::array<uint32_t, 4>& values, const NumericModel& model,
                          uint32_t* element);

// D16: a 16-bit register value from a 32-bit one, and back. Integers saturate.
uint16_t narrow_to_d16(uint32_t value, NumberFormat number, const NumericModel& model);
uint32_t widen_from_d16(uint16_t value, NumberFormat number);

}  // namespace wavetwin
