// SPDX-License-Identifier: MIT
// A kernel whose workgroups do listed things to memory in listed rounds: for tests of the checks that compare
// rounds and workgroups. One wave a workgroup, of which lane 0 acts unless the step says `whole`.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/dispatch.h"
#include "sim/core/workgroup.h"

namespace wavetwin {

struct ScriptStep {
  enum What : uint8_t { kLoad, kStore, kScalarLoad, kAtomic, kRelease, kAcquire };
  uint64_t round;
  uint32_t workgroup;
  What what;
  uint64_t byte = 0;  // in the buffer
  unsigned bytes = 4;
  uint32_t cache = 0;
  bool whole = false;  // all 64 lanes, side by side from `byte` on
};
using Script = std::vector<ScriptStep>;

// The steps of a workgroup in their order; a wave ends after its last step's round.
class ScriptedWave final : public WaveProgram {
 public:
  ScriptedWave(Workgroup& wg, const Script& script, uint64_t buffer) : wg_(wg), buffer_(buffer) {
    for (const ScriptStep& step : script) {
      if (step.workgroup == wg.id()) steps_.push_back(step);
    }
  }

  WaitReason resume(Turn& turn) override {
    for (; next_ < steps_.size() && steps_[next_].round <= turn.round; ++next_) run(steps_[next_]);
    return next_ == steps_.size() ? WaitReason::done : WaitReason::sleep;
  }
  std::string where() const override { return "step " + std::to_string(next_); }

 private:
  void run(const ScriptStep& step) {
    uint64_t address[kWaveSize];
    for (unsigned l = 0; l < kWaveSize; ++l) address[l] = buffer_ + step.byte + uint64_t{l} * step.bytes;
    const LaneMask mask = step.whole ? kAllLanes : LaneMask::lane(0);
    uint32_t data[4 * kWaveSize];
    std::fill(std::begin(data), std::end(data), 0x01010101u * (wg_.id() + 1));
    WorkgroupMemory& memory = wg_.memory();
    switch (step.what) {
      case ScriptStep::kLoad:
        memory.load(address, mask, step.bytes, data, step.cache);
        break;
      case ScriptStep::kStore:
        memory.store(address, mask, step.bytes, data, step.cache);
        break;
      case ScriptStep::kScalarLoad:
        memory.load_scalar(address[0], step.bytes / 4, data);
        break;
      case ScriptStep::kAtomic:
        memory.atomic(address, mask, step.bytes, atomic_op::add<uint32_t>, data, nullptr, nullptr);
        break;
      case ScriptStep::kRelease:
        memory.note_release();
        break;
      case ScriptStep::kAcquire:
        memory.note_acquire();
        break;
    }
  }

  Workgroup& wg_;
  uint64_t buffer_;
  Script steps_;
  size_t next_ = 0;
};

class ScriptedKernel final : public KernelProgram {
 public:
  ScriptedKernel(Script script, uint64_t buffer) : script_(std::move(script)), buffer_(buffer) {}
  std::unique_ptr<WaveProgram> make_wave(Workgroup& wg, uint32_t) const override {
    return std::make_unique<ScriptedWave>(wg, script_, buffer_);
  }
  bool notes_fences() const override { return true; }

 private:
  Script script_;
  uint64_t buffer_;
};

// Runs a script on `buffer` of a memory.
inline DispatchReport run_script(GlobalMemory& memory, uint64_t buffer, const Script& script,
                                 uint32_t workgroups, DispatchOptions options = {}) {
  Launch launch;
  launch.kernel = "script";
  launch.grid = {workgroups};
  launch.block = {64};
  return dispatch(memory, launch, ScriptedKernel(script, buffer), options);
}

// The same on a fresh buffer of zeros.
inline DispatchReport run_script(const Script& script, uint32_t workgroups = 3,
                                 DispatchOptions options = {}) {
  GlobalMemory memory;
  constexpr uint64_t kBytes = uint64_t{1} << 20;
  const uint64_t buffer = memory.allocate("data", kBytes);
  memory.fill(buffer, kBytes, 0);
  return run_script(memory, buffer, script, workgroups, options);
}

}  // namespace wavetwin
