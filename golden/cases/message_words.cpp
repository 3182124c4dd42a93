// SPDX-License-Identifier: MIT
#include "golden/cases/message_words.h"

#include <fmt/format.h>

#include <cstring>

#include "golden/cases/random.h"
#include "golden/oracle/message_words.h"
#include "sim/kernels/mailbox_words.h"
#include "sim/kernels/memory_words.h"

namespace wavetwin::golden {
namespace {

template <class Args>
std::vector<std::byte> bytes_of(const Args& args) {
  std::vector<std::byte> bytes(sizeof args);
  std::memcpy(bytes.data(), &args, sizeof args);
  return bytes;
}

template <class Args>
SimEntry sim_entry(WaveTask (*kernel)(Wave&, Args)) {
  return [kernel](Wave& wave, std::span<const std::byte> kernarg) {
    Args args;
    std::memcpy(&args, kernarg.data(), sizeof args);
    return kernel(wave, args);
  };
}

RegionSpec words_region(const char* name, Shape shape) {
  RegionSpec region;
  region.name = region.buffer = name;
  region.dtype = DType::U32;
  region.shape = std::move(shape);
  return region;
}

BufferSpec buffer(const char* name, uint64_t words, Fill fill = Fill::poison,
                  Guard guard = Guard::unchanged) {
  BufferSpec spec;
  spec.name = name;
  spec.bytes = 4 * words;
  spec.fill = fill;
  spec.guard = guard;
  return spec;
}

RegionReference exactly(const RegionSpec& region, const std::vector<uint32_t>& words) {
  RegionReference reference;
  reference.exact = make_tensor<uint32_t>(DType::U32, region.shape, words);
  return reference;
}

class MemoryCase : public KernelCase {
 public:
  std::string name() const override { return "primitives/memory/0"; }
  std::vector<std::string> labels() const override { return {"test", "small", "opt"}; }
  GeneratorId generator() const override { return {"memory_words", 1, 0}; }
  std::vector<InputSpec> inputs() const override { return {{"source", DType::U32, {kMemorySource}, {}}}; }
  Tensors generate() const override {
    std::vector<uint32_t> words(kMemorySource);
    for (uint32_t i = 0; i < kMemorySource; ++i) words[i] = random_word(0, 1, i);
    return {{"source", make_tensor<uint32_t>(DType::U32, {kMemorySource}, words)}};
  }

  std::vector<RegionSpec> regions() const override {
    std::vector<RegionSpec> regions = {
        words_region("loaded", {kMemoryLoads, kThreads}), words_region("stored", {kMemoryStored}),
        words_region("copied", {kMemoryCopied}), words_region("tickets", {kThreads})};
    // Which wave draws which ticket is the schedule's.
    regions[3].comparison = Comparison::unordered;
    return regions;
  }

  Program program(const Tensors& inputs) const override {
    Program program;
    program.buffers = {buffer("source", kMemorySource), buffer("loaded", kMemoryLoads * kThreads),
                       buffer("stored", kMemoryStored), buffer("masked", kThreads),
                       buffer("copied", kMemoryCopied), buffer("counter", 1, Fill::zero, Guard::scratch),
                       buffer("tickets", kThreads)};
    program.buffers[0].initial.push_back({0, inputs.at("source").data});
    Launch launch;
    launch.code_object = "memory_words";
    launch.symbol = kMemorySymbol;
    launch.block = {kThreads, 1, 1};
    launch.kernarg = [](const Addresses& at) {
      return bytes_of(MemoryArgs{{at.of("source")},
                                 {at.of("loaded")},
                                 {at.of("stored")},
                                 {at.of("masked")},
                                 {at.of("copied")},
                                 {at.of("counter")},
                                 {at.of("tickets")}});
    };
    launch.sim = sim_entry(primitives_memory);
    program.launches.push_back(std::move(launch));
    return program;
  }

