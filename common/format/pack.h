// SPDX-License-Identifier: MIT
// Codes of any width up to 8 bits in packed storage: element i occupies bits [i * width, (i + 1) * width),
// bit 0 of byte 0 first. So a 4-bit pair has its first element in the low nibble, and a 6-bit code may
// straddle bytes and dwords; 32 6-bit codes fill 6 dwords, as the f8f6f4 MFMA operands and
// v_cvt_scalef32_pk32_* hold them (CDNA4 ISA guide). Dwords are little-endian, so both views below name the
// same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/bits.h"
#include "common/host_device.h"

namespace wavetwin {

// Bytes that hold `count` codes; the last byte's unused bits are zero.
WAVETWIN_HD constexpr size_t packed_bytes(size_t count, unsigned width) { return (count * width + 7) / 8; }

// Element `index` of packed words: bytes, or a lane's registers. Reads only the words it touches.
template <class Word>
WAVETWIN_HD constexpr uint8_t extract_code(const Word* words, unsigned width, size_t index) {
  constexpr unsigned kBits = 8 * sizeof(Word);
  const size_t first_bit = index * width;
  const unsigned shift = first_bit % kBits;
  uint64_t window = words[first_bit / kBits];
  if (shift + width > kBits) window |= static_cast<uint64_t>(words[first_bit / kBits + 1]) << kBits;
  return static_cast<uint8_t>(extract_bits(window, shift, width));
}

// Replaces element `index` of packed words by the low `width` bits of `code`; all other bits stay.
template <class Word>
WAVETWIN_HD constexpr void insert_code(Word* words, unsigned width, size_t index, uint8_t code) {
  constexpr unsigned kBits = 8 * sizeof(Word);
  const size_t first_bit = index * width;
  const unsigned shift = first_bit % kBits;
  const bool straddles = shift + width > kBits;
  Word* const low = words + first_bit / kBits;
  uint64_t window = low[0] | (straddles ? static_cast<uint64_t>(low[1]) << kBits : 0u);
  window = insert_bits<uint64_t>(window, shift, width, code);
  low[0] = static_cast<Word>(window);
  if (straddles) low[1] = static_cast<Word>(window >> kBits);
}

// `count` codes, one a byte, into packed_bytes(count, width) bytes. Bits above `width` in a code are ignored.
WAVETWIN_HD constexpr void pack_codes(const uint8_t* codes, size_t count, unsigned width, uint8_t* packed) {
  for (size_t i = 0; i < packed_bytes(count, width); ++i) packed[i] = 0;
  for (size_t i = 0; i < count; ++i) insert_code(packed, width, i, codes[i]);
}

WAVETWIN_HD constexpr void unpack_codes(const uint8_t* packed, size_t count, unsigned width, uint8_t* codes) {
  for (size_t i = 0; i < count; ++i) codes[i] = extract_code(packed, width, i);
}

}  // namespace wavetwin
