// SPDX-License-Identifier: MIT
#include "golden/layout/memory_layout.h"

#include <fmt/format.h>

#include "golden/layout/memory_parts.h"
#include "golden/layout/nearest_name.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr const char* kAiter = "ROCm/aiter, aiter/ops/shuffle.py: shuffle_weight, layout (16, 16)";
constexpr const char* kAiterScale =
    "ROCm/aiter, aiter/utility/fp4_utils.py: e8m0_shuffle; pad byte 0 as its GEMMs expect";
constexpr const char* kMx = "OCP MX 1.0, blocks of 32; arrays as torchao, AITER and vLLM keep them";
constexpr const char* kDrafter = "the published drafter kernel's page: tw, kv_store";
constexpr const char* kBack = "vLLM, the fused attention of DeepSeek-V4.1: p_row";
constexpr const char* kGemv = "vLLM, the fused attention of DeepSeek-V4.1: gemv, lds_row";
constexpr const char* kTile = "the kernel's own: 128 x 128";

constexpr const char* kScaled = "v_mfma_scale_f32_16x16x128_f8f6f4";
constexpr unsigned kRowsOfTile = 16;

}  // namespace

uint64_t MemoryBuffer::bits() const {
  uint64_t units = unit_bits;
  for (const uint64_t extent : shape) units = memory_product(units, extent);
  return units;
}

// The part "scale" spreads its rows and columns evenly over the codes, which are the first part.
std::optional<MemoryScales> MemoryLayout::scales() const {
  for (unsigned p = 1; p < parts_.size(); ++p) {
    const MemoryPart &codes = parts_[0], &scale = parts_[p];
    if (scale.name == "scale")
      return MemoryScales{0, p, codes.rows / scale.rows, codes.columns / scale.columns};
  }
  return std::nullopt;
}

const std::vector<MemoryLayoutInfo>& memory_layouts() {
  static const std::vector<MemoryLayoutInfo> kLayouts = {
      {"row_major",
       "a matrix of any elements",
       "--rows, --columns, --format",
       Evidence::specified,
       "the order of safetensors and torch",
       "golden/layout/memory_matrix.cpp",
       make_row_major,
       {1, 1}},
      {"row_major_mx_32x32",
       "codes, and an E8M0 scale each 32 x 32 of them in an array of its own",
       "--rows, --columns (multiples of 32), --format",
       Evidence::specified,
       kMx,
       "golden/layout/memory_matrix.cpp",
       make_row_major_mx_32x32,
       {32, 32}},
      {"row_major_mx_1x32",
       "codes, and an E8M0 scale each 32 along a row in an array of its own",
       "--rows, --columns (a multiple of 32), --format",
       Evidence::specified,
       kMx,
       "golden/layout/memory_matrix.cpp",
       make_row_major_mx_1x32,
       {1, 32}},
      {"aiter_preshuffle_16x16",
       "a weight, tiles of 16 rows x 16 bytes",
       "--rows (a multiple of 16), --columns (of 32), --format",
       Evidence::specified,
       kAiter,
       "common/layout/aiter.h",
       make_aiter_preshuffle,
       {16, 32}},
      {"aiter_e8m0_shuffle",
       "E8M0 scales, padded to 32 rows and 8 columns with 0",
       "--rows, --columns, --pad-rows (32; AITER allocates 256)",
       Evidence::specified,
       kAiterScale,
       "common/layout/aiter.h",
       make_aiter_e8m0_shuffle,
       {1, 1}},
      {"fp8_ds_mla",
       "a paged KV cache: 448 e4m3, 64 bf16 and 7 scales a slot, records of 576 + 8 bytes",
       "--rows (slots), --page-block (64), --page-stride",
       Evidence::specified,
       "vLLM, fp8_ds_mla: records of 584 bytes",
       "common/kernels/back.h",
       make_fp8_ds_mla,
       {1, 0, {}, 0, 1}},
      {"drafter_kv",
       "a paged KV cache: 128 e4m3 of K, then of V, a key",
       "--rows (keys, a multiple of 128)",
       Evidence::specified,
       "the published drafter kernel's page: kv_load",
       "common/kernels/drafter.h",
       make_drafter_kv,
       {128, 0}},
      {"drafter_q_tile",
       "LDS: query 16 j + head, swizzled",
       "the kernel's own: 112 x 128",
       Evidence::specified,
       kDrafter,
       "common/kernels/drafter.h",
       make_drafter_q_tile,
       {}},
      {"drafter_k_tile",
       "LDS: keys of a block, swizzled",
       kTile,
       Evidence::specified,
       kDrafter,
       "common/kernels/drafter.h",
       make_drafter_k_tile,
       {}},
      {"drafter_v_tile",
       "LDS: (key, dim) of a block, transposed, in the PV operand's order, swizzled",
       kTile,
       Evidence::specified,
       kDrafter,
       "common/kernels/drafter.h",
       make_drafter_v_tile,
       {}},
      {"back_p_rows",
       "LDS: p of a chunk, bf16, two words of padding a head",
       "--rows (heads), --columns (keys): 32 x 64, 32 x 128 or 16 x 128",
       Evidence::specified,
       kBack,
       "common/kernels/back.h",
       make_back_p_rows,
       {}},
      {"gemv_lds",
       "LDS: activation codes, then a scale in a word each 32, rows padded by 4 words",
       "--rows (tokens, at most 16), --columns (K of the window)",
       Evidence::specified,
       kGemv,
       "common/kernels/gemv.h",
       make_gemv_lds,
       {1, 128}},
  };
  return kLayouts;
}

