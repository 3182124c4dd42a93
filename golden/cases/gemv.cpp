// SPDX-License-Identifier: MIT
#include "golden/cases/gemv.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "common/kernels/gemv.h"
#include "common/mfma/layout.h"
#include "golden/cases/buffers.h"
#include "golden/cases/gemv_inputs.h"
#include "golden/oracle/gemv.h"
#include "sim/core/error.h"
#include "sim/kernels/gemv_kernel.h"

namespace wavetwin::golden {
namespace {

constexpr uint32_t kTokenCounts[] = {1, 6, 16, 17, kMaxTokens};

std::string no_nan_scale(const Tensor& tensor) {
  const auto codes = tensor.view<uint8_t>();
  for (uint64_t i = 0; i < codes.size(); ++i) {
    if (codes[i] != 0xFF) continue;
    return fmt::format("scale byte 255 (NaN) at [{},{}]", i / tensor.shape[1], i % tensor.shape[1]);
  }
  return "";
}

// One i32 a code, as the kernels that produce activations store them.
std::vector<std::byte> words_of(const Tensor& codes) {
  std::vector<std::byte> words(4 * codes.data.size());
  for (size_t i = 0; i < codes.data.size(); ++i) words[4 * i] = codes.data[i];
  return words;
}

// The accumulator register that holds row r, token t of a 16x16 tile.
mfma::Place accumulator(uint32_t r, uint32_t t) {
  static const mfma::Shape* const kMfma = mfma::find_exact("v_mfma_scale_f32_16x16x128_f8f6f4");
  return mfma::cd_layout(*kMfma).place({0, static_cast<uint8_t>(r), static_cast<uint8_t>(t)});
}

class GemvCase : public KernelCase {
 public:
  GemvCase(uint32_t kernel, uint32_t tokens, GemvData data, uint64_t seed)
      : kernel_(kernel), shape_(kGemvKernels[kernel].shape), tokens_(tokens), data_(data), seed_(seed) {}

  std::string name() const override {
    return fmt::format("gemv/{}-t{}-{}/{}", stem(), tokens_, to_string(data_), seed_);
  }

  std::vector<std::string> labels() const override {
    const bool run = tokens_ == 6 && data_ == GemvData::model;
    const bool masked = stem() == "masked";
    const bool small = shape_.grid() <= 32;
    const bool test = stem() == "wqkv" || stem() == "wq_b" || small;
    std::vector<std::string> labels{run ? "run" : test ? "test" : "slow"};
    if (is_exact(data_)) labels.push_back("exact");
    if (small) labels.push_back("small");
    if (small && tokens_ == 17) labels.push_back("opt");  // two token tiles; the -O0 code is 30 times as long
    const bool kept = data_ == GemvData::model || data_ == GemvData::extremes;
    if (small && kept && tokens_ == (masked ? 6 : 17)) labels.push_back("full");
    return labels;
  }

  GeneratorId generator() const override {
    return {fmt::format("gemv.{}", to_string(data_)), kGemvDataVersion, seed_};
  }

  std::vector<InputSpec> inputs() const override {
    return {{"w", DType::F8_E4M3, {shape_.rows, shape_.k}, {}},
            {"w_scale", DType::F8_E8M0, {shape_.rows / 32, shape_.k / 32}, no_nan_scale},
            {"x", DType::F8_E4M3, {tokens_, shape_.x_stride()}, {}},
            {"x_scale", DType::F8_E8M0, {tokens_, shape_.x_stride() / 32}, no_nan_scale}};
  }

  Tensors generate() const override {
    const MxMatrix w = generate_mx(data_, seed_, "w", {shape_.rows, shape_.k, 32});
    const MxMatrix x = generate_mx(data_, seed_, "x", {tokens_, shape_.x_stride(), 1});
    Tensors tensors;
    const std::vector<uint8_t>* bytes[] = {&w.codes, &w.scales, &x.codes, &x.scales};
    const auto specs = inputs();
    for (size_t i = 0; i < specs.size(); ++i) {
      tensors[specs[i].name] = make_tensor<uint8_t>(specs[i].dtype, specs[i].shape, *bytes[i]);
    }
    return tensors;
  }

  std::vector<RegionSpec> regions() const override {
    RegionSpec y;
    y.name = y.buffer = "y";
    y.dtype = DType::F32;
    y.shape = {shape_.windows, tokens_, shape_.rows};
    y.locate = [this](std::span<const uint64_t> index) { return locate_y(index); };
    RegionSpec red;
    red.name = red.buffer = "red";
    red.dtype = DType::F32;
    red.shape = {shape_.grid(), token_tiles(tokens_), kWaves, kLanes, kAccElements};
    red.role = Role::intermediate;
    red.locate = [this](std::span<const uint64_t> index) { return locate_red(index); };
    return {y, red};
  }

  Program program(const Tensors& inputs) const override {
    Program program;
    program.buffers.push_back(buffer_of("w", inputs.at("w").data));
    program.buffers.push_back(buffer_of("w_scale", inputs.at("w_scale").data));
    program.buffers.push_back(buffer_of("x", inputs.at("x").data));
    program.buffers.push_back(buffer_of("x_scale", words_of(inputs.at("x_scale"))));
    for (const RegionSpec& region : regions()) {
      BufferSpec buffer;
      buffer.name = region.buffer;
      buffer.bytes = element_count(region.shape) * size_of(region.dtype);
      program.buffers.push_back(buffer);
    }
    program.launches.push_back(launch());
    return program;
  }

