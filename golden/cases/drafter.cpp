// SPDX-License-Identifier: MIT
#include "golden/cases/drafter.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "common/kernels/drafter.h"
#include "golden/cases/buffers.h"
#include "golden/cases/drafter_contract.h"
#include "golden/cases/drafter_judge.h"
#include "golden/cases/drafter_plan.h"
#include "golden/cases/random.h"
#include "sim/kernels/drafter.h"

namespace wavetwin::golden {
namespace {

using namespace drafter;

class DrafterCase : public KernelCase {
 public:
  DrafterCase(Stage stage, const DrafterProblem& problem, std::vector<std::string> labels)
      : plan_(stage, problem), labels_(std::move(labels)) {}

  std::string name() const override {
    return fmt::format("drafter/{}-{}/{}", stage_name(), drafter_shape(plan_.problem), plan_.problem.seed);
  }
  std::vector<std::string> labels() const override { return labels_; }
  GeneratorId generator() const override {
    return {fmt::format("drafter.{}", stage_name()), kDrafterDataVersion, plan_.problem.seed};
  }

  std::vector<InputSpec> inputs() const override {
    const DrafterProblem& problem = plan_.problem;
    const uint64_t rows = plan_.rows();
    std::vector<InputSpec> specs;
    const auto add = [&](const char* name, DType dtype, Shape shape) {
      specs.push_back({name, dtype, std::move(shape), drafter_contract(plan_, name)});
    };
    add("positions", DType::I64, {rows});
    add("seq_lens", DType::I32, {problem.requests});
    if (!plan_.attends()) add("partials", DType::F32, {problem.requests, kMaxBlocks, kPartBytes / 4});
    if (!plan_.attends()) return specs;
    add("cache", DType::U8, {drafter_cache_blocks(problem), kBlock, kKeyBytes});
    specs.back().parts = {{"K", [](uint64_t i) { return i % kKeyBytes < kDim; }},
                          {"V", [](uint64_t i) { return i % kKeyBytes >= kDim; }}};
    add("block_table", DType::I32, {problem.requests, drafter_table_width(problem)});
    if (!plan_.has_rows()) return specs;
    add("qkv", DType::BF16, {rows, kQkvRow});
    specs.back().parts = {{"q", [](uint64_t i) { return i % kQkvRow < kHeads * kDim; }},
                          {"k and v", [](uint64_t i) { return i % kQkvRow >= kHeads * kDim; }}};
    add("qn", DType::BF16, {kDim});
    add("kn", DType::BF16, {kDim});
    add("cos_sin", DType::BF16, {drafter_positions(problem), kRot});
    add("slots", DType::I64, {rows});
    return specs;
  }

  Tensors generate() const override {
    Tensors tensors;
    for (const InputSpec& spec : inputs()) {
      tensors[spec.name] = spec.name == "partials"
                               ? generate_partials(spec.shape)
                               : drafter_input(plan_.problem, spec.name, spec.dtype, spec.shape);
    }
    return tensors;
  }

  std::vector<RegionSpec> regions() const override {
    std::vector<RegionSpec> out;
    if (plan_.attends()) add_tiles(out);
    if (plan_.has_rows()) add_cache(out);
    if (plan_.is(Stage::run)) add_partials(out);
    if (plan_.merges()) add_output(out);
    return out;
  }

