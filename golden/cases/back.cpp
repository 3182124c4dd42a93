// SPDX-License-Identifier: MIT
#include "golden/cases/back.h"

#include <fmt/format.h>

#include "common/kernels/primitives.h"
#include "golden/cases/back_contract.h"
#include "golden/cases/back_frame.h"
#include "golden/cases/back_keys.h"
#include "golden/cases/back_program.h"
#include "golden/cases/back_reference.h"
#include "golden/cases/back_regions.h"
#include "golden/cases/gemv_inputs.h"

namespace wavetwin::golden {
namespace {

using back::Stage;

class BackCase : public KernelCase {
 public:
  BackCase(Stage stage, const BackProblem& problem, std::vector<std::string> labels)
      : frame_{stage, problem}, labels_(std::move(labels)) {}

  std::string name() const override { return back_case_name(frame_.stage, problem()); }
  std::vector<std::string> labels() const override { return labels_; }
  GeneratorId generator() const override {
    return {fmt::format("attention_back.{}", to_string(problem().data)), kBackDataVersion, problem().seed};
  }

  std::vector<InputSpec> inputs() const override {
    std::vector<InputSpec> specs;
    add_layer_inputs("", specs);
    if (problem().replays()) add_layer_inputs(kOtherPrefix, specs);
    if (frame_.has(Stage::split)) add_caches(specs);
    if (frame_.has(Stage::combine)) {
      specs.push_back({"sink", DType::F32, {frame_.dims.heads()}, {}});
      specs.push_back({"cos_sin", DType::F32, {positions(), back::kRope}, {}, true});
    }
    add_stage_inputs(specs);
    for (InputSpec& spec : specs) {
      spec.contract = [name = spec.name](const Tensor& tensor) { return back_complaint(name, tensor); };
    }
    return specs;
  }

  Tensors generate() const override {
    Tensors tensors;
    if (problem().keys == BackKeys::built) generate_back_keys(problem(), tensors);
    for (const InputSpec& spec : inputs()) {
      if (tensors.contains(spec.name) || spec.dtype == DType::F8_E8M0) continue;  // made with its codes
      if (spec.dtype == DType::F8_E4M3) {
        generate_matrix(spec, tensors);
      } else {
        tensors[spec.name] = generate_plain(spec);
      }
    }
    return tensors;
  }

  std::vector<RegionSpec> regions() const override { return back_regions(frame_); }

  // The units that have keys are those of these inputs from here on.
  Program program(const Tensors& inputs) const override {
    if (frame_.reads_keys()) frame_.counts = back_keys(frame_, inputs).counts;
    return back_program(frame_, inputs);
  }

  Reference reference(const Tensors& inputs, const Tensors& produced) const override {
    return back_reference(frame_, inputs, produced);
  }

  // The order in which an MFMA adds is known for a sibling part only; exact sums do not depend on it.
  Evidence evidence() const override {
    const bool products = frame_.stage != Stage::combine;
    const Evidence exp2 = frame_.reads_keys() ? Evidence::WAVETWIN_EXP2_EVIDENCE : Evidence::specified;
    const Evidence sums = products && !frame_.sums_are_exact() ? Evidence::inferred : Evidence::specified;
    return weaker(exp2, sums);
  }

 private:
  const BackProblem& problem() const { return frame_.problem; }
  bool is_built() const { return problem().keys == BackKeys::built; }
  uint64_t positions() const { return is_built() ? kBackContext : kBackPositions; }

  void add_layer_inputs(const std::string& prefix, std::vector<InputSpec>& specs) const {
    const uint64_t tokens = problem().tokens;
    if (!frame_.reads_keys()) return;
    if (frame_.has(Stage::split)) {
      specs.push_back({prefix + "q", DType::BF16, {tokens, frame_.dims.heads(), back::kHeadDim}, {}});
    }
    if (is_built()) {
      for (InputSpec& spec : back_key_inputs(problem())) specs.push_back(std::move(spec));
    } else {
      if (frame_.has(Stage::split)) specs.push_back({prefix + "kt", DType::U32, {tokens, back::kKeys}, {}});
      specs.push_back({prefix + "klen", DType::U32, {tokens}, {}});
    }
    specs.push_back({prefix + "pos", DType::I64, {tokens}, {}});
  }

