// SPDX-License-Identifier: MIT
#include "golden/cases/back_contract.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

using namespace back;

// "what at [i,j]" for the first element that is bad, or "".
std::string first_bad(const Tensor& tensor, const char* what, const std::function<bool(uint64_t)>& bad) {
  const uint64_t elements = tensor.elements();
  for (uint64_t i = 0; i < elements; ++i) {
    if (!bad(i)) continue;
    std::string at;
    uint64_t rest = i;
    for (size_t d = tensor.shape.size(); d-- > 0; rest /= tensor.shape[d]) {
      at = fmt::format("{}{}{}", rest % tensor.shape[d], at.empty() ? "" : ",", at);
    }
    return fmt::format("{} at [{}]", what, at);
  }
  return "";
}

bool is_e4m3_nan(uint8_t code) { return (code & 0x7F) == 0x7F; }
bool is_bf16_finite(uint32_t bits) { return (bits >> 7 & 0xFF) != 0xFF; }

// The sink is multiplied by log2 e, and no key's weight may survive against it: -FLT_MAX is "no key".
bool is_bad_sink(double sink) { return !(std::fabs(sink) <= 1e30); }

std::string not_finite(const Tensor& tensor) {
  return first_bad(tensor, "infinity or NaN", [&](uint64_t i) { return !std::isfinite(tensor.value(i)); });
}
std::string nan_code(const Tensor& tensor) {
  const auto codes = tensor.view<uint8_t>();
  return first_bad(tensor, "NaN code", [&](uint64_t i) { return is_e4m3_nan(codes[i]); });
}
std::string nan_scale(const Tensor& tensor) {
  const auto codes = tensor.view<uint8_t>();
  return first_bad(tensor, "scale code 255 (NaN)", [&](uint64_t i) { return codes[i] == 255; });
}

// A slot's record: finite values with scale codes 1 .. 254, or nothing but zeros.
std::string record_complaint(const Tensor& pages, uint32_t slot, uint32_t block) {
  const auto bytes = pages.view<uint8_t>();
  const uint8_t* page = &bytes[slot / block * pages.shape[1]];
  const uint8_t* row = page + data_row_at(slot % block);
  const uint8_t* scale = page + scale_row_at(block, slot % block);
  bool zero = true;
  for (uint32_t i = 0; i < kData; ++i) zero = zero && row[i] == 0;
  for (uint32_t b = 0; b < kNope / kScaleDims; ++b) {
    if (scale[b] == 255 || (scale[b] == 0 && !zero)) {
      return fmt::format("scale byte {} of slot {} is {}, 1 .. 254 are possible", b, slot, scale[b]);
    }
  }
  for (uint32_t d = 0; d < kNope; ++d) {
    if (is_e4m3_nan(row[d])) return fmt::format("dim {} of slot {} is NaN", d, slot);
  }
  for (uint32_t d = 0; d < kRope; ++d) {
    const uint32_t bits = row[kNope + 2 * d] | static_cast<uint32_t>(row[kNope + 2 * d + 1]) << 8;
    if (!is_bf16_finite(bits)) return fmt::format("dim {} of slot {} is not finite", kNope + d, slot);
  }
  return "";
}

}  // namespace

std::string back_complaint(const std::string& name, const Tensor& tensor) {
  if (name.ends_with("klen")) {
    const auto counts = tensor.view<uint32_t>();
    return first_bad(tensor, "more than 640 keys", [&](uint64_t i) { return counts[i] > kKeys; });
  }
  if (name == "sink") {
    return first_bad(tensor, "a sink beyond +-1e30",
                     [&](uint64_t i) { return is_bad_sink(tensor.value(i)); });
  }
  if (name.ends_with("q") || name == "cos_sin" || name == "part" || name == "pstat")
    return not_finite(tensor);
  if (tensor.dtype == DType::F8_E4M3) return nan_code(tensor);
  if (tensor.dtype == DType::F8_E8M0) return nan_scale(tensor);
  return "";
}

void check_back_keys(const BackFrame& frame, const Tensors& inputs, std::span<const uint32_t> table,
                     std::span<const uint32_t> counts, const std::string& prefix) {
  for (uint64_t i = 0; i < table.size(); ++i) {
    if (table[i] == kNoKey) continue;
    const bool compressed = frame.problem.ratio != 0 && table[i] > kSlotMask;
    const char* cache = compressed ? "comp" : "swa";
    const Tensor& pages = inputs.at(cache);
    const uint32_t block = compressed ? frame.problem.block : frame.problem.window_block;
    const uint32_t slot = table[i] & kSlotMask;
    const auto where = [&] { return fmt::format("input '{}kt' at [{},{}]", prefix, i / kKeys, i % kKeys); };
    if (slot / block >= pages.shape[0]) {
      throw Error(fmt::format("{}: entry {:#010x} is in page {}, the cache '{}' has {} pages of {} slots",
                              where(), table[i], slot / block, cache, pages.shape[0], block));
    }
    if (i % kKeys >= counts[i / kKeys]) continue;  // loaded, but without effect
    const std::string wrong = record_complaint(pages, slot, block);
    if (!wrong.empty()) throw Error(fmt::format("{}: input '{}': {}", where(), cache, wrong));
  }
}

void check_back_positions(const Tensors& inputs, std::span<const int64_t> positions,
                          const std::string& prefix) {
  const auto rows = static_cast<int64_t>(inputs.at("cos_sin").shape[0]);
  for (size_t t = 0; t < positions.size(); ++t) {
    if (positions[t] >= 0 && positions[t] < rows) continue;
    throw Error(fmt::format("input '{}pos': position {} at [{}], cos_sin has {} rows", prefix, positions[t],
                            t, rows));
  }
}

}  // namespace wavetwin::golden
