// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <bit>

#include "golden/harness/mistake.h"

namespace wavetwin::golden {
namespace {

constexpr uint64_t kBlock = 32;  // elements of K that share a scale

// An operand of a product along its last dimension, and its scales if it has any.
struct Operand {
  std::string name, scales;
  DType dtype;
  Shape shape, scale_shape;

  uint64_t k() const { return shape.back(); }
};

bool is_operand(DType dtype) { return dtype == DType::F8_E4M3 || dtype == DType::F8_E5M2; }

// Of 8-bit float inputs: the scales are the next input of E8M0 codes with one for 32 columns.
std::vector<Operand> operands_of(const KernelCase& kernel_case, const Tensors& inputs) {
  std::vector<Operand> operands;
  for (const InputSpec& spec : kernel_case.inputs()) {
    const Shape& shape = inputs.at(spec.name).shape;
    if (is_operand(spec.dtype) && shape.size() >= 2) {
      operands.push_back({spec.name, "", spec.dtype, shape, {}});
    } else if (spec.dtype == DType::F8_E8M0 && !operands.empty() && operands.back().scales.empty() &&
               shape.size() >= 2 && shape.back() * kBlock == operands.back().k()) {
      operands.back().scales = spec.name;
      operands.back().scale_shape = shape;
    }
  }
  return operands;
}

InputChange change(const std::string& input, const Rearrangement& map) {
  return {input, [map](const Tensor& tensor) { return rearranged(tensor, map); }};
}

bool fits(uint64_t extent, uint64_t mask) { return mask != 0 && extent % (2 * std::bit_floor(mask)) == 0; }

// Codes and scales of one operand by the same mistake: whole K blocks, or rows with a scale row each.
void add_with_scales(const Operand& operand, std::vector<Mistake>& list) {
  if (operand.scales.empty()) return;
  for (const uint64_t blocks : {1, 2, 4, 3, 8}) {
    if (!fits(operand.k(), blocks * kBlock)) continue;
    const Rearrangement codes = exchanged_columns(operand.dtype, operand.shape, blocks * kBlock);
    const Rearrangement scales = exchanged_columns(DType::F8_E8M0, operand.scale_shape, blocks);
    list.push_back({fmt::format("'{}' and '{}' both read with K blocks b and b ^ {} exchanged", operand.name,
                                operand.scales, blocks),
                    "K blocks with their scales",
                    {{change(operand.name, codes), change(operand.scales, scales)}},
                    {}});
  }
  const uint64_t rows = operand.shape[operand.shape.size() - 2];
  if (operand.scale_shape[operand.scale_shape.size() - 2] != rows) return;
  for (const uint64_t mask : {1, 2, 4, 8, 16}) {
    if (!fits(rows, mask)) continue;
    list.push_back({fmt::format("'{}' and '{}' both read with rows r and r ^ {} exchanged", operand.name,
                                operand.scales, mask),
                    "",
                    {{change(operand.name, exchanged_rows(operand.shape, mask)),
                      change(operand.scales, exchanged_rows(operand.scale_shape, mask))}},
                    {}});
  }
}

// Both operands of a product, each in its own way, or both alike, which only their scales and the order of
// the sum can tell from none.
void add_both(const Operand& a, const Operand& b, std::vector<Mistake>& list) {
  constexpr uint64_t kMasks[] = {16, 32, 64, 4, 8, 3, 1, 2, 48, 96};
  for (const uint64_t mask_a : kMasks) {
    for (const uint64_t mask_b : kMasks) {
      if (!fits(a.k(), mask_a) || !fits(b.k(), mask_b)) continue;
      const Rearrangement map_a = exchanged_columns(a.dtype, a.shape, mask_a);
      const Rearrangement map_b = exchanged_columns(b.dtype, b.shape, mask_b);
      list.push_back(
          {mask_a == mask_b
               ? fmt::format("'{}' and '{}' both read with {}", a.name, b.name, map_a.text)
               : fmt::format("'{}' read with {} and '{}' with {}", a.name, map_a.text, b.name, map_b.text),
           "",
           {{change(a.name, map_a), change(b.name, map_b)}},
           {}});
    }
  }
}

// All operands and scales by one permutation of whole K blocks: the same products added in another order.
void add_orders(const std::vector<Operand>& operands, std::vector<Mistake>& list) {
  const uint64_t k = operands.front().k();
  const auto add = [&](const std::string& how, auto map_of) {
    Mistake mistake{fmt::format("the same products added in another order: {}", how), "", {{}}, {}};
    for (const Operand& operand : operands) {
      if (operand.k() != k) return;
      mistake.runs[0].push_back(change(operand.name, map_of(operand.dtype, operand.shape, kBlock)));
      if (operand.scales.empty()) continue;
      mistake.runs[0].push_back(
          change(operand.scales, map_of(DType::F8_E8M0, operand.scale_shape, uint64_t{1})));
    }
    list.push_back(std::move(mistake));
  };
  for (const uint64_t parts : {2, 4, 8, 16, 32, 64}) {
    if (k % (parts * kBlock) != 0 || parts == k / kBlock) continue;
    add(fmt::format("the {} parts of K, {} each, from the last to the first", parts, k / parts),
        [=](DType, const Shape& shape, uint64_t) { return reversed_blocks(shape, parts); });
  }
  add("the K blocks from the last to the first",
      [=](DType, const Shape& shape, uint64_t) { return reversed_blocks(shape, k / kBlock); });
  for (const uint64_t blocks : {1, 2, 3, 4, 8, 12, 16, 28}) {
    if (!fits(k, blocks * kBlock)) continue;
    add(fmt::format("K blocks b and b ^ {} exchanged in every operand", blocks),
        [=](DType dtype, const Shape& shape, uint64_t block) {
          return exchanged_columns(dtype, shape, blocks * block);
        });
  }
}

}  // namespace

std::vector<Mistake> operand_mistakes(const KernelCase& kernel_case, const Tensors& inputs) {
  const std::vector<Operand> operands = operands_of(kernel_case, inputs);
  std::vector<std::vector<Mistake>> lists;
  for (const Operand& operand : operands) add_with_scales(operand, lists.emplace_back());
  if (!operands.empty()) add_orders(operands, lists.emplace_back());
  for (size_t a = 0; a < operands.size(); ++a) {
    for (size_t b = a + 1; b < operands.size(); ++b) {
      if (operands[a].k() == operands[b].k()) add_both(operands[a], operands[b], lists.emplace_back());
    }
  }
  return in_turn(std::move(lists));
}

}  // namespace wavetwin::golden
