// SPDX-License-Identifier: MIT
// Where the elements of an MFMA's operands sit in the registers of a wave, and back.
//
// Directions: the *_place functions go from matrix coordinates to (lane, VGPR, bit); the *_element functions
// go back. Both are one-to-one and cover every register bit of the operand (tests/unit/mfma/layout_test.cpp).
//
// Sources: AMD CDNA3 and CDNA4 ISA guides, chapter 7 (the general rules and the f8f6f4 figures), AMD's matrix
// instruction calculator for the shapes that gfx942 has, composable_kernel's MX test for the scales. The
// F64 4x4x4 layout was probed by users on gfx90a.
#pragma once

#include <cstdint>

#include "common/host_device.h"
#include "common/mfma/shape.h"

namespace wavetwin::mfma {

// An element's place: bits [bit, bit + width) of the lane's registers read as one little-endian bit string
// that starts at bit 0 of VGPR 0 of the operand. A 6-bit element may straddle two VGPRs; an f64 takes two
// whole ones.
struct Place {
  uint8_t lane;
  uint16_t bit;

  WAVETWIN_HD constexpr unsigned vgpr() const { return bit / 32; }
  WAVETWIN_HD constexpr unsigned bit_in_vgpr() const { return bit % 32; }
  friend constexpr bool operator==(const Place&, const Place&) = default;
};

// A(row, k) or, with the column in place of the row, B(k, column).
struct InputElement {
  uint8_t block, row, k;
  friend constexpr bool operator==(const InputElement&, const InputElement&) = default;
};

// C(row, column) and D(row, column).
struct OutputElement {
  uint8_t block, row, column;
  friend constexpr bool operator==(const OutputElement&, const OutputElement&) = default;
};

// The scale of row `row` of A (or column `row` of B) for elements k = 32 * k_block .. 32 * k_block + 31.
struct ScaleElement {
  uint8_t row, k_block;
  friend constexpr bool operator==(const ScaleElement&, const ScaleElement&) = default;
};

// One operand's layout. `rows` is M for A and N for B.
struct InputLayout {
  uint8_t rows, k, blocks, bits;
  uint8_t run;          // consecutive k that one lane holds before the next lane group continues
  uint8_t lane_groups;  // lane groups per block along k

  // matrix -> registers
  WAVETWIN_HD constexpr Place place(InputElement element) const {
    const unsigned run_index = element.k / run;
    const unsigned group = run_index % lane_groups;
    const unsigned pass = run_index / lane_groups;  // 0 except for 8-bit f8f6f4, which comes round twice
    const unsigned lane = element.row               // rows are neighbouring lanes,
                          + rows * element.block    // then blocks,
                          + rows * blocks * group;  // then lane groups along k
    const unsigned slot = pass * run + element.k % run;
    return {static_cast<uint8_t>(lane), static_cast<uint16_t>(slot * bits)};
  }

  // registers -> matrix
  WAVETWIN_HD constexpr InputElement element(Place place) const {
    const unsigned slot = place.bit / bits;
    const unsigned group = place.lane / (rows * blocks);
    const unsigned k_index = slot / run * lane_groups * run  // whole passes over the lane groups,
                             + group * run                   // the lane group's run,
                             + slot % run;                   // the element in it
    return {static_cast<uint8_t>(place.lane / rows % blocks), static_cast<uint8_t>(place.lane % rows),
            static_cast<uint8_t>(k_index)};
  }
};

// All shapes spread k over 64 / (rows * blocks) lane groups, one run each, except 8-bit f8f6f4, where a lane
// holds two runs of 16: VGPRs 0..3 hold the lower half of K, VGPRs 4..7 the upper half.
WAVETWIN_HD constexpr InputLayout input_layout(const Shape& shape, Format format, unsigned rows) {
  const unsigned groups = 64 / (rows * shape.blocks);
  const unsigned bits = format_bits(format);
  const bool two_passes = shape.input == InputClass::f8f6f4 && bits == 8;
  const unsigned run = two_passes ? 16 : shape.k / groups;
  return {static_cast<uint8_t>(rows),
          shape.k,
          shape.blocks,
          static_cast<uint8_t>(bits),
          static_cast<uint8_t>(run),
          static_cast<uint8_t>(groups)};
}
WAVETWIN_HD constexpr InputLayout a_layout(const Shape& shape, Format format) {
  return input_layout(shape, format, shape.m);
}
WAVETWIN_HD constexpr InputLayout b_layout(const Shape& shape, Format format) {
  return input_layout(shape, format, shape.n);
}

// C and D. Columns are neighbouring lanes. A lane holds `height` consecutive rows (4, and 1 for f64), then
// `lane_groups` lanes further on the next rows follow; what does not fit goes to further registers. Blocks
// fill further registers, except where one block has fewer outputs than lanes: there blocks lie in the lanes.
struct OutputLayout {
  uint8_t m, n, blocks, bits;
  uint8_t height;
  uint8_t lane_groups;   // lane groups along the rows of one block
  bool blocks_in_lanes;  // 4x4 shapes
  uint8_t row_stride;    // lanes between lane groups
  uint8_t block_stride;  // lanes between blocks, when they lie in the lanes

