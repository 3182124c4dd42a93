// SPDX-License-Identifier: MIT
#include "golden/cases/drafter.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "common/kernels/drafter.h"
#include "golden/cases/drafter_inputs.h"
#include "golden/cases/random.h"
#include "golden/oracle/drafter.h"
#include "golden/oracle/mx.h"
#include "sim/core/error.h"
#include "sim/kernels/drafter.h"

namespace wavetwin::golden {
namespace {

using namespace drafter;

constexpr uint32_t kTag = 64 * 9 + 5;
constexpr uint32_t kTileBytes = 4 * kTileWords;

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

class DrafterCase : public KernelCase {
 public:
  DrafterCase(Stage stage, const DrafterProblem& problem, std::vector<std::string> labels)
      : stage_(stage), problem_(problem), labels_(std::move(labels)) {
    for (uint32_t r = 0; r < problem.requests; ++r) windows_.push_back(drafter_window(problem, r));
  }

  std::string name() const override {
    return fmt::format("drafter/{}-r{}-p{}{}{}/{}", kStages[static_cast<int>(stage_)], problem_.requests,
                       problem_.p0, problem_.padded ? "-padded" : "", problem_.holes ? "-holes" : "",
                       problem_.seed);
  }
  std::vector<std::string> labels() const override { return labels_; }
  GeneratorId generator() const override {
    return {fmt::format("drafter.{}", kStages[static_cast<int>(stage_)]), kDrafterDataVersion, problem_.seed};
  }

  std::vector<InputSpec> inputs() const override {
    const uint64_t rows = problem_.requests * kRows;
    std::vector<InputSpec> specs{
        {"positions", DType::I64, {rows}, {}},
        {"seq_lens", DType::I32, {problem_.requests}, {}},
    };
    if (stage_ == Stage::merge) {
      specs.push_back({"partials", DType::F32, {problem_.requests, kMaxBlocks, kPartBytes / 4}, {}});
      return specs;
    }
    specs.push_back({"cache", DType::U8, {drafter_cache_blocks(problem_), kBlock, kKeyBytes}, {}});
    specs.push_back({"block_table", DType::I32, {problem_.requests, drafter_table_width(problem_)}, {}});
    if (stage_ == Stage::kv) return specs;
    specs.push_back({"qkv", DType::BF16, {rows, kQkvRow}, {}});
    specs.push_back({"qn", DType::BF16, {kDim}, {}});
    specs.push_back({"kn", DType::BF16, {kDim}, {}});
    specs.push_back({"cos_sin", DType::BF16, {drafter_positions(problem_), kRot}, {}});
    specs.push_back({"slots", DType::I64, {rows}, {}});
    return specs;
  }

  Tensors generate() const override {
    Tensors tensors;
    for (const InputSpec& spec : inputs()) {
      tensors[spec.name] = spec.name == "partials"
                               ? generate_partials(spec.shape)
                               : drafter_input(problem_, spec.name, spec.dtype, spec.shape);
    }
    return tensors;
  }

  std::vector<RegionSpec> regions() const override {
    std::vector<RegionSpec> out;
    if (stage_ != Stage::merge) add_tiles(out);
    if (stage_ == Stage::rows || stage_ == Stage::run) add_cache(out);
    if (stage_ == Stage::run) add_partials(out);
    if (stage_ == Stage::run || stage_ == Stage::merge) add_output(out);
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
    const auto add = [&](const char* name, uint64_t bytes) {
      BufferSpec& buffer = program.buffers.emplace_back();
      buffer.name = name;
      buffer.bytes = bytes;
    };
    if (stage_ != Stage::merge) add("dump", uint64_t{workgroups()} * 4 * kLdsWords);
    if (stage_ == Stage::run) add("partials", problem_.requests * kMaxBlocks * kPartBytes);
    if (stage_ == Stage::run || stage_ == Stage::merge) {
      add("a8", problem_.requests * kRows * kHeads * kDim);
      add("as8", problem_.requests * kRows * kHeads * kDim / 32 * 4);
      add("flags", kFlagPairs * kPairBytes);
      program.buffers.back().initial.push_back({0, initial_flags()});
    }
    program.launches.push_back(launch());
    return program;
  }

