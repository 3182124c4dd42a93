// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "golden/harness/mistake.h"

namespace wavetwin::golden {
namespace {

uint64_t set(DType dtype, double value) { return encode_element(dtype, value); }

// Every element replaced by f of its bits.
template <class F>
Tensor mapped(const Tensor& tensor, F f) {
  Tensor result = tensor;
  const uint64_t bytes = size_of(tensor.dtype), elements = tensor.elements();
  for (uint64_t i = 0; i < elements; ++i) {
    const uint64_t bits = f(tensor.bits(i));
    std::memcpy(result.data.data() + i * bytes, &bits, bytes);
  }
  return result;
}

bool is_scale(DType dtype) { return dtype == DType::F8_E8M0; }
bool is_integer(DType dtype) {
  return dtype == DType::I32 || dtype == DType::U32 || dtype == DType::I64 || dtype == DType::U64;
}

// Other values of an input, by its type.
struct ValueMistake {
  bool (*applies)(DType);
  const char* text;
  const char* family;
  uint64_t (*bits)(DType, uint64_t);
};
constexpr ValueMistake kValueMistakes[] = {
    {is_scale, "not applied (a scale of 1 everywhere)", "", [](DType, uint64_t) -> uint64_t { return 127; }},
    {is_scale, "taken from a byte that is 0 (another opsel than the byte that holds the code?)", "",
     [](DType, uint64_t) -> uint64_t { return 0; }},
    {is_scale, "with each code + 1 (an E8M0 bias of 126, or FNUZ codes read as OCP ones)", kPowerFamily,
     [](DType, uint64_t code) -> uint64_t { return code < 254 ? code + 1 : code; }},
    {is_scale, "with each code - 1 (an E8M0 bias of 128, or OCP codes read as FNUZ ones)", kPowerFamily,
     [](DType, uint64_t code) -> uint64_t { return code > 0 && code < 255 ? code - 1 : code; }},
    {is_integer, "with 1 added to each value (a mask, a length or an index one off)", "",
     [](DType, uint64_t value) -> uint64_t { return value + 1; }},
    {is_integer, "with 1 taken from each value (a mask, a length or an index one off)", "",
     [](DType, uint64_t value) -> uint64_t { return value == 0 ? 0 : value - 1; }},
    {is_integer, "not read (0 everywhere)", "", [](DType, uint64_t) -> uint64_t { return 0; }},
    {is_float, "left out of the softmax (as if -infinity)", "",
     [](DType dtype, uint64_t) { return set(dtype, dtype == DType::F16 ? -65504 : -9e29); }},
    {is_float, "not added (0 everywhere)", "", [](DType dtype, uint64_t) { return set(dtype, 0); }},
    {is_float, "not applied (1 everywhere)", "", [](DType dtype, uint64_t) { return set(dtype, 1); }},
};

void add_values(const InputSpec& spec, std::vector<Mistake>& list) {
  for (const ValueMistake& mistake : kValueMistakes) {
    if (!mistake.applies(spec.dtype)) continue;
    const auto apply = [&mistake](const Tensor& tensor) {
      return mapped(tensor, [&](uint64_t bits) { return mistake.bits(tensor.dtype, bits); });
    };
    list.push_back(
        {fmt::format("'{}' {}", spec.name, mistake.text), mistake.family, {{{spec.name, apply}}}, {}});
  }
}

// One row of another operand's scales in every row: what a lane sees that is given its neighbour's register.
Tensor filled_with_row(const Tensor& tensor, const Tensor& other, uint64_t row) {
  Tensor result = tensor;
  const uint64_t width = tensor.shape.back();
  for (uint64_t i = 0; i < result.data.size(); ++i) {
    result.data[i] = other.data[row * width + i % width];
  }
  return result;
}

void add_other_scales(const InputSpec& spec, const std::vector<InputSpec>& specs, const Tensors& inputs,
                      std::vector<Mistake>& list) {
  constexpr uint64_t kMostRows = 16;  // lanes of a tile's row
  if (!is_scale(spec.dtype) || spec.shape.empty()) return;
  for (const InputSpec& other : specs) {
    if (!is_scale(other.dtype) || other.name == spec.name || other.shape.empty()) continue;
    const Tensor& source = inputs.at(other.name);
    if (source.shape.back() != inputs.at(spec.name).shape.back() || source.elements() == 0) continue;
    Mistake mistake{
        fmt::format("'{}' taken from '{}' (one operand's scale used for the other)", spec.name, other.name),
        "",
        {},
        {}};
    const uint64_t rows = source.elements() / source.shape.back();
    for (uint64_t row = 0; row < std::min(rows, kMostRows); ++row) {
      mistake.runs.push_back({{spec.name, [source, row](const Tensor& tensor) {
                                 return filled_with_row(tensor, source, row);
                               }}});
    }
    list.push_back(std::move(mistake));
  }
}

// Inputs of one type and shape taken for each other.
std::vector<Mistake> exchanged_inputs(const std::vector<InputSpec>& specs, const Tensors& inputs) {
  std::vector<Mistake> list;
  const auto taken_from = [&](const std::string& input, const std::string& other) {
    return InputChange{input, [source = inputs.at(other)](const Tensor&) { return source; }};
  };
  for (size_t a = 0; a < specs.size(); ++a) {
    for (size_t b = a + 1; b < specs.size(); ++b) {
      const std::string &x = specs[a].name, &y = specs[b].name;
      if (specs[a].dtype != specs[b].dtype || inputs.at(x).shape != inputs.at(y).shape) continue;
      list.push_back(
          {fmt::format("'{}' and '{}' exchanged", x, y), "", {{taken_from(x, y), taken_from(y, x)}}, {}});
      list.push_back({fmt::format("'{}' read in place of '{}'", y, x), "", {{taken_from(x, y)}}, {}});
      list.push_back({fmt::format("'{}' read in place of '{}'", x, y), "", {{taken_from(y, x)}}, {}});
    }
  }
  return list;
}

// Each part, and of more than two all the others together.
std::vector<InputPart> parts_and_rests(const InputSpec& spec) {
  std::vector<InputPart> list = spec.parts;
  for (size_t without = 0; spec.parts.size() > 2 && without < spec.parts.size(); ++without) {
    const InputPart& part = spec.parts[without];
    list.push_back({"all but " + part.name, [part](uint64_t i) { return !part.holds(i); }});
  }
  return list;
}

// The map as a mistake of an input, and of each of its parts.
void add_maps(const InputSpec& spec, const std::vector<Rearrangement>& maps, std::vector<Mistake>& list) {
  for (const Rearrangement& map : maps) {
    list.push_back({fmt::format("'{}' read with {}", spec.name, map.text),
                    map.text,
                    {{{spec.name, [map](const Tensor& tensor) { return rearranged(tensor, map); }}}},
                    {}});
    for (const InputPart& part : parts_and_rests(spec)) {
      const Rearrangement inside{map.text, [map, part](uint64_t i) {
                                   const uint64_t source = map.source(i);
                                   return part.holds(i) && part.holds(source) ? source : i;
                                 }};
      list.push_back({fmt::format("'{}' ({}) read with {}", spec.name, part.name, map.text),
                      map.text,
                      {{{spec.name, [inside](const Tensor& tensor) { return rearranged(tensor, inside); }}}},
                      {}});
    }
  }
}

}  // namespace

std::vector<Mistake> in_turn(std::vector<std::vector<Mistake>> lists) {
  std::vector<Mistake> all;
  for (size_t i = 0; std::any_of(lists.begin(), lists.end(), [&](auto& list) { return i < list.size(); });
       ++i) {
    for (auto& list : lists) {
      if (i < list.size()) all.push_back(std::move(list[i]));
    }
  }
  return all;
}

std::vector<Mistake> input_mistakes(const KernelCase& kernel_case, const Tensors& inputs) {
  std::vector<std::vector<Mistake>> lists;
  const std::vector<InputSpec> specs = kernel_case.inputs();
  lists.push_back(exchanged_inputs(specs, inputs));
  for (const InputSpec& spec : specs) {
    auto& list = lists.emplace_back();
    add_values(spec, list);
    add_other_scales(spec, specs, inputs, list);
    add_maps(spec, rearrangements(spec.dtype, inputs.at(spec.name).shape), list);
  }
  return in_turn(std::move(lists));
}

std::vector<Mistake> swizzle_mistakes(const KernelCase& kernel_case, const Tensors& inputs) {
  std::vector<std::vector<Mistake>> lists;
  for (const InputSpec& spec : kernel_case.inputs()) {
    // What LDS tiles hold: operands, not tables and scales.
    if (size_of(spec.dtype) > 2 || is_scale(spec.dtype)) continue;
    add_maps(spec, swizzles(spec.dtype, inputs.at(spec.name).shape), lists.emplace_back());
  }
  return in_turn(std::move(lists));
}

}  // namespace wavetwin::golden
