// SPDX-License-Identifier: MIT
// The checks of LDS against a look at every byte: random accesses of three waves with barriers between some,
// which some accesses cross unwaited, around a boundary of 1,024 bytes (where race marks are cleared
// together), one of 64 bytes and the end.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <optional>
#include <random>

#include "tests/unit/core/one_wave.h"

using namespace wavetwin;

namespace {

constexpr uint32_t kWaves = 3, kLdsBytes = 1100;

struct Step {
  enum What : uint8_t { kLoad, kStore, kAtomic, kBarrier };
  What what;
  uint32_t wave, byte;
  unsigned bytes;
  unsigned crosses = 0;  // barriers that the wave passes before it waits for this
};
using Script = std::vector<Step>;

std::string text_of(const Script& script) {
  std::string text;
  for (const Step& step : script) {
    constexpr const char* kNames[] = {"load", "store", "atomic", "barrier"};
    text += fmt::format("wave {} {} {:#x} +{} x{}; ", step.wave, kNames[step.what], step.byte, step.bytes,
                        step.crosses);
  }
  return text;
}

// Byte i of the data of step s.
uint8_t data_byte(size_t s, unsigned i) { return static_cast<uint8_t>(17 * s + 3 * i + 1); }
using Value = std::array<uint8_t, 16>;

// Step s happens in round s; each wave does its own, and all of them the barriers.
class LdsWave final : public WaveProgram {
 public:
  LdsWave(Workgroup& wg, uint32_t wave, const Script& script, std::vector<Value>& loaded)
      : wg_(wg), wave_(wave), script_(script), loaded_(loaded) {}

  WaitReason resume(Turn& turn) override {
    while (next_ < script_.size()) {
      if (next_ > turn.round) return WaitReason::sleep;
      const size_t s = next_++;
      if (script_[s].what == Step::kBarrier) {
        cross_barrier();
        return WaitReason::barrier;
      }
      if (script_[s].wave == wave_) run(s);
    }
    return WaitReason::done;
  }
  std::string where() const override { return std::to_string(next_ - 1); }

 private:
  void run(size_t s) {
    const Step& step = script_[s];
    constexpr unsigned kLane = 5;
    uint32_t address[kWaveSize] = {}, data[4 * kWaveSize] = {}, out[4 * kWaveSize] = {};
    address[kLane] = step.byte;
    for (unsigned i = 0; i < 16; ++i)
      data[i / 4 * kWaveSize + kLane] |= uint32_t{data_byte(s, i)} << (8 * (i % 4));
    const LaneMask mask = LaneMask::lane(kLane);
    auto accesses = std::make_shared<std::vector<LdsAccess>>();
    wg_.lds().record_to(accesses.get());
    if (step.what == Step::kStore) wg_.lds().store(address, mask, step.bytes, data);
    if (step.what == Step::kLoad) wg_.lds().load(address, mask, step.bytes, out);
    if (step.what == Step::kAtomic) {
      const AtomicFunction swap = [](uint64_t, uint64_t value, uint64_t) { return value; };
      wg_.lds().atomic(address, mask, step.bytes, swap, data, nullptr, out);
    }
    wg_.lds().record_to(nullptr);
    late_.push_back({s, step.crosses, accesses});
    for (unsigned i = 0; i < 16; ++i)
      loaded_[s][i] = static_cast<uint8_t>(out[i / 4 * kWaveSize + kLane] >> (8 * (i % 4)));
  }

  void cross_barrier() {
    for (Late& late : late_) {
      if (late.crosses == 0) continue;
      --late.crosses;
      wg_.lds().cross_barrier({wave_, late.accesses, [s = late.step] { return fmt::format("step {}", s); }});
    }
  }

  Workgroup& wg_;
  uint32_t wave_;
  const Script& script_;
  std::vector<Value>& loaded_;
  size_t next_ = 0;
  struct Late {
    size_t step;
    unsigned crosses;
    std::shared_ptr<const std::vector<LdsAccess>> accesses;
  };
  std::vector<Late> late_;
};

class LdsKernel final : public KernelProgram {
 public:
  LdsKernel(const Script& script, std::vector<Value>& loaded) : script_(script), loaded_(loaded) {}
  std::unique_ptr<WaveProgram> make_wave(Workgroup& wg, uint32_t wave) const override {
    return std::make_unique<LdsWave>(wg, wave, script_, loaded_);
  }