  Reference reference(const Tensors& inputs, const Tensors& produced) const override {
    Reference out;
    if (stage_ == Stage::kv || stage_ == Stage::rows || stage_ == Stage::run) judge_tiles(inputs, out);
    if (stage_ == Stage::rows || stage_ == Stage::run) judge_rows(inputs, out);
    if (stage_ == Stage::run) judge_partials(inputs, produced, out);
    if (stage_ == Stage::run || stage_ == Stage::merge) judge_output(inputs, produced, out);
    return out;
  }

  // The order in which an MFMA adds is known for a sibling part only; the other stages use none.
  Evidence evidence() const override {
    return stage_ == Stage::run ? Evidence::inferred : Evidence::specified;
  }

 private:
  uint32_t parts() const { return partitions(problem_.requests); }
  uint32_t merge_tasks() const { return problem_.requests * kRows * kHeadQuads; }
  uint32_t workgroups() const {
    switch (stage_) {
      case Stage::kv:
        return problem_.requests * kMaxBlocks;
      case Stage::rows:
        return problem_.requests;
      case Stage::merge:
        return merge_tasks();
      case Stage::run:
        return kBlocks;
    }
    return 0;
  }

  // Request and blocks of the tile pairs that workgroup wg dumps.
  struct Dumped {
    uint32_t request;
    int32_t block[2];
    uint32_t count;
  };
  Dumped dumped(uint32_t wg) const {
    if (stage_ == Stage::kv) {
      const uint32_t r = wg / kMaxBlocks;
      return {r, {windows_[r].first + static_cast<int32_t>(wg % kMaxBlocks), 0}, 1};
    }
    if (stage_ == Stage::rows) {
      const Window& w = windows_[wg];
      return {wg, {w.last, w.last - 1}, std::min(2u, block_count(w))};
    }
    const uint32_t r = wg / parts();
    if (r >= problem_.requests) return {0, {0, 0}, 0};
    const Partition p = partition(windows_[r], problem_.requests, wg % parts());
    return {r, {p.block(0), p.block(1)}, std::min(2u, p.count)};
  }
  bool live_part(uint32_t r, uint64_t p) const { return p < live_partitions(windows_[r], problem_.requests); }

  // ---- regions ----

  void add_tiles(std::vector<RegionSpec>& out) const {
    const auto add = [&](const char* name, uint32_t tile, uint32_t rows, uint32_t pairs) {
      RegionSpec region;
      region.name = name;
      region.dtype = DType::F8_E4M3;
      region.shape = {workgroups(), rows, kDim};
      region.buffer = "dump";
      region.offset = uint64_t{tile} * kTileBytes;
      region.strides = {uint64_t{4} * kLdsWords, kDim, 1};
      region.role = Role::intermediate;
      region.comparison = Comparison::bits;
      region.written = [this, rows, pairs](uint64_t i) {
        return dumped(static_cast<uint32_t>(i / (rows * kDim))).count >= pairs;
      };
      region.locate = [](std::span<const uint64_t> i) {
        return fmt::format("workgroup {}, tile row {}, byte {} (chunk {} unswizzled)", i[0], i[1], i[2],
                           (i[2] / 16) ^ (i[1] % 8));
      };
      out.push_back(std::move(region));
    };
    if (stage_ != Stage::kv) add("tq", kTq, kQueries, 1);
    add("tk0", kTk0, kBlock, 1);
    add("tv0", kTv0, kBlock, 1);
    if (stage_ == Stage::kv) return;
    add("tk1", kTk1, kBlock, 2);
    add("tv1", kTv1, kBlock, 2);
  }