const MemoryLayoutInfo& find_memory_layout(const std::string& name) {
  std::vector<std::string> names;
  for (const MemoryLayoutInfo& info : memory_layouts()) {
    if (name == info.name) return info;
    names.emplace_back(info.name);
  }
  throw Error(fmt::format("no memory layout '{}'; did you mean {}? (`wavetwin layout --memory` lists them)",
                          name, nearest_name(name, names)));
}

std::unique_ptr<MemoryLayout> make_memory_layout(const MemoryLayoutInfo& info, const MemoryShape& shape) {
  try {
    return info.make(shape);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", info.name, error.what()));
  }
}
std::unique_ptr<MemoryLayout> make_memory_layout(const std::string& name, const MemoryShape& shape) {
  return make_memory_layout(find_memory_layout(name), shape);
}

uint64_t memory_product(uint64_t a, uint64_t b) {
  constexpr uint64_t kMost = 1ull << 60;
  if (a != 0 && b > kMost / a) throw Error(fmt::format("{} x {} is larger than any memory", a, b));
  return a * b;
}

uint64_t fixed_extent(const char* what, uint64_t given, uint64_t fixed) {
  if (given != 0 && given != fixed) throw Error(fmt::format("{} {}: it has {}", what, given, fixed));
  return fixed;
}
uint64_t needed_extent(const char* what, uint64_t given) {
  if (given == 0) throw Error(fmt::format("say {}", what));
  return given;
}

MfmaFeed operand_feed(const char* instruction, Side side, FormatId format, uint64_t row, uint64_t k_step,
                      uint64_t k) {
  const mfma::Shape& shape = *mfma::find_exact(instruction);
  const mfma::InputLayout layout =
      side == Side::a ? mfma::a_layout(shape, format) : mfma::b_layout(shape, format);
  const mfma::InputElement element{0, static_cast<uint8_t>(row % kRowsOfTile), static_cast<uint8_t>(k)};
  return {instruction, side == Side::a ? "A" : "B", row / kRowsOfTile,
          k_step,      layout.place(element),       format_info(format).bits};
}

std::vector<MfmaFeed> matrix_feed(Side side, FormatId format, uint64_t row, uint64_t k) {
  const bool f8f6f4 = format_info(format).f8f6f4_code >= 0;
  if (!f8f6f4 && format != FormatId::bf16) return {};
  const char* instruction = f8f6f4 ? kScaled : "v_mfma_f32_16x16x32_bf16";
  const uint64_t step = mfma::find_exact(instruction)->k;
  return {operand_feed(instruction, side, format, row, k / step, k % step)};
}

MfmaFeed scale_feed(Side side, uint64_t row, uint64_t k_block) {
  const uint64_t blocks = mfma::find_exact(kScaled)->k / mfma::kScaleBlock;
  const unsigned lane = mfma::scale_lane(
      kRowsOfTile, {static_cast<uint8_t>(row % kRowsOfTile), static_cast<uint8_t>(k_block % blocks)});
  return {kScaled,          side == Side::a ? "scale_a" : "scale_b", row / kRowsOfTile,
          k_block / blocks, {static_cast<uint8_t>(lane), 0},         8};
}

std::string to_string(const MemoryLayout& layout, const MemoryElement& element) {
  return fmt::format("{}[{}][{}]", layout.parts()[element.part].name, element.row, element.column);
}

std::string parts_text(const MemoryLayout& layout) {
  std::string text;
  for (const MemoryPart& part : layout.parts()) {
    text += fmt::format("{}{} {} x {} of {} bits", text.empty() ? "" : ", ", part.name, part.rows,
                        part.columns, part.bits);
    if (part.format) text += fmt::format(" ({})", to_string(*part.format));
  }
  return text;
}

}  // namespace wavetwin::golden
