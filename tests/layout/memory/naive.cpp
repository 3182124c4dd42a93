// SPDX-License-Identifier: MIT
#include "tests/layout/memory/naive.h"

#include <numeric>

namespace wavetwin::golden {

std::vector<uint32_t> view_permute(const std::vector<uint32_t>& values, const std::vector<size_t>& dims,
                                   const std::vector<size_t>& order) {
  std::vector<size_t> strides(dims.size(), 1);
  for (size_t i = dims.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
  std::vector<uint32_t> result;
  std::vector<size_t> at(dims.size(), 0);  // in the order of the result
  while (result.size() < values.size()) {
    size_t from = 0;
    for (size_t i = 0; i < order.size(); ++i) from += at[i] * strides[order[i]];
    result.push_back(values[from]);
    for (size_t i = order.size(); i-- > 0;) {
      if (++at[i] < dims[order[i]]) break;
      at[i] = 0;
    }
  }
  return result;
}

std::vector<uint32_t> numbers(size_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

std::vector<std::byte> random_bytes(uint64_t seed, size_t count) {
  std::vector<std::byte> bytes(count);
  uint64_t state = seed * 2 + 1;
  for (std::byte& byte : bytes) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    byte = static_cast<std::byte>(state * 0x2545F4914F6CDD1Dull >> 56);
  }
  return bytes;
}

BufferBytes random_buffers(uint64_t seed, const MemoryLayout& layout) {
  BufferBytes bytes;
  for (const MemoryBuffer& buffer : layout.buffers())
    bytes.push_back(random_bytes(seed + bytes.size(), buffer.bytes()));
  return bytes;
}

std::vector<ShapedLayout> shaped_layouts() {
  std::vector<ShapedLayout> all;
  const auto add = [&](const char* name, uint64_t rows, uint64_t columns,
                       std::optional<FormatId> format = {}) {
    all.push_back({name, {rows, columns, format}});
  };
  for (const FormatId format :
       {FormatId::e4m3, FormatId::bf16, FormatId::f32, FormatId::e2m1, FormatId::f64}) {
    add("row_major", 1, 2, format);
    add("row_major", 5, 6, format);
    add("aiter_preshuffle_16x16", 16, 64, format);
    add("aiter_preshuffle_16x16", 48, 128, format);
  }
  add("row_major", 3, 4, FormatId::e2m3);
  add("row_major", 7, 12, FormatId::e3m2);
  add("row_major_mx_32x32", 32, 32);
  add("row_major_mx_32x32", 64, 96, FormatId::e2m1);
  add("row_major_mx_1x32", 1, 32);
  add("row_major_mx_1x32", 5, 96, FormatId::e5m2);
  for (const uint64_t rows : {1, 16, 17, 31, 32, 33, 64, 100}) {
    for (const uint64_t columns : {1, 4, 7, 8, 9, 24}) {
      add("aiter_e8m0_shuffle", rows, columns);
      all.push_back({"aiter_e8m0_shuffle", {rows, columns, {}, 256}});
    }
  }
  for (const uint64_t block : {1, 3, 32, 64}) {
    all.push_back({"fp8_ds_mla", {2 * block, 0, {}, 0, block}});
    all.push_back({"fp8_ds_mla", {3 * block, 512, {}, 0, block, 584 * block}});
    all.push_back({"fp8_ds_mla", {block, 0, {}, 0, block, 584 * block + 24}});
  }
  add("drafter_kv", 128, 0);
  add("drafter_kv", 384, 128);
  for (const char* tile : {"drafter_q_tile", "drafter_k_tile", "drafter_v_tile"}) add(tile, 0, 0);
  add("back_p_rows", 32, 64);
  add("back_p_rows", 32, 128);
  add("back_p_rows", 16, 128);
  add("gemv_lds", 1, 128);
  add("gemv_lds", 7, 1280);
  add("gemv_lds", 16, 256);
  return all;
}

std::string describe(const ShapedLayout& shaped) {
  const MemoryShape& s = shaped.shape;
  return shaped.name + " rows " + std::to_string(s.rows) + " columns " + std::to_string(s.columns) + " pad " +
         std::to_string(s.pad_rows) + " block " + std::to_string(s.page_block) + " stride " +
         std::to_string(s.page_stride) + (s.format ? std::string(" ") + to_string(*s.format) : "");
}

}  // namespace wavetwin::golden
