// SPDX-License-Identifier: MIT
#include "golden/cases/back_program.h"

#include <fmt/format.h>

#include <cstring>
#include <set>

#include "golden/cases/back_contract.h"
#include "golden/cases/buffers.h"
#include "sim/kernels/back_kernel.h"

namespace wavetwin::golden {
namespace {

using back::Stage;

constexpr uint32_t kUnitScaleBits = 0x3F800000;  // exact data: a score is the dot product

uint32_t form_index(back::Form form) {
  uint32_t i = 0;
  while (back::kForms[i].form.tp != form.tp || back::kForms[i].form.head_groups != form.head_groups) ++i;
  return i;
}

// Codes as the scratch buffer holds them: a word each.
std::vector<uint32_t> words_of(const Tensor& codes) {
  const auto view = codes.view<uint8_t>();
  return {view.begin(), view.end()};
}

class Builder {
 public:
  Builder(const BackFrame& frame, const Tensors& inputs) : frame_(frame), inputs_(inputs) {}

  Program build() {
    if (frame_.reads_keys()) add_layer("");
    if (frame_.problem.replays()) add_layer(kOtherPrefix);
    for (const auto& [name, tensor] : inputs_) {
      if (is_own_buffer(name)) add(buffer_of(name, tensor.data));
    }
    if (frame_.has(Stage::split)) {
      add_cache("swa", false);
      add_cache("comp", true);
    }
    add(buffer_of("zrec", std::vector<std::byte>(back::kRecord)));
    add(epoch_buffer());
    add(scratch_buffer());
    BufferSpec out;
    out.name = "out";
    out.bytes = frame_.stage == Stage::push
                    ? uint64_t{frame_.problem.tp} * back::push_bytes(frame_.problem.tokens, kBackOutStride)
                    : frame_.out_bytes() * frame_.problem.launches;
    add(std::move(out));
    if (frame_.problem.timeline) {
      BufferSpec tl;
      tl.name = "tl";
      tl.bytes = uint64_t{8} * kBlocks * back::kTimelinePoints;
      tl.guard = Guard::scratch;
      add(std::move(tl));
    }
    for (uint32_t i = 0; i < frame_.problem.launches; ++i) program_.launches.push_back(launch(i));
    return std::move(program_);
  }

 private:
  void add(BufferSpec buffer) { program_.buffers.push_back(std::move(buffer)); }

  // A layer's key table, key counts and positions.
  void add_layer(const std::string& prefix) {
    const BackKeyList keys = back_keys(frame_, inputs_, prefix);
    const auto positions = inputs_.at(prefix + "pos").view<int64_t>();
    if (frame_.has(Stage::split)) {
      check_back_keys(frame_, inputs_, keys.table, keys.counts, prefix);
      const bool far = frame_.problem.keys == BackKeys::far;
      add(buffer_of(prefix + "kt", bytes_of(far ? far_table(frame_.problem, keys.table) : keys.table)));
    }
    if (frame_.has(Stage::combine)) check_back_positions(inputs_, positions, prefix);
    std::vector<uint32_t> counts = keys.counts;
    counts.insert(counts.end(), keys.topk.begin(), keys.topk.end());
    add(buffer_of(prefix + "klen", bytes_of(counts)));
    add(buffer_of(prefix + "pos", inputs_.at(prefix + "pos").data));
  }

  // Inputs that go to the device as they are.
  static bool is_own_buffer(const std::string& name) {
    static const std::set<std::string> kOthers = {
        "kt",          "klen", "pos",    "swa",        "comp",  "other_kt", "other_klen",
        "other_pos",   "part", "pstat",  "xo",         "xos",   "x8b",      "x8bs",
        "block_table", "topk", "window", "window_len", "slots", "request"};
    return !kOthers.contains(name);
  }

  void add_cache(const char* name, bool compressed) {
    const Tensor& pages = inputs_.at(name);
    if (frame_.problem.keys != BackKeys::far) return add(buffer_of(name, pages.data));
    BufferSpec cache;
    cache.name = name;
    cache.sparse = true;
    for (uint64_t page = 0; page < pages.shape[0]; ++page) {
      const auto begin = pages.data.begin() + static_cast<ptrdiff_t>(page * pages.shape[1]);
      const auto end = begin + static_cast<ptrdiff_t>(pages.shape[1]);
      cache.initial.push_back({far_offset(frame_.problem, compressed, page), {begin, end}});
      cache.bytes = cache.initial.back().offset + pages.shape[1];
    }
    add(std::move(cache));
  }

  BufferSpec epoch_buffer() const {
    std::vector<uint32_t> epoch(kEpochWords);
    epoch[0] = frame_.epoch();
    for (uint32_t b = 0; b < kBlocks; ++b) epoch[kEpochMarks + b] = frame_.epoch();
    return buffer_of("epoch", bytes_of(epoch));
  }

  // What the scratch buffer holds before the launch: flags of an earlier step or another layer where the
  // stage must not see one, this stage's inputs with their flags, and NaNs from earlier steps in dead chunks.
  // Replays begin with zeros, and have their own earlier launches' leavings.
  BufferSpec scratch_buffer() const {
    BufferSpec scratch;
    scratch.name = "scratch";
    scratch.bytes = back::round_up(frame_.at.end, 4096);
    if (frame_.problem.replays()) {
      scratch.fill = Fill::zero;
      scratch.guard = Guard::scratch;
      return scratch;
    }
    add_flags(scratch, frame_.at.srdy, frame_.problem.tokens * frame_.form.chunks(), Stage::combine);
    add_flags(scratch, frame_.at.crdy, frame_.problem.tokens * frame_.dims.head_octets(), Stage::woa);
    add_flags(scratch, frame_.at.ardy, frame_.dims.woa_tasks(), Stage::wob);
    add_stage_inputs(scratch);
    const uint64_t heads = frame_.dims.heads(), part_bytes = heads * back::kHeadDim * 2,
                   stat_bytes = heads * 8;
    for (uint64_t unit = 0; unit < frame_.problem.tokens * frame_.form.chunks(); ++unit) {
      if (frame_.unit_is_live(unit)) continue;
      const std::byte nan{0xFF};
      scratch.initial.push_back({frame_.at.part + unit * part_bytes, std::vector(part_bytes, nan)});
      scratch.initial.push_back({frame_.at.pstat + unit * stat_bytes, std::vector(stat_bytes, nan)});
    }
    return scratch;
  }

