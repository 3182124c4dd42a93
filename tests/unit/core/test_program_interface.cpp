// SPDX-License-Identifier: MIT
// The interface that the executor uses: waves that are not coroutines, turns, quanta and proofs of livelock.
#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

#include "tests/unit/core/one_wave.h"

using namespace wavetwin;

namespace {

// A toy instruction stream: each wave counts to its length, stores the count with device scope, waits for it
// and ends.
class CountingWave final : public WaveProgram {
 public:
  CountingWave(Workgroup& wg, uint32_t wave, uint64_t out, uint64_t length)
      : wg_(wg), wave_(wave), out_(out), length_(length) {}

  WaitReason resume(Turn& turn) override {
    while (count_ < length_) {
      if (turn.used == turn.budget) return WaitReason::quantum;
      ++count_;
      ++turn.used;
    }
    if (!stored_) {
      uint64_t address[kWaveSize] = {out_ + 4 * (wg_.id() * wg_.waves() + wave_)};
      const uint32_t data[kWaveSize] = {static_cast<uint32_t>(count_)};
      counter_.issue(wg_.memory().store(address, LaneMask::lane(0), 4, data, kCacheSc1));
      stored_ = true;
    }
    return counter_.outstanding(wg_.memory()) != 0 ? WaitReason::memory : WaitReason::done;
  }
  std::string where() const override { return std::string("pc 0x").append(std::to_string(count_)); }

 private:
  Workgroup& wg_;
  uint32_t wave_;
  uint64_t out_, length_, count_ = 0;
  bool stored_ = false;
  MemoryCounter counter_;
};

class CountingKernel final : public KernelProgram {
 public:
  CountingKernel(uint64_t out, uint64_t length) : out_(out), length_(length) {}
  std::unique_ptr<WaveProgram> make_wave(Workgroup& wg, uint32_t wave) const override {
    return std::make_unique<CountingWave>(wg, wave, out_, length_ + 10 * wg.id() + wave);
  }

 private:
  uint64_t out_, length_;
};

DispatchReport run_counting(uint64_t length, const DispatchOptions& options, std::vector<uint32_t>* out) {
  GlobalMemory memory;
  const auto result = memory.allocate_array<uint32_t>("out", 5 * 2);
  Launch launch;
  launch.kernel = "counting";
  launch.grid = {5};
  launch.block = {128};
  const DispatchReport report = dispatch(memory, launch, CountingKernel(result.address, length), options);
  *out = memory.read_array(result, 10);
  return report;
}

// Looks at a flag in every turn: with `recurs`, it proves that it does nothing else.
class SpinningWave final : public WaveProgram {
 public:
  SpinningWave(Workgroup& wg, bool recurs, WaitReason reason) : wg_(wg), recurs_(recurs), reason_(reason) {}
  WaitReason resume(Turn& turn) override {
    const uint64_t address[kWaveSize] = {0x1000};
    uint32_t value[kWaveSize];
    wg_.memory().load(address, LaneMask::lane(0), 4, value, kCacheSc1);
    turn.used = turn.budget;
    return reason_;
  }
  std::string where() const override { return "pc 0x40"; }
  void describe(WaveStatus& status) const override {
    status.where = "pc 0x40: s_cbranch_scc0";
    status.awaited.push_back({0x1000, 4, {}});
  }
  bool recurring() const override { return recurs_; }

 private:
  Workgroup& wg_;
  bool recurs_;
  WaitReason reason_;
};

class SpinningKernel final : public KernelProgram {
 public:
  SpinningKernel(bool recurs, WaitReason reason) : recurs_(recurs), reason_(reason) {}
  std::unique_ptr<WaveProgram> make_wave(Workgroup& wg, uint32_t) const override {
    return std::make_unique<SpinningWave>(wg, recurs_, reason_);
  }

 private:
  bool recurs_;
  WaitReason reason_;
};

std::string spin(bool recurs, WaitReason reason, const DispatchOptions& options = {}) {
  GlobalMemory memory;
  memory.allocate("flag", 4, {.address = 0x1000});
  Launch launch;
  launch.kernel = "spin";
  launch.block = {64};
  return error_of([&] { dispatch(memory, launch, SpinningKernel(recurs, reason), options); });
}

}  // namespace

TEST_CASE("program: turns end at the quantum and instructions add up") {
  std::vector<uint32_t> expected;
  DispatchOptions options;
  options.quantum = 0;
  const DispatchReport whole = run_counting(5000, options, &expected);
  CHECK(whole.rounds == 2);
  CHECK(expected[9] == 5041);
  for (const uint64_t quantum : {uint64_t{64}, uint64_t{1000}}) {
    std::vector<uint32_t> out;
    options.quantum = quantum;
    const DispatchReport report = run_counting(5000, options, &out);
    CHECK(out == expected);
    CHECK(report.instructions == whole.instructions);
    CHECK(report.rounds == (5041 + quantum - 1) / quantum + 1);
  }
}

