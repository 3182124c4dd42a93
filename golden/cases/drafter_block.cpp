// SPDX-License-Identifier: MIT
// Cases of the drafter's block math: tiles from memory -> partials.
#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <stdexcept>

#include "common/kernels/drafter.h"
#include "golden/cases/drafter.h"
#include "golden/cases/drafter_inputs.h"
#include "golden/oracle/drafter.h"
#include "golden/oracle/drafter_exact.h"
#include "sim/kernels/drafter.h"

namespace wavetwin::golden {
namespace {

using namespace drafter;

constexpr uint32_t kTileBytes = 4 * kTileWords;

enum class BlockData : uint8_t {
  random,
  exact,        // scores and P V are exact in any order
  select_keys,  // query row m sees key m alone, V holds a code of its key
  select_dims,  // the same, V holds a code of its dim
  select_last   // query row m sees key 127 - m alone, V holds a code of its key
};

// One launch of a block kernel: on all blocks of the case, or on one.
struct BlockRun {
  BlockRun(uint32_t index) : kernel(index) {}
  BlockRun(uint32_t index, uint32_t block) : kernel(index), only(block) {}
  uint32_t kernel;  // of kBlockKernels
  std::optional<uint32_t> only;

  std::string name() const {
    return kBlockKernels[kernel] + (only ? fmt::format("@{}", *only) : std::string());
  }
};

struct BlockProblem {
  const char* what;
  int32_t p0, lo, hi, top;
  uint32_t blocks;
  std::vector<BlockRun> runs;  // all must give the same bits
  BlockData data = BlockData::random;
};

// Byte (row, byte) of a tile whose rows are swizzled.
uint32_t tile_byte(uint32_t row, uint32_t byte) { return 4 * tw(0u, row, byte / 4) + byte % 4; }

// Tiles TQ, K and V in which query row m sees one key: both hold the largest value at that key's number.
std::vector<uint8_t> selecting_tiles(BlockData data) {
  constexpr uint8_t kLargest = 0x7E;  // 448
  std::vector<uint8_t> codes(3 * kTileBytes, 0);
  for (uint32_t m = 0; m < kQueries; ++m) {
    const uint32_t key = data == BlockData::select_last ? kBlock - 1 - m : m;
    codes[tile_byte(m, key)] = kLargest;
  }
  for (uint32_t key = 0; key < kBlock; ++key) {
    codes[kTileBytes + tile_byte(key, key)] = kLargest;
    for (uint32_t d = 0; d < kDim; ++d) {
      codes[2 * kTileBytes + tile_byte(d, 4 * tv_word(key) + key % 4)] =
          drafter_distinct_code(data == BlockData::select_dims ? d : key);
    }
  }
  return codes;
}

// No NaN: nothing else is asked of tiles.
std::string tiles_contract(const Tensor& tensor) {
  const auto codes = tensor.view<uint8_t>();
  for (uint64_t i = 0; i < codes.size(); ++i) {
    if ((codes[i] & 0x7F) != 0x7F) continue;
    return fmt::format("tiles[{},{},{}] is {:#04x}, a NaN in e4m3: tile, row, byte", i / kTileBytes,
                       i % kTileBytes / kDim, i % kDim, codes[i]);
  }
  return "";
}

class DrafterBlockCase : public KernelCase {
 public:
  explicit DrafterBlockCase(BlockProblem problem) : problem_(std::move(problem)) {}

  std::string name() const override {
    return fmt::format("drafter/block-{}-n{}/0", problem_.what, problem_.blocks);
  }
  std::vector<std::string> labels() const override {
    if (problem_.data != BlockData::random) return {"test", "small", "opt", "exact"};
    std::vector<std::string> labels{"test", "small", "opt"};
    if (problem_.what == std::string("newest")) labels.push_back("full");
    return labels;
  }
  GeneratorId generator() const override { return {"drafter.block", kDrafterDataVersion, 0}; }

  std::vector<InputSpec> inputs() const override {
    InputSpec tiles{"tiles", DType::U8, {1 + 2 * problem_.blocks, kBlock, kDim}, tiles_contract};
    const auto holds = [](bool odd) {
      return [odd](uint64_t i) { return i >= kTileBytes && (i / kTileBytes % 2 == 1) == odd; };
    };
    tiles.parts = {{"K", holds(true)}, {"V", holds(false)}, {"Q", [](uint64_t i) { return i < kTileBytes; }}};
    return {tiles};
  }
  Tensors generate() const override {
    const InputSpec spec = inputs()[0];
    const uint64_t bytes = element_count(spec.shape);
    std::vector<uint8_t> codes;
    if (problem_.data == BlockData::random) codes = drafter_codes(problem_.blocks, "tiles", bytes);
    if (problem_.data == BlockData::exact) codes = drafter_unit_codes(problem_.blocks, "tiles", bytes);
    if (codes.empty()) codes = selecting_tiles(problem_.data);
    Tensors tensors;
    tensors[spec.name] = make_tensor<uint8_t>(spec.dtype, spec.shape, codes);
    return tensors;
  }

