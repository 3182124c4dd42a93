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
  Judged m, l;                                 // [112]
  Judged o;                                    // [112][128]: P rounded to e4m3 as the kernel rounds it
  Judged semantic;                             // [112][128]: o without that rounding
  std::vector<double> magnitude, v_magnitude;  // [112][128]: sums of p |v| (x 256) and of |v|
};
// o: P_x = e4m3(256 exp(s - m_b)), m_b the maximum after x's block, with one step of slack where P lies
// within the arithmetic's error of a tie; well within 2^-8 of the sum of p |v|. semantic: within 2^-4 of the
// sum of p |v| (half an e4m3 step of P) and 2^-18 of the sum of |v| (P's subnormals), on the x 256 scale.
DrafterPartial drafter_blocks(const DrafterBlocks& data);

// A row's head from its partials.
struct DrafterMerge {
  uint32_t partials;
  std::function<double(uint32_t i)> m, l;
  std::function<double(uint32_t i, uint32_t d)> o;
};
Judged drafter_merge(const DrafterMerge& data);
// The whole attention of a request in fp64, partial by partial in any order.
class DrafterWhole {
 public:
  DrafterWhole();
  void add(const DrafterPartial& partial);
  // A row's head as P is rounded: within 2^-8 of sum p |v| / sum p, and bf16.
  Judged quantised(uint32_t row) const;
  // As it is meant: within 2^-4 of sum p |v| / sum p and 2^-18 of sum |v| / sum p, and bf16.
  Judged semantic(uint32_t row) const;

 private:
  struct Sums {  // of a row and dim; p is scaled by 256
    double o = 0, error = 0, semantic = 0, magnitude = 0, v_magnitude = 0;
  };
  std::vector<double> m_, l_;
  std::vector<Sums> sums_;
};

// MXFP8 of a head's output at the stage's own codes [4].
struct DrafterMxfp8 {
  Judged data;   // [128]
  Judged codes;  // [4]
};
DrafterMxfp8 drafter_mxfp8(const Judged& y, std::span<const uint32_t> codes);

// Both must hold: their common interval. Where there is none, no value but its middle is taken for right.
void narrow(Judged& judged, const Judged& other);

}  // namespace wavetwin::oracle