  WAVETWIN_HD constexpr unsigned rows_per_slot_run() const { return height * lane_groups; }
  WAVETWIN_HD constexpr unsigned slots_per_block() const { return m / lane_groups; }

  // matrix -> registers
  WAVETWIN_HD constexpr Place place(OutputElement element) const {
    const unsigned group = element.row / height % lane_groups;
    const unsigned lane = element.column        // columns are neighbours,
                          + row_stride * group  // then lane groups of rows,
                          + (blocks_in_lanes ? block_stride * element.block : 0u);
    const unsigned slot = element.row % height                            // rows inside a run,
                          + height * (element.row / rows_per_slot_run())  // runs of one block,
                          + (blocks_in_lanes ? 0u : slots_per_block() * element.block);
    return {static_cast<uint8_t>(lane), static_cast<uint16_t>(slot * bits)};
  }

  // registers -> matrix
  WAVETWIN_HD constexpr OutputElement element(Place place) const {
    const unsigned slot = place.bit / bits;
    const unsigned block = blocks_in_lanes ? place.lane / block_stride % blocks : slot / slots_per_block();
    const unsigned group = place.lane / row_stride % lane_groups;
    const unsigned slot_in_block = blocks_in_lanes ? slot : slot % slots_per_block();
    const unsigned row = slot_in_block % height                             // row inside a run,
                         + height * group                                   // lane group,
                         + rows_per_slot_run() * (slot_in_block / height);  // run
    return {static_cast<uint8_t>(block), static_cast<uint8_t>(row), static_cast<uint8_t>(place.lane % n)};
  }
};

WAVETWIN_HD constexpr OutputLayout cd_layout(const Shape& shape) {
  const bool f64 = shape.input == InputClass::f64;
  const bool small = shape.m == 4;
  const uint8_t height = f64 ? 1 : 4;
  // 4x4 f64 x 4 blocks: lane 16*row + 4*block + column. 4x4 x 16 blocks: lane 4*block + column, rows in
  // registers.
  const uint8_t lane_groups = small ? (f64 ? 4 : 1) : static_cast<uint8_t>(64 / shape.n);
  const uint8_t row_stride = small && f64 ? 16 : (small ? 64 : shape.n);
  return {shape.m, shape.n,     shape.blocks, static_cast<uint8_t>(output_bits(shape)),
          height,  lane_groups, small,        row_stride,
          4};
}

// Scales of the f8f6f4 instructions (`rows` is M for A, N for B): the lane; the byte of its VGPR is the opsel
// argument, the same for all lanes. With 16 rows there are 4 blocks along K, with 32 there are 2: 64 lanes
// each. matrix -> registers
WAVETWIN_HD constexpr unsigned scale_lane(unsigned rows, ScaleElement element) {
  return rows * element.k_block + element.row;
}
// registers -> matrix
WAVETWIN_HD constexpr ScaleElement scale_element(unsigned rows, unsigned lane) {
  return {static_cast<uint8_t>(lane % rows), static_cast<uint8_t>(lane / rows)};
}
// The byte of the scale VGPR: {op_sel_hi, op_sel} of the operand (index 0 for A, 1 for B).
WAVETWIN_HD constexpr unsigned scale_byte(unsigned op_sel, unsigned op_sel_hi) {
  return 2 * op_sel_hi + op_sel;
}

// The block of A that block `block` of the result reads under CBSZ and ABID: block ABID of its group of
// 2^CBSZ neighbours.
WAVETWIN_HD constexpr unsigned broadcast_block(unsigned block, unsigned cbsz, unsigned abid) {
  return (block & ~((1u << cbsz) - 1)) + abid;
}
// The same as the lanes of 7.1.6.1 have it: of `blocks`, part ABID of 2^CBSZ equal parts, repeated. (Lane l
// reads lane l % S + S * ABID, S = 64 / 2^CBSZ; a block is 64 / blocks neighbouring lanes.)
WAVETWIN_HD constexpr unsigned broadcast_block_by_lanes(unsigned blocks, unsigned block, unsigned cbsz,
                                                        unsigned abid) {
  const unsigned part = blocks >> cbsz;
  return block % part + part * abid;
}

// The lane from which lane `lane` of B is read under BLGP: 0 itself; 1 and 2 the low and the high 32 lanes
// twice; 3 rotated down by 16 lanes; 4..7 one group of 16 lanes four times.
WAVETWIN_HD constexpr unsigned b_source_lane(unsigned lane, unsigned blgp) {
  switch (blgp) {
    case 1:
      return lane % 32;
    case 2:
      return lane % 32 + 32;
    case 3:
      return (lane + 16) % 64;
    case 4:
    case 5:
    case 6:
    case 7:
      return lane % 16 + 16 * (blgp - 4);
    default:
      return lane;
  }
}

}  // namespace wavetwin::mfma
