// SPDX-License-Identifier: MIT
#include "sim/core/workgroup.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/access_log.h"
#include "sim/core/error.h"
#include "sim/core/pending_list.h"
#include "sim/core/schedule_hash.h"

namespace wavetwin {

Workgroup::Workgroup(uint32_t slot, GlobalMemory* memory, const Launch* launch,
                     const DispatchOptions* options)
    : slot_(slot), launch_(launch), options_(options), global_(memory), findings_(options->findings_kept) {}

Workgroup::~Workgroup() = default;

std::string Workgroup::where() const {
  const auto& program = waves_[running_].program;
  return program ? program->where() : std::string();
}

std::string Workgroup::name() const {
  if (launch_->grid.y == 1 && launch_->grid.z == 1) return fmt::format("{}", id_);
  return fmt::format("{} ({},{},{})", id_, id3_[0], id3_[1], id3_[2]);
}

void Workgroup::start(uint32_t id, const KernelProgram* kernel, const StartContext& context) {
  kernel_ = kernel;
  id_ = id;
  id3_[0] = id % launch_->grid.x;
  id3_[1] = id / launch_->grid.x % launch_->grid.y;
  id3_[2] = id / launch_->grid.x / launch_->grid.y;
  running_ = 0;
  active_ = true;
  created_ = false;
  live_waves_ = kernel->waves_of(id, launch_->waves());
  waves_.clear();
  waves_.resize(live_waves_);
  error_ = nullptr;
  WorkgroupMemory::Checks checks;
  checks.races = options_->check_races && context.several_workgroups;
  checks.never_written = options_->check_never_written;
  checks.race_pages = context.race_pages;
  checks.released = checks.races ? context.released : nullptr;
  memory_.begin(this, global_, context.launch_number, checks);
  memory_.pending().begin(id, options_->schedule_seed, options_->max_delay);
}

// The expensive part of a start, done on the thread that runs the workgroup's first round.
void Workgroup::create_waves() {
  created_ = true;
  const bool lds_races = options_->check_lds_races && waves_.size() > 1;
  lds_.begin(this, launch_->lds_bytes, lds_races, options_->check_never_written);
  for (uint32_t w = 0; w < waves_.size(); ++w) {
    running_ = w;
    waves_[w].program = kernel_->make_wave(*this, w);
  }
  lds_.set_range(options_->lds_range.value_or(waves_[0].program->lds_range()));
}

void Workgroup::finish() {
  waves_.clear();
  frames_.reset();
  active_ = false;
}

bool Workgroup::can_move() const {
  return std::any_of(waves_.begin(), waves_.end(), [](const WaveSlot& wave) {
    return wave.reason != WaitReason::barrier && wave.reason != WaitReason::done;
  });
}

void Workgroup::order_waves(uint64_t round) {
  order_.resize(waves_.size());
  for (uint32_t w = 0; w < order_.size(); ++w) order_[w] = w;
  if (options_->schedule_seed) schedule_shuffle(order_, *options_->schedule_seed, id_, round);
}

void Workgroup::run_round(uint64_t round) {
  round_ = round;
  result_ = RoundResult{};
  const FramePool::Use frames(frames_);
  try {
    if (!created_) create_waves();
    order_waves(round);
    const uint64_t quantum = options_->quantum == 0 ? kUnlimitedQuantum : options_->quantum;
    for (WaveSlot& wave : waves_) {
      wave.budget = quantum;
      if (!watch_) wave.poll_watch.reset();
      wave.turn_over = false;
    }
    do {
      for (const uint32_t w : order_) run_wave(w);
    } while (complete_barrier());
  } catch (...) {
    keep_error();
  }
  result_.progressed |= memory_.take_changed();
  result_.progressed |= lds_.take_changed();
  for (const WaveSlot& wave : waves_) {
    if (!wave.program || wave.reason == WaitReason::barrier || wave.reason == WaitReason::done) continue;
    result_.recurring = result_.recurring && wave.program->recurring();
  }
}

void Workgroup::run_wave(uint32_t w) {
  WaveSlot& wave = waves_[w];
  if (wave.turn_over || wave.reason == WaitReason::barrier || wave.reason == WaitReason::done) return;
  running_ = w;
  if (watch_ && !wave.poll_watch) wave.poll_watch = std::make_unique<PollWatch>();
  poll_watch_ = wave.poll_watch.get();
  Turn turn{wave.budget, 0, round_, idle_from_};
  const WaitReason reason = wave.program->resume(turn);
  wave.reason = reason;
  if (watch_) {
    const Activity activity = wave.poll_watch->end_turn(turn.used, reason == WaitReason::quantum);
    if (!wave.program->recurring()) result_.activity = std::max(result_.activity, activity);
  }
  wave.budget -= std::min(wave.budget, turn.used);
  result_.instructions += turn.used;
  result_.used_quantum |= reason == WaitReason::quantum;
  if (reason == WaitReason::done) {
    --live_waves_;
    result_.progressed = true;
  }
  wave.turn_over = reason != WaitReason::barrier || wave.budget == 0;
}

// True when every live wave was at the barrier: they may run on, in this round if they have instructions
// left.
bool Workgroup::complete_barrier() {
  if (live_waves_ == 0) return false;
  for (const WaveSlot& wave : waves_) {
    if (wave.reason != WaitReason::barrier && wave.reason != WaitReason::done) return false;
  }
  for (WaveSlot& wave : waves_) {
    if (wave.reason == WaitReason::barrier) wave.reason.reset();
  }
  lds_.next_interval();
  result_.progressed = true;
  return true;
}

void Workgroup::add_finding(FindingKind kind, unsigned lane, uint64_t address, std::string text) {
  findings_.add({kind, round_, id_, running_, lane, address, where(), std::move(text)});
}

// The guest's own error gets its place; anything else (out of host memory) is passed on.
void Workgroup::keep_error() {
  try {
    throw;
  } catch (const Error& e) {
    const std::string place = where();
    const std::string at = place.empty() ? std::string() : fmt::format(" ({})", place);
    error_ = std::make_exception_ptr(Error(fmt::format("kernel '{}', workgroup {}, wave {}{}: {}",
                                                       launch_->kernel, name(), running_, at, e.what())));
  } catch (...) {
    error_ = std::current_exception();
  }
}

}  // namespace wavetwin
