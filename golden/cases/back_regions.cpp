// SPDX-License-Identifier: MIT
#include "golden/cases/back_regions.h"

#include <fmt/format.h>

#include <functional>
#include <string>

namespace wavetwin::golden {
namespace {

using back::Stage;
using Locate = std::function<std::string(std::span<const uint64_t>)>;

std::string locate_wob(uint64_t t, uint64_t row) {
  return fmt::format("stage wo_b, task {}, token {}, row {}", row / 16, t, row % 16);
}
std::string locate_woa(uint64_t t, uint64_t row) {
  return fmt::format("stage wo_a, task {}, token {}, row {}", row / 32, t, row % 32);
}

class Regions {
 public:
  explicit Regions(const BackFrame& frame) : frame_(frame) {}

  std::vector<RegionSpec> list() {
    if (frame_.has(Stage::split)) split();
    if (frame_.has(Stage::combine)) combine();
    if (frame_.has(Stage::woa)) woa();
    if (frame_.has(Stage::wob)) out();
    if (frame_.stage == Stage::push) push();
    if (frame_.stage == Stage::run) epoch();
    return std::move(regions_);
  }

 private:
  RegionSpec& add(std::string name, DType dtype, Shape shape, const char* buffer, uint64_t offset,
                  Locate locate) {
    RegionSpec region;
    region.name = std::move(name);
    region.dtype = dtype;
    region.shape = std::move(shape);
    region.buffer = buffer;
    region.offset = offset;
    region.locate = std::move(locate);
    return regions_.emplace_back(std::move(region));
  }
  RegionSpec& add_scratch(std::string name, DType dtype, Shape shape, uint64_t offset, Locate locate) {
    RegionSpec& region = add(std::move(name), dtype, std::move(shape), "scratch", offset, std::move(locate));
    if (frame_.stage == Stage::run) region.role = Role::intermediate;
    return region;
  }
  // Elements of the units that have keys.
  std::function<bool(uint64_t)> live(uint64_t per_unit) const {
    return [frame = frame_, per_unit](uint64_t index) { return frame.unit_is_live(index / per_unit); };
  }

  static std::string split_unit(const BackFrame& frame, uint64_t t, uint64_t chunk) {
    return fmt::format("workgroup {} (token {}, chunk {})", (t * frame.form.chunks() + chunk) % kBlocks, t,
                       chunk);
  }

  void split() {
    const auto per_unit = frame_.dims.heads();
    const Shape units{frame_.problem.tokens, frame_.form.chunks()};
    add_scratch("part", DType::BF16, {units[0], units[1], per_unit, back::kHeadDim}, frame_.at.part,
                [frame = frame_](std::span<const uint64_t> i) {
                  const uint64_t dim = i[3] % 64;
                  return fmt::format("stage split, {}, head {}, wave {}, lane {}, product {}, v{}",
                                     split_unit(frame, i[0], i[1]), i[2], i[3] / 64,
                                     dim / 16 * 16 + i[2] % 16, dim % 4, dim % 16 / 4);
                })
        .written = live(per_unit * back::kHeadDim);
    add_scratch("pstat", DType::F32, {units[0], units[1], per_unit, 2}, frame_.at.pstat,
                [frame = frame_](std::span<const uint64_t> i) {
                  return fmt::format("stage split, {}, thread {}: {}", split_unit(frame, i[0], i[1]), i[2],
                                     i[3] ? "sum" : "max");
                })
        .written = live(per_unit * 2);
    add_scratch("srdy", DType::U32, {units[0], units[1], 2}, frame_.at.srdy,
                [frame = frame_](std::span<const uint64_t> i) {
                  return fmt::format("stage split, flag of {}", split_unit(frame, i[0], i[1]));
                })
        .written = live(2);
  }

  static std::string locate_xo(const BackFrame& frame, uint64_t t, uint64_t row) {
    const uint64_t head = row / back::kHeadDim;
    const uint64_t unit = t * frame.dims.head_octets() + head / 8;
    const uint32_t first =
        frame.stage == Stage::run ? back::plan(frame.form, frame.problem.tokens).combine0 : 0;
    return fmt::format("stage combine, workgroup {} (token {}, head {}), wave {}, lane {}",
                       (unit + first) % kBlocks, t, head, head % 8, row % back::kHeadDim / 8);
  }