  std::vector<RegionSpec> regions() const override {
    std::vector<RegionSpec> regions;
    for (uint32_t i = 0; i < problem_.runs.size(); ++i) {
      const std::string run = problem_.runs[i].name();
      add(regions, run + ".m", {kQueries}, i * kPartBytes);
      add(regions, run + ".l", {kQueries}, i * kPartBytes + kPartL);
      add(regions, run + ".o", {kQueries, kDim}, i * kPartBytes + kPartO);
    }
    return regions;
  }

  Program program(const Tensors& inputs) const override {
    Program program;
    const auto add = [&](std::string name, uint64_t bytes) -> BufferSpec& {
      BufferSpec& buffer = program.buffers.emplace_back();
      buffer.name = std::move(name);
      buffer.bytes = bytes;
      return buffer;
    };
    const Tensor& tiles = inputs.at("tiles");
    add("tiles", tiles.data.size()).initial.push_back({0, tiles.data});
    add("partials", problem_.runs.size() * kPartBytes);
    for (const BlockRun& run : problem_.runs) {
      if (!run.only) continue;
      const auto at = [&](uint64_t tile) {
        return tiles.data.begin() + static_cast<ptrdiff_t>(tile * kTileBytes);
      };
      BufferSpec& buffer = add(tiles_of(run), 3 * kTileBytes);
      buffer.initial.push_back({0, {at(0), at(1)}});
      buffer.initial.push_back({kTileBytes, {at(1 + 2 * *run.only), at(3 + 2 * *run.only)}});
    }
    for (uint32_t i = 0; i < problem_.runs.size(); ++i) program.launches.push_back(launch(i));
    return program;
  }

  Reference reference(const Tensors& inputs, const Tensors& produced) const override {
    const oracle::Bytes q = oracle::drafter_plain_rows(tile(inputs, 0));
    oracle::DrafterBlocks data{q, {}, problem_.p0, problem_.lo, problem_.hi};
    for (uint32_t b = 0; b < problem_.blocks; ++b) {
      const int32_t block = problem_.top - static_cast<int32_t>(b);
      data.blocks.push_back({block * static_cast<int32_t>(kBlock),
                             oracle::drafter_plain_rows(tile(inputs, 1 + 2 * b)),
                             oracle::drafter_plain_values(tile(inputs, 2 + 2 * b))});
    }
    Reference reference;
    if (problem_.data == BlockData::random || !fix_first(data, reference)) judge_first(data, reference);
    const std::string first = problem_.runs[0].name();
    for (uint32_t i = 1; i < problem_.runs.size(); ++i) {
      for (const char* part : {".m", ".l", ".o"}) {
        reference[problem_.runs[i].name() + part].exact = produced.at(first + part);
      }
    }
    return reference;
  }

  // The order in which an MFMA adds is known for a sibling part only; exact sums do not depend on it.
  Evidence evidence() const override {
    return problem_.data == BlockData::random ? Evidence::inferred : Evidence::specified;
  }

 private:
  static std::string tiles_of(const BlockRun& run) {
    return run.only ? "tiles@" + std::to_string(*run.only) : "tiles";
  }
  static std::span<const uint8_t> tile(const Tensors& inputs, uint32_t i) {
    return inputs.at("tiles").view<uint8_t>().subspan(uint64_t{i} * kTileBytes, kTileBytes);
  }

