// SPDX-License-Identifier: MIT
// Which lane feeds which, for every instruction that moves data between the lanes of a wave: the one place
// that the executor, the simulated kernels and `wavetwin layout` take it from.
//
// A row is 16 lanes, a bank 4 lanes of a row, a quad 4 neighbouring lanes (AMD CDNA4 ISA guide, "Data
// parallel processing").
#pragma once

#include <cstdint>

#include "common/host_device.h"

namespace wavetwin {

inline constexpr unsigned kMapLanes = 64;

// ---- DPP ----

// DPP_CTRL codes (CDNA4 ISA guide, "DPP_CTRL enumerations"); add the row distance k to the first three.
namespace dpp_ctrl {
inline constexpr uint32_t kQuadPerm = 0x000;  // | four 2-bit source lanes
inline constexpr uint32_t kRowShl = 0x100;    // + 1..15: data moves to lower lanes
inline constexpr uint32_t kRowShr = 0x110;    // + 1..15: data moves to higher lanes
inline constexpr uint32_t kRowRor = 0x120;    // + 1..15
inline constexpr uint32_t kWaveShl1 = 0x130;
inline constexpr uint32_t kWaveRol1 = 0x134;
inline constexpr uint32_t kWaveShr1 = 0x138;
inline constexpr uint32_t kWaveRor1 = 0x13C;
inline constexpr uint32_t kRowMirror = 0x140;
inline constexpr uint32_t kRowHalfMirror = 0x141;
inline constexpr uint32_t kRowBcast15 = 0x142;
inline constexpr uint32_t kRowBcast31 = 0x143;
inline constexpr uint32_t kRowNewBcast = 0x150;  // + 0..15
}  // namespace dpp_ctrl

// True for a control code that gfx950 has.
WAVETWIN_HD constexpr bool dpp_is_valid(uint32_t ctrl) {
  using namespace dpp_ctrl;
  const bool shifted = (ctrl > kRowShl && ctrl <= kRowShl + 15) || (ctrl > kRowShr && ctrl <= kRowShr + 15) ||
                       (ctrl > kRowRor && ctrl <= kRowRor + 15);
  const bool whole_wave = ctrl == kWaveShl1 || ctrl == kWaveRol1 || ctrl == kWaveShr1 || ctrl == kWaveRor1;
  return ctrl <= 0xFF || shifted || whole_wave || (ctrl >= kRowMirror && ctrl <= kRowBcast31) ||
         (ctrl >= kRowNewBcast && ctrl <= kRowNewBcast + 15);
}

// The lane that feeds lane n, or -1 when the control points outside (a shift past the row's end). `ctrl` must
// be valid. The guide's formula for row_bcast:15 must be read as (n & 0x30) - 1.
WAVETWIN_HD constexpr int dpp_source(uint32_t ctrl, unsigned n) {
  using namespace dpp_ctrl;
  const unsigned row = n & ~15u;
  const unsigned in_row = n & 15;
  const unsigned k = ctrl & 15;
  if (ctrl <= 0xFF) return static_cast<int>((n & ~3u) + ((ctrl >> (2 * (n & 3))) & 3));
  if (ctrl < kRowShr) return in_row + k <= 15 ? static_cast<int>(n + k) : -1;
  if (ctrl < kRowRor) return in_row >= k ? static_cast<int>(n - k) : -1;
  if (ctrl < kWaveShl1) return static_cast<int>(row + ((n - k) & 15));
  switch (ctrl) {
    case kWaveShl1:
      return n < 63 ? static_cast<int>(n + 1) : -1;
    case kWaveRol1:
      return static_cast<int>((n + 1) % kMapLanes);
    case kWaveShr1:
      return static_cast<int>(n) - 1;
    case kWaveRor1:
      return static_cast<int>((n + 63) % kMapLanes);
    case kRowMirror:
      return static_cast<int>(row + 15 - in_row);
    case kRowHalfMirror:
      return static_cast<int>((n & ~7u) + 7 - (n & 7));
    case kRowBcast15:
      return n > 15 ? static_cast<int>((n & 0x30) - 1) : -1;
    case kRowBcast31:
      return n > 31 ? 31 : -1;
    default:
      return static_cast<int>(row + k);  // row_newbcast
  }
}

// Whether row_mask (bit r: row r) and bank_mask (bit b: bank b of every row) let lane n be written.
WAVETWIN_HD constexpr bool dpp_writes(uint32_t row_mask, uint32_t bank_mask, unsigned n) {
  return (row_mask >> (n / 16) & 1) && (bank_mask >> (n / 4 % 4) & 1);
}

// ---- DS operations between lanes (CDNA4 ISA guide 12.12) ----

// ds_permute_b32 and ds_bpermute_b32: the lane that a byte address (with the offset added) names.
WAVETWIN_HD constexpr unsigned permute_lane(uint32_t address) { return address >> 2 & (kMapLanes - 1); }

// ds_swizzle_b32: the lane that feeds `lane` under the 16-bit offset. Every mode stays inside 32 lanes.
//   0xe000..0xffff  FFT: bits reversed above the mask [4:0]
//   0xc000..0xdfff  rotate by [9:5] within 32 lanes, down when bit 10 is set; the lane bits in mask [4:0]
//   stay 0x8000..0xbfff  quad permute: four 2-bit source lanes in [7:0] 0x0000..0x7fff  ((lane & [4:0]) |
//   [9:5]) ^ [14:10]
WAVETWIN_HD constexpr unsigned swizzle_source(unsigned offset, unsigned lane) {
  const unsigned half = lane & 32, in_half = lane & 31;
  const unsigned mask = offset & 31, middle = offset >> 5 & 31, high = offset >> 10 & 31;
  if (offset >= 0xe000) {
    unsigned reversed = 0, kept_bits = 0;
    for (unsigned bit = 0; bit < 5; ++bit) {
      reversed |= (in_half >> bit & 1) << (4 - bit);
      kept_bits += mask >> bit & 1;
    }
    return half | reversed >> kept_bits | (in_half & mask);
  }
  if (offset >= 0xc000) {
    const unsigned moved = (high & 1) ? in_half - middle : in_half + middle;
    return half | (in_half & mask) | (moved & ~mask & 31);
  }
  if (offset & 0x8000) return (lane & ~3u) | (offset >> (2 * (lane & 3)) & 3);
  return half | (((in_half & mask) | middle) ^ high);
}

// ---- v_permlane16_swap_b32 and v_permlane32_swap_b32 ----

// The lane whose value `lane` gets from the other register: lanes with bit `distance` (16 or 32) off belong
// to the source register, lanes with the bit on to the destination register; they change places. The other
// lanes keep their values. (Guide 12.8.)
WAVETWIN_HD constexpr unsigned permlane_partner(unsigned distance, unsigned lane) { return lane ^ distance; }

// ---- LDS reads that transpose ----

// ds_read_b64_tr_b16, _tr_b8, _tr_b4 and ds_read_b96_tr_b6: each lane's address names a chunk of `elements`
// elements (4, 8, 16 and 16); inside a group of 16 lanes they are redistributed. Element n of the result of
// `lane` is element `index` of the chunk of lane `lane`.
// Sources: CDNA4 ISA guide 12.12, with Triton's pull requests 5750 and 8525 and AMD's rocjitsu for the lanes
// of b16 and b8; ROCm rocRoller's GPU test (TransposeLoadsTest) for b4 and b6, and Triton's 7736 for b4.
struct ChunkElement {
  uint8_t lane, index;
  friend constexpr bool operator==(const ChunkElement&, const ChunkElement&) = default;
};
WAVETWIN_HD constexpr ChunkElement transposed_source(unsigned elements, unsigned lane, unsigned n) {
  const unsigned source = (lane & ~15u)             // inside the group of 16 lanes,
                          + (lane & 15) / elements  // a column of chunks a lane group of `elements`,
                          + 16 / elements * n;      // further down with n
  return {static_cast<uint8_t>(source), static_cast<uint8_t>(lane % elements)};
}

}  // namespace wavetwin
