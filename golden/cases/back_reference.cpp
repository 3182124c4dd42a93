// SPDX-License-Identifier: MIT
#include "golden/cases/back_reference.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "golden/cases/back_program.h"
#include "golden/cases/back_regions.h"
#include "golden/oracle/back.h"

namespace wavetwin::golden {
namespace {

using back::Stage;

// End to end: what quantisation in two places leaves of a chain in fp64 (the published tests ask for as
// much).
constexpr double kMinCosine = 0.9999, kMaxRelativeL2 = 0.015;

RegionReference within(oracle::Judged judged) {
  RegionReference reference;
  reference.value = std::move(judged.value);
  reference.bound = std::move(judged.bound);
  return reference;
}

// The scale codes of a region (words) or of an input (bytes), as words.
std::vector<uint32_t> codes_of(const Tensor& tensor) {
  if (tensor.dtype == DType::F8_E8M0) {
    const auto view = tensor.view<uint8_t>();
    return {view.begin(), view.end()};
  }
  const auto view = tensor.view<uint32_t>();
  return {view.begin(), view.end()};
}

class Judge {
 public:
  Judge(const BackFrame& frame, const Tensors& inputs, const Tensors& produced)
      : frame_(frame), inputs_(inputs), produced_(produced), keys_(back_keys(frame, inputs)) {}

  Reference reference() {
    if (frame_.has(Stage::split)) split();
    if (frame_.has(Stage::combine)) combine();
    if (frame_.has(Stage::woa)) woa();
    if (frame_.has(Stage::wob) || frame_.stage == Stage::push) wob();
    if (frame_.problem.replays()) replays();
    if (frame_.stage == Stage::run) end_to_end();
    words();
    return std::move(reference_);
  }

 private:
  // What the run made, or what the case gave the stage.
  const Tensor& actual(const char* name) const {
    const auto found = produced_.find(name);
    return found != produced_.end() ? found->second : inputs_.at(name);
  }
  const char* out_name() const { return frame_.problem.replays() ? "last" : "out"; }

  oracle::BackSplitData split_data() const {
    oracle::BackSplitData data{};
    data.tokens = frame_.problem.tokens;
    data.heads = frame_.dims.heads();
    data.chunk_keys = frame_.form.chunk_keys();
    data.key_counts = keys_.counts;
    data.q = inputs_.at("q").view<uint16_t>();
    data.key_table = keys_.table;
    data.window = pages("swa", frame_.problem.window_block);
    data.compressed = pages("comp", frame_.problem.block);
    data.qk_scale = std::bit_cast<float>(back_qk_scale(frame_.problem));
    data.exact = frame_.sums_are_exact();
    return data;
  }
  oracle::CachePages pages(const char* name, uint32_t block) const {
    return {inputs_.at(name).view<uint8_t>(), back::page_stride(block), block};
  }

  void split() {
    const auto stats = produced_.at("pstat").view<float>();
    std::vector<float> maxima(stats.size() / 2);
    for (size_t i = 0; i < maxima.size(); ++i) maxima[i] = stats[2 * i];
    oracle::BackSplitData data = split_data();
    data.maxima = maxima;
    oracle::BackSplitReference judged = oracle::back_split(data);
    reference_["part"] = within(std::move(judged.part));
    RegionReference& out = reference_["pstat"];
    for (size_t i = 0; i < maxima.size(); ++i) {
      for (const oracle::Judged* stat : {&judged.max, &judged.sum}) {
        out.value.push_back(stat->value[i]);
        out.bound.push_back(stat->bound[i]);
      }
    }
  }

  void combine() {
    oracle::BackCombineData data{};
    data.tokens = frame_.problem.tokens;
    data.heads = frame_.dims.heads();
    data.chunk_keys = frame_.form.chunk_keys();
    data.key_counts = keys_.counts;
    data.part = actual("part").view<uint16_t>();
    data.stats = actual("pstat").view<float>();
    data.sink = inputs_.at("sink").view<float>();
    data.pos = inputs_.at("pos").view<int64_t>();
    data.cos_sin = inputs_.at("cos_sin").view<float>();
    data.codes = produced_.at("xos").view<uint32_t>();
    put("xo", "xos", oracle::back_combine(data));
  }

