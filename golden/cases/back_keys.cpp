// SPDX-License-Identifier: MIT
#include "golden/cases/back_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/cases/back_inputs.h"
#include "golden/cases/random.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

using namespace back;

constexpr uint32_t kTokensOfRequest = 6;
constexpr uint32_t kPositionsOf[] = {5, 700, 2041, 63, 1300, 511, 2042, 31};  // first token of a request

uint32_t requests(const BackProblem& problem) { return ceil_div(problem.tokens, kTokensOfRequest); }
uint32_t logical_pages(const BackProblem& problem) { return ceil_div(kBackContext, problem.block); }

// The last token of a batch of several is a pad row.
bool is_pad(const BackProblem& problem, uint32_t t) { return problem.tokens > 1 && t + 1 == problem.tokens; }

uint32_t compressed_rows(const BackProblem& problem, int64_t position) {
  if (problem.ratio == 0) return 0;
  return static_cast<uint32_t>(std::min<int64_t>((position + 1) / problem.ratio, kTopK));
}

// One token's entries; throws what is out of range.
class Builder {
 public:
  Builder(const BackProblem& problem, const Tensors& inputs) : problem_(problem), inputs_(inputs) {}

  void token(uint32_t t, BackKeyList& out) const {
    uint32_t* entries = &out.table[uint64_t{t} * kKeys];
    const bool live = inputs_.at("slots").view<int64_t>()[t] >= 0;
    const uint32_t top = live ? compressed_rows(problem_, inputs_.at("pos").view<int64_t>()[t]) : 0;
    const uint32_t near = live ? inputs_.at("window_len").view<uint32_t>()[t] : 0;
    if (near > kWindow) {
      throw Error(fmt::format("input 'window_len': {} at [{}], at most {} are possible", near, t, kWindow));
    }
    for (uint32_t k = 0; k < top; ++k) entries[k] = compressed(t, k);
    for (uint32_t k = 0; k < near; ++k) {
      entries[top + k] = inputs_.at("window").view<uint32_t>()[t * kWindow + k];
    }
    out.counts[t] = top + near;
    out.topk[t] = top;
  }

 private:
  uint32_t compressed(uint32_t t, uint32_t k) const {
    const int32_t row = inputs_.at("topk").view<int32_t>()[t * kTopK + k];
    if (row < 0) return kNoKey;
    const Tensor& table = inputs_.at("block_table");
    const uint32_t request = inputs_.at("request").view<uint32_t>()[t];
    const uint64_t page = static_cast<uint32_t>(row) / problem_.block;
    if (request >= table.shape[0]) {
      throw Error(
          fmt::format("input 'request': request {} at [{}], block_table has {}", request, t, table.shape[0]));
    }
    if (page >= table.shape[1]) {
      throw Error(
          fmt::format("input 'topk': row {} at [{},{}] is in page {} of its request, block_table has {}", row,
                      t, k, page, table.shape[1]));
    }
    const uint32_t block = table.view<uint32_t>()[request * table.shape[1] + page];
    const uint64_t pages = inputs_.at("comp").shape[0];
    if (block >= pages) {
      throw Error(fmt::format("input 'block_table': block {} at [{},{}], the cache 'comp' has {} pages",
                              block, request, page, pages));
    }
    return (block * problem_.block + static_cast<uint32_t>(row) % problem_.block) | ~kSlotMask;
  }

  const BackProblem& problem_;
  const Tensors& inputs_;
};

}  // namespace

std::vector<int64_t> back_built_positions(const BackProblem& problem) {
  std::vector<int64_t> positions(problem.tokens);
  for (uint32_t t = 0; t < problem.tokens; ++t) {
    const uint64_t first = kPositionsOf[(t / kTokensOfRequest + problem.seed) % std::size(kPositionsOf)];
    positions[t] = is_pad(problem, t) ? 0 : static_cast<int64_t>(first + t % kTokensOfRequest);
  }
  return positions;
}

std::vector<InputSpec> back_key_inputs(const BackProblem& problem) {
  return {{"block_table", DType::U32, {requests(problem), logical_pages(problem)}, {}, true},
          {"topk", DType::I32, {problem.tokens, kTopK}, {}},
          {"window", DType::U32, {problem.tokens, kWindow}, {}},
          {"window_len", DType::U32, {problem.tokens}, {}},
          {"slots", DType::I64, {problem.tokens}, {}},
          {"request", DType::U32, {problem.tokens}, {}}};
}

void generate_back_keys(const BackProblem& problem, Tensors& tensors) {
  for (const InputSpec& spec : back_key_inputs(problem)) tensors[spec.name] = Tensor(spec.dtype, spec.shape);
  const Random pages(problem.seed, "back.block_table"), random(problem.seed, "back.topk");
  const auto table = tensors.at("block_table").view<uint32_t>();
  for (uint64_t i = 0; i < table.size(); ++i) table[i] = pages.below(i, kBackCompressedSlots / problem.block);
  const auto positions = back_built_positions(problem);
  for (uint32_t t = 0; t < problem.tokens; ++t) {
    const auto position = static_cast<uint32_t>(positions[t]);
    const uint32_t rows = problem.ratio == 0 ? 0 : (position + 1) / problem.ratio;
    for (uint32_t k = 0; k < kTopK; ++k) {
      const uint64_t i = uint64_t{t} * kTopK + k;
      const bool none = rows == 0 || random.below(2 * i, 16) == 0;
      tensors.at("topk").view<int32_t>()[i] = none ? -1 : static_cast<int32_t>(random.below(2 * i + 1, rows));
    }
    const uint32_t near = std::min(position + 1, kWindow);
    for (uint32_t k = 0; k < kWindow; ++k) {
      // The window is a ring of slots.
      tensors.at("window").view<uint32_t>()[t * kWindow + k] = (position - near + 1 + k) % kBackWindowSlots;
    }
    tensors.at("window_len").view<uint32_t>()[t] = near;
    tensors.at("slots").view<int64_t>()[t] = is_pad(problem, t) ? -1 : int64_t{position % kBackWindowSlots};
    tensors.at("request").view<uint32_t>()[t] = t / kTokensOfRequest;
  }
}

BackKeyList build_back_keys(const BackProblem& problem, const Tensors& inputs) {
  BackKeyList out{std::vector<uint32_t>(uint64_t{problem.tokens} * kKeys, kNoKey),
                  std::vector<uint32_t>(problem.tokens), std::vector<uint32_t>(problem.tokens)};
  const Builder builder(problem, inputs);
  for (uint32_t t = 0; t < problem.tokens; ++t) builder.token(t, out);
  return out;
}

uint64_t far_stride(const BackProblem& problem, bool compressed) {
  const uint64_t near = page_stride(compressed ? problem.block : problem.window_block);
  return compressed ? near : (uint64_t{1} << 32) + near;
}

uint64_t far_offset(const BackProblem& problem, bool compressed, uint64_t page) {
  return page * far_stride(problem, compressed) * (compressed ? kFarCompressedPages : 1);
}

std::vector<uint32_t> far_table(const BackProblem& problem, std::span<const uint32_t> table) {
  std::vector<uint32_t> out(table.begin(), table.end());
  for (uint32_t& entry : out) {
    if (entry == kNoKey || entry <= kSlotMask) continue;
    const uint32_t slot = entry & kSlotMask, page = slot / problem.block;
    entry = (page * kFarCompressedPages * problem.block + slot % problem.block) | ~kSlotMask;
  }
  return out;
}

}  // namespace wavetwin::golden