  void add_flags(BufferSpec& scratch, uint64_t offset, uint32_t count, Stage reader) const {
    const uint32_t tag = frame_.tag(0);
    const bool ready = frame_.stage == reader || (reader == Stage::wob && frame_.stage == Stage::push);
    std::vector<uint32_t> pairs(2 * count, 1);
    for (uint32_t i = 0; i < count; ++i) pairs[2 * i + 1] = ready ? tag : i % 2 ? tag - 1 : tag - 64;
    scratch.initial.push_back({offset, bytes_of(pairs)});
  }

  void add_stage_inputs(BufferSpec& scratch) const {
    const auto put = [&](const char* name, uint64_t offset, bool codes) {
      const auto found = inputs_.find(name);
      if (found == inputs_.end()) return;
      scratch.initial.push_back({offset, codes ? bytes_of(words_of(found->second)) : found->second.data});
    };
    put("part", frame_.at.part, false);
    put("pstat", frame_.at.pstat, false);
    put("xo", frame_.at.xo, false);
    put("xos", frame_.at.xos, true);
    put("x8b", frame_.at.x8b, false);
    put("x8bs", frame_.at.x8bs, true);
  }

  Launch launch(uint32_t index) const {
    Launch launch;
    const uint32_t form = form_index(frame_.form);
    launch.code_object = frame_.problem.timeline ? "back_timeline" : "back";
    launch.symbol = fmt::format("attention_back_{}_{}", back::kStageNames[static_cast<int>(frame_.stage)],
                                back::kForms[form].name);
    launch.grid = {back::stage_tasks(frame_.form, frame_.problem.tokens, frame_.stage), 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.static_lds_bytes = back::stage_lds_bytes(frame_.form, frame_.stage);
    std::set<std::string> names;
    for (const BufferSpec& buffer : program_.buffers) names.insert(buffer.name);
    launch.kernarg = [frame = frame_, names, index](const Addresses& at) {
      return bytes_of(std::vector<back::Args>{arguments(frame, names, index, at)});
    };
    launch.sim = [form, stage = frame_.stage](Wave& wave, std::span<const std::byte> kernarg) {
      back::Args args;
      std::memcpy(&args, kernarg.data(), sizeof args);
      return back::kernel(form, stage, wave, args);
    };
    return launch;
  }

  static back::Args arguments(const BackFrame& frame, const std::set<std::string>& names, uint32_t launch,
                              const Addresses& at) {
    const auto of = [&](const std::string& name) { return names.contains(name) ? at.of(name) : 0; };
    const std::string layer = frame.is_other(launch) ? kOtherPrefix : "";
    const BackProblem& problem = frame.problem;
    const bool far = problem.keys == BackKeys::far;
    back::Args args{};
    args.q = {of(layer + "q")};
    args.kt = {of(layer + "kt")};
    args.klen = {of(layer + "klen")};
    args.swa = of("swa");
    args.swa_stride = far ? far_stride(problem, false) : back::page_stride(problem.window_block);
    args.swa_block = problem.window_block;
    args.comp = of("comp");
    args.comp_stride = back::page_stride(problem.block);
    args.comp_block = problem.block;
    args.zrec = of("zrec");
    args.pos = {of(layer + "pos")};
    args.sink = {of("sink")};
    args.qk_scale = back_qk_scale(problem);
    args.cos_sin = {of("cos_sin")};
    args.woa = {of("woa")};
    args.woa_s = {of("woa_s")};
    args.wob = {of("wob")};
    args.wob_s = {of("wob_s")};
    args.out = {of("out") + launch * frame.out_bytes()};
    args.out_stride = kBackOutStride;
    args.scratch = {of("scratch")};
    args.epoch = {of("epoch")};
    args.tl = of("tl");
    args.layer = frame.layer(launch);
    args.tokens = problem.tokens;
    args.ratio = problem.ratio;
    args.scratch_start = frame.start;
    return args;
  }

  const BackFrame& frame_;
  const Tensors& inputs_;
  Program program_;
};

}  // namespace

uint32_t back_qk_scale(const BackProblem& problem) {
  return problem.data == BackData::exact ? kUnitScaleBits : back::kQkScaleBits;
}

BackKeyList back_keys(const BackFrame& frame, const Tensors& inputs, const std::string& prefix) {
  if (frame.problem.keys == BackKeys::built) return build_back_keys(frame.problem, inputs);
  BackKeyList keys;
  if (!frame.reads_keys()) return keys;
  const auto counts = inputs.at(prefix + "klen").view<uint32_t>();
  keys.counts.assign(counts.begin(), counts.end());
  keys.topk.assign(keys.counts.size(), 0xDEADBEEF);  // not read
  if (frame.has(Stage::split)) {
    const auto table = inputs.at(prefix + "kt").view<uint32_t>();
    keys.table.assign(table.begin(), table.end());
  }
  return keys;
}

Program back_program(const BackFrame& frame, const Tensors& inputs) { return Builder(frame, inputs).build(); }

}  // namespace wavetwin::golden