TEST_CASE("program: a computation of 20 million instructions without a store is no deadlock") {
  for (const uint64_t quantum : {uint64_t{64}, uint64_t{1000}, uint64_t{0}}) {
    CAPTURE(quantum);
    std::vector<uint32_t> out;
    DispatchOptions options;
    options.quantum = quantum;
    options.max_idle_rounds = 20;
    const uint64_t length = quantum == 64 ? 2'000'000 : 20'000'000;
    run_counting(length, options, &out);  // 20,000 rounds and more without a store
    CHECK(out[0] == length);
  }
}

namespace {

// What a wave of a loop does: looks at one of `places` words every `period` instructions, in turn, and ends
// after `length` instructions or when the word is not 0. Its registers are new in every turn.
struct Loop {
  uint32_t places = 1;
  uint32_t cache = kCacheSc1;
  uint64_t period = 7;
  uint64_t length = ~uint64_t{0};
  bool ends_on_flag = false, raises_flag = false;
  enum Look : uint8_t { memory, memory_twice, scalar, lds, lds_atomic } look = memory;  // twice: then plainly
  uint64_t nap = 0;     // instructions until it sleeps; 0: never
  bool recurs = false;  // says that it proved that it only polls
};

class LoopingWave final : public WaveProgram {
 public:
  LoopingWave(Workgroup& wg, const Loop& loop) : wg_(wg), loop_(loop) {}
  WaitReason resume(Turn& turn) override {
    for (; turn.used < turn.budget; ++turn.used) {
      if (count_ == loop_.length) {
        if (loop_.raises_flag) raise();
        return WaitReason::done;
      }
      if (count_++ % loop_.period == 0 && loop_.places != 0 && look() != 0 && loop_.ends_on_flag)
        return WaitReason::done;
      if (loop_.nap != 0 && turn.used + 1 == loop_.nap) {
        ++turn.used;
        return WaitReason::sleep;
      }
    }
    return WaitReason::quantum;
  }
  std::string where() const override { return "loop"; }
  bool recurring() const override { return loop_.recurs; }

 private:
  uint32_t look() {
    const auto place = static_cast<uint32_t>(4 * (count_ / loop_.period % loop_.places));
    const uint64_t address[kWaveSize] = {0x1000u + place};
    const uint32_t offset[kWaveSize] = {place}, zero[kWaveSize] = {};
    const LaneMask one = LaneMask::lane(0);
    uint32_t value[kWaveSize] = {};
    switch (loop_.look) {
      case Loop::memory:
        wg_.memory().load(address, one, 4, value, loop_.cache);
        break;
      case Loop::memory_twice:
        wg_.memory().load(address, one, 4, value, loop_.cache);
        wg_.memory().load(address, one, 4, value, 0);
        break;
      case Loop::scalar:
        wg_.memory().load_scalar(address[0], 1, value);
        break;
      case Loop::lds:
        wg_.lds().load(offset, one, 4, value);
        break;
      case Loop::lds_atomic:
        wg_.lds().atomic(offset, one, 4, atomic_op::add<uint32_t>, zero, nullptr, value);
        break;
    }
    return value[0];
  }
  void raise() {
    const uint64_t address[kWaveSize] = {0x1000};
    const uint32_t one[kWaveSize] = {1};
    wg_.memory().store(address, LaneMask::lane(0), 4, one, kCacheSc1);
  }

  Workgroup& wg_;
  Loop loop_;
  uint64_t count_ = 0;
};

class LoopingKernel final : public KernelProgram {
 public:
  explicit LoopingKernel(std::vector<Loop> loops) : loops_(std::move(loops)) {}
  std::unique_ptr<WaveProgram> make_wave(Workgroup& wg, uint32_t) const override {
    return std::make_unique<LoopingWave>(wg, loops_[wg.id()]);
  }

 private:
  std::vector<Loop> loops_;
};

// The error, or "" and the number of rounds.
std::string run_loops(const std::vector<Loop>& loops, DispatchOptions options, uint64_t* rounds = nullptr) {
  GlobalMemory memory;
  memory.allocate("flag", 4096, {.address = 0x1000});
  memory.fill(0x1000, 4096, 0);
  Launch launch;
  launch.kernel = "loop";
  launch.grid = {static_cast<uint32_t>(loops.size())};
  launch.block = {64};
  launch.lds_bytes = 64;
  return error_of([&] {
    const DispatchReport report = dispatch(memory, launch, LoopingKernel(loops), options);
    if (rounds != nullptr) *rounds = report.rounds;
  });
}

}  // namespace

