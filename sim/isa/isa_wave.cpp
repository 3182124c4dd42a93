// SPDX-License-Identifier: MIT
#include "sim/isa/isa_wave.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/isa/disassemble.h"
#include "sim/isa/rows.h"
#include "sim/isa/vgpr_indexing.h"

namespace wavetwin::isa {
namespace {

// Turns a wave may spend waiting before its state is watched for recurrence.
constexpr uint64_t kTurnsBeforeWatching = 8;

// Idle rounds before a state is kept to be met again in a later turn.
constexpr uint64_t kIdleRoundsBeforeAnchor = 16;

bool waits(WaitReason reason) {
  return reason == WaitReason::sleep || reason == WaitReason::quantum || reason == WaitReason::memory;
}

// MODE.VSKIP: no vector ALU, buffer, FLAT or DS instruction is issued, nor counted in a wait counter (isa
// guide 12.4, S_SETVSKIP).
bool is_skipped(InstructionKind kind) {
  return kind == InstructionKind::vector || kind == InstructionKind::mfma ||
         kind == InstructionKind::memory || kind == InstructionKind::lds;
}

}  // namespace

IsaWave::IsaWave(const Executable& executable, Workgroup& group, uint32_t wave, uint64_t load_address,
                 uint32_t vgprs, uint32_t agprs)
    : executable_(executable), vgprs_(vgprs + 1), agprs_(agprs + 1) {
  state_.vgprs = vgprs_.data();
  state_.agprs = agprs_.data();
  state_.vgpr_count = vgprs;
  state_.agpr_count = agprs;
  state_.env = &env_;
  if (executable.has_close_followers()) state_.attention |= kAttentionDistance;
  env_.program = &executable.program();
  env_.watched_loads = &executable.watched_loads();
  env_.watched_lds = &executable.watched_lds();
  env_.load_address = load_address;
  env_.group = &group;
  env_.wave = wave;
}

void IsaWave::set_pc(uint64_t image_address) {
  const int32_t index = executable_.program().index_of(image_address);
  if (index < 0) throw Error(hex_address("no instruction at image address", image_address));
  state_.next = current_ = static_cast<uint32_t>(index);
}

void IsaWave::trace_to(TraceObserver* observer) {
  observer_ = observer;
  state_.attention |= kAttentionTrace;
}

void IsaWave::note_scalar_stores(std::shared_ptr<ScalarCache> cache) {
  scalar_cache_ = std::move(cache);
  state_.attention |= kAttentionScalarStore;
}

WaitReason IsaWave::resume(Turn& turn) {
  env_.round = turn.round;
  if (!may_continue()) {
    recurring_ = false;
    return WaitReason::memory;
  }
  begin_watch();
  uint64_t left = turn.budget;
  env_.reason = Stop::none;
  run(left);
  turn.used += turn.budget - left;
  const WaitReason reason = reason_of_stop();
  end_watch(reason);
  follow_cycle(turn, reason);
  return reason;
}

// Whether what the wave waited for has happened.
bool IsaWave::may_continue() {
  if (stalled_on_ != 0) {
    if (!env_.memory().committed(stalled_on_)) return false;
    stalled_on_ = 0;
    return true;
  }
  return env_.reason != Stop::wait || env_.try_finish_wait(state_);
}

WaitReason IsaWave::reason_of_stop() const {
  switch (env_.reason) {
    case Stop::end:
      return WaitReason::done;
    case Stop::barrier:
      return WaitReason::barrier;
    case Stop::sleep:
      return WaitReason::sleep;
    case Stop::wait:
      return WaitReason::memory;
    default:
      return WaitReason::quantum;
  }
}

void IsaWave::run(uint64_t& left) {
  const Step* const steps = executable_.steps().data();
  while (left != 0) {
    if (state_.attention != 0) [[unlikely]] {
      if (!slow_step(left)) return;
      continue;
    }
    const Step& step = steps[state_.next];
    current_ = state_.next++;
    ++env_.executed[static_cast<size_t>(step.kind)];
    --left;
    step.run(state_, *step.instruction);
  }
  // The last instruction of the turn may have been the one that stops.
  state_.attention &= ~uint32_t{kAttentionStop};
}

// One instruction with everything that the fast path leaves out. False when the turn is over.
bool IsaWave::slow_step(uint64_t& left) {
  if (state_.attention & kAttentionStop) {
    state_.attention &= ~uint32_t{kAttentionStop};
    return false;
  }
  const Step& step = executable_.steps()[state_.next];
  current_ = state_.next;
  if ((state_.attention & kAttentionVskip) && is_skipped(step.kind)) {
    ++state_.next;
    --left;
    return true;
  }
  const bool is_indexed = (state_.attention & kAttentionGprIndex) && is_vector_alu(*step.instruction);
  std::optional<Instruction> moved;
  if (is_indexed) moved = indexed(*step.instruction, state_.m0());
  const Instruction& in = is_indexed ? *moved : *step.instruction;
  if ((state_.attention & kAttentionPendingReturn) && wait_for_pending(in)) {
    env_.reason = Stop::wait;
    return false;
  }
  if (state_.attention & kAttentionDistance) check_distance(in, is_indexed);
  if (state_.attention & kAttentionScalarStore) check_scalar_stores(in);
  ++state_.next;
  ++env_.executed[static_cast<size_t>(step.kind)];
  --left;
  if (observer_ != nullptr) observer_->begin(state_, *step.instruction);
  step.run(state_, in);
  if (observer_ != nullptr) observer_->end(state_, *step.instruction);
  if ((state_.attention & kAttentionWatch) && state_.next <= current_) check_branch();
  return !recurring_ || !(state_.attention & kAttentionWatch);
}

// A register of a returning atomic or a watched load is used before a wait covers it: a finding, and the wave
// stalls until the value is there. A memory instruction that only loads into it again just stalls where the
// hardware keeps the order.
bool IsaWave::wait_for_pending(const Instruction& in) {
  while (const PendingReturn* pending = env_.touches_pending(in)) {
    const bool committed = env_.memory().committed(pending->ticket);
    Instruction sources = in;
    sources.dst = {};
    if (!reported_stall_ &&
        (!env_.returns_before(*pending->issuer, in) || env_.touches_pending(sources) != nullptr)) {
      env_.group->find(FindingKind::early_register_use, 0, env_.last_address, [&] {
        return "the result of " + with_pc(*pending->issuer) + " is used before an s_waitcnt covers it, in " +
               disassemble(in);
      });
    }
    if (!committed) {
      stalled_on_ = pending->ticket;
      reported_stall_ = true;
      return true;
    }
    env_.settle(state_, *pending);
  }
  reported_stall_ = false;
  return false;
}

void IsaWave::check_distance(const Instruction& in, bool is_indexed) {
  const WaitHistory::Violation close =
      is_indexed ? history_.next_indexed(in, state_.exec()) : history_.next(in, state_.exec());
  if (close.first == nullptr) return;
  env_.group->find(FindingKind::missing_wait_states, 0, env_.last_address, [&] {
    return fmt::format("{} {} {}: {} wait states are needed between them, and {}", disassemble(in),
                       wait_rule_name(close.need.rule), with_pc(*close.first), close.need.states,
                       close.found == 0   ? "there are none"
                       : close.found == 1 ? "there is 1"
                                          : fmt::format("there are {}", close.found));
  });
}

void IsaWave::check_scalar_stores(const Instruction& in) {
  for (const ScalarCache::Store& store : scalar_cache_->next(env_.wave, in)) {
    env_.group->find(FindingKind::lost_scalar_store, 0, 0, [&] {
      return fmt::format("no s_dcache_wb of the workgroup follows {} of wave {}: what it stored may be lost",
                         with_pc(*store.instruction), store.wave);
    });
  }
}

std::string IsaWave::where() const {
  const Instruction& in = *executable_.steps()[current_].instruction;
  const std::string text = in.size == 0 ? "end of the code" : disassemble(in);
  return hex_address("pc", in.pc) + " " + text;
}

void IsaWave::describe(WaveStatus& status) const {
  status.where = where();
  if (env_.reason == Stop::barrier || env_.last_bytes == 0) return;
  status.awaited.push_back({env_.last_address, std::min<uint32_t>(env_.last_bytes, 8), std::nullopt});
}

// --- recurrence

void IsaWave::begin_watch() {
  const bool due = waiting_turns_ >= kTurnsBeforeWatching && std::has_single_bit(waiting_turns_);
  if (!due && !recurring_) return;
  recurring_ = false;
  branches_ = 0;
  next_snapshot_ = 1;
  take_snapshot(at_start_);
  state_.attention |= kAttentionWatch;
}

// A backward branch was taken: the state may be one that this turn had before.
void IsaWave::check_branch() {
  ++branches_;
  recurring_ = branches_ > 1 && equals(at_branch_);
  if (recurring_ || branches_ < next_snapshot_) return;
  take_snapshot(at_branch_);
  next_snapshot_ = 2 * branches_;
}

void IsaWave::end_watch(WaitReason reason) {
  if (state_.attention & kAttentionWatch) {
    recurring_ = recurring_ || equals(at_start_);
    state_.attention &= ~uint32_t{kAttentionWatch};
    at_start_ = at_branch_ = Snapshot{};
  } else {
    recurring_ = false;
  }
  waiting_turns_ = waits(reason) ? waiting_turns_ + 1 : 0;
}

void IsaWave::follow_cycle(const Turn& turn, WaitReason reason) {
  if ((anchored_ || cycling_) && (turn.idle_from > anchor_round_ || !waits(reason))) {
    anchored_ = cycling_ = false;
    anchor_ = Snapshot{};
    idle_turns_ = 0;
  }
  if (cycling_ || !waits(reason) || turn.round - turn.idle_from < kIdleRoundsBeforeAnchor) return;
  if (anchored_ && equals(anchor_)) {
    cycling_ = true;
    anchored_ = false;
    anchor_ = Snapshot{};
  } else if (std::has_single_bit(++idle_turns_)) {
    take_snapshot(anchor_);
    anchor_round_ = turn.round;
    anchored_ = true;
  }
}

bool IsaWave::equals(const Snapshot& s) const {
  const WaveState& a = state_;
  const WaveState& b = s.state;
  return a.next == b.next && a.scalar == b.scalar && a.scc == b.scc && a.mode.bits == b.mode.bits &&
         (a.attention | kAttentionWatch) == (b.attention | kAttentionWatch) && env_.reason == s.reason &&
         std::memcmp(vgprs_.data(), s.vgprs.data(), s.vgprs.size() * 4) == 0 &&
         std::memcmp(agprs_.data(), s.agprs.data(), s.agprs.size() * 4) == 0 && env_.scratch == s.scratch;
}

void IsaWave::take_snapshot(Snapshot& snapshot) const {
  snapshot.state = state_;
  snapshot.vgprs.assign(vgprs_.data(), vgprs_.data() + vgprs_.words());
  snapshot.agprs.assign(agprs_.data(), agprs_.data() + agprs_.words());
  snapshot.scratch = env_.scratch;
  snapshot.reason = env_.reason;
}

}  // namespace wavetwin::isa
