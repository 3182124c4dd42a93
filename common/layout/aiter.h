// SPDX-License-Identifier: MIT
// Where AITER's preshuffled weights and scales keep an element, and back. Offsets are bytes from the start of
// the buffer. Both maps are one-to-one and cover the buffer (tests/layout/memory_layout_test.cpp).
//
// Sources: ROCm/aiter, aiter/ops/shuffle.py (shuffle_weight) and aiter/utility/fp4_utils.py (e8m0_shuffle).
#pragma once

#include <cstdint>

#include "common/host_device.h"

namespace wavetwin::aiter {

// Row and byte (or, for scales, column) of a matrix.
struct Cell {
  uint64_t row, column;
  friend constexpr bool operator==(const Cell&, const Cell&) = default;
};

// ---- shuffle_weight with layout (16, 16): what the bpreshuffle GEMMs read ----
//
// view(rows/16, 16, K/BK, BK/c, c).permute(0, 2, 3, 1, 4) with c elements in 16 bytes and BK = 32 elements:
// tiles of 16 rows by 16 bytes, the 16 bytes of 16 rows side by side, tiles along K one after the other. BK
// itself only demands that K is a multiple of 32 elements.

inline constexpr uint64_t kWeightRows = 16;
inline constexpr uint64_t kWeightBytes = 16;
inline constexpr uint64_t kWeightTile = kWeightRows * kWeightBytes;
inline constexpr uint64_t kWeightElements = 32;  // K is a multiple of them

// matrix -> memory: byte cell.column of row cell.row of a matrix of row_bytes a row.
WAVETWIN_HD constexpr uint64_t weight_byte(Cell cell, uint64_t row_bytes) {
  return cell.row / kWeightRows * (kWeightRows * row_bytes)  // whole rows of tiles,
         + cell.column / kWeightBytes * kWeightTile          // tiles along K,
         + cell.row % kWeightRows * kWeightBytes             // the row in the tile,
         + cell.column % kWeightBytes;
}
// memory -> matrix
WAVETWIN_HD constexpr Cell weight_cell(uint64_t byte, uint64_t row_bytes) {
  const uint64_t band = byte / (kWeightRows * row_bytes), in_band = byte % (kWeightRows * row_bytes);
  return {band * kWeightRows + in_band % kWeightTile / kWeightBytes,
          in_band / kWeightTile * kWeightBytes + in_band % kWeightBytes};
}

// ---- e8m0_shuffle: scales [rows][columns], one byte each ----
//
// view(rows/32, 2, 16, columns/8, 2, 4).permute(0, 3, 5, 2, 4, 1): tiles of 32 rows by 8 columns. The four
// bytes of a 32-bit word are rows r and r + 16 of columns c and c + 4: the scales that one lane needs for two
// row tiles and two K steps of a 16x16x128 MFMA.

inline constexpr uint64_t kScaleRows = 32;    // rows are padded to a multiple of this,
inline constexpr uint64_t kScaleColumns = 8;  // columns to a multiple of this, with zero bytes
// AITER itself allocates rows in multiples of 256.
inline constexpr uint64_t kScaleAllocatedRows = 256;

// matrix -> memory; `columns` is the padded count.
WAVETWIN_HD constexpr uint64_t scale_byte(Cell cell, uint64_t columns) {
  return cell.row / 32 * (32 * columns)  // dimension 0: 32 rows,
         + cell.column / 8 * 256         // 3: 8 columns,
         + cell.column % 4 * 64          // 5: column mod 4,
         + cell.row % 16 * 4             // 2: row mod 16,
         + cell.column % 8 / 4 * 2       // 4: which four columns,
         + cell.row % 32 / 16;           // 1: which 16 rows
}
// memory -> matrix
WAVETWIN_HD constexpr Cell scale_cell(uint64_t byte, uint64_t columns) {
  const uint64_t band = byte / (32 * columns), in_band = byte % (32 * columns), in_tile = in_band % 256;
  return {band * 32 + in_tile % 2 * 16 + in_tile / 4 % 16,
          in_band / 256 * 8 + in_tile / 2 % 2 * 4 + in_tile / 64};
}

}  // namespace wavetwin::aiter
