// SPDX-License-Identifier: MIT
// The drafter attention in fp64, stage by stage on the stage's actual input.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "golden/oracle/gemv.h"

namespace wavetwin::oracle {

using Bytes = std::vector<uint8_t>;

// Where byte `byte` of row `row` lies in a tile of 128-byte rows whose 16-byte chunks are swapped by row % 8.
uint32_t drafter_tile_byte(uint32_t row, uint32_t byte);
// Byte of a V tile's row that holds `key` of the block.
uint32_t drafter_key_byte(uint32_t key);
// Tiles as plain rows: [row][128] of a Q or K tile, [key][dim] of a V tile.
Bytes drafter_plain_rows(std::span<const uint8_t> tile);
Bytes drafter_plain_values(std::span<const uint8_t> tile);

// 128 elements of one head: norm by `weight` and rotation by 32 cosines and sines where they are given, as
// the e4m3 values of the kernel.
struct DrafterHead {
  std::span<const uint16_t> x;        // bf16 [128]
  std::span<const uint16_t> weight;   // bf16 [128], empty: no norm and no rotation
  std::span<const uint16_t> cos_sin;  // bf16 [64]
};
Judged drafter_head(const DrafterHead& head);

// One partition: blocks in the order in which they are folded in.
struct DrafterBlocks {
  std::span<const uint8_t> q;  // e4m3 [112][128]: row 16 j + head
  struct Block {
    int32_t first_key;
    Bytes k, v;  // e4m3 [128][128] each, [key][dim]
  };
  std::vector<Block> blocks;
  int32_t p0, lo, hi;  // position of row 0, first and last key
};
struct DrafterPartial {
  Judged m, l;  // [112]
  Judged o;     // [112][128]
};
// P is rounded to e4m3 as the kernel rounds it, with one step of slack where it lies within the arithmetic's
// error of a tie.
DrafterPartial drafter_blocks(const DrafterBlocks& data);

// A row's head from its partials, MXFP8 at the stage's own codes.
struct DrafterMerge {
  uint32_t partials;
  std::function<double(uint32_t i)> m, l;
  std::function<double(uint32_t i, uint32_t d)> o;
  std::span<const uint32_t> codes;  // [4]
};
struct DrafterMerged {
  Judged data;   // [128]
  Judged codes;  // [4]
};
DrafterMerged drafter_merge(const DrafterMerge& data);

}  // namespace wavetwin::oracle
