// SPDX-License-Identifier: MIT
// Formats as run-time values: names, widths, MFMA format codes, and decoding by id.
#pragma once

#include <cstdint>
#ifndef __HIP__  // these two pull in headers that do not compile for the device
#include <optional>
#include <string_view>
#endif

#include "common/bits.h"
#include "common/format/bf16.h"
#include "common/format/convert.h"
#include "common/format/e2m1.h"
#include "common/format/e2m3.h"
#include "common/format/e3m2.h"
#include "common/format/e4m3.h"
#include "common/format/e4m3fnuz.h"
#include "common/format/e5m2.h"
#include "common/format/e5m2fnuz.h"
#include "common/format/e8m0.h"
#include "common/format/f16.h"
#include "common/host_device.h"

namespace wavetwin {

// The first five are numbered as CBSZ and BLGP of the f8f6f4 MFMAs number them (CDNA4 ISA guide; LLVM).
enum class FormatId : uint8_t {
  e4m3,
  e5m2,
  e2m3,
  e3m2,
  e2m1,
  e4m3fnuz,
  e5m2fnuz,
  e8m0,
  bf16,
  f16,
  f32,
  f64,
  i8,
  i32
};

struct FormatInfo {
  FormatId id;
  const char* name;                 // as the command line spells it
  uint8_t bits;                     // of one element, packed
  int8_t f8f6f4_code;               // CBSZ / BLGP, or -1
  const FloatFormat* float_format;  // null for e8m0, i8, i32
  bool can_encode;                  // encode(FormatId, ...) works
};

inline constexpr FormatInfo kFormats[] = {
    {FormatId::e4m3, "e4m3", 8, 0, &E4M3::kFormat, true},
    {FormatId::e5m2, "e5m2", 8, 1, &E5M2::kFormat, true},
    {FormatId::e2m3, "e2m3", 6, 2, &E2M3::kFormat, true},
    {FormatId::e3m2, "e3m2", 6, 3, &E3M2::kFormat, true},
    {FormatId::e2m1, "e2m1", 4, 4, &E2M1::kFormat, true},
    {FormatId::e4m3fnuz, "e4m3fnuz", 8, -1, &E4M3FNUZ::kFormat, false},
    {FormatId::e5m2fnuz, "e5m2fnuz", 8, -1, &E5M2FNUZ::kFormat, false},
    {FormatId::e8m0, "e8m0", 8, -1, nullptr, false},
    {FormatId::bf16, "bf16", 16, -1, &BF16::kFormat, true},
    {FormatId::f16, "f16", 16, -1, &F16::kFormat, true},
    {FormatId::f32, "f32", 32, -1, &kBinary32, true},
    {FormatId::f64, "f64", 64, -1, &kBinary64, true},
    {FormatId::i8, "i8", 8, -1, nullptr, false},
    {FormatId::i32, "i32", 32, -1, nullptr, false},
};

constexpr const FormatInfo& format_info(FormatId id) { return kFormats[static_cast<uint8_t>(id)]; }
constexpr const char* to_string(FormatId id) { return format_info(id).name; }

#ifndef __HIP__

// The format of this name, or nothing.
constexpr std::optional<FormatId> parse_format(std::string_view name) {
  for (const FormatInfo& info : kFormats) {
    if (name == info.name) return info.id;
  }
  return std::nullopt;
}

// The format a CBSZ or BLGP code selects, or nothing for codes above 4.
constexpr std::optional<FormatId> format_of_f8f6f4_code(unsigned code) {
  if (code > 4) return std::nullopt;
  return static_cast<FormatId>(code);
}

#endif

// The exact value of a code of any format as f64; bits above the format's width are ignored. NaN gives a NaN.
constexpr double decode_f64(FormatId id, uint64_t code) {
  if (id == FormatId::i8) return sign_extend(static_cast<uint32_t>(code), 8);
  if (id == FormatId::i32) return sign_extend(static_cast<uint32_t>(code), 32);
  if (id == FormatId::e8m0) return decode(E8M0{static_cast<uint8_t>(code)});
  const Unpacked x = unpack(*format_info(id).float_format, code);
  return f64_from_bits(encode_bits(kBinary64, x, Overflow::ieee));
}

// The value of a code as f32: exact for every format but f64 and i32, which round. A NaN keeps the bits that
// decode(F) of the format's own header gives it; f32 passes through.
constexpr float decode(FormatId id, uint64_t code) {
  switch (id) {
    case FormatId::e4m3:
      return decode(E4M3{static_cast<uint8_t>(code)});
    case FormatId::e5m2:
      return decode(E5M2{static_cast<uint8_t>(code)});
    case FormatId::e2m3:
      return decode(E2M3{static_cast<uint8_t>(code)});
    case FormatId::e3m2:
      return decode(E3M2{static_cast<uint8_t>(code)});
    case FormatId::e2m1:
      return decode(E2M1{static_cast<uint8_t>(code)});
    case FormatId::e4m3fnuz:
      return decode(E4M3FNUZ{static_cast<uint8_t>(code)});
    case FormatId::e5m2fnuz:
      return decode(E5M2FNUZ{static_cast<uint8_t>(code)});
    case FormatId::e8m0:
      return decode(E8M0{static_cast<uint8_t>(code)});
    case FormatId::bf16:
      return decode(BF16{static_cast<uint16_t>(code)});
    case FormatId::f16:
      return decode(F16{static_cast<uint16_t>(code)});
    case FormatId::f32:
      return f32_from_bits(static_cast<uint32_t>(code));
    default:
      return to_float(unpack(decode_f64(id, code)));
  }
}

// The code nearest to a value; needs format_info(id).can_encode. From double there is one rounding, not two.
constexpr uint64_t encode(FormatId id, double value, Overflow overflow) {
  return encode_bits(*format_info(id).float_format, unpack(value), overflow);
}
constexpr uint64_t encode(FormatId id, float value, Overflow overflow) {
  return encode_bits(*format_info(id).float_format, unpack(value), overflow);
}

}  // namespace wavetwin
