// SPDX-License-Identifier: MIT
// One wave that executes single instructions by hand, under the real scheduler.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "sim/core/dispatch.h"
#include "sim/isa/environment.h"
#include "sim/isa/isa_wave.h"

namespace wavetwin::isa {

inline constexpr unsigned kProbeVgprs = 48;
inline constexpr unsigned kProbeBytes = 32 * kWaveSize + 64;  // of LDS, and of scratch a lane

// One wave that runs `body` once, waits for the commit, and runs `after`.
class ProbeWave final : public WaveProgram {
 public:
  using Body = std::function<void(WaveState&, Environment&)>;
  ProbeWave(Workgroup& group, const Body& body, const Body& after)
      : vgprs_(kProbeVgprs + 1), agprs_(kProbeVgprs + 1), body_(body), after_(after) {
    state_.vgprs = vgprs_.data();
    state_.agprs = agprs_.data();
    state_.vgpr_count = state_.agpr_count = kProbeVgprs;
    state_.env = &env_;
    env_.group = &group;
    env_.scratch.reset(kProbeBytes);
  }
  WaitReason resume(Turn&) override {
    if (turn_++ == 0) {
      body_(state_, env_);
      return WaitReason::memory;
    }
    if (env_.outstanding_vm() != 0 || env_.outstanding_lgkm() != 0) return WaitReason::memory;
    after_(state_, env_);
    return WaitReason::done;
  }
  std::string where() const override { return "probe"; }

 private:
  RegisterFile vgprs_, agprs_;
  WaveState state_;
  Environment env_;
  Body body_, after_;
  unsigned turn_ = 0;
};

class ProbeKernel final : public KernelProgram {
 public:
  ProbeKernel(ProbeWave::Body body, ProbeWave::Body after)
      : body_(std::move(body)), after_(std::move(after)) {}
  std::unique_ptr<WaveProgram> make_wave(Workgroup& group, uint32_t) const override {
    return std::make_unique<ProbeWave>(group, body_, after_);
  }

 private:
  ProbeWave::Body body_, after_;
};

inline void probe(GlobalMemory& memory, ProbeWave::Body body, ProbeWave::Body after) {
  Launch launch;
  launch.kernel = "probe";
  launch.block = {64, 1, 1};
  launch.lds_bytes = kProbeBytes;
  DispatchOptions options;
  options.threads = 1;
  dispatch(memory, launch, ProbeKernel(std::move(body), std::move(after)), options);
}

}  // namespace wavetwin::isa
