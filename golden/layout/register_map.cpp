// SPDX-License-Identifier: MIT
#include "golden/layout/register_map.h"

#include <fmt/format.h>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

}  // namespace

std::optional<unsigned> OperandMap::first_k(const Element& element) const {
  switch (along_k.axis) {
    case AlongK::Axis::row:
      return element.row / along_k.divisor * along_k.step;
    case AlongK::Axis::column:
      return element.column / along_k.divisor * along_k.step;
    case AlongK::Axis::none:
      break;
  }
  return std::nullopt;
}

std::vector<std::vector<unsigned>> OperandMap::elements_by_slot() const {
  std::vector<std::vector<unsigned>> by_slot(size_t{64} * slots());
  for (unsigned n = 0; n < places.size(); ++n)
    by_slot[places[n].lane * slots() + places[n].bit / bits].push_back(n);
  return by_slot;
}

const OperandMap* RegisterMap::find(const std::string& name) const {
  for (const OperandMap& operand : operands) {
    if (lower(operand.name) == lower(name)) return &operand;
  }
  return nullptr;
}

const OperandMap& RegisterMap::operand(const std::string& name) const {
  if (const OperandMap* found = find(name)) return *found;
  std::string names;
  for (const OperandMap& operand : operands) names += (names.empty() ? "" : ", ") + operand.name;
  throw Error(fmt::format("--matrix {}: {} has the operands {}", name, instruction, names));
}

std::string place_text(unsigned lane, unsigned bit, unsigned bits) {
  const unsigned vgpr = bit / 32, low = bit % 32, high = low + bits - 1;
  if (bits == 32) return fmt::format("v{}{{{}}}", vgpr, lane);
  if (bits == 64) return fmt::format("v[{}:{}]{{{}}}", vgpr, vgpr + 1, lane);
  if (high < 32) return fmt::format("v{}{{{}}}.[{}:{}]", vgpr, lane, high, low);
  return fmt::format("v{}{{{}}}.[31:{}] v{}{{{}}}.[{}:0]", vgpr, lane, low, vgpr + 1, lane, high - 32);
}

std::string element_text(const OperandMap& operand, unsigned number) {
  const OperandMap::Element e = operand.element(number);
  const std::string name =
      fmt::format("{}{}[{}][{}]", operand.negated ? "-" : "", operand.name, e.row, e.column);
  return operand.blocks == 1 ? name : name + fmt::format(".b{}", e.block);
}

}  // namespace wavetwin::golden