  void combine() {
    const uint64_t tokens = frame_.problem.tokens, rows = frame_.dims.q_rows();
    add_scratch("xo", DType::F8_E4M3, {tokens, rows}, frame_.at.xo,
                [frame = frame_](auto i) { return locate_xo(frame, i[0], i[1]); });
    add_scratch("xos", DType::U32, {tokens, rows / 32}, frame_.at.xos,
                [frame = frame_](auto i) { return locate_xo(frame, i[0], 32 * i[1]); });
    add_scratch("crdy", DType::U32, {tokens, frame_.dims.head_octets(), 2}, frame_.at.crdy, [](auto i) {
      return fmt::format("stage combine, flag of token {}, heads {}..", i[0], 8 * i[1]);
    });
  }

  void woa() {
    const uint64_t tokens = frame_.problem.tokens, rows = frame_.dims.o_rows();
    add_scratch("x8b", DType::F8_E4M3, {tokens, rows}, frame_.at.x8b,
                [](auto i) { return locate_woa(i[0], i[1]); });
    add_scratch("x8bs", DType::U32, {tokens, rows / 32}, frame_.at.x8bs,
                [](auto i) { return locate_woa(i[0], 32 * i[1]); });
    add_scratch("ardy", DType::U32, {frame_.dims.woa_tasks(), 2}, frame_.at.ardy,
                [](auto i) { return fmt::format("stage wo_a, flag of task {}", i[0]); });
  }

  // Of replays every launch's own, and the last one again: it is what the intermediates belong to.
  void out() {
    const uint64_t tokens = frame_.problem.tokens, launches = frame_.problem.launches;
    const uint64_t last = frame_.out_bytes() * (launches - 1);
    add(frame_.problem.replays() ? "last" : "out", DType::BF16, {tokens, back::kHidden}, "out", last,
        [](auto i) { return locate_wob(i[0], i[1]); })
        .strides = {2 * kBackOutStride, 2};
    if (!frame_.problem.replays()) return;
    add("replays", DType::BF16, {launches, tokens, back::kHidden}, "out", 0, [](auto i) {
      return fmt::format("launch {}, {}", i[0], locate_wob(i[1], i[2]));
    }).strides = {frame_.out_bytes(), 2 * kBackOutStride, 2};
  }

  // Pairs {two bf16, tag} of every rank.
  void push() {
    const uint64_t tokens = frame_.problem.tokens, ranks = frame_.problem.tp;
    const uint64_t rank_bytes = back::push_bytes(frame_.problem.tokens, kBackOutStride);
    const auto locate = [](uint64_t rank, uint64_t t, uint64_t row) {
      return fmt::format("pushed to rank {}, {}", rank, locate_wob(t, row));
    };
    add("out", DType::BF16, {ranks, tokens, back::kHidden / 2, 2}, "out", 0, [locate](auto i) {
      return locate(i[0], i[1], 2 * i[2] + i[3]);
    }).strides = {rank_bytes, 4 * kBackOutStride, kPairBytes, 2};
    add("tags", DType::U32, {ranks, tokens, back::kHidden / 2}, "out", 4, [locate](auto i) {
      return locate(i[0], i[1], 2 * i[2]) + ", tag";
    }).strides = {rank_bytes, 4 * kBackOutStride, kPairBytes};
  }

  void epoch() {
    RegionSpec& epoch = add("epoch", DType::U32, {kEpochWords}, "epoch", 0, [](auto i) {
      return i[0] == 0 ? std::string("epoch") : fmt::format("mark of workgroup {}", i[0] - kEpochMarks);
    });
    epoch.role = Role::intermediate;
    epoch.written = [](uint64_t i) { return i == 0 || (i >= kEpochMarks && i < kEpochMarks + kBlocks); };
  }

  const BackFrame& frame_;
  std::vector<RegionSpec> regions_;
};

}  // namespace

std::vector<RegionSpec> back_regions(const BackFrame& frame) { return Regions(frame).list(); }

}  // namespace wavetwin::golden