  void add_cache(std::vector<RegionSpec>& out) const {
    RegionSpec region;
    region.name = region.buffer = "cache";
    region.dtype = DType::F8_E4M3;
    region.shape = {drafter_cache_blocks(problem_), kBlock, kKeyBytes};
    region.comparison = Comparison::bits;
    std::vector<bool> is_new(element_count(region.shape) / kKeyBytes);
    for (uint32_t row = 0; row < problem_.requests * kRows; ++row) {
      const int64_t slot = slot_of(row);
      if (slot >= 0) is_new[static_cast<uint64_t>(slot)] = true;
    }
    region.written = [is_new](uint64_t i) { return is_new[i / kKeyBytes]; };
    out.push_back(std::move(region));
  }

  void add_partials(std::vector<RegionSpec>& out) const {
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
      region.written = [this, per_part](uint64_t i) {
        const uint64_t part = i / per_part;
        return live_part(static_cast<uint32_t>(part / kMaxBlocks), part % kMaxBlocks);
      };
      region.locate = [this](std::span<const uint64_t> i) {
        return fmt::format("workgroup {} (request {}, partition {}), wave {}, head {}", i[0] * parts() + i[1],
                           i[0], i[1], i[2] / kHeads, i[2] % kHeads);
      };
      out.push_back(std::move(region));
    };
    const uint64_t request = uint64_t{kMaxBlocks} * kPartBytes;
    add("part_m", {problem_.requests, kMaxBlocks, kQueries}, 0, {request, kPartBytes, 4});
    add("part_l", {problem_.requests, kMaxBlocks, kQueries}, kPartL, {request, kPartBytes, 4});
    add("part_o", {problem_.requests, kMaxBlocks, kQueries, kDim}, kPartO,
        {request, kPartBytes, 4 * kDim, 4});
  }

  void add_output(std::vector<RegionSpec>& out) const {
    const uint64_t rows = problem_.requests * kRows;
    RegionSpec a8;
    a8.name = a8.buffer = "a8";
    a8.dtype = DType::F8_E4M3;
    a8.shape = {rows, kHeads * kDim};
    a8.comparison = Comparison::bits;
    a8.locate = [](std::span<const uint64_t> i) {
      return fmt::format("merge task {}, head {}, dim {}", i[0] * kHeadQuads + i[1] / (kMergeHeads * kDim),
                         i[1] / kDim, i[1] % kDim);
    };
    RegionSpec as8;
    as8.name = as8.buffer = "as8";
    as8.dtype = DType::U32;
    as8.shape = {rows, kHeads * kDim / 32};
    RegionSpec flags;
    flags.name = flags.buffer = "flags";
    flags.dtype = DType::U32;
    flags.shape = {kFlagPairs, 2};
    flags.written = [this](uint64_t i) { return is_flag_set(i / 2); };
    out.insert(out.end(), {a8, as8, flags});
  }

  bool is_flag_set(uint64_t pair) const {
    if (pair >= kMergeFlags) return pair - kMergeFlags < merge_tasks();
    const auto r = static_cast<uint32_t>(pair / kMaxBlocks);
    return stage_ == Stage::run && r < problem_.requests && live_part(r, pair % kMaxBlocks);
  }

  // ---- the launch ----

  // An earlier launch's flags; the partitions' are there when only the merge runs.
  std::vector<std::byte> initial_flags() const {
    std::vector<uint32_t> pairs(2 * kFlagPairs, 1);
    for (uint32_t i = 0; i < kFlagPairs; ++i) {
      pairs[2 * i + 1] = stage_ == Stage::merge && i < kMergeFlags ? kTag : kTag - 64 + i % 3;
    }
    return bytes_of(pairs);
  }