  void add_caches(std::vector<InputSpec>& specs) const {
    const auto add = [&specs](const char* name, uint32_t slots, uint32_t block) {
      specs.push_back({name, DType::U8, {slots / block, back::page_stride(block)}, {}, true});
    };
    add("swa", kBackWindowSlots, problem().window_block);
    add("comp", kBackCompressedSlots, problem().block);
  }

  void add_stage_inputs(std::vector<InputSpec>& specs) const {
    const uint64_t tokens = problem().tokens, heads = frame_.dims.heads(), rows = frame_.dims.o_rows();
    if (frame_.stage == Stage::combine) {
      specs.push_back({"part", DType::BF16, {tokens, frame_.form.chunks(), heads, back::kHeadDim}, {}});
      specs.push_back({"pstat", DType::F32, {tokens, frame_.form.chunks(), heads, 2}, {}});
    }
    const auto add = [&specs](const std::string& name, const std::string& scales, uint64_t matrix_rows,
                              uint64_t k, uint64_t scale_rows) {
      specs.push_back({name, DType::F8_E4M3, {matrix_rows, k}, {}});
      specs.push_back({scales, DType::F8_E8M0, {matrix_rows / scale_rows, k / 32}, {}});
    };
    if (frame_.stage == Stage::woa) add("xo", "xos", tokens, frame_.dims.q_rows(), 1);
    if (frame_.has(Stage::woa)) add("woa", "woa_s", rows, back::kGroupK, 32);
    const bool alone = frame_.stage == Stage::wob || frame_.stage == Stage::push;
    if (alone) add("x8b", "x8bs", tokens, rows, 1);
    if (alone || frame_.stage == Stage::run) add("wob", "wob_s", back::kHidden, rows, 32);
  }

  // Codes and scales of a stage's operand. Of the exact whole launch, where activations have any value, one
  // code a weight row keeps every sum exact.
  void generate_matrix(const InputSpec& spec, Tensors& tensors) const {
    const bool activations = spec.name[0] == 'x';
    const auto rows = static_cast<uint32_t>(spec.shape[0]), columns = static_cast<uint32_t>(spec.shape[1]);
    const bool exact = frame_.sums_are_exact();
    const MxMatrix matrix = generate_mx(exact ? GemvData::exact_pm1 : GemvData::model, problem().seed,
                                        "back." + spec.name, {rows, columns, activations ? 1u : 32u});
    const std::string scale = activations ? spec.name + "s" : spec.name + "_s";
    tensors[spec.name] = exact && frame_.stage == Stage::run
                             ? back_one_hot(problem(), spec.name, rows, columns)
                             : make_tensor<uint8_t>(DType::F8_E4M3, spec.shape, matrix.codes);
    tensors[scale] =
        make_tensor<uint8_t>(DType::F8_E8M0, {activations ? rows : rows / 32, columns / 32}, matrix.scales);
  }

  Tensor generate_plain(const InputSpec& spec) const {
    const bool other = spec.name.starts_with(kOtherPrefix);
    const std::string name = other ? spec.name.substr(std::string_view(kOtherPrefix).size()) : spec.name;
    BackProblem layer = problem();
    layer.seed += other;  // another layer's queries, keys and positions
    if (name == "q") return back_query(layer, frame_.dims.heads());
    if (name == "kt") return back_key_table(layer);
    if (name == "klen") return make_tensor<uint32_t>(DType::U32, spec.shape, back_key_counts(layer));
    if (name == "pos") {
      return make_tensor<int64_t>(DType::I64, spec.shape,
                                  is_built() ? back_built_positions(layer) : back_positions(layer));
    }
    if (name == "swa") return back_pages(layer, name, kBackWindowSlots, problem().window_block);
    if (name == "comp") return back_pages(layer, name, kBackCompressedSlots, problem().block);
    if (name == "part") return back_part(layer, frame_.form.chunks(), frame_.dims.heads());
    if (name == "pstat") return back_stats(layer, frame_.form.chunks(), frame_.dims.heads());
    if (name == "sink") return back_sink(layer, frame_.dims.heads());
    return back_cos_sin(static_cast<uint32_t>(positions()));
  }

  mutable BackFrame frame_;
  const std::vector<std::string> labels_;
};

}  // namespace

std::unique_ptr<KernelCase> back_case(Stage stage, const BackProblem& problem,
                                      std::vector<std::string> labels) {
  check_problem(problem);
  return std::make_unique<BackCase>(stage, problem, std::move(labels));
}

}  // namespace wavetwin::golden