  void woa() {
    const std::vector<uint32_t> codes = codes_of(actual("xos"));
    oracle::BackGemvData data = gemv_data(weights("woa"), actual("xo"), codes);
    data.result_codes = produced_.at("x8bs").view<uint32_t>();
    put("x8b", "x8bs", oracle::back_woa(data));
  }

  void wob() {
    const std::vector<uint32_t> codes = codes_of(actual("x8bs"));
    oracle::Judged judged = oracle::back_wob(gemv_data(weights("wob"), actual("x8b"), codes));
    if (frame_.stage == Stage::push) {  // the same to every rank
      const oracle::Judged one = judged;
      for (uint32_t rank = 1; rank < frame_.problem.tp; ++rank) {
        judged.value.insert(judged.value.end(), one.value.begin(), one.value.end());
        judged.bound.insert(judged.bound.end(), one.bound.begin(), one.bound.end());
      }
    }
    reference_[out_name()] = within(std::move(judged));
  }

  oracle::BackWeights weights(const std::string& name) const {
    const bool a = name == "woa";
    return {a ? frame_.dims.o_rows() : back::kHidden, a ? back::kGroupK : frame_.dims.o_rows(),
            a ? frame_.dims.groups() : 1, inputs_.at(name).view<uint8_t>(),
            inputs_.at(name + "_s").view<uint8_t>()};
  }

  oracle::BackGemvData gemv_data(const oracle::BackWeights& w, const Tensor& x,
                                 std::span<const uint32_t> codes) const {
    oracle::BackGemvData data{};
    data.tokens = frame_.problem.tokens;
    data.weights = w;
    data.x = x.view<uint8_t>();
    data.x_codes = codes;
    data.exact = frame_.sums_are_exact();
    return data;
  }

  void put(const char* data, const char* codes, oracle::MxReference judged) {
    reference_[data] = within(std::move(judged.data));
    reference_[codes] = within(std::move(judged.codes));
  }

  // Every launch must leave what the first of its layer left.
  void replays() {
    const Tensor& tensor = produced_.at("replays");
    const uint64_t per_launch = tensor.elements() / frame_.problem.launches;
    RegionReference& out = reference_["replays"];
    for (uint64_t i = 0; i < tensor.elements(); ++i) {
      out.value.push_back(tensor.value(i / per_launch % 2 * per_launch + i % per_launch));
    }
    out.bound.assign(tensor.elements(), 0);
  }

  void end_to_end() {
    oracle::BackChainData data{};
    data.split = split_data();
    data.sink = inputs_.at("sink").view<float>();
    data.pos = inputs_.at("pos").view<int64_t>();
    data.cos_sin = inputs_.at("cos_sin").view<float>();
    data.woa = weights("woa");
    data.wob = weights("wob");
    reference_[out_name()].whole = {oracle::back_chain(data), kMinCosine, kMaxRelativeL2};
  }

  // Epoch words, flags and tags.
  void words() {
    const uint32_t tag = frame_.last_tag();
    for (const RegionSpec& region : back_regions(frame_)) {
      std::vector<uint32_t> words(element_count(region.shape));
      if (region.name == "epoch") {
        std::fill(words.begin(), words.end(), frame_.epoch() + frame_.problem.launches);
      } else if (region.name == "tags") {
        std::fill(words.begin(), words.end(), tag);
      } else if (region.name.ends_with("rdy")) {
        for (size_t i = 0; i < words.size(); ++i) words[i] = i % 2 ? tag : 1;
      } else {
        continue;
      }
      reference_[region.name].exact = make_tensor<uint32_t>(DType::U32, region.shape, words);
    }
  }

  const BackFrame& frame_;
  const Tensors& inputs_;
  const Tensors& produced_;
  const BackKeyList keys_;
  Reference reference_;
};

}  // namespace

Reference back_reference(const BackFrame& frame, const Tensors& inputs, const Tensors& produced) {
  return Judge(frame, inputs, produced).reference();
}

}  // namespace wavetwin::golden
