// SPDX-License-Identifier: MIT
#include "golden/cases/drafter_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "golden/harness/compare.h"

namespace wavetwin::golden {
namespace {

using namespace drafter;

std::string at_text(const Tensor& tensor, uint64_t index) {
  return fmt::format("[{}]", fmt::join(unravel(tensor.shape, index), ","));
}

// The case's own metadata, element by element.
template <class T>
std::string same_as_generated(const DrafterPlan& plan, const std::string& name, const Tensor& tensor) {
  const Tensor own = drafter_input(plan.problem, name, tensor.dtype, tensor.shape);
  const auto given = tensor.view<T>(), expected = own.view<T>();
  for (uint64_t i = 0; i < given.size(); ++i) {
    if (given[i] == expected[i]) continue;
    return fmt::format(
        "{}{} is {}, this case's is {} (positions, lengths and slots say what is written, so they are the "
        "case's own; take a case with your positions)",
        name, at_text(tensor, i), given[i], expected[i]);
  }
  return "";
}

std::string all_finite(const std::string& name, const Tensor& tensor) {
  const auto words = tensor.view<uint16_t>();  // bf16
  for (uint64_t i = 0; i < words.size(); ++i) {
    if ((words[i] & 0x7F80) != 0x7F80) continue;
    return fmt::format("{}{} is {}, which has no head norm or rotation", name, at_text(tensor, i),
                       element_text(tensor.dtype, tensor.bits(i)));
  }
  return "";
}

std::string no_nan_codes(const Tensor& tensor) {
  const auto codes = tensor.view<uint8_t>();
  for (uint64_t i = 0; i < codes.size(); ++i) {
    if ((codes[i] & 0x7F) != 0x7F) continue;
    return fmt::format(
        "cache{} is {:#04x}, a NaN in e4m3: block, key, byte (bytes 0 .. 127 are K, the rest V)",
        at_text(tensor, i), codes[i]);
  }
  return "";
}

// Physical blocks that new rows are written to.
std::set<int32_t> written_blocks(const DrafterPlan& plan) {
  const Tensor slots = drafter_input(plan.problem, "slots", DType::I64, {plan.rows()});
  std::set<int32_t> blocks;
  for (const int64_t slot : slots.view<int64_t>()) {
    if (slot >= 0) blocks.insert(static_cast<int32_t>(slot / kBlock));
  }
  return blocks;
}

// Columns of request r that hold new rows which are written.
std::set<int32_t> written_columns(const DrafterPlan& plan, uint32_t r) {
  const Tensor slots = drafter_input(plan.problem, "slots", DType::I64, {plan.rows()});
  std::set<int32_t> columns;
  for (uint32_t j = 0; j < kRows; ++j) {
    if (slots.view<int64_t>()[r * kRows + j] < 0) continue;
    columns.insert((plan.windows[r].p0 + static_cast<int32_t>(j)) / static_cast<int32_t>(kBlock));
  }
  return columns;
}

std::string table_leads_home(const DrafterPlan& plan, const Tensor& tensor) {
  const auto entries = tensor.view<int32_t>();
  const auto width = static_cast<int32_t>(tensor.shape[1]);
  const std::set<int32_t> written = written_blocks(plan);
  const auto blocks = static_cast<int32_t>(drafter_cache_blocks(plan.problem));
  for (uint32_t r = 0; r < plan.problem.requests; ++r) {
    const std::set<int32_t> own = plan.has_rows() ? written_columns(plan, r) : std::set<int32_t>{};
    for (int32_t column = 0; column < width; ++column) {
      const uint64_t i = r * static_cast<uint64_t>(width) + static_cast<uint64_t>(column);
      const int32_t expected = own.contains(column) ? drafter_table_entry(plan.problem, r, column) : 0;
      if (own.contains(column) && entries[i] != expected) {
        return fmt::format(
            "block_table{} is {}, but the slots of this block's new rows are in cache block {}",
            at_text(tensor, i), entries[i], expected);
      }
      const bool read = column >= plan.windows[r].first && column <= plan.windows[r].last;
      const int32_t physical = std::clamp(entries[i], 0, blocks - 1);
      if (plan.has_rows() && read && !own.contains(column) && written.contains(physical)) {
        return fmt::format("block_table{} is {}: cache block {} takes new rows of this launch",
                           at_text(tensor, i), entries[i], physical);
      }
    }
  }
  return "";
}

// m may be -inf (a row without keys, whose l and o are then 0); nothing that a merge reads is NaN.
std::string partials_are_readable(const DrafterPlan& plan, const Tensor& tensor) {
  const auto values = tensor.view<float>();
  const uint64_t words = kPartBytes / 4;
  for (uint64_t part = 0; part < tensor.shape[0] * kMaxBlocks; ++part) {
    if (!plan.live_part(part / kMaxBlocks, part % kMaxBlocks)) continue;
    for (uint64_t i = 0; i < words; ++i) {
      const bool unused = i % (kPartL / 4) >= kQueries && i < kPartO / 4;
      const float v = values[part * words + i];
      const bool is_m = i < kPartL / 4;
      if (unused || std::isfinite(v) || (is_m && v < 0 && std::isinf(v))) continue;
      return fmt::format("partials{} is {}: request, partition, word ({})", at_text(tensor, part * words + i),
                         v,
                         is_m             ? "m"
                         : i < kPartO / 4 ? "l"
                                          : "o");
    }
  }
  return "";
}

std::string complaint(const DrafterPlan& plan, const std::string& name, const Tensor& tensor) {
  if (name == "positions" || name == "slots") return same_as_generated<int64_t>(plan, name, tensor);
  if (name == "seq_lens") return same_as_generated<int32_t>(plan, name, tensor);
  if (name == "cache") return no_nan_codes(tensor);
  if (name == "block_table") return table_leads_home(plan, tensor);
  if (name == "partials") return partials_are_readable(plan, tensor);
  return all_finite(name, tensor);
}

}  // namespace

std::function<std::string(const Tensor&)> drafter_contract(const DrafterPlan& plan, const std::string& name) {
  return [plan, name](const Tensor& tensor) { return complaint(plan, name, tensor); };
}

}  // namespace wavetwin::golden
