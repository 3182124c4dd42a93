// SPDX-License-Identifier: MIT
// One resident workgroup: its identity, LDS, view of device memory and waves, and how its waves take turns in
// a round.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/checks.h"
#include "sim/core/frame_pool.h"
#include "sim/core/launch.h"
#include "sim/core/lds.h"
#include "sim/core/poll_watch.h"
#include "sim/core/wave_program.h"
#include "sim/core/workgroup_memory.h"

namespace wavetwin {

// A slot of the resident set; workgroups pass through it one after the other, and its memory is reused.
class Workgroup {
 public:
  // ---- for kernels and the executor

  uint32_t id() const { return id_; }  // x + y * grid.x + z * grid.x * grid.y
  uint32_t id(unsigned axis) const { return id3_[axis]; }
  const Launch& launch() const { return *launch_; }
  uint32_t waves() const { return static_cast<uint32_t>(waves_.size()); }
  // Index of the slot in the resident set: 0 <= slot < number of resident workgroups. One workgroup at a
  // time.
  uint32_t slot() const { return slot_; }
  uint32_t xcc_id() const { return id_ % kXccCount; }
  uint64_t round() const { return round_; }

  Lds& lds() { return lds_; }
  WorkgroupMemory& memory() { return memory_; }
  FramePool& frames() { return frames_; }

  // Records an observation of the running wave. `text` is a function that makes the sentence, called only if
  // wanted.
  template <class MakeText>
  void find(FindingKind kind, unsigned lane, uint64_t address, MakeText text) {
    if (findings_.count(kind)) add_finding(kind, lane, address, text());
  }
  uint32_t running_wave() const { return running_; }
  // Of the running wave; null while memory changes. Every read of memory and LDS is told to it.
  PollWatch* poll_watch() const { return poll_watch_; }
  std::string where() const;  // place of the running wave

  // ---- for the scheduler

  Workgroup(uint32_t slot, GlobalMemory* memory, const Launch* launch, const DispatchOptions* options);
  ~Workgroup();

  struct StartContext {
    uint32_t launch_number = 1;
    bool several_workgroups = true;                   // others run beside it: races are possible
    size_t race_pages = 0;                            // capacity of the access log
    const std::vector<uint64_t>* released = nullptr;  // WorkgroupMemory::Checks
  };
  void start(uint32_t id, const KernelProgram* kernel, const StartContext& context);
  // Before a round: the first of the idle rounds that just passed, or the round itself (see Turn), and
  // whether to find out what waves do (RoundResult::activity).
  void set_idle_from(uint64_t round, bool watch) { idle_from_ = round, watch_ = watch; }
  // Runs every wave that can move, completes barriers, until nothing moves. Never throws: see error().
  void run_round(uint64_t round);
  // What the round did.
  struct RoundResult {
    bool progressed = false;             // a byte changed, a barrier completed or a wave ended
    bool used_quantum = false;           // a wave used up its turn
    Activity activity = Activity::idle;  // of its busiest wave, when waves are watched
    bool recurring = true;               // every wave that may move proved that it only polls
    uint64_t instructions = 0;
  };
  const RoundResult& result() const { return result_; }
  std::exception_ptr error() const { return error_; }

  bool active() const { return active_; }
  bool created() const { return created_; }
  std::string name() const;  // "5", with its coordinates when the grid has several dimensions
  bool all_done() const { return live_waves_ == 0; }
  bool can_move() const;  // some wave is neither done nor at a barrier
  void finish();          // releases waves, frames and pending entries

  FindingLog& findings() { return findings_; }
  uint32_t live_waves() const { return live_waves_; }
  // None: ready to run.
  std::optional<WaitReason> wait_reason(uint32_t w) const { return waves_[w].reason; }
  const WaveProgram& wave(uint32_t w) const { return *waves_[w].program; }

 private:
  struct WaveSlot {
    std::unique_ptr<WaveProgram> program;
    std::optional<WaitReason> reason;  // none: ready
    uint64_t budget = 0;
    bool turn_over = false;  // sleeps, waits for memory or used its quantum: not again in this round
    std::unique_ptr<PollWatch> poll_watch;
  };

  void create_waves();
  void run_wave(uint32_t w);
  bool complete_barrier();
  void order_waves(uint64_t round);
  void add_finding(FindingKind kind, unsigned lane, uint64_t address, std::string text);
  void keep_error();

  uint32_t slot_;
  const Launch* launch_;
  const DispatchOptions* options_;
  GlobalMemory* global_;
  const KernelProgram* kernel_ = nullptr;
  uint32_t id_ = 0;
  uint32_t id3_[3] = {};
  uint64_t round_ = 0;
  uint32_t running_ = 0;
  bool active_ = false;
  bool created_ = false;
  uint32_t live_waves_ = 0;
  Lds lds_;
  WorkgroupMemory memory_;
  FramePool frames_;
  FindingLog findings_;
  std::vector<WaveSlot> waves_;
  std::vector<uint32_t> order_;
  uint64_t idle_from_ = 0;
  bool watch_ = false;
  PollWatch* poll_watch_ = nullptr;
  RoundResult result_;
  std::exception_ptr error_;
};

}  // namespace wavetwin
