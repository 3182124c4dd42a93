// SPDX-License-Identifier: MIT
#include "golden/cases/back.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "common/kernels/back.h"
#include "golden/cases/back_inputs.h"
#include "golden/cases/gemv_inputs.h"
#include "golden/oracle/back.h"
#include "sim/core/error.h"
#include "sim/kernels/back_kernel.h"

namespace wavetwin::golden {
namespace {

using back::Dims;
using back::Form;
using back::Stage;

constexpr const char* kStageNames[] = {"split", "combine", "woa", "wob", "run"};
constexpr uint32_t kEpoch = 5, kLayer = 7, kTag = 64 * kEpoch + kLayer + 1;
constexpr uint32_t kOutStride = back::kHidden + 64;
constexpr uint32_t kUnitScaleBits = 0x3F800000;  // exact data: a score is the dot product

uint32_t form_index(Form form) {
  uint32_t i = 0;
  while (back::kForms[i].form.tp != form.tp || back::kForms[i].form.head_groups != form.head_groups) ++i;
  return i;
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

std::vector<uint32_t> words_of(const Tensor& codes) {
  const auto view = codes.view<uint8_t>();
  return {view.begin(), view.end()};
}

BufferSpec buffer_of(std::string name, std::vector<std::byte> data) {
  BufferSpec buffer;
  buffer.name = std::move(name);
  buffer.bytes = data.size();
  buffer.initial.push_back({0, std::move(data)});
  return buffer;
}

// One named region of the scratch buffer.
RegionSpec region_at(std::string name, DType dtype, Shape shape, uint64_t offset) {
  RegionSpec region;
  region.name = std::move(name);
  region.dtype = dtype;
  region.shape = std::move(shape);
  region.buffer = "scratch";
  region.offset = offset;
  return region;
}

RegionReference within(oracle::Judged judged) {
  RegionReference reference;
  reference.value = std::move(judged.value);
  reference.bound = std::move(judged.bound);
  return reference;
}

class BackCase : public KernelCase {
 public:
  BackCase(Stage stage, const BackProblem& problem, std::vector<std::string> labels)
      : stage_(stage),
        problem_(problem),
        labels_(std::move(labels)),
        form_(back::form_of(problem.tp, problem.tokens)),
        dims_(form_.dims()),
        start_(back::front_end(problem.tokens)),
        at_(back::scratch(form_, problem.tokens, start_)),
        counts_(back_key_counts(problem)) {}

  std::string name() const override {
    return fmt::format("attention_back/{}-tp{}-t{}-r{}-b{}-{}/{}", kStageNames[static_cast<int>(stage_)],
                       problem_.tp, problem_.tokens, problem_.ratio, problem_.block, to_string(problem_.data),
                       problem_.seed);
  }
  std::vector<std::string> labels() const override { return labels_; }
  GeneratorId generator() const override {
    return {fmt::format("attention_back.{}", to_string(problem_.data)), kBackDataVersion, problem_.seed};
  }

  std::vector<InputSpec> inputs() const override {
    const uint64_t tokens = problem_.tokens, heads = dims_.heads(), rows = dims_.o_rows();
    std::vector<InputSpec> specs;
    const auto add = [&specs](const char* name, DType dtype, Shape shape) {
      specs.push_back({name, dtype, std::move(shape), {}});
    };
    if (has(Stage::split)) {
      add("q", DType::BF16, {tokens, heads, back::kHeadDim});
      specs.push_back(
          {"kt", DType::U32, {tokens, back::kKeys}, [this](const Tensor& t) { return bad_key(t); }});
      add("swa", DType::U8, {kBackWindowSlots / kBackWindowBlock, back_page_stride(kBackWindowBlock)});
      add("comp", DType::U8, {kBackCompressedSlots / problem_.block, back_page_stride(problem_.block)});
    }
    if (stage_ == Stage::combine) {
      add("part", DType::BF16, {tokens, form_.chunks(), heads, back::kHeadDim});
      add("pstat", DType::F32, {tokens, form_.chunks(), heads, 2});
    }
    if (has(Stage::combine)) {
      add("sink", DType::F32, {heads});
      add("cos_sin", DType::F32, {kBackPositions, back::kRope});
    }
    if (stage_ == Stage::woa) {
      add("xo", DType::F8_E4M3, {tokens, dims_.q_rows()});
      add("xos", DType::F8_E8M0, {tokens, dims_.q_rows() / 32});
    }
    if (has(Stage::woa)) {
      add("woa", DType::F8_E4M3, {rows, back::kGroupK});
      add("woa_s", DType::F8_E8M0, {rows / 32, back::kGroupK / 32});
    }
    if (stage_ == Stage::wob) {
      add("x8b", DType::F8_E4M3, {tokens, rows});
      add("x8bs", DType::F8_E8M0, {tokens, rows / 32});
    }
    if (has(Stage::wob)) {
      add("wob", DType::F8_E4M3, {back::kHidden, rows});
      add("wob_s", DType::F8_E8M0, {back::kHidden / 32, rows / 32});
    }
    return specs;
  }

  Tensors generate() const override {
    Tensors tensors;
    for (const InputSpec& spec : inputs()) {
      if (spec.dtype == DType::F8_E8M0) continue;  // made with its codes
      if (spec.dtype == DType::F8_E4M3) {
        generate_matrix(spec, tensors);
      } else {
        tensors[spec.name] = generate_plain(spec.name);
      }
    }
    return tensors;
  }

  std::vector<RegionSpec> regions() const override {
    const uint64_t tokens = problem_.tokens, heads = dims_.heads(), rows = dims_.o_rows();
    const uint64_t chunks = form_.chunks();
    std::vector<RegionSpec> regions;
    const auto add = [&](RegionSpec region, std::function<std::string(std::span<const uint64_t>)> locate) {
      region.locate = std::move(locate);
      if (stage_ == Stage::run) region.role = Role::intermediate;
      regions.push_back(std::move(region));
    };
    if (has(Stage::split)) {
      const auto live = [this](uint64_t per_unit) {
        return [this, per_unit](uint64_t index) { return unit_is_live(index / per_unit); };
      };
      RegionSpec part = region_at("part", DType::BF16, {tokens, chunks, heads, back::kHeadDim}, at_.part);
      part.written = live(heads * back::kHeadDim);
      add(std::move(part), [this](std::span<const uint64_t> i) { return locate_part(i); });
      RegionSpec pstat = region_at("pstat", DType::F32, {tokens, chunks, heads, 2}, at_.pstat);
      pstat.written = live(heads * 2);
      add(std::move(pstat), [this](std::span<const uint64_t> i) {
        return fmt::format("stage split, {}, thread {}: {}", split_unit(i[0], i[1]), i[2],
                           i[3] ? "sum" : "max");
      });
      RegionSpec srdy = region_at("srdy", DType::U32, {tokens, chunks, 2}, at_.srdy);
      srdy.written = live(2);
      add(std::move(srdy), [this](std::span<const uint64_t> i) {
        return fmt::format("stage split, flag of {}", split_unit(i[0], i[1]));
      });
    }
    if (has(Stage::combine)) {
      add(region_at("xo", DType::F8_E4M3, {tokens, dims_.q_rows()}, at_.xo),
          [this](std::span<const uint64_t> i) { return locate_xo(i[0], i[1]); });
      add(region_at("xos", DType::U32, {tokens, dims_.q_rows() / 32}, at_.xos),
          [this](std::span<const uint64_t> i) { return locate_xo(i[0], 32 * i[1]); });
      add(region_at("crdy", DType::U32, {tokens, dims_.head_octets(), 2}, at_.crdy),
          [](std::span<const uint64_t> i) {
            return fmt::format("stage combine, flag of token {}, heads {}..", i[0], 8 * i[1]);
          });
    }
    if (has(Stage::woa)) {
      const auto locate = [](uint64_t t, uint64_t row) {
        return fmt::format("stage wo_a, task {}, token {}, row {}", row / 32, t, row % 32);
      };
      add(region_at("x8b", DType::F8_E4M3, {tokens, rows}, at_.x8b),
          [locate](std::span<const uint64_t> i) { return locate(i[0], i[1]); });
      add(region_at("x8bs", DType::U32, {tokens, rows / 32}, at_.x8bs),
          [locate](std::span<const uint64_t> i) { return locate(i[0], 32 * i[1]); });
      add(region_at("ardy", DType::U32, {dims_.woa_tasks(), 2}, at_.ardy),
          [](std::span<const uint64_t> i) { return fmt::format("stage wo_a, flag of task {}", i[0]); });
    }
    if (has(Stage::wob)) {
      RegionSpec out = region_at("out", DType::BF16, {tokens, back::kHidden}, 0);
      out.buffer = "out";
      out.strides = {2 * kOutStride, 2};
      out.locate = [](std::span<const uint64_t> i) {
        return fmt::format("stage wo_b, task {}, token {}, row {}", i[1] / 16, i[0], i[1] % 16);
      };
      regions.push_back(std::move(out));
    }
    if (stage_ == Stage::run) {
      RegionSpec epoch = region_at("epoch", DType::U32, {kEpochWords}, 0);
      epoch.buffer = "epoch";
      epoch.written = [](uint64_t i) { return i == 0 || (i >= kEpochMarks && i < kEpochMarks + kBlocks); };
      add(std::move(epoch), [](std::span<const uint64_t> i) {
        return i[0] == 0 ? std::string("epoch") : fmt::format("mark of workgroup {}", i[0] - kEpochMarks);
      });
    }
    return regions;
  }

  Program program(const Tensors& inputs) const override {
    Program program;
    std::vector<uint32_t> key_counts = counts_;
    key_counts.resize(2 * counts_.size(), 0xDEADBEEF);  // the top-k counts are not read
    program.buffers.push_back(buffer_of("klen", bytes_of(key_counts)));
    program.buffers.push_back(buffer_of("pos", bytes_of(back_positions(problem_))));
    program.buffers.push_back(buffer_of("zrec", std::vector<std::byte>(back::kRecord)));
    std::vector<uint32_t> epoch(kEpochWords);
    epoch[0] = kEpoch;
    for (uint32_t b = 0; b < kBlocks; ++b) epoch[kEpochMarks + b] = kEpoch;
    program.buffers.push_back(buffer_of("epoch", bytes_of(epoch)));
    BufferSpec scratch;
    scratch.name = "scratch";
    scratch.bytes = back::round_up(at_.end, 4096);
    scratch.initial = scratch_pieces(inputs);
    program.buffers.push_back(std::move(scratch));
    BufferSpec out;
    out.name = "out";
    out.bytes = uint64_t{2} * kOutStride * problem_.tokens;
    program.buffers.push_back(std::move(out));
    for (const auto& [name, tensor] : inputs) {
      if (!in_scratch(name)) program.buffers.push_back(buffer_of(name, tensor.data));
    }
    program.launches.push_back(launch(inputs));
    return program;
  }

  Reference reference(const Tensors& inputs, const Tensors& produced) const override {
    Reference reference;
    // A stage is judged on its actual input: what the run made, or what the case gave it.
    const auto find = [&](const char* name) -> const Tensor& {
      const auto found = produced.find(name);
      return found != produced.end() ? found->second : inputs.at(name);
    };
    if (has(Stage::split)) judge_split(inputs, produced.at("pstat"), reference);
    if (has(Stage::combine))
      judge_combine(inputs, find("part"), find("pstat"), produced.at("xos"), reference);
    if (has(Stage::woa)) judge_woa(inputs, find("xo"), find("xos"), produced.at("x8bs"), reference);
    if (has(Stage::wob)) {
      reference["out"] =
          within(oracle::back_wob(gemv_data(inputs, "wob", find("x8b"), codes_of(find("x8bs")))));
    }
    for (const RegionSpec& region : regions()) {
      if (region.name == "epoch") {
        reference[region.name].exact =
            make_tensor<uint32_t>(DType::U32, region.shape, std::vector<uint32_t>(kEpochWords, kEpoch + 1));
      } else if (region.name.ends_with("rdy")) {
        std::vector<uint32_t> pairs(element_count(region.shape));
        for (size_t i = 0; i < pairs.size(); ++i) pairs[i] = i % 2 ? kTag : 1;
        reference[region.name].exact = make_tensor<uint32_t>(DType::U32, region.shape, pairs);
      }
    }
    return reference;
  }

  // The order in which an MFMA adds is known for a sibling part only; exact sums do not depend on it.
  Evidence evidence() const override {
    const bool exact = stage_ == Stage::split && problem_.data == BackData::exact;
    return exact || stage_ == Stage::combine ? Evidence::specified : Evidence::inferred;
  }

 private:
  bool has(Stage stage) const { return stage_ == stage || stage_ == Stage::run; }

  // Inputs that lie in the scratch buffer.
  static bool in_scratch(std::string_view name) {
    return name == "part" || name == "pstat" || name == "xo" || name == "xos" || name == "x8b" ||
           name == "x8bs";
  }

  bool unit_is_live(uint64_t unit) const {
    return unit % form_.chunks() * form_.chunk_keys() < counts_[unit / form_.chunks()];
  }

  std::string bad_key(const Tensor& table) const {
    const auto entries = table.view<uint32_t>();
    for (uint64_t i = 0; i < entries.size(); ++i) {
      if (entries[i] == back::kNoKey) continue;
      const bool compressed = entries[i] > back::kSlotMask && problem_.ratio != 0;
      if ((entries[i] & back::kSlotMask) < (compressed ? kBackCompressedSlots : kBackWindowSlots)) continue;
      return fmt::format("slot {:#x} past the cache at [{},{}]", entries[i], i / back::kKeys,
                         i % back::kKeys);
    }
    return "";
  }

  void generate_matrix(const InputSpec& spec, Tensors& tensors) const {
    const bool activations = spec.name[0] == 'x';
    const auto rows = static_cast<uint32_t>(spec.shape[0]), columns = static_cast<uint32_t>(spec.shape[1]);
    const MxMatrix matrix = generate_mx(GemvData::model, problem_.seed, "back." + spec.name,
                                        {rows, columns, activations ? 1u : 32u});
    const std::string scale = activations ? spec.name + "s" : spec.name + "_s";
    tensors[spec.name] = make_tensor<uint8_t>(DType::F8_E4M3, spec.shape, matrix.codes);
    tensors[scale] =
        make_tensor<uint8_t>(DType::F8_E8M0, {activations ? rows : rows / 32, columns / 32}, matrix.scales);
  }

  Tensor generate_plain(const std::string& name) const {
    if (name == "q") return back_query(problem_, dims_.heads());
    if (name == "kt") return back_key_table(problem_);
    if (name == "swa") return back_pages(problem_, name, kBackWindowSlots, kBackWindowBlock);
    if (name == "comp") return back_pages(problem_, name, kBackCompressedSlots, problem_.block);
    if (name == "part") return back_part(problem_, form_.chunks(), dims_.heads());
    if (name == "pstat") return back_stats(problem_, form_.chunks(), dims_.heads());
    if (name == "sink") return back_sink(problem_, dims_.heads());
    return back_cos_sin();
  }

  // What the scratch buffer holds before the launch: flags of an earlier step or another layer where the
  // stage must not see one, this stage's inputs with their flags, and NaNs from earlier steps in dead chunks.
  std::vector<BufferPiece> scratch_pieces(const Tensors& inputs) const {
    std::vector<BufferPiece> pieces;
    const auto flags = [&](uint64_t offset, uint32_t count, bool ready) {
      std::vector<uint32_t> pairs(2 * count, 1);
      for (uint32_t i = 0; i < count; ++i) pairs[2 * i + 1] = ready ? kTag : i % 2 ? kTag - 1 : kTag - 64;
      pieces.push_back({offset, bytes_of(pairs)});
    };
    flags(at_.srdy, problem_.tokens * form_.chunks(), stage_ == Stage::combine);
    flags(at_.crdy, problem_.tokens * dims_.head_octets(), stage_ == Stage::woa);
    flags(at_.ardy, dims_.woa_tasks(), stage_ == Stage::wob);
    for (const auto& [name, tensor] : inputs) {
      if (name == "part") pieces.push_back({at_.part, tensor.data});
      if (name == "pstat") pieces.push_back({at_.pstat, tensor.data});
      if (name == "xo") pieces.push_back({at_.xo, tensor.data});
      if (name == "xos") pieces.push_back({at_.xos, bytes_of(words_of(tensor))});
      if (name == "x8b") pieces.push_back({at_.x8b, tensor.data});
      if (name == "x8bs") pieces.push_back({at_.x8bs, bytes_of(words_of(tensor))});
    }
    const uint64_t part_bytes = uint64_t{dims_.heads()} * back::kHeadDim * 2, stat_bytes = dims_.heads() * 8;
    for (uint64_t unit = 0; unit < problem_.tokens * form_.chunks(); ++unit) {
      if (unit_is_live(unit)) continue;
      pieces.push_back({at_.part + unit * part_bytes, std::vector<std::byte>(part_bytes, std::byte{0xFF})});
      pieces.push_back({at_.pstat + unit * stat_bytes, std::vector<std::byte>(stat_bytes, std::byte{0xFF})});
    }
    return pieces;
  }

  uint32_t qk_scale() const { return problem_.data == BackData::exact ? kUnitScaleBits : back::kQkScaleBits; }

  back::Args arguments(const Addresses& at, const std::set<std::string>& names) const {
    const auto of = [&](const char* name) { return names.count(name) ? at.of(name) : 0; };
    back::Args args{};
    args.q = {of("q")};
    args.kt = {of("kt")};
    args.klen = {at.of("klen")};
    args.swa = of("swa");
    args.swa_stride = back_page_stride(kBackWindowBlock);
    args.swa_block = kBackWindowBlock;
    args.comp = of("comp");
    args.comp_stride = back_page_stride(problem_.block);
    args.comp_block = problem_.block;
    args.zrec = at.of("zrec");
    args.pos = {at.of("pos")};
    args.sink = {of("sink")};
    args.cos_sin = {of("cos_sin")};
    args.woa = {of("woa")};
    args.woa_s = {of("woa_s")};
    args.wob = {of("wob")};
    args.wob_s = {of("wob_s")};
    args.out = {at.of("out")};
    args.scratch = {at.of("scratch")};
    args.epoch = {at.of("epoch")};
    args.out_stride = kOutStride;
    args.qk_scale = qk_scale();
    args.scratch_start = start_;
    args.layer = kLayer;
    args.tokens = problem_.tokens;
    args.ratio = problem_.ratio;
    return args;
  }

  Launch launch(const Tensors& inputs) const {
    Launch launch;
    const uint32_t form = form_index(form_);
    launch.code_object = "back";
    launch.symbol =
        fmt::format("attention_back_{}_{}", kStageNames[static_cast<int>(stage_)], back::kForms[form].name);
    launch.grid = {back::stage_tasks(form_, problem_.tokens, stage_), 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.static_lds_bytes = back::stage_lds_bytes(form_, stage_);
    std::set<std::string> names;
    for (const auto& [name, tensor] : inputs) names.insert(name);
    launch.kernarg = [this, names](const Addresses& at) {
      return bytes_of(std::vector<back::Args>{arguments(at, names)});
    };
    launch.sim = [form, stage = stage_](Wave& wave, std::span<const std::byte> kernarg) {
      back::Args args;
      std::memcpy(&args, kernarg.data(), sizeof args);
      return back::kernel(form, stage, wave, args);
    };
    return launch;
  }

  // ---- oracle ----

  void judge_split(const Tensors& inputs, const Tensor& pstat, Reference& reference) const {
    const auto stats = pstat.view<float>();
    std::vector<float> maxima(stats.size() / 2);
    for (size_t i = 0; i < maxima.size(); ++i) maxima[i] = stats[2 * i];
    oracle::BackSplitData data{};
    data.tokens = problem_.tokens;
    data.heads = dims_.heads();
    data.chunk_keys = form_.chunk_keys();
    data.key_counts = counts_;
    data.q = inputs.at("q").view<uint16_t>();
    data.key_table = inputs.at("kt").view<uint32_t>();
    data.window = {inputs.at("swa").view<uint8_t>(), back_page_stride(kBackWindowBlock), kBackWindowBlock};
    data.compressed = {inputs.at("comp").view<uint8_t>(), back_page_stride(problem_.block), problem_.block};
    const uint32_t scale_bits = qk_scale();
    float scale;
    std::memcpy(&scale, &scale_bits, sizeof scale);
    data.qk_scale = scale;
    data.maxima = maxima;
    data.exact = problem_.data == BackData::exact;
    oracle::BackSplitReference judged = oracle::back_split(data);
    reference["part"] = within(std::move(judged.part));
    RegionReference& out = reference["pstat"];
    for (size_t i = 0; i < maxima.size(); ++i) {
      for (const oracle::Judged* stat : {&judged.max, &judged.sum}) {
        out.value.push_back(stat->value[i]);
        out.bound.push_back(stat->bound[i]);
      }
    }
  }

  void judge_combine(const Tensors& inputs, const Tensor& part, const Tensor& pstat, const Tensor& xos,
                     Reference& reference) const {
    const std::vector<int64_t> positions = back_positions(problem_);
    oracle::BackCombineData data{};
    data.tokens = problem_.tokens;
    data.heads = dims_.heads();
    data.chunk_keys = form_.chunk_keys();
    data.key_counts = counts_;
    data.part = part.view<uint16_t>();
    data.stats = pstat.view<float>();
    data.sink = inputs.at("sink").view<float>();
    data.pos = positions;
    data.cos_sin = inputs.at("cos_sin").view<float>();
    data.codes = xos.view<uint32_t>();
    oracle::MxReference judged = oracle::back_combine(data);
    reference["xo"] = within(std::move(judged.data));
    reference["xos"] = within(std::move(judged.codes));
  }

  // The scale codes of a region (words) or of an input (bytes), as words.
  static std::vector<uint32_t> codes_of(const Tensor& tensor) {
    if (tensor.dtype == DType::F8_E8M0) return words_of(tensor);
    const auto view = tensor.view<uint32_t>();
    return {view.begin(), view.end()};
  }

  oracle::BackGemvData gemv_data(const Tensors& inputs, const std::string& weight, const Tensor& x,
                                 std::span<const uint32_t> codes) const {
    const bool a = weight == "woa";
    oracle::BackGemvData data{};
    data.tokens = problem_.tokens;
    data.rows = a ? dims_.o_rows() : back::kHidden;
    data.k = a ? back::kGroupK : dims_.o_rows();
    data.groups = a ? dims_.groups() : 1;
    data.w = inputs.at(weight).view<uint8_t>();
    data.w_scale = inputs.at(weight + "_s").view<uint8_t>();
    data.x = x.view<uint8_t>();
    data.x_codes = codes;
    return data;
  }

  void judge_woa(const Tensors& inputs, const Tensor& xo, const Tensor& xos, const Tensor& x8bs,
                 Reference& reference) const {
    const std::vector<uint32_t> codes = codes_of(xos);
    oracle::BackGemvData data = gemv_data(inputs, "woa", xo, codes);
    data.result_codes = x8bs.view<uint32_t>();
    oracle::MxReference judged = oracle::back_woa(data);
    reference["x8b"] = within(std::move(judged.data));
    reference["x8bs"] = within(std::move(judged.codes));
  }

  // ---- where an element comes from ----

  std::string split_unit(uint64_t t, uint64_t chunk) const {
    return fmt::format("workgroup {} (token {}, chunk {})", (t * form_.chunks() + chunk) % kBlocks, t, chunk);
  }
  std::string locate_part(std::span<const uint64_t> i) const {
    const uint64_t dim = i[3] % 64;
    return fmt::format("stage split, {}, head {}, wave {}, lane {}, product {}, v{}", split_unit(i[0], i[1]),
                       i[2], i[3] / 64, dim / 16 * 16 + i[2] % 16, dim % 4, dim % 16 / 4);
  }
  std::string locate_xo(uint64_t t, uint64_t row) const {
    const uint64_t head = row / back::kHeadDim;
    const uint64_t unit = t * dims_.head_octets() + head / 8;
    const uint32_t first = stage_ == Stage::run ? back::plan(form_, problem_.tokens).combine0 : 0;
    return fmt::format("stage combine, workgroup {} (token {}, head {}), wave {}, lane {}",
                       (unit + first) % kBlocks, t, head, head % 8, row % back::kHeadDim / 8);
  }

  const Stage stage_;
  const BackProblem problem_;
  const std::vector<std::string> labels_;
  const Form form_;
  const Dims dims_;
  const uint32_t start_;
  const back::Scratch at_;
  const std::vector<uint32_t> counts_;
};

std::unique_ptr<KernelCase> back_case(Stage stage, const BackProblem& problem,
                                      std::vector<std::string> labels) {
  if (!Dims{problem.tp}.valid()) {
    throw Error(fmt::format("attention_back: {} ranks: the heads are split over 2 or 4", problem.tp));
  }
  if (problem.tokens == 0 || problem.tokens > kMaxTokens) {
    throw Error(fmt::format("attention_back: {} tokens, 1 .. {} are possible", problem.tokens, kMaxTokens));
  }
  return std::make_unique<BackCase>(stage, problem, std::move(labels));
}

void add_stages(CaseList& cases) {
  for (const Stage stage : {Stage::split, Stage::combine, Stage::woa, Stage::wob}) {
    const bool attention = stage == Stage::split || stage == Stage::combine;
    for (const uint32_t tp : {2u, 4u}) {
      for (const uint32_t tokens : {1u, 6u, 26u}) {
        for (const BackData data : {BackData::model, BackData::exact}) {
          if (data == BackData::exact && stage != Stage::split) continue;
          const uint32_t block = tokens == 1 ? 32 : tokens == 6 ? 64 : 128;
          const bool test = attention ? tokens < 26 : tp == 4 && tokens == 6;
          std::vector<std::string> labels{test ? "test" : "slow"};
          if (data == BackData::exact) labels.push_back("exact");
          cases.push_back(back_case(stage, {tp, tokens, tp == 2 ? 1u : 2u, block, data, 0}, labels));
        }
      }
    }
  }
}

void add_runs(CaseList& cases) {
  constexpr uint32_t kTokens[] = {1, 2, 6, 9, 10, 15, 16, 17, 25, 26, 32, 33, 47, 48};
  for (const uint32_t tp : {2u, 4u}) {
    for (const uint32_t tokens : kTokens) {
      for (const uint32_t ratio : {0u, 1u, 2u}) {
        const uint32_t block = 32u << (tokens + ratio) % 3;
        const bool test = tp == 4 && ratio == 1 && tokens == 1;
        const bool run = tp == 4 && ratio == 1 && tokens == 6;
        cases.push_back(back_case(Stage::run, {tp, tokens, ratio, block, BackData::model, 0},
                                  {run    ? "run"
                                   : test ? "test"
                                          : "slow"}));
      }
    }
  }
}

}  // namespace

std::unique_ptr<KernelCase> back_run_case(uint32_t tp, uint32_t tokens, uint32_t ratio, uint32_t block) {
  return back_case(Stage::run, {tp, tokens, ratio, block, BackData::model, 0}, {"slow"});
}

CaseList back_cases() {
  CaseList cases;
  add_stages(cases);
  add_runs(cases);
  return cases;
}

}  // namespace wavetwin::golden