  Launch launch() const {
    Launch launch;
    launch.code_object = "drafter";
    launch.symbol = fmt::format("drafter_{}", kStages[static_cast<int>(stage_)]);
    launch.grid = {workgroups(), 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.static_lds_bytes = stage_lds_bytes(stage_);
    launch.kernarg = [this](const Addresses& at) { return bytes_of(std::vector<Args>{arguments(at)}); };
    launch.sim = [stage = stage_](Wave& wave, std::span<const std::byte> kernarg) {
      Args args;
      std::memcpy(&args, kernarg.data(), sizeof args);
      return kernel(stage, wave, args);
    };
    return launch;
  }

  Args arguments(const Addresses& at) const {
    const bool attention = stage_ != Stage::merge, rows = attention && stage_ != Stage::kv;
    const bool merges = stage_ == Stage::run || stage_ == Stage::merge;
    Args args{};
    args.positions = {at.of("positions")};
    args.seq_lens = {at.of("seq_lens")};
    if (attention) {
      args.cache = at.of("cache");
      args.block_table = {at.of("block_table")};
      args.dump = at.of("dump");
    }
    if (rows) {
      args.qkv = {at.of("qkv")};
      args.qn = {at.of("qn")};
      args.kn = {at.of("kn")};
      args.cos_sin = {at.of("cos_sin")};
      args.slots = {at.of("slots")};
    }
    if (merges) {
      args.a8 = {at.of("a8")};
      args.as8 = {at.of("as8")};
      args.partials = {at.of("partials")};
      args.flags = {at.of("flags")};
    }
    args.nblk = static_cast<int32_t>(drafter_cache_blocks(problem_));
    args.bt_width = static_cast<int32_t>(drafter_table_width(problem_));
    args.tag = kTag;
    args.requests = problem_.requests;
    return args;
  }

  // Plausible partials: some rows saw no key; what nobody may read is NaN.
  Tensor generate_partials(const Shape& shape) const {
    const Random random(problem_.seed, "drafter.partials");
    std::vector<float> values(element_count(shape), std::numeric_limits<float>::quiet_NaN());
    for (uint64_t part = 0; part < shape[0] * shape[1]; ++part) {
      if (!live_part(static_cast<uint32_t>(part / kMaxBlocks), part % kMaxBlocks)) continue;
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

  // ---- oracle ----

  int32_t entry(uint32_t r, int32_t block) const {
    const Window& w = windows_[r];
    const int32_t column =
        std::clamp(std::min(block, w.hi >> 7), 0, static_cast<int32_t>(drafter_table_width(problem_)) - 1);
    return std::clamp(drafter_table_entry(problem_, r, column), 0,
                      static_cast<int32_t>(drafter_cache_blocks(problem_)) - 1);
  }
  int64_t slot_of(uint32_t row) const {
    const Tensor slots = drafter_input(problem_, "slots", DType::I64, {problem_.requests * kRows});
    return slots.view<int64_t>()[row];
  }

  // K (offset 0) or V (offset 128) of a block as [key][dim], zero outside the window.
  oracle::Bytes cached(const Tensors& inputs, uint32_t r, int32_t block, uint32_t offset) const {
    const auto cache = inputs.at("cache").view<uint8_t>();
    const uint64_t from = static_cast<uint64_t>(entry(r, block)) * kBlockBytes;
    oracle::Bytes out(kBlock * kDim);
    for (uint32_t key = 0; key < kBlock; ++key) {
      const int32_t position = block * static_cast<int32_t>(kBlock) + static_cast<int32_t>(key);
      if (position < windows_[r].lo || position > windows_[r].hi) continue;
      for (uint32_t d = 0; d < kDim; ++d) out[key * kDim + d] = cache[from + key * kKeyBytes + offset + d];
    }
    return out;
  }

  // What loads and the transpose put into the tiles; judge_rows overlays the new rows.
  void judge_tiles(const Tensors& inputs, Reference& out) const {
    const uint64_t elements = uint64_t{workgroups()} * kBlock * kDim;
    const char* k_names[] = {"tk0", "tk1"};
    const char* v_names[] = {"tv0", "tv1"};
    for (uint32_t pair = 0; pair < (stage_ == Stage::kv ? 1u : 2u); ++pair) {
      RegionReference k, v;
      k.value.assign(elements, 0);
      k.bound.assign(elements, 0);
      v = k;
      for (uint32_t wg = 0; wg < workgroups(); ++wg) {
        const Dumped d = dumped(wg);
        if (d.count <= pair) continue;
        const oracle::Bytes keys = cached(inputs, d.request, d.block[pair], 0);
        const oracle::Bytes values = cached(inputs, d.request, d.block[pair], kDim);
        for (uint32_t i = 0; i < kBlock * kDim; ++i) {
          const uint32_t key = i / kDim, dim = i % kDim;
          k.value[wg * kTileBytes + oracle::drafter_tile_byte(key, dim)] = oracle::e4m3_values()[keys[i]];
          v.value[wg * kTileBytes + oracle::drafter_tile_byte(dim, oracle::drafter_key_byte(key))] =
              oracle::e4m3_values()[values[i]];
        }
      }
      out[k_names[pair]] = std::move(k);
      out[v_names[pair]] = std::move(v);
    }
  }

  oracle::Judged head(const Tensors& inputs, uint32_t row, uint32_t column, const char* weight) const {
    const auto x = inputs.at("qkv").view<uint16_t>().subspan(row * kQkvRow + column, kDim);
    if (weight == nullptr) return oracle::drafter_head({x, {}, {}});
    const auto position = static_cast<uint64_t>(inputs.at("positions").view<int64_t>()[row]);
    return oracle::drafter_head({x, inputs.at(weight).view<uint16_t>(),
                                 inputs.at("cos_sin").view<uint16_t>().subspan(position * kRot, kRot)});
  }

  void judge_rows(const Tensors& inputs, Reference& out) const {
    RegionReference& tq = out["tq"];
    tq.value.assign(uint64_t{workgroups()} * kQueries * kDim, 0);
    tq.bound = tq.value;
    RegionReference& cache = out["cache"];
    cache.value.assign(inputs.at("cache").elements(), 0);
    cache.bound = cache.value;
    const auto put = [](RegionReference& to, uint64_t at, const oracle::Judged& from, uint32_t d) {
      to.value[at] = from.value[d];
      to.bound[at] = from.bound[d];
    };
    for (uint32_t row = 0; row < problem_.requests * kRows; ++row) {
      const uint32_t r = row / kRows;
      const Window& w = windows_[r];
      const int32_t position = w.p0 + static_cast<int32_t>(row % kRows);
      for (uint32_t h = 0; h < kHeads; ++h) {
        const oracle::Judged q = head(inputs, row, h * kDim, "qn");
        const uint32_t m = row % kRows * kHeads + h;
        for (uint32_t wg = 0; wg < workgroups(); ++wg) {
          const Dumped dump = dumped(wg);
          if (dump.count == 0 || dump.request != r) continue;
          for (uint32_t d = 0; d < kDim; ++d) {
            put(tq, uint64_t{wg} * kQueries * kDim + oracle::drafter_tile_byte(m, d), q, d);
          }
        }
      }
      if (position > w.hi) continue;
      const oracle::Judged k = head(inputs, row, kHeads * kDim, "kn");
      const oracle::Judged v = head(inputs, row, kHeads * kDim + kDim, nullptr);
      const auto key = static_cast<uint32_t>(position) % kBlock;
      for (uint32_t d = 0; d < kDim; ++d) {
        const int64_t slot = slots(inputs)[row];
        if (slot >= 0) put(cache, static_cast<uint64_t>(slot) * kKeyBytes + d, k, d);
        if (slot >= 0) put(cache, static_cast<uint64_t>(slot) * kKeyBytes + kDim + d, v, d);
        for (uint32_t wg = 0; wg < workgroups(); ++wg) {
          const Dumped dump = dumped(wg);
          if (dump.request != r) continue;
          for (uint32_t pair = 0; pair < dump.count; ++pair) {
            if (dump.block[pair] != position / static_cast<int32_t>(kBlock)) continue;
            const uint64_t tile = uint64_t{wg} * kTileBytes;
            put(out[pair ? "tk1" : "tk0"], tile + oracle::drafter_tile_byte(key, d), k, d);
            put(out[pair ? "tv1" : "tv0"], tile + oracle::drafter_tile_byte(d, oracle::drafter_key_byte(key)),
                v, d);
          }
        }
      }
    }
  }
  static std::span<const int64_t> slots(const Tensors& inputs) { return inputs.at("slots").view<int64_t>(); }

  void judge_partials(const Tensors& inputs, const Tensors& produced, Reference& out) const {
    const uint64_t rows = uint64_t{problem_.requests} * kMaxBlocks * kQueries;
    for (const char* name : {"part_m", "part_l", "part_o"}) {
      out[name].value.assign(rows * (name[5] == 'o' ? kDim : 1), 0);
      out[name].bound = out[name].value;
    }
    const auto tile = [&](const char* name, uint32_t wg, uint32_t row_count) {
      return produced.at(name).view<uint8_t>().subspan(uint64_t{wg} * row_count * kDim, row_count * kDim);
    };
    for (uint32_t wg = 0; wg < problem_.requests * parts(); ++wg) {
      const uint32_t r = wg / parts(), p = wg % parts();
      const Window& w = windows_[r];
      const Partition part = partition(w, problem_.requests, p);
      if (part.count == 0) continue;
      const oracle::Bytes q = oracle::drafter_plain_rows(tile("tq", wg, kQueries));
      oracle::DrafterBlocks data{q, {}, w.p0, w.lo, w.hi};
      for (uint32_t i = 0; i < part.count; ++i) {
        const int32_t first = part.block(i) * static_cast<int32_t>(kBlock);
        if (i < 2) {
          data.blocks.push_back({first, oracle::drafter_plain_rows(tile(i ? "tk1" : "tk0", wg, kBlock)),
                                 oracle::drafter_plain_values(tile(i ? "tv1" : "tv0", wg, kBlock))});
        } else {
          data.blocks.push_back(
              {first, cached(inputs, r, part.block(i), 0), cached(inputs, r, part.block(i), kDim)});
        }
      }
      const oracle::DrafterPartial judged = oracle::drafter_blocks(data);
      const uint64_t row = (uint64_t{r} * kMaxBlocks + p) * kQueries;
      const auto copy = [&](const char* name, const oracle::Judged& from, uint64_t at) {
        std::copy(from.value.begin(), from.value.end(), out[name].value.begin() + static_cast<int64_t>(at));
        std::copy(from.bound.begin(), from.bound.end(), out[name].bound.begin() + static_cast<int64_t>(at));
      };
      copy("part_m", judged.m, row);
      copy("part_l", judged.l, row);
      copy("part_o", judged.o, row * kDim);
    }
  }

  void judge_output(const Tensors& inputs, const Tensors& produced, Reference& out) const {
    const bool run = stage_ == Stage::run;
    const auto all = run ? std::span<const float>() : inputs.at("partials").view<float>();
    const auto m = run ? produced.at("part_m").view<float>() : all;
    const auto l = run ? produced.at("part_l").view<float>() : all;
    const auto o = run ? produced.at("part_o").view<float>() : all;
    const auto codes = produced.at("as8").view<uint32_t>();
    RegionReference a8, as8, flags;
    for (uint32_t head = 0; head < problem_.requests * kRows * kHeads; ++head) {
      const uint32_t r = head / kQueries, row = head % kQueries;
      const auto at = [&](uint32_t i, uint64_t width, uint64_t offset) {
        const uint64_t part = uint64_t{r} * kMaxBlocks + i;
        return run ? (part * kQueries + row) * width : part * (kPartBytes / 4) + offset / 4 + row * width;
      };
      const oracle::DrafterMerged judged = oracle::drafter_merge(
          {live_partitions(windows_[r], problem_.requests), [&](uint32_t i) { return m[at(i, 1, 0)]; },
           [&](uint32_t i) { return l[at(i, 1, kPartL)]; },
           [&](uint32_t i, uint32_t d) { return o[at(i, kDim, kPartO) + d]; },
           codes.subspan(uint64_t{head} * (kDim / 32), kDim / 32)});
      a8.value.insert(a8.value.end(), judged.data.value.begin(), judged.data.value.end());
      a8.bound.insert(a8.bound.end(), judged.data.bound.begin(), judged.data.bound.end());
      as8.value.insert(as8.value.end(), judged.codes.value.begin(), judged.codes.value.end());
      as8.bound.insert(as8.bound.end(), judged.codes.bound.begin(), judged.codes.bound.end());
    }
    std::vector<uint32_t> pairs(2 * kFlagPairs, 1);
    for (uint32_t i = 0; i < kFlagPairs; ++i) pairs[2 * i + 1] = kTag;
    flags.exact = make_tensor<uint32_t>(DType::U32, {kFlagPairs, 2}, pairs);
    out["a8"] = std::move(a8);
    out["as8"] = std::move(as8);
    out["flags"] = std::move(flags);
  }

  const Stage stage_;
  const DrafterProblem problem_;
  const std::vector<std::string> labels_;
  std::vector<Window> windows_;
};

// Every request count, the first positions around the window's length and the longest context.
void add_slow_runs(CaseList& cases) {
  const auto add = [&cases](DrafterProblem problem) {
    cases.push_back(std::make_unique<DrafterCase>(Stage::run, problem, std::vector<std::string>{"slow"}));
  };
  for (const int32_t p0 : {0, 1, 100, 5000, 131071}) add({1, p0, false, false, 0});
  for (int32_t p0 = 4088; p0 <= 4102; ++p0) {
    if (p0 != 4090) add({1, p0, false, false, 0});
  }
  for (const uint32_t requests : {2u, 5u, 8u, 16u}) {
    for (const int32_t p0 : {4097, 131071}) add({requests, p0, p0 == 4097, false, 0});
  }
}

}  // namespace

std::unique_ptr<KernelCase> drafter_run_case(uint32_t requests, int32_t p0) {
  if (requests == 0 || requests > kMaxRequests) {
    throw Error(fmt::format("drafter: {} requests, 1 .. {} are possible", requests, kMaxRequests));
  }
  return std::make_unique<DrafterCase>(Stage::run, DrafterProblem{requests, p0, false, false, 0},
                                       std::vector<std::string>{"slow"});
}

CaseList drafter_cases() {
  CaseList cases = drafter_block_cases();
  const auto add = [&cases](Stage stage, DrafterProblem problem, std::vector<std::string> labels) {
    cases.push_back(std::make_unique<DrafterCase>(stage, problem, std::move(labels)));
  };
  add(Stage::kv, {1, 6, false, false, 0}, {"test", "small"});
  add(Stage::kv, {2, 4100, true, true, 0}, {"test", "small", "opt"});
  for (const int32_t p0 : {0, 100, 4090}) add(Stage::rows, {1, p0, false, false, 0}, {"test", "small"});
  for (const int32_t p0 : {121, 122, 123, 124, 125, 126, 127}) {
    add(Stage::rows, {1, p0, false, false, 1}, {"test", "small"});
  }
  add(Stage::rows, {5, 131071, true, false, 0}, {"test", "small", "opt"});
  add(Stage::merge, {1, 6, false, false, 0}, {"test", "small"});
  add(Stage::merge, {2, 4102, true, false, 0}, {"test", "small"});
  add(Stage::run, {1, 6, false, false, 0}, {"test", "small"});
  add(Stage::run, {2, 122, true, false, 0}, {"test", "small"});  // the second request is padding
  add(Stage::run, {1, 4090, false, false, 0}, {"run"});
  add_slow_runs(cases);
  return cases;
}

}  // namespace wavetwin::golden