 private:
  const Script& script_;
  std::vector<Value>& loaded_;
};

// What a look at every byte says.
struct Expected {
  std::vector<Value> loaded;
  uint64_t unwritten = 0, outside = 0;
  std::optional<size_t> first_race;  // step
};

// Behind a barrier that `a` was late for, atomics and loads must be in order too.
bool race(const Step& a, const Step& b, bool late) {
  const bool stores = a.what == Step::kStore || b.what == Step::kStore;
  if (a.wave == b.wave || !(stores || (late && a.what != b.what))) return false;
  return a.byte < b.byte + b.bytes && b.byte < a.byte + a.bytes;
}

Expected expected_of(const Script& script) {
  Expected e;
  e.loaded.resize(script.size());
  std::vector<std::optional<uint8_t>> memory(kLdsBytes);
  std::vector<Step> since_barrier, late;
  for (size_t s = 0; s < script.size(); ++s) {
    const Step& step = script[s];
    if (step.what == Step::kBarrier) {
      late.insert(late.end(), since_barrier.begin(), since_barrier.end());
      std::erase_if(late, [](const Step& access) { return access.crosses == 0; });
      for (Step& access : late) --access.crosses;
      since_barrier.clear();
      continue;
    }
    if (step.byte + step.bytes > kLdsBytes) {
      ++e.outside;
      continue;
    }
    bool unwritten = false;
    for (unsigned i = 0; i < step.bytes; ++i) {
      std::optional<uint8_t>& byte = memory[step.byte + i];
      if (step.what != Step::kStore) {
        unwritten |= !byte;
        e.loaded[s][i] = byte.value_or(poison_byte(step.byte + i));
      }
      if (step.what != Step::kLoad) byte = data_byte(s, i);
    }
    e.unwritten += unwritten;
    for (const Step& earlier : since_barrier) {
      if (!e.first_race && race(earlier, step, false)) e.first_race = s;
    }
    for (const Step& earlier : late) {
      if (!e.first_race && race(earlier, step, true)) e.first_race = s;
    }
    since_barrier.push_back(step);
  }
  return e;
}

bool is_race(const Finding& finding) {
  return finding.kind == FindingKind::lds_race || finding.kind == FindingKind::unwaited_lds;
}

DispatchReport run(const Script& script, std::vector<Value>& loaded) {
  GlobalMemory memory;
  Launch launch;
  launch.kernel = "lds";
  launch.block = {64 * kWaves};
  launch.lds_bytes = kLdsBytes;
  return dispatch(memory, launch, LdsKernel(script, loaded));
}

void check(const Script& script) {
  CAPTURE(text_of(script));
  std::vector<Value> loaded(script.size());
  const DispatchReport report = run(script, loaded);
  const Expected e = expected_of(script);
  for (size_t s = 0; s < script.size(); ++s) {
    CAPTURE(s);
    CHECK(loaded[s] == e.loaded[s]);
  }
  CHECK(report.findings.total(FindingKind::lds_never_written) == e.unwritten);
  CHECK(report.findings.total(FindingKind::lds_out_of_range) == e.outside);
  std::string first = "none";
  for (const Finding& finding : report.findings.kept()) {
    if (is_race(finding) && first == "none") first = finding.where;
  }
  CHECK(first == (e.first_race ? std::to_string(*e.first_race) : "none"));
}

Script random_script(std::mt19937& random) {
  const auto pick = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
  constexpr unsigned kSizes[] = {1, 2, 4, 8, 12, 16};
  constexpr uint32_t kPlaces[] = {60, 1020, kLdsBytes - 8};
  const uint32_t place = kPlaces[pick(3)] - 12;
  Script script;
  for (unsigned s = 0; s < 8; ++s) {
    const uint32_t what = pick(10);
    Step step{what < 4   ? Step::kLoad
              : what < 7 ? Step::kStore
              : what < 9 ? Step::kAtomic
                         : Step::kBarrier,
              pick(kWaves), place + pick(24), kSizes[pick(6)], pick(3) == 0 ? 1 + pick(2) : 0};
    if (step.what == Step::kAtomic) step.bytes = pick(2) ? 8 : 4;
    script.push_back(step);
  }
  return script;
}

}  // namespace

TEST_CASE("lds: values, never-written bytes, the end and the first race are what a look at every byte says") {
  constexpr uint32_t kSeed = 20261;
  CAPTURE(kSeed);
  std::mt19937 random(kSeed);
  for (unsigned n = 0; n < 3000; ++n) check(random_script(random));
}

TEST_CASE("lds: a late access is named with its wave and what was done to which byte") {
  std::vector<Value> loaded(3);
  const Script script{{Step::kStore, 1, 40, 8, 1}, {Step::kBarrier, 0, 0, 4}, {Step::kLoad, 2, 36, 8}};
  const DispatchReport report = run(script, loaded);
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings.kept()) {
    if (finding.kind == FindingKind::unwaited_lds) lines.push_back(finding.line());
  }
  REQUIRE(lines.size() == 1);
  CHECK(contains(lines[0], "wave 2 lane 5"));
  CHECK(contains(lines[0], "reads LDS byte 0x28, which wave 1 stored to with step 0"));
}

TEST_CASE("lds: whole words are marked like their bytes") {
  for (const unsigned bytes : {1u, 4u, 8u, 16u}) {
    const auto step = [&](Step::What what, uint32_t wave) { return Step{what, wave, 32, bytes}; };
    const Step fill = step(Step::kStore, 0), barrier = step(Step::kBarrier, 0);
    const Step r0 = step(Step::kLoad, 0), r1 = step(Step::kLoad, 1), w0 = step(Step::kStore, 0),
               w1 = step(Step::kStore, 1);
    for (const auto& [a, b, c] : {std::array{r0, r1, w1},
                                  {r0, r1, w0},
                                  {r1, r0, w1},
                                  {w0, r1, r1},
                                  {w0, w1, w1},
                                  {r0, r0, w1},
                                  {w0, r0, w1},
                                  {w0, w0, r0},
                                  {r0, w0, r0}}) {
      check({fill, barrier, a, b, c});
    }
    check({fill, barrier, r0, barrier, w1, r1, barrier, w0, r0});
  }
}
