// SPDX-License-Identifier: MIT
// Cases of the drafter's block math: tiles from memory -> partials.
#include <fmt/format.h>

#include <cstring>

#include "common/kernels/drafter.h"
#include "golden/cases/drafter.h"
#include "golden/cases/drafter_inputs.h"
#include "golden/oracle/drafter.h"
#include "sim/kernels/drafter.h"

namespace wavetwin::golden {
namespace {

using namespace drafter;

struct BlockProblem {
  const char* what;
  int32_t p0, lo, hi, top;
  uint32_t blocks;
  std::vector<uint32_t> kernels;  // of kBlockKernels; all must give the same bits
};

class DrafterBlockCase : public KernelCase {
 public:
  explicit DrafterBlockCase(BlockProblem problem) : problem_(std::move(problem)) {}

  std::string name() const override {
    return fmt::format("drafter/block-{}-n{}/0", problem_.what, problem_.blocks);
  }
  std::vector<std::string> labels() const override { return {"test", "small", "opt"}; }
  GeneratorId generator() const override { return {"drafter.block", kDrafterDataVersion, 0}; }

  std::vector<InputSpec> inputs() const override {
    return {{"tiles", DType::U8, {1 + 2 * problem_.blocks, kBlock, kDim}, {}}};
  }
  Tensors generate() const override {
    const InputSpec spec = inputs()[0];
    const std::vector<uint8_t> codes = drafter_codes(problem_.blocks, "tiles", element_count(spec.shape));
    Tensors tensors;
    tensors[spec.name] = make_tensor<uint8_t>(spec.dtype, spec.shape, codes);
    return tensors;
  }

  std::vector<RegionSpec> regions() const override {
    std::vector<RegionSpec> regions;
    for (uint32_t i = 0; i < problem_.kernels.size(); ++i) {
      const std::string kernel = kBlockKernels[problem_.kernels[i]];
      add(regions, kernel + ".m", {kQueries}, i * kPartBytes);
      add(regions, kernel + ".l", {kQueries}, i * kPartBytes + kPartL);
      add(regions, kernel + ".o", {kQueries, kDim}, i * kPartBytes + kPartO);
    }
    return regions;
  }

  Program program(const Tensors& inputs) const override {
    Program program;
    BufferSpec tiles, partials;
    tiles.name = "tiles";
    tiles.initial.push_back({0, inputs.at("tiles").data});
    tiles.bytes = tiles.initial[0].data.size();
    partials.name = "partials";
    partials.bytes = problem_.kernels.size() * kPartBytes;
    program.buffers = {tiles, partials};
    for (uint32_t i = 0; i < problem_.kernels.size(); ++i) program.launches.push_back(launch(i));
    return program;
  }

  Reference reference(const Tensors& inputs, const Tensors& produced) const override {
    const auto tiles = inputs.at("tiles").view<uint8_t>();
    const auto tile = [&](uint32_t i) { return tiles.subspan(i * kBlock * kDim, kBlock * kDim); };
    const oracle::Bytes q = oracle::drafter_plain_rows(tile(0));
    oracle::DrafterBlocks data{q, {}, problem_.p0, problem_.lo, problem_.hi};
    for (uint32_t b = 0; b < problem_.blocks; ++b) {
      const int32_t block = problem_.top - static_cast<int32_t>(b);
      data.blocks.push_back({block * static_cast<int32_t>(kBlock),
                             oracle::drafter_plain_rows(tile(1 + 2 * b)),
                             oracle::drafter_plain_values(tile(2 + 2 * b))});
    }
    const oracle::DrafterPartial partial = oracle::drafter_blocks(data);
    const std::string first = kBlockKernels[problem_.kernels[0]];
    Reference reference;
    reference[first + ".m"] = {{}, partial.m.value, partial.m.bound};
    reference[first + ".l"] = {{}, partial.l.value, partial.l.bound};
    reference[first + ".o"] = {{}, partial.o.value, partial.o.bound};
    for (uint32_t i = 1; i < problem_.kernels.size(); ++i) {
      for (const char* part : {".m", ".l", ".o"}) {
        reference[kBlockKernels[problem_.kernels[i]] + std::string(part)].exact = produced.at(first + part);
      }
    }
    return reference;
  }

  // The order in which an MFMA adds is known for a sibling part only.
  Evidence evidence() const override { return Evidence::inferred; }

 private:
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
    const uint32_t kernel = problem_.kernels[i];
    Launch launch;
    launch.code_object = "drafter";
    launch.symbol = fmt::format("drafter_{}", kBlockKernels[kernel]);
    launch.block = {kThreads, 1, 1};
    launch.static_lds_bytes = 4 * kLdsWords;
    launch.kernarg = [problem = problem_, i](const Addresses& at) {
      const BlockArgs args{{at.of("tiles")}, {at.of("partials") + i * kPartBytes},
                           problem.p0,       problem.lo,
                           problem.hi,       problem.top,
                           problem.blocks,   0};
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
  return cases;
}

}  // namespace wavetwin::golden
