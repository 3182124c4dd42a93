// SPDX-License-Identifier: MIT
#include "golden/harness/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/format/fnuz_hint.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

bool has_sign_magnitude(DType dtype) {
  return is_float(dtype) || dtype == DType::F8_E4M3 || dtype == DType::F8_E5M2;
}

int bits_of(DType dtype) { return static_cast<int>(8 * size_of(dtype)); }

// An integer that orders sign-magnitude words as the numbers they stand for; both zeros map to 0.
int64_t number_line(DType dtype, uint64_t bits) {
  const uint64_t sign = 1ull << (bits_of(dtype) - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

int64_t sign_extend(DType dtype, uint64_t bits) {
  const int unused = 64 - bits_of(dtype);
  return static_cast<int64_t>(bits << unused) >> unused;
}

void set_bits(Tensor& tensor, uint64_t index, uint64_t bits) {
  const uint64_t bytes = size_of(tensor.dtype);
  std::memcpy(tensor.data.data() + index * bytes, &bits, bytes);
}

// Moves the included elements, sorted by their bits, to the front; returns how many there are.
uint64_t sort_included(Tensor& tensor, const CompareOptions& options) {
  std::vector<uint64_t> words;
  for (uint64_t i = 0; i < tensor.elements(); ++i) {
    if (!options.included || options.included(i)) words.push_back(tensor.bits(i));
  }
  std::sort(words.begin(), words.end());
  std::fill(tensor.data.begin(), tensor.data.end(), std::byte{0});
  for (uint64_t i = 0; i < words.size(); ++i) set_bits(tensor, i, words[i]);
  return words.size();
}

CompareResult compare_unordered(const Tensor& left, const Tensor& right, CompareOptions options) {
  Tensor a = left, b = right;
  const uint64_t count = sort_included(a, options);
  sort_included(b, options);
  options.comparison = Comparison::automatic;
  options.included = [count](uint64_t index) { return index < count; };
  return compare(a, b, options);
}

}  // namespace

bool is_nan(DType dtype, uint64_t bits) { return std::isnan(decode_element(dtype, bits)); }

CompareResult compare(const Tensor& left, const Tensor& right, const CompareOptions& options) {
  if (left.dtype != right.dtype || left.shape != right.shape) {
    throw Error(fmt::format("{} {} cannot be compared with {} {}", to_string(left.dtype),
                            to_string(left.shape), to_string(right.dtype), to_string(right.shape)));
  }
  if (options.comparison == Comparison::unordered) return compare_unordered(left, right, options);
  const bool nan_rule = is_float(left.dtype) && options.comparison == Comparison::automatic;
  CompareResult result;
  const uint64_t elements = left.elements();
  const bool same_bytes = left.data == right.data;
  for (uint64_t i = 0; i < elements; ++i) {
    if (options.included && !options.included(i)) continue;
    ++result.compared;
    if (same_bytes) continue;
    const uint64_t a = left.bits(i), b = right.bits(i);
    if (a == b) continue;
    if (nan_rule && is_nan(left.dtype, a) && is_nan(left.dtype, b)) {
      ++result.nan_differences;
      if (!options.nan_bits) continue;
    }
    ++result.different;
    if (!result.first) result.first = Mismatch{i, a, b};
    if (const auto ulp = ulp_distance(left.dtype, a, b)) result.max_ulp = std::max(result.max_ulp, *ulp);
  }
  if (!result.equal() && left.dtype == DType::F32) {
    const PowerRatio ratio = power_ratio(right.view<float>().data(), left.view<float>().data(), elements);
    if (ratio.is_mix_up) result.power = ratio.power;
  }
  return result;
}

std::optional<uint64_t> ulp_distance(DType dtype, uint64_t left, uint64_t right) {
  if (has_sign_magnitude(dtype)) {
    if (is_nan(dtype, left) || is_nan(dtype, right)) return std::nullopt;
    const int64_t a = number_line(dtype, left), b = number_line(dtype, right);
    return static_cast<uint64_t>(std::max(a, b)) - static_cast<uint64_t>(std::min(a, b));
  }
  if (dtype == DType::F8_E8M0 && (is_nan(dtype, left) || is_nan(dtype, right))) return std::nullopt;
  if (is_signed_integer(dtype)) {
    const int64_t a = sign_extend(dtype, left), b = sign_extend(dtype, right);
    return static_cast<uint64_t>(std::max(a, b)) - static_cast<uint64_t>(std::min(a, b));
  }
  return std::max(left, right) - std::min(left, right);
}

std::vector<uint64_t> unravel(const Shape& shape, uint64_t index) {
  std::vector<uint64_t> position(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    position[d] = index % shape[d];
    index /= shape[d];
  }
  return position;
}

std::string position_text(std::span<const uint64_t> index) {
  if (index.empty()) return "(scalar)";
  const uint64_t row = index.size() < 2 ? 0 : index[index.size() - 2];
  const std::string place = fmt::format("(row {}, column {})", row, index.back());
  if (index.size() <= 2) return place;
  return fmt::format("[{}] {}", fmt::join(index.first(index.size() - 2), ","), place);
}

std::string element_text(DType dtype, uint64_t bits) {
  const std::string hex = fmt::format("0x{:0{}x}", bits, 2 * size_of(dtype));
  if (dtype == DType::U64 || dtype == DType::I64) {
    return dtype == DType::U64 ? fmt::format("{} ({})", hex, bits)
                               : fmt::format("{} ({})", hex, static_cast<int64_t>(bits));
  }
  const double value = decode_element(dtype, bits);
  if (dtype == DType::F32) return fmt::format("{} ({})", hex, static_cast<float>(value));
  return fmt::format("{} ({})", hex, value);
}

Tensor canonical(const Tensor& tensor, const CompareOptions& options) {
  Tensor result = tensor;
  const bool nan_rule = is_float(tensor.dtype) && options.comparison != Comparison::bits;
  const uint64_t nan = nan_rule ? encode_element(tensor.dtype, std::nan("")) : 0;
  for (uint64_t i = 0; i < result.elements(); ++i) {
    if (options.included && !options.included(i)) {
      set_bits(result, i, 0);
    } else if (nan_rule && is_nan(tensor.dtype, result.bits(i))) {
      set_bits(result, i, nan);
    }
  }
  if (options.comparison == Comparison::unordered) sort_included(result, options);
  return result;
}

std::string mismatch_report(const MismatchNames& names, const Tensor& tensor, const CompareResult& result,
                            const std::function<std::string(std::span<const uint64_t>)>& locate) {
  std::string text =
      fmt::format("{}: tensor '{}' {} {}: {} of {} elements differ between {} and {}, at most {} ULP\n",
                  names.case_name, names.tensor, to_string(tensor.dtype), to_string(tensor.shape),
                  result.different, result.compared, names.left, names.right, result.max_ulp);
  if (result.first) {
    const Mismatch& m = *result.first;
    const auto index = unravel(tensor.shape, m.index);
    text += fmt::format("  first at element {} {}", m.index, position_text(index));
    if (const std::string place = locate ? locate(index) : ""; !place.empty()) text += ", " + place;
    const auto ulp = ulp_distance(tensor.dtype, m.left, m.right);
    const size_t width = std::max(names.left.size(), names.right.size());
    text += fmt::format("\n    {:{}} {}\n    {:{}} {}\n    {} ULP apart\n", names.left, width,
                        element_text(tensor.dtype, m.left), names.right, width,
                        element_text(tensor.dtype, m.right), ulp ? std::to_string(*ulp) : "no");
  }
  if (result.power != 0) {
    text += fmt::format(
        "  nearly all elements differ by a factor of {}: are FNUZ (gfx942) and OCP (gfx950) codes mixed "
        "up?\n",
        std::ldexp(1.0, result.power));
  }
  if (result.nan_differences != 0) {
    text += fmt::format("  {} NaN pairs with another payload or sign\n", result.nan_differences);
  }
  return text;
}

}  // namespace wavetwin::golden
