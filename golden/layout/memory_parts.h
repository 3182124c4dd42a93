// SPDX-License-Identifier: MIT
// What the files of memory layouts share. Internal to golden/layout.
#pragma once

#include "golden/layout/memory_layout.h"

namespace wavetwin::golden {

using MakeMemoryLayout = std::unique_ptr<MemoryLayout>(const MemoryShape&);

// memory_matrix.cpp: matrices of any size in global memory
MakeMemoryLayout make_row_major, make_row_major_mx_32x32, make_row_major_mx_1x32, make_aiter_preshuffle,
    make_aiter_e8m0_shuffle;
// memory_cache.cpp
MakeMemoryLayout make_fp8_ds_mla, make_drafter_kv;
// memory_lds.cpp
MakeMemoryLayout make_drafter_q_tile, make_drafter_k_tile, make_drafter_v_tile, make_back_p_rows,
    make_gemv_lds;

// a * b, or an Error when a buffer cannot be that large (2^60 bits).
uint64_t memory_product(uint64_t a, uint64_t b);

// `given`, or `fixed` when the user left it open; throws Error when the two differ.
uint64_t fixed_extent(const char* what, uint64_t given, uint64_t fixed);
// Throws Error when the user left it open.
uint64_t needed_extent(const char* what, uint64_t given);

// Side::b: the matrix is the operand B, its rows are columns of the product.
enum class Side : uint8_t { a, b };

// The place of element (row, k) when rows are taken 16 at a time and columns run along K: 8-, 6- and 4-bit
// elements by v_mfma_scale_f32_16x16x128_f8f6f4, bf16 by v_mfma_f32_16x16x32_bf16. Nothing for other formats.
std::vector<MfmaFeed> matrix_feed(Side side, FormatId format, uint64_t row, uint64_t k);
// The place of the E8M0 code of a row and of 32 columns.
MfmaFeed scale_feed(Side side, uint64_t row, uint64_t k_block);
// Element (row % 16, k) of step k_step of any instruction with 16 rows and one block.
MfmaFeed operand_feed(const char* instruction, Side side, FormatId format, uint64_t row, uint64_t k_step,
                      uint64_t k);

}  // namespace wavetwin::golden