TEST_CASE("program: a long computation that reads while nothing is stored is no deadlock") {
  DispatchOptions options;
  options.max_idle_rounds = 20;
  CHECK(run_loops({{.places = 1000, .length = 3'000'000}}, options).empty());  // data of others
  CHECK(run_loops({{.period = 5000, .length = 3'000'000}}, options).empty());  // asks at times
  options.max_idle_rounds = 1000;
  CHECK(run_loops({{.places = 8, .cache = 0, .period = 16, .length = 20'000'000}}, options)
            .empty());  // a table
}

TEST_CASE("program: a spin that counts its looks ends at the idle limit") {
  DispatchOptions options;
  options.max_idle_rounds = 20;
  CHECK(contains(run_loops({{}}, options), "in 20 rounds"));
  CHECK(contains(run_loops({{.places = 3, .period = 300}}, options), "in 20 rounds"));
  CHECK(contains(run_loops({{.cache = kCacheSc0}, {.places = 5}}, options), "in 20 rounds"));
  // A plain spin, which may be a loop over a table, a thousand times later.
  options.max_idle_rounds = 1;
  CHECK(contains(run_loops({{.cache = 0}}, options), "in 1000 rounds"));
}

TEST_CASE("program: a spin is one whatever it looks at, and however short its turns are") {
  DispatchOptions options;
  options.max_idle_rounds = 20;
  CHECK(contains(run_loops({{.look = Loop::memory_twice}}, options), "in 20 rounds"));
  CHECK(contains(run_loops({{.look = Loop::lds_atomic}}, options), "in 20 rounds"));
  options.max_idle_rounds = 1;
  CHECK(contains(run_loops({{.look = Loop::scalar}}, options), "in 1000 rounds"));
  CHECK(contains(run_loops({{.look = Loop::lds}}, options), "in 1000 rounds"));
  options.max_idle_rounds = 20;
  options.quantum = 64;  // most turns end between two looks
  CHECK(contains(run_loops({{.places = 3, .period = 300}}, options), "no progress"));
}

TEST_CASE("program: a wave that computes between naps is no deadlock; one that only naps is") {
  DispatchOptions options;
  options.max_idle_rounds = 20;
  options.quantum = 10000;
  CHECK(run_loops({{.places = 0, .length = 1'000'000, .nap = 5000}}, options).empty());
  CHECK(contains(run_loops({{.places = 0, .length = 1'000'000, .nap = 50}}, options), "in 20 rounds"));
}

TEST_CASE("program: a wave that goes round without looking does not hide that the others wait") {
  DispatchOptions options;
  options.max_idle_rounds = 20;
  CHECK(contains(run_loops({{.places = 0, .recurs = true}, {}}, options), "in 20 rounds"));
}

namespace {

// Does something to memory or LDS in every round, and sleeps; ends after `rounds` of them.
class ActingWave final : public WaveProgram {
 public:
  using Act = void (*)(Workgroup& wg, uint64_t round);
  ActingWave(Workgroup& wg, Act act, uint64_t rounds) : wg_(wg), act_(act), rounds_(rounds) {}
  WaitReason resume(Turn& turn) override {
    if (round_ == rounds_) return WaitReason::done;
    act_(wg_, round_++);
    ++turn.used;
    return WaitReason::sleep;
  }
  std::string where() const override { return "act"; }

 private:
  Workgroup& wg_;
  Act act_;
  uint64_t rounds_, round_ = 0;
};
// Wave w of a workgroup acts in `rounds` * (w + 1) rounds.
class ActingKernel final : public KernelProgram {
 public:
  ActingKernel(ActingWave::Act act, uint64_t rounds) : act_(act), rounds_(rounds) {}
  std::unique_ptr<WaveProgram> make_wave(Workgroup& wg, uint32_t wave) const override {
    return std::make_unique<ActingWave>(wg, act_, rounds_ * (wave + 1));
  }