  Reference reference(const Tensors& inputs, const Tensors&) const override {
    const auto judged = oracle::memory_words(inputs.at("source").view<uint32_t>());
    const auto specs = regions();
    const std::vector<uint32_t>* words[] = {&judged.loaded, &judged.stored, &judged.copied, &judged.tickets};
    Reference reference;
    for (size_t i = 0; i < specs.size(); ++i) reference[specs[i].name] = exactly(specs[i], *words[i]);
    return reference;
  }
  Evidence evidence() const override { return Evidence::specified; }
};

constexpr uint32_t kLayer = 7;

// `launches` steps on the same never-cleared region, 64 and 48 wide in turn. A timeline build stamps the
// clock and must change nothing else.
class MailboxCase : public KernelCase {
 public:
  explicit MailboxCase(uint32_t launches, bool timeline = false) : timeline_(timeline) {
    for (uint32_t i = 0; i < launches; ++i) widths_.push_back(i % 2 == 0 ? 64 : 48);
  }

  std::string name() const override {
    return fmt::format("primitives/mailbox{}-r{}/0", timeline_ ? "_timeline" : "", widths_.size());
  }
  std::vector<std::string> labels() const override {
    if (widths_.size() > 10) return {"slow"};
    if (widths_.size() > 1 || timeline_) return {"test", "small"};
    return {"test", "small", "opt"};  // one step: the -O0 code is thirty times as long
  }
  GeneratorId generator() const override { return {"none", 1, 0}; }
  std::vector<InputSpec> inputs() const override { return {}; }
  Tensors generate() const override { return {}; }

  std::vector<RegionSpec> regions() const override {
    std::vector<RegionSpec> regions = {
        words_region("seen", {kBlocks, kMailboxWords, kMailboxWidth}),
        words_region("digest", {kBlocks, kMailboxWidth}), words_region("flags", {kBlocks, 2}),
        words_region("epoch", {kEpochWords}), words_region("region", {kBlocks * 5 * kMailboxWidth, 2})};
    regions[0].locate = [](std::span<const uint64_t> index) {
      return fmt::format("workgroup {}, wave 0, lane {}, word {} of its polls", index[0], index[2], index[1]);
    };
    regions[3].written = [](uint64_t i) { return i == 0 || (i >= kEpochMarks && i < kEpochMarks + kBlocks); };
    regions[4].role = Role::intermediate;
    return regions;
  }

  Program program(const Tensors&) const override {
    Program program;
    program.buffers = {buffer("region", kBlocks * 5 * kMailboxWidth * 2, Fill::zero),
                       buffer("flags", kBlocks * 2, Fill::zero),
                       buffer("epoch", kEpochWords, Fill::zero),
                       buffer("seen", kBlocks * kMailboxWords * kMailboxWidth),
                       buffer("digest", kBlocks * kMailboxWidth, Fill::zero),
                       buffer("tl", kBlocks * kMailboxPoints * 2, Fill::poison, Guard::scratch)};
    for (const uint32_t width : widths_) program.launches.push_back(launch(width, timeline_));
    return program;
  }

  Reference reference(const Tensors&, const Tensors&) const override {
    const auto judged = oracle::mailbox_words(widths_, kLayer);
    const auto specs = regions();
    const std::vector<uint32_t>* words[] = {&judged.seen, &judged.digest, &judged.flags, &judged.epoch};
    Reference reference;
    for (size_t i = 0; i < std::size(words); ++i) reference[specs[i].name] = exactly(specs[i], *words[i]);
    return reference;
  }
  Evidence evidence() const override { return Evidence::specified; }

 private:
  static Launch launch(uint32_t width, bool timeline) {
    Launch launch;
    launch.code_object = timeline ? "mailbox_words_timeline" : "mailbox_words";
    launch.symbol = kMailboxSymbol;
    launch.grid = {kBlocks, 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.kernarg = [width, timeline](const Addresses& at) {
      return bytes_of(MailboxArgs{{at.of("region")},
                                  {at.of("flags")},
                                  {at.of("epoch")},
                                  {at.of("seen")},
                                  {at.of("digest")},
                                  {timeline ? at.of("tl") : 0},
                                  width,
                                  kLayer});
    };
    launch.sim = sim_entry(primitives_mailbox);
    return launch;
  }

  std::vector<uint32_t> widths_;
  bool timeline_;
};

}  // namespace

CaseList message_word_cases() {
  CaseList cases;
  cases.push_back(std::make_unique<MemoryCase>());
  cases.push_back(std::make_unique<MailboxCase>(1));
  cases.push_back(std::make_unique<MailboxCase>(4));
  cases.push_back(std::make_unique<MailboxCase>(300));
  cases.push_back(std::make_unique<MailboxCase>(1, true));
  return cases;
}

}  // namespace wavetwin::golden