  Reference reference(const Tensors& inputs, const Tensors&) const override {
    const auto w = inputs.at("w").view<uint8_t>(), w_scale = inputs.at("w_scale").view<uint8_t>();
    const auto x = inputs.at("x").view<uint8_t>(), x_scale = inputs.at("x_scale").view<uint8_t>();
    const oracle::GemvReference judged = oracle::gemv(shape_, {tokens_, w, w_scale, x, x_scale});
    const bool exact = is_exactness_conditioned(w, w_scale) && is_exactness_conditioned(x, x_scale);
    Reference reference;
    const auto specs = regions();
    const oracle::Judged* results[] = {&judged.y, &judged.red};
    for (size_t i = 0; i < specs.size(); ++i) {
      RegionReference& region = reference[specs[i].name];
      if (exact) {
        region.exact = as_f32(specs[i].shape, results[i]->value);
      } else {
        region.value = results[i]->value;
        region.bound = results[i]->bound;
      }
    }
    return reference;
  }

  // The order in which an MFMA adds is known for a sibling part only; exact sums do not depend on it.
  Evidence evidence() const override { return is_exact(data_) ? Evidence::specified : Evidence::inferred; }

 private:
  std::string stem() const { return kGemvKernels[kernel_].name; }

  Launch launch() const {
    Launch launch;
    launch.code_object = "gemv";
    launch.symbol = kGemvKernels[kernel_].symbol;
    launch.grid = {shape_.grid(), 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.static_lds_bytes = gemv_lds(shape_.form()).bytes;
    launch.kernarg = [tokens = tokens_](const Addresses& at) {
      const GemvArgs args{{at.of("w")}, {at.of("w_scale")}, {at.of("x")}, {at.of("x_scale")},
                          {at.of("y")}, {at.of("red")},     tokens,       0};
      std::vector<std::byte> bytes(sizeof args);
      std::memcpy(bytes.data(), &args, sizeof args);
      return bytes;
    };
    launch.sim = [kernel = kernel_](Wave& wave, std::span<const std::byte> kernarg) {
      GemvArgs args;
      std::memcpy(&args, kernarg.data(), sizeof args);
      return gemv_kernel(kernel, wave, args);
    };
    return launch;
  }

  Tensor as_f32(const Shape& shape, const std::vector<double>& values) const {
    std::vector<float> rounded(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      rounded[i] = static_cast<float>(values[i] + 0.0);  // a sum that starts from +0 is never -0
      if (rounded[i] != values[i])
        throw Error(fmt::format("{}: the sum at element {} is not exact", name(), i));
    }
    return make_tensor<float>(DType::F32, shape, rounded);
  }

  std::string locate_y(std::span<const uint64_t> index) const {
    const GemvForm form = shape_.form();
    const auto window = static_cast<uint32_t>(index[0]), token = static_cast<uint32_t>(index[1]);
    const auto row = static_cast<uint32_t>(index[2]);
    const uint32_t in_task = row % form.task_rows();
    const uint32_t first = form.tiled ? in_task / kRowTile * form.split : 0;
    const uint32_t last = form.split == 0 ? kWaves - 1 : first + form.split - 1;
    const mfma::Place place = accumulator(in_task % kRowTile, token % kTokenTile);
    const uint32_t thread = token % kTokenTile * form.task_rows() + in_task;
    return fmt::format(
        "workgroup {}, token tile {}, summed from waves {}..{}, lane {}, v{} by wave {}, lane {}",
        window * shape_.row_tasks() + row / form.task_rows(), token / kTokenTile, first, last, place.lane,
        place.vgpr(), thread / kLanes, thread % kLanes);
  }

  std::string locate_red(std::span<const uint64_t> index) const {
    const auto element = mfma::cd_layout(*mfma::find_exact("v_mfma_scale_f32_16x16x128_f8f6f4"))
                             .element({static_cast<uint8_t>(index[3]), static_cast<uint16_t>(32 * index[4])});
    const GemvTask task = gemv_task(shape_, static_cast<uint32_t>(index[0]));
    const auto wave = static_cast<uint32_t>(index[2]);
    const uint32_t row = task.row0 + kRowTile * row_tile_of(shape_.form(), wave) + element.row;
    return fmt::format(
        "workgroup {}{}, token tile {}, wave {}, lane {}, v{}: weight row {}, token {}, steps {}", index[0],
        task.live ? "" : " (masked off)", index[1], wave, index[3], index[4], row,
        std::min<uint64_t>(kTokenTile * index[1] + element.column, tokens_ - 1), steps_of(wave));
  }

  // The global steps of a wave, first window: "3,11" or "8..15".
  std::string steps_of(uint32_t wave) const {
    const GemvForm form = shape_.form();
    if (form.split != 0 && !form.tiled && wave >= form.split) return "none (past the split)";
    std::string text;
    for (uint32_t i = 0; i < form.steps_per_wave(); ++i) {
      const Step step = steps(form, wave, i);
      if (step.live) text += fmt::format("{}{}", text.empty() ? "" : ",", step.st);
    }
    return text;
  }

  const uint32_t kernel_;
  const GemvShape shape_;
  const uint32_t tokens_;
  const GemvData data_;
  const uint64_t seed_;
};

}  // namespace

CaseList gemv_cases() {
  CaseList cases;
  for (uint32_t kernel = 0; kernel < std::size(kGemvKernels); ++kernel) {
    for (const uint32_t tokens : kTokenCounts) {
      for (const GemvData data : kGemvData)
        cases.push_back(std::make_unique<GemvCase>(kernel, tokens, data, 0));
    }
  }
  return cases;
}

}  // namespace wavetwin::golden