 private:
  ActingWave::Act act_;
  uint64_t rounds_;
};

constexpr uint64_t kActedOn = 0x1000;

std::string run_acts(ActingWave::Act act, uint64_t rounds = 200, uint32_t threads = 64) {
  GlobalMemory memory;
  memory.allocate("data", 4096, {.address = kActedOn});
  Launch launch;
  launch.kernel = "act";
  launch.block = {threads};
  launch.lds_bytes = 64;
  DispatchOptions options;
  options.max_idle_rounds = 20;
  return error_of([&] { dispatch(memory, launch, ActingKernel(act, rounds), options); });
}

// Lanes 0 and 1 store `bytes` each, side by side: lane 0 the dwords of `value`, lane 1 zeros.
void store_words(Workgroup& wg, std::initializer_list<uint32_t> value, unsigned bytes, uint32_t cache) {
  const uint64_t address[kWaveSize] = {kActedOn, kActedOn + bytes};
  uint32_t data[4 * kWaveSize] = {};
  unsigned d = 0;
  for (const uint32_t word : value) data[kWaveSize * d++] = word;
  wg.memory().store(address, LaneMask{3}, bytes, data, cache);
}

}  // namespace

TEST_CASE("program: any byte that changes is progress, the same bytes again are none") {
  CHECK(run_acts([](Workgroup& wg, uint64_t r) {
          store_words(wg, {static_cast<uint32_t>(r) << 8}, 4, 0);
        }).empty());
  for (const unsigned d : {0u, 1u, 2u, 3u}) {
    CAPTURE(d);
    constexpr ActingWave::Act kActs[] = {
        [](Workgroup& wg, uint64_t r) {
          store_words(wg, {static_cast<uint32_t>(r), 0, 0, 0}, 16, kCacheSc1);
        },
        [](Workgroup& wg, uint64_t r) {
          store_words(wg, {0, static_cast<uint32_t>(r), 0, 0}, 16, kCacheSc1);
        },
        [](Workgroup& wg, uint64_t r) {
          store_words(wg, {0, 0, static_cast<uint32_t>(r), 0}, 16, kCacheSc1);
        },
        [](Workgroup& wg, uint64_t r) {
          store_words(wg, {0, 0, 0, static_cast<uint32_t>(r)}, 16, kCacheSc1);
        }};
    CHECK(run_acts(kActs[d]).empty());
  }
  for (const uint32_t cache : {0u, kCacheSc1}) {
    CAPTURE(cache);
    const ActingWave::Act same = cache == 0
                                     ? [](Workgroup& wg, uint64_t) { store_words(wg, {7}, 4, 0); }
                                     : [](Workgroup& wg, uint64_t) { store_words(wg, {7}, 4, kCacheSc1); };
    CHECK(contains(run_acts(same), "in 20 rounds"));
  }
  // A byte that nobody wrote had no value: zero is one.
  CHECK(run_acts([](Workgroup& wg, uint64_t r) {
          const uint64_t address[kWaveSize] = {kActedOn + 4 * r};
          const uint32_t zero[kWaveSize] = {};
          wg.memory().store(address, LaneMask::lane(0), 4, zero, 0);
        }).empty());
}

TEST_CASE("program: a byte of LDS that changes is progress, by a store or an atomic") {
  const auto at_zero = [](Workgroup& wg, bool atomic, uint32_t value) {
    const uint32_t address[kWaveSize] = {}, data[kWaveSize] = {value};
    if (atomic) {
      wg.lds().atomic(address, LaneMask::lane(0), 4, atomic_op::add<uint32_t>, data, nullptr, nullptr);
    } else {
      wg.lds().store(address, LaneMask::lane(0), 4, data);
    }
  };
  static const auto kAt = at_zero;
  CHECK(run_acts([](Workgroup& wg, uint64_t r) { kAt(wg, false, static_cast<uint32_t>(r) << 24); }).empty());
  CHECK(run_acts([](Workgroup& wg, uint64_t) { kAt(wg, true, 1); }).empty());
  CHECK(contains(run_acts([](Workgroup& wg, uint64_t) { kAt(wg, false, 7); }), "in 20 rounds"));
  CHECK(contains(run_acts([](Workgroup& wg, uint64_t) { kAt(wg, true, 0); }), "in 20 rounds"));
}

TEST_CASE("program: a wave that ends is progress") {
  // 16 waves end 15 rounds apart.
  CHECK(run_acts([](Workgroup&, uint64_t) {}, 15, 1024).empty());
}

namespace {

// The first wave spins for ever, the others end.
class LonelyKernel final : public KernelProgram {
 public:
  std::unique_ptr<WaveProgram> make_wave(Workgroup& wg, uint32_t wave) const override {
    if (wave == 0) return std::make_unique<SpinningWave>(wg, true, WaitReason::quantum);
    return std::make_unique<ActingWave>(
        wg, [](Workgroup&, uint64_t) {}, 1);
  }
};

}  // namespace

