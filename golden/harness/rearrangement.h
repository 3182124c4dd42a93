// SPDX-License-Identifier: MIT
// Layout mistakes as index maps of a tensor: a kernel that makes one reads (or writes) element `source(i)`
// where it should use element i.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "golden/io/tensor.h"

namespace wavetwin::golden {

struct Rearrangement {
  std::string text;                          // "columns c and c ^ 16 exchanged"
  std::function<uint64_t(uint64_t)> source;  // row-major index -> row-major index, one to one
};

// The maps worth trying on a tensor of this type and shape, the likelier ones first. Columns are the last
// dimension (the K of an operand), rows the one before it:
//   - neighbours exchanged: c ^ 1, 2, 4 ... 256 in every dimension whose extent allows it (bytes of a word,
//     halves of a 32-element K block, K blocks, halves of a 128-wide step, lanes, waves);
//   - the four bytes of each word reversed, or moved by one (8-bit types);
//   - the next or the previous column or row, wrapping around;
//   - each 4x4, 16x16 or 32x32 tile transposed;
//   - groups of columns reversed, two powers of two at once (c ^ 48), and all of a dimension reversed;
//   - interleaved for split halves and the other way round, 16, 32 and 64 columns regrouped as a x b;
//   - the lanes of an operand dealt out along K first.
std::vector<Rearrangement> rearrangements(DType dtype, const Shape& shape);

// Columns exchanged in a way that depends on the row, as one side does that swizzles LDS rows, or swizzles
// them otherwise than the other side: chunk k of row r and chunk k ^ ((r >> s) & m), the likelier ones first.
std::vector<Rearrangement> swizzles(DType dtype, const Shape& shape);

// Columns c and c ^ mask exchanged; the last extent is a multiple of twice the mask's highest bit.
Rearrangement exchanged_columns(DType dtype, const Shape& shape, uint64_t mask);
// Rows r and r ^ mask, likewise. The shape has two dimensions or more.
Rearrangement exchanged_rows(const Shape& shape, uint64_t mask);
// Blocks of columns in the reverse order; `blocks` divides the last extent.
Rearrangement reversed_blocks(const Shape& shape, uint64_t blocks);

// The tensor whose element i is element source(i) of `tensor`.
Tensor rearranged(const Tensor& tensor, const Rearrangement& rearrangement);

}  // namespace wavetwin::golden
