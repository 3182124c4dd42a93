// SPDX-License-Identifier: MIT
// One executed wave: the instruction loop behind the scheduler's WaveProgram interface.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/wave_program.h"
#include "sim/isa/environment.h"
#include "sim/isa/executable.h"
#include "sim/isa/scalar_stores.h"
#include "sim/isa/wait_states.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

// Sees every instruction of a traced wave, after it was executed; `before` is a copy of the registers.
class TraceObserver {
 public:
  virtual ~TraceObserver() = default;
  virtual void begin(const WaveState& state, const Instruction& in) = 0;
  virtual void end(const WaveState& state, const Instruction& in) = 0;
};

// Dwords that begin a page: where a register lies against the buffers of operands on the stack is then the
// same in every program. A load whose address has the low 12 bits of a store before it waits for that store
// (4 KiB aliasing), and a file that happened to begin 64 bytes elsewhere cost a tenth of the executor's
// speed.
class RegisterFile {
 public:
  explicit RegisterFile(size_t rows)
      : words_(static_cast<uint32_t*>(::operator new(rows* kLanes * 4, kAlignment))), rows_(rows) {}
  uint32_t* data() const { return words_.get(); }
  size_t words() const { return rows_ * kLanes; }

 private:
  static constexpr std::align_val_t kAlignment{4096};
  struct Delete {
    void operator()(uint32_t* p) const { ::operator delete(p, kAlignment); }
  };
  std::unique_ptr<uint32_t[], Delete> words_;
  size_t rows_;
};

class IsaWave final : public WaveProgram {
 public:
  // Registers are allocated and left undefined; the launch initialises them through state().
  IsaWave(const Executable& executable, Workgroup& group, uint32_t wave, uint64_t load_address,
          uint32_t vgprs, uint32_t agprs);

  WaveState& state() { return state_; }
  Environment& environment() { return env_; }
  // Image address of the first instruction; Error when there is none.
  void set_pc(uint64_t image_address);
  void trace_to(TraceObserver* observer);
  // Tells it every instruction; one for the waves of a workgroup.
  void note_scalar_stores(std::shared_ptr<ScalarCache> cache);

  WaitReason resume(Turn& turn) override;
  std::string where() const override;
  void describe(WaveStatus& status) const override;
  bool recurring() const override { return recurring_ || cycling_; }

 private:
  bool may_continue();
  void run(uint64_t& left);
  bool slow_step(uint64_t& left);
  bool wait_for_pending(const Instruction& in);
  void check_scalar_stores(const Instruction& in);
  void check_distance(const Instruction& in, bool is_indexed);
  WaitReason reason_of_stop() const;

  const Executable& executable_;
  RegisterFile vgprs_, agprs_;
  WaveState state_;
  Environment env_;
  TraceObserver* observer_ = nullptr;
  uint32_t current_ = 0;                       // index of the instruction executed last
  PendingTicket stalled_on_ = 0;               // an operand's value is not there before this commit
  WaitHistory history_;                        // kept only with kAttentionDistance
  std::shared_ptr<ScalarCache> scalar_cache_;  // kept only with kAttentionScalarStore
  bool reported_stall_ = false;                // the stalled instruction is already a finding

  // Recurrence of the whole state within one turn. In a round in which no byte changes it proves that the
  // wave only polls. Watching is slow, so a wave that waits is looked at in turns 8, 16, 32, ..., and in
  // every turn once it was found to recur.
  struct Snapshot {
    WaveState state;
    std::vector<uint32_t> vgprs, agprs;
    PrivateMemory scratch;
    Stop reason = Stop::none;
  };
  void begin_watch();
  void end_watch(WaitReason reason);
  void check_branch();
  bool equals(const Snapshot& snapshot) const;
  void take_snapshot(Snapshot& snapshot) const;
  Snapshot at_start_, at_branch_;
  uint64_t branches_ = 0,
           next_snapshot_ = 0;  // backward branches of the turn; snapshots at powers of two (Brent)
  uint64_t waiting_turns_ = 0;  // turns in a row that ended in sleep, quantum or a memory wait
  bool recurring_ = false;

  // Recurrence over several turns, in rounds in which nothing happens anywhere: the state at the end of a
  // turn is one that an earlier turn of these rounds ended in. Nothing is kept before the first such rounds
  // passed.
  void follow_cycle(const Turn& turn, WaitReason reason);
  Snapshot anchor_;
  uint64_t anchor_round_ = 0;
  uint64_t idle_turns_ = 0;  // anchors at powers of two (Brent)
  bool anchored_ = false, cycling_ = false;
};

}  // namespace wavetwin::isa
