// SPDX-License-Identifier: MIT
// What an executing wave can reach besides its registers: program, turn control, wait counters, identity,
// memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/core/late_lds.h"
#include "sim/core/workgroup.h"
#include "sim/isa/decode.h"
#include "sim/isa/private_memory.h"
#include "sim/isa/wave_state.h"
#include "sim/numerics/numeric_model.h"

namespace wavetwin::mfma {
struct MfmaModel;
}

namespace wavetwin::isa {

// Why a wave's turn is over.
enum class Stop : uint8_t { none, end, barrier, sleep, wait };

// "load from 0x00007f00" and the like.
std::string hex_address(const char* what, uint64_t address);
// "ds_write_b32 v1, v0 at pc 0x10"
std::string with_pc(const Instruction& in);

// What the counts of executed instructions distinguish.
enum class InstructionKind : uint8_t { nop, scalar, scalar_memory, vector, mfma, memory, lds, count };

// An operation that no wait has covered yet.
struct Unwaited {
  const Instruction* issuer = nullptr;
  bool vm = true;          // counted in vmcnt, else in lgkmcnt
  bool unordered = false;  // only a wait for 0 covers it
  uint64_t sequence = 0;   // number of the operation among those in order of its counter
};

// A register that a returning atomic fills, or a load that is not always waited for: it has its value after
// the commit, and may be read after a wait that covers the operation.
struct PendingReturn : Unwaited {
  OperandKind kind = OperandKind::none;  // vgpr, agpr or sgpr
  uint16_t index = 0;
  uint16_t count = 0;
  PendingTicket ticket = 0;
  std::unique_ptr<uint32_t[]> staging;  // scalar values, dword d at [64 * d], moved to the SGPRs by the wait
};

class Environment {
 public:
  // --- program
  const Program* program = nullptr;
  const WatchedInstructions* watched_loads = nullptr;
  const WatchedInstructions* watched_lds = nullptr;
  uint64_t load_address = 0;  // guest address of image address 0

  // --- identity
  Workgroup* group = nullptr;
  uint32_t wave = 0;  // in the workgroup
  bool threadgroup_split = false;

  // --- memory
  PrivateMemory scratch;
  uint64_t last_address = 0;  // of the latest device-memory load or atomic, first active lane, for reports
  uint8_t last_bytes = 0;

  // Whether a FLAT instruction may find LDS, so that it counts in lgkmcnt and returns in any order. With
  // threadgroup split a workgroup has none, and compilers wait as for GLOBAL (LLVM, SIInsertWaitcnts).
  bool may_find_lds(const Instruction& in) const {
    return in.format == Format::flat && in.segment == Segment::flat && !threadgroup_split;
  }

  WorkgroupMemory& memory() { return group->memory(); }
  Lds& lds() { return group->lds(); }

  void note_access(uint64_t address, unsigned bytes) {
    last_address = address;
    last_bytes = static_cast<uint8_t>(bytes);
  }

  // --- arithmetic options
  const mfma::MfmaModel* mfma_model = nullptr;  // null: the preset gfx950-default
  const NumericModel* numeric_model = &kDefaultNumericModel;
  LaneOrder atomic_order() const {
    return numeric_model->atomics_descending ? LaneOrder::descending : LaneOrder::ascending;
  }

  // --- turn control
  Stop reason = Stop::none;

  void stop(WaveState& state, Stop why) {
    reason = why;
    state.attention |= kAttentionStop;
  }

  // --- time: guest clocks follow rounds and executed instructions, never host time
  uint64_t round = 0;
  std::array<uint64_t, static_cast<size_t>(InstructionKind::count)> executed{};
  uint64_t instructions() const;
  uint64_t core_clock() const { return round * numeric_model->cycles_per_round() + instructions(); }
  uint64_t real_time() const { return core_clock() / kCyclesPerTick; }

  // --- counters
  // `in_order`: false for what only a wait for 0 covers (CounterUse::unordered).
  void issue_vm(PendingTicket ticket, bool in_order = true) {
    vm_in_order_ += in_order;
    vm_.issue(ticket);
  }
  void issue_lgkm(PendingTicket ticket, bool in_order = true) {
    lgkm_in_order_ += in_order;
    lgkm_.issue(ticket);
  }
  // After the issue_... of an operation whose destination may be read only after a wait: `count` registers,
  // there when `ticket` is committed.
  void expect_return(WaveState& state, const Instruction& in, unsigned count, bool vm, PendingTicket ticket,
                     std::unique_ptr<uint32_t[]> staging = nullptr);

  // s_waitcnt: stops the turn when more are outstanding.
  void wait_counters(WaveState& state, uint32_t most_vm, uint32_t most_lgkm);
  // True, and the covered registers are usable, when the last wait_counters() is satisfied.
  bool try_finish_wait(WaveState& state);
  uint64_t outstanding_vm() { return vm_.outstanding(memory()); }
  uint64_t outstanding_lgkm() { return lgkm_.outstanding(memory()); }

  // Whether what `second` loads is written after what `first`, issued before it, loads.
  bool returns_before(const Instruction& first, const Instruction& second) const;

  // --- LDS accesses that no wait has covered yet, of watched instructions (load_hazards.h)

  // After the issue_... of `in`, which did `accesses`: a finding where it meets a load to LDS of this wave.
  void note_lds_accesses(const Instruction& in, std::vector<LdsAccess> accesses);
  // Before s_barrier.
  void cross_barrier();

  // The pending register that `in` reads or writes, or null.
  const PendingReturn* touches_pending(const Instruction& in) const;
  // Delivers a committed value early and forgets its operation.
  void settle(WaveState& state, const PendingReturn& pending);

 private:
  // A core clock of 2.4 GHz beside the constant clock of 100 MHz; a round is about half a microsecond (option
  // clock_round).
  static constexpr uint64_t kCyclesPerTick = 24;

  MemoryCounter vm_, lgkm_;
  uint64_t vm_in_order_ = 0, lgkm_in_order_ = 0;  // operations issued that return in order
  uint32_t wait_vm_ = 63, wait_lgkm_ = 15;
  Unwaited issued(const Instruction& in, bool vm) const;
  uint64_t in_order_after(const Unwaited& operation) const {
    return (operation.vm ? vm_in_order_ : lgkm_in_order_) - operation.sequence;
  }
  bool covered(const Unwaited& operation) const;
  static void deliver(WaveState& state, const PendingReturn& pending);
  std::vector<PendingReturn> returns_;
  struct UnwaitedLds : Unwaited {
    std::shared_ptr<const std::vector<LdsAccess>> accesses;
  };
  std::vector<UnwaitedLds> unwaited_lds_;
  void forget_returned_lds();
};

// The arithmetic options of a wave; tests run waves without an environment.
inline const NumericModel* numeric_model_of(const WaveState& wave) {
  return wave.env != nullptr ? wave.env->numeric_model : &kDefaultNumericModel;
}

}  // namespace wavetwin::isa