  Program program(const Tensors& inputs) const override {
    Program program;
    for (const InputSpec& spec : this->inputs()) {
      BufferSpec& buffer = program.buffers.emplace_back();
      buffer.name = spec.name;
      buffer.initial.push_back({0, inputs.at(spec.name).data});
      buffer.bytes = buffer.initial[0].data.size();
    }
    const auto add = [&](const std::string& name, uint64_t bytes) {
      BufferSpec& buffer = program.buffers.emplace_back();
      buffer.name = name;
      buffer.bytes = bytes;
    };
    if (plan_.attends()) add("dump", uint64_t{plan_.workgroups()} * 4 * kLdsWords);
    if (plan_.is(Stage::run)) add("partials", plan_.problem.requests * kMaxBlocks * kPartBytes);
    for (uint32_t i = 0; i < launches() && plan_.merges(); ++i) {
      add(output_name("a8", i), uint64_t{plan_.rows()} * kHeads * kDim);
      add(output_name("as8", i), uint64_t{plan_.rows()} * kHeads * kDim / 32 * 4);
    }
    if (plan_.merges()) {
      add("flags", kFlagPairs * kPairBytes);
      program.buffers.back().initial.push_back({0, initial_flags()});
    }
    for (uint32_t i = 0; i < launches(); ++i) program.launches.push_back(launch(i));
    return program;
  }

  Reference reference(const Tensors& inputs, const Tensors& produced) const override {
    return judge_drafter(plan_, inputs, produced);
  }

  // The order in which an MFMA adds is known for a sibling part only; exact sums do not depend on it, and the
  // other stages use none.
  Evidence evidence() const override {
    const bool sums = plan_.is(Stage::run) && plan_.problem.data != DrafterData::exact;
    return sums ? Evidence::inferred : Evidence::specified;
  }

 private:
  const char* stage_name() const { return kStages[static_cast<int>(plan_.stage)]; }
  uint32_t launches() const { return plan_.problem.replay ? 2 : 1; }
  static std::string output_name(const char* name, uint32_t launch) {
    return launch == 0 ? name : fmt::format("{}_again", name);
  }

  // ---- regions ----

  void add_tiles(std::vector<RegionSpec>& out) const {
    std::vector<uint32_t> held;  // tile pairs, by workgroup
    for (uint32_t wg = 0; wg < plan_.workgroups(); ++wg) held.push_back(plan_.dumped(wg).count);
    const auto add = [&](const char* name, uint32_t tile, uint32_t rows, uint32_t pairs) {
      RegionSpec region;
      region.name = name;
      region.dtype = DType::F8_E4M3;
      region.shape = {plan_.workgroups(), rows, kDim};
      region.buffer = "dump";
      region.offset = uint64_t{tile} * kDrafterTileBytes;
      region.strides = {uint64_t{4} * kLdsWords, kDim, 1};
      region.role = Role::intermediate;
      region.comparison = Comparison::bits;
      region.written = [held, rows, pairs](uint64_t i) { return held[i / (rows * kDim)] >= pairs; };
      region.locate = [](std::span<const uint64_t> i) {
        return fmt::format("workgroup {}, tile row {}, byte {} (chunk {} unswizzled)", i[0], i[1], i[2],
                           (i[2] / 16) ^ (i[1] % 8));
      };
      out.push_back(std::move(region));
    };
    if (!plan_.is(Stage::kv)) add("tq", kTq, kQueries, 1);
    add("tk0", kTk0, kBlock, 1);
    add("tv0", kTv0, kBlock, 1);
    if (plan_.is(Stage::kv)) return;
    add("tk1", kTk1, kBlock, 2);
    add("tv1", kTv1, kBlock, 2);
  }

  void add_cache(std::vector<RegionSpec>& out) const {
    RegionSpec region;
    region.name = region.buffer = "cache";
    region.dtype = DType::F8_E4M3;
    region.shape = {drafter_cache_blocks(plan_.problem), kBlock, kKeyBytes};
    region.comparison = Comparison::bits;
    std::vector<bool> is_new(element_count(region.shape) / kKeyBytes);
    const Tensor slots = drafter_input(plan_.problem, "slots", DType::I64, {plan_.rows()});
    for (const int64_t slot : slots.view<int64_t>()) {
      if (slot >= 0) is_new[static_cast<uint64_t>(slot)] = true;
    }
    region.written = [is_new](uint64_t i) { return is_new[i / kKeyBytes]; };
    out.push_back(std::move(region));
  }