  // Within the bounds of P as it is rounded and of P as it is meant.
  void judge_first(const oracle::DrafterBlocks& data, Reference& reference) const {
    oracle::DrafterPartial partial = oracle::drafter_blocks(data);
    oracle::narrow(partial.o, partial.semantic);
    const std::string first = problem_.runs[0].name();
    reference[first + ".o"].whole = WholeReference{partial.semantic.value, 0.999, 0.03};
    const auto put = [&](const char* part, const oracle::Judged& judged) {
      RegionReference& region = reference[first + part];
      region.value = judged.value;
      region.bound = judged.bound;
    };
    put(".m", partial.m);
    put(".l", partial.l);
    put(".o", partial.o);
  }
  // Every bit; false for a user's own data that are not conditioned.
  bool fix_first(const oracle::DrafterBlocks& data, Reference& reference) const {
    oracle::DrafterExactPartial words;
    try {
      words = oracle::drafter_exact_block(data);
    } catch (const std::logic_error&) {
      return false;
    }
    const std::string first = problem_.runs[0].name();
    reference[first + ".m"].exact = make_tensor<float>(DType::F32, {kQueries}, words.m);
    reference[first + ".l"].exact = make_tensor<float>(DType::F32, {kQueries}, words.l);
    reference[first + ".o"].exact = make_tensor<float>(DType::F32, {kQueries, kDim}, words.o);
    return true;
  }

  static void add(std::vector<RegionSpec>& regions, std::string name, Shape shape, uint64_t offset) {
    RegionSpec region;
    region.name = std::move(name);
    region.dtype = DType::F32;
    region.shape = std::move(shape);
    region.buffer = "partials";
    region.offset = offset;
    region.locate = [](std::span<const uint64_t> at) {
      return fmt::format("wave {}, head {}", at[0] / kHeads, at[0] % kHeads);
    };
    regions.push_back(std::move(region));
  }

  Launch launch(uint32_t i) const {
    const BlockRun run = problem_.runs[i];
    const uint32_t kernel = run.kernel;
    Launch launch;
    launch.code_object = "drafter";
    launch.symbol = fmt::format("drafter_{}", kBlockKernels[kernel]);
    launch.block = {kThreads, 1, 1};
    launch.static_lds_bytes = 4 * kLdsWords;
    launch.kernarg = [problem = problem_, run, i](const Addresses& at) {
      BlockArgs args{};
      args.tiles = {at.of(tiles_of(run))};
      args.partials = {at.of("partials") + i * kPartBytes};
      args.p0 = problem.p0;
      args.lo = problem.lo;
      args.hi = problem.hi;
      args.top = problem.top - static_cast<int32_t>(run.only.value_or(0));
      args.blocks = run.only ? 1 : problem.blocks;
      std::vector<std::byte> bytes(sizeof args);
      std::memcpy(bytes.data(), &args, sizeof args);
      return bytes;
    };
    launch.sim = [kernel](Wave& wave, std::span<const std::byte> kernarg) {
      BlockArgs args;
      std::memcpy(&args, kernarg.data(), sizeof args);
      return block_kernel(kernel, wave, args);
    };
    return launch;
  }

  const BlockProblem problem_;
};

}  // namespace

CaseList drafter_block_cases() {
  CaseList cases;
  const auto add = [&cases](BlockProblem problem) {
    cases.push_back(std::make_unique<DrafterBlockCase>(std::move(problem)));
  };
  // Kernels: 0, 1 block_math with and without masks, 2, 3 block_acc.
  add({"interior", 5000, 905, 5006, 20, 1, {1, 0, 3, 2}});
  add({"newest", 5000, 905, 5006, 39, 1, {0, 2}});  // keys end inside the block
  add({"oldest", 4220, 125, 4226, 0, 1, {0, 2}});   // some rows see nothing
  add({"empty", 5000, 905, 5006, 50, 1, {0, 2}});   // no key at all
  add({"chain", 5000, 905, 5006, 39, 3, {2}});
  add({"chain_interior", 5000, 905, 5006, 30, 4, {3, 2}});
  add({"chain_oldest", 4221, 126, 4227, 2, 3, {2}});  // masked blocks after live ones
  // A chain with one block that is visible is that block: masked blocks before and after change no bit.
  add({"chain_one_live", 5000, 3840, 3967, 31, 3, {{0, 1}, {2}}});
  add({"exact_interior", 5000, 905, 5006, 20, 1, {1, 0, 3, 2}, BlockData::exact});
  add({"exact_newest", 5000, 905, 5006, 39, 1, {0, 2}, BlockData::exact});
  add({"exact_oldest", 4220, 125, 4226, 0, 1, {0, 2}, BlockData::exact});
  add({"select_keys", 5000, 905, 5006, 20, 1, {1, 0, 3, 2}, BlockData::select_keys});
  add({"select_dims", 5000, 905, 5006, 20, 1, {1, 0, 3, 2}, BlockData::select_dims});
  add({"select_last", 5000, 905, 5006, 20, 1, {1, 0, 3, 2}, BlockData::select_last});
  return cases;
}

}  // namespace wavetwin::golden