TEST_CASE("program: waves that ended do not stand in the way of a proof") {
  GlobalMemory memory;
  memory.allocate("flag", 4, {.address = 0x1000});
  Launch launch;
  launch.block = {256};
  CHECK(contains(error_of([&] { dispatch(memory, launch, LonelyKernel()); }),
                 "every wave that can move only polls"));
}

TEST_CASE("program: waves that wait for one that computes are no deadlock, in any schedule") {
  const std::vector<Loop> loops = {
      {.ends_on_flag = true}, {.places = 0, .length = 300'000, .raises_flag = true}, {.ends_on_flag = true}};
  DispatchOptions options;
  options.max_idle_rounds = 20;
  options.oversubscribe = true;
  uint64_t expected = 0;
  options.threads = 1;
  CHECK(run_loops(loops, options, &expected).empty());
  options.threads = 2;
  uint64_t rounds = 0;
  CHECK(run_loops(loops, options, &rounds).empty());
  CHECK(rounds == expected);
  std::vector<Loop> broken = loops;
  broken[1].raises_flag = false;
  const std::string error = run_loops(broken, options);
  CHECK(contains(error, "in 20 rounds"));
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    options.schedule_seed = seed;
    CHECK(run_loops(loops, options).empty());
    CHECK(contains(run_loops(broken, options), "in 20 rounds"));
    options.threads = 3 - options.threads;
  }
}

TEST_CASE("program: a recurring state proves a livelock at once") {
  const std::string text = spin(true, WaitReason::quantum);
  CHECK(contains(text, "no progress in round 1: every wave that can move only polls"));
  CHECK(contains(text,
                 "pc 0x40: s_cbranch_scc0: waits for flag + 0x0 at 0x1000, holds 0xffa5ffa5 (never written), "
                 "last writer: nobody"));
}

TEST_CASE("program: a spin without proof ends at the idle limit, sooner with more instructions a round") {
  DispatchOptions options;
  CHECK(contains(spin(false, WaitReason::sleep, options), "in 1000 rounds"));
  options.quantum = 10000;
  CHECK(contains(spin(false, WaitReason::quantum, options), "in 100 rounds"));
  options.quantum = 64;
  CHECK(contains(spin(false, WaitReason::quantum, options), "in 15625 rounds"));
  CHECK(contains(spin(false, WaitReason::sleep, options), "in 1000 rounds"));
}

namespace {

// Reads LDS past its end and ends.
class ReachingWave final : public WaveProgram {
 public:
  explicit ReachingWave(Workgroup& wg) : wg_(wg) {}
  WaitReason resume(Turn&) override {
    const uint32_t address[kWaveSize] = {4096};
    uint32_t value[kWaveSize] = {1};
    wg_.lds().load(address, LaneMask::lane(0), 4, value);
    return value[0] == 0 ? WaitReason::done : WaitReason::sleep;
  }
  std::string where() const override { return "pc 0x8"; }

 private:
  Workgroup& wg_;
};
class ReachingKernel final : public KernelProgram {
 public:
  std::unique_ptr<WaveProgram> make_wave(Workgroup& wg, uint32_t) const override {
    return std::make_unique<ReachingWave>(wg);
  }
};

}  // namespace

TEST_CASE("program: LDS out of range follows the hardware unless the options say strict") {
  GlobalMemory memory;
  Launch launch;
  launch.block = {64};
  launch.lds_bytes = 64;
  const DispatchReport report = dispatch(memory, launch, ReachingKernel());
  CHECK(report.findings.total(FindingKind::lds_out_of_range) == 1);
  DispatchOptions options;
  options.lds_range = LdsRange::strict;
  CHECK(contains(error_of([&] { dispatch(memory, launch, ReachingKernel(), options); }),
                 "(pc 0x8): lane 0: load of 4 LDS"));
}

TEST_CASE("program: counters count every operation after an uncommitted one") {
  GlobalMemory memory;
  const uint64_t out = memory.allocate("out", 64);
  Launch launch;
  DispatchOptions options;
  Workgroup wg(0, &memory, &launch, &options);
  const SpinningKernel kernel(true, WaitReason::sleep);
  wg.start(0, &kernel, {});
  MemoryCounter counter;
  const auto store = [&](uint32_t cache) {
    const uint64_t address[kWaveSize] = {out};
    const uint32_t data[kWaveSize] = {1};
    counter.issue(wg.memory().store(address, LaneMask::lane(0), 4, data, cache));
  };
  store(0);
  CHECK(counter.outstanding(wg.memory()) == 0);
  store(kCacheSc1);
  CHECK(counter.outstanding(wg.memory()) == 1);
  counter.issue(0);  // a load
  counter.issue(0);
  CHECK(counter.outstanding(wg.memory()) == 3);
}