  void add_partials(std::vector<RegionSpec>& out) const {
    std::vector<bool> live;
    for (uint32_t part = 0; part < plan_.problem.requests * kMaxBlocks; ++part) {
      live.push_back(plan_.live_part(part / kMaxBlocks, part % kMaxBlocks));
    }
    const auto add = [&](const char* name, Shape shape, uint64_t offset, std::vector<uint64_t> strides) {
      RegionSpec region;
      region.name = name;
      region.dtype = DType::F32;
      uint64_t per_part = 1;
      for (size_t i = 2; i < shape.size(); ++i) per_part *= shape[i];
      region.shape = std::move(shape);
      region.buffer = "partials";
      region.offset = offset;
      region.strides = std::move(strides);
      region.role = Role::intermediate;
      region.written = [live, per_part](uint64_t i) { return live[i / per_part]; };
      region.locate = [this](std::span<const uint64_t> i) {
        return fmt::format("workgroup {} (request {}, partition {}), wave {}, head {}",
                           i[0] * plan_.parts() + i[1], i[0], i[1], i[2] / kHeads, i[2] % kHeads);
      };
      out.push_back(std::move(region));
    };
    const uint64_t request = uint64_t{kMaxBlocks} * kPartBytes;
    add("part_m", {plan_.problem.requests, kMaxBlocks, kQueries}, 0, {request, kPartBytes, 4});
    add("part_l", {plan_.problem.requests, kMaxBlocks, kQueries}, kPartL, {request, kPartBytes, 4});
    add("part_o", {plan_.problem.requests, kMaxBlocks, kQueries, kDim}, kPartO,
        {request, kPartBytes, 4 * kDim, 4});
  }

  void add_output(std::vector<RegionSpec>& out) const {
    for (uint32_t i = 0; i < launches(); ++i) {
      RegionSpec a8;
      a8.name = a8.buffer = output_name("a8", i);
      a8.dtype = DType::F8_E4M3;
      a8.shape = {plan_.rows(), kHeads * kDim};
      a8.comparison = Comparison::bits;
      a8.locate = [](std::span<const uint64_t> at) {
        return fmt::format("merge task {}, head {}, dim {}",
                           at[0] * kHeadQuads + at[1] / (kMergeHeads * kDim), at[1] / kDim, at[1] % kDim);
      };
      RegionSpec as8;
      as8.name = as8.buffer = output_name("as8", i);
      as8.dtype = DType::U32;
      as8.shape = {plan_.rows(), kHeads * kDim / 32};
      as8.locate = [](std::span<const uint64_t> at) {
        const uint64_t head = at[1] / (kDim / 32);
        return fmt::format("merge task {}, head {}, dims {} ..", at[0] * kHeadQuads + head / kMergeHeads,
                           head, at[1] % (kDim / 32) * 32);
      };
      out.insert(out.end(), {a8, as8});
    }
    RegionSpec flags;
    flags.name = flags.buffer = "flags";
    flags.dtype = DType::U32;
    flags.shape = {kFlagPairs, 2};
    flags.written = [this](uint64_t i) { return is_flag_set(i / 2); };
    flags.locate = [](std::span<const uint64_t> at) {
      if (at[0] >= kMergeFlags) return fmt::format("flag of merge task {}", at[0] - kMergeFlags);
      return fmt::format("flag of request {}, partition {}", at[0] / kMaxBlocks, at[0] % kMaxBlocks);
    };
    out.push_back(std::move(flags));
  }

  bool is_flag_set(uint64_t pair) const {
    if (pair >= kMergeFlags) return pair - kMergeFlags < plan_.merge_tasks();
    const auto r = static_cast<uint32_t>(pair / kMaxBlocks);
    return plan_.is(Stage::run) && r < plan_.problem.requests && plan_.live_part(r, pair % kMaxBlocks);
  }

  // ---- the launch ----

  // An earlier launch's flags; the partitions' are there when only the merge runs.
  std::vector<std::byte> initial_flags() const {
    std::vector<uint32_t> pairs(2 * kFlagPairs, 1);
    for (uint32_t i = 0; i < kFlagPairs; ++i) {
      pairs[2 * i + 1] =
          plan_.is(Stage::merge) && i < kMergeFlags ? drafter_tag(0) : drafter_tag(0) - 64 + i % 3;
    }
    return bytes_of(pairs);
  }

  Launch launch(uint32_t index) const {
    Launch launch;
    launch.code_object = "drafter";
    launch.symbol = fmt::format("drafter_{}", stage_name());
    launch.grid = {plan_.workgroups(), 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.static_lds_bytes = stage_lds_bytes(plan_.stage);
    launch.kernarg = [this, index](const Addresses& at) {
      return bytes_of(std::vector<Args>{arguments(at, index)});
    };
    launch.sim = [stage = plan_.stage](Wave& wave, std::span<const std::byte> kernarg) {
      Args args;
      std::memcpy(&args, kernarg.data(), sizeof args);
      return kernel(stage, wave, args);
    };
    return launch;
  }

  Args arguments(const Addresses& at, uint32_t launch) const {
    Args args{};
    args.positions = {at.of("positions")};
    args.seq_lens = {at.of("seq_lens")};
    if (plan_.attends()) {
      args.cache = at.of("cache");
      args.block_table = {at.of("block_table")};
      if (launch == 0) args.dump = at.of("dump");
    }
    if (plan_.has_rows()) {
      args.qkv = {at.of("qkv")};
      args.qn = {at.of("qn")};
      args.kn = {at.of("kn")};
      args.cos_sin = {at.of("cos_sin")};
      args.slots = {at.of("slots")};
    }
    if (plan_.merges()) {
      args.a8 = {at.of(output_name("a8", launch))};
      args.as8 = {at.of(output_name("as8", launch))};
      args.partials = {at.of("partials")};
      args.flags = {at.of("flags")};
    }
    args.nblk = static_cast<int32_t>(drafter_cache_blocks(plan_.problem));
    args.bt_width = static_cast<int32_t>(drafter_table_width(plan_.problem));
    args.tag = drafter_tag(launch);
    args.requests = plan_.problem.requests;
    return args;
  }

  // Plausible partials: some rows saw no key; what nobody may read is NaN.
  Tensor generate_partials(const Shape& shape) const {
    const Random random(plan_.problem.seed, "drafter.partials");
    std::vector<float> values(element_count(shape), std::numeric_limits<float>::quiet_NaN());
    for (uint64_t part = 0; part < shape[0] * shape[1]; ++part) {
      if (!plan_.live_part(part / kMaxBlocks, part % kMaxBlocks)) continue;
      float* at = &values[part * shape[2]];
      for (uint32_t row = 0; row < kQueries; ++row) {
        const uint64_t i = part * 65536 + row * 256;
        const bool empty = random.below(i, 7) == 0 || row == 17;  // row 17 sees no key in any partition
        at[row] = empty ? -std::numeric_limits<float>::infinity() : 4 * random.normal(i + 1);
        at[kPartL / 4 + row] = empty ? 0 : 256 + 64 * static_cast<float>(random.below(i + 2, 100));
        for (uint32_t d = 0; d < kDim; ++d) {
          at[kPartO / 4 + row * kDim + d] = empty ? 0 : 2000 * random.normal(i + 3 + d);
        }
      }
    }
    return make_tensor<float>(DType::F32, shape, values);
  }

  const DrafterPlan plan_;
  const std::vector<std::string> labels_;
};

}  // namespace

std::unique_ptr<KernelCase> drafter_case(Stage stage, const DrafterProblem& problem,
                                         std::vector<std::string> labels) {
  return std::make_unique<DrafterCase>(stage, problem, std::move(labels));
}

}  // namespace wavetwin::golden
