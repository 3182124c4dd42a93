// SPDX-License-Identifier: MIT
#include "sim/core/dispatch.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "sim/core/access_log.h"
#include "sim/core/memory_races.h"
#include "sim/core/no_progress.h"
#include "sim/core/pending_list.h"
#include "sim/core/round_team.h"
#include "sim/core/schedule_hash.h"
#include "sim/core/workgroup.h"

namespace wavetwin {

namespace {

// Access-log pages of all resident workgroups together: about 150 MiB when every one is full.
constexpr size_t kAllRacePages = size_t{1} << 20;
constexpr size_t kLeastRacePages = 128;

// Unchanged rounds before waves are watched for what they do: most launches never have so many in a row.
constexpr uint64_t kUnwatchedRounds = 8;

// Units of idle time in which the limit of idle rounds is counted.
constexpr uint64_t kIdleTurn = 1000;   // instructions that a turn of sleep and waits counts as
constexpr uint64_t kIdleUnits = 1000;  // of an idle turn's instruction; one that rereads plainly has 1

class Dispatcher {
 public:
  Dispatcher(GlobalMemory& memory, const Launch& launch, const KernelProgram& kernel,
             const DispatchOptions& options);
  ~Dispatcher() { memory_.end_launch(); }
  DispatchReport run();

 private:
  bool run_rounds(bool has_team);
  void begin_round();
  bool run_workgroups(bool has_team);
  void end_round();
  void start_workgroups();
  void rethrow_first_error() const;
  void commit();
  void serve_host();
  void retire_finished();
  void check_progress();
  [[noreturn]] void stop(bool proven);

  GlobalMemory& memory_;
  const Launch& launch_;
  const KernelProgram& kernel_;
  const DispatchOptions& options_;
  DispatchReport report_;
  uint32_t total_;       // workgroups of the grid
  uint32_t next_ = 0;    // next one to start
  uint32_t number_ = 0;  // of this launch on the memory
  uint64_t round_ = 0;
  std::vector<std::unique_ptr<Workgroup>> slots_;
  std::vector<uint32_t> free_slots_;  // highest first, so that the lowest is taken first
  std::vector<Workgroup*> active_;    // in id order
  std::vector<Workgroup*> movable_;   // of this round, in id order
  std::vector<uint64_t> released_;    // WorkgroupMemory::Checks; empty until there is one
  size_t position_ = 0;               // of the first one that has not run in this round
  bool in_round_ = false;
  RoundTeam team_;
  std::chrono::nanoseconds last_round_{0};  // host time: chooses serial or parallel, never a result

  // Progress since the last commit, and how long there was none.
  bool progressed_ = false;
  bool pending_ = false;
  uint64_t unchanged_rounds_ = 0;
  // Those of them, up to now, in which nobody computed either.
  uint64_t idle_rounds_ = 0;
  uint64_t idle_units_ = 0;
};

// One a core unless OMP_NUM_THREADS or the options say fewer; inside somebody's parallel region just this
// thread.
unsigned thread_count(const DispatchOptions& options) {
  if (omp_in_parallel()) return 1;
  const unsigned cores =
      static_cast<unsigned>(std::max(1, std::min(omp_get_num_procs(), omp_get_max_threads())));
  if (options.threads == 0) return cores;
  return options.oversubscribe ? options.threads : std::min(options.threads, cores);
}

Dispatcher::Dispatcher(GlobalMemory& memory, const Launch& launch, const KernelProgram& kernel,
                       const DispatchOptions& options)
    : memory_(memory), launch_(launch), kernel_(kernel), options_(options) {
  number_ = memory_.begin_launch();
  total_ = static_cast<uint32_t>(launch.grid.count());
  const uint32_t fits = options.resident == 0 ? resident_workgroups(launch) : options.resident;
  report_.resident = std::min(total_, fits);
  report_.threads = thread_count(options);
  report_.findings = FindingLog(options.findings_kept);
  slots_.resize(report_.resident);
  for (uint32_t s = report_.resident; s-- > 0;) free_slots_.push_back(s);
}

// Short launches run on this thread. When a round has work for more, a team of threads is formed for the rest
// of the launch: this thread leads, the others help with the rounds worth it.
DispatchReport Dispatcher::run() {
  if (!run_rounds(false)) {
    std::exception_ptr error;
#pragma omp parallel num_threads(static_cast <int>(report_.threads))
    {
      if (omp_get_thread_num() != 0) {
        team_.help();
      } else {
        try {
          run_rounds(true);
        } catch (...) {
          error = std::current_exception();
        }
        team_.stop();
      }
    }
    if (error) std::rethrow_exception(error);
  }
  report_.rounds = round_;
  return std::move(report_);
}

// False: in the middle of a round there is work for a team, and there is none yet.
bool Dispatcher::run_rounds(bool has_team) {
  while (in_round_ || next_ < total_ || !active_.empty()) {
    if (!in_round_) begin_round();
    if (!run_workgroups(has_team)) return false;
    end_round();
  }
  return true;
}

void Dispatcher::begin_round() {
  in_round_ = true;
  progressed_ = false;
  start_workgroups();
  movable_.clear();
  for (Workgroup* wg : active_) {
    if (!wg->can_move()) continue;
    wg->set_idle_from(round_ - unchanged_rounds_, unchanged_rounds_ >= kUnwatchedRounds);
    movable_.push_back(wg);
  }
  position_ = 0;
}

// Waking the team costs some microseconds, so a round starts on this thread, unless the last one was long.
// Host time decides who runs a workgroup, never what it does.
bool Dispatcher::run_workgroups(bool has_team) {
  constexpr std::chrono::microseconds kWorth{30};
  const auto begin = std::chrono::steady_clock::now();
  bool long_round = last_round_ > kWorth;
  while (position_ < movable_.size()) {
    const size_t left = movable_.size() - position_;
    if (long_round && left > 1 && report_.threads > 1 && left <= RoundTeam::kMaxItems) {
      if (!has_team) return false;
      team_.run(movable_.data() + position_, static_cast<uint32_t>(left), round_);
      position_ = movable_.size();
    } else {
      movable_[position_++]->run_round(round_);
      long_round = long_round || std::chrono::steady_clock::now() - begin > kWorth;
    }
  }
  last_round_ = std::chrono::steady_clock::now() - begin;
  return true;
}

void Dispatcher::end_round() {
  in_round_ = false;
  rethrow_first_error();
  commit();
  serve_host();
  retire_finished();
  check_progress();
  ++round_;
  if (options_.max_rounds != 0 && round_ >= options_.max_rounds && !active_.empty()) {
    throw Error(fmt::format("kernel '{}': not finished after {} rounds", launch_.kernel, round_));
  }
}

void Dispatcher::start_workgroups() {
  Workgroup::StartContext context;
  context.launch_number = number_;
  context.several_workgroups = report_.resident > 1;
  context.released = kernel_.notes_fences() ? &released_ : nullptr;
  context.race_pages = std::max(kLeastRacePages, kAllRacePages / report_.resident);
  while (next_ < total_ && !free_slots_.empty()) {
    const uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    if (!slots_[slot]) slots_[slot] = std::make_unique<Workgroup>(slot, &memory_, &launch_, &options_);
    slots_[slot]->start(next_++, &kernel_, context);
    active_.push_back(slots_[slot].get());
    progressed_ = true;
  }
}

// Every workgroup finished the round, so which error is the lowest does not depend on threads.
void Dispatcher::rethrow_first_error() const {
  for (const Workgroup* wg : active_) {
    if (wg->error()) std::rethrow_exception(wg->error());
  }
}

void Dispatcher::commit() {
  for (Workgroup* wg : movable_) {
    progressed_ |= wg->result().progressed;
    report_.instructions += wg->result().instructions;
    report_.findings.merge(std::move(wg->findings()));
    if (wg->memory().released() != 0) {
      released_.resize(total_);
      released_[wg->id()] = wg->memory().released();
    }
  }
  if (options_.check_races && report_.resident > 1) {
    find_memory_races(memory_, active_, round_, report_.findings);
    for (Workgroup* wg : active_) {
      report_.untracked_reads += wg->memory().accesses().untracked();
      wg->memory().accesses().clear();
    }
  }
  pending_ = false;
  std::vector<Workgroup*> order = active_;
  if (options_.schedule_seed) schedule_shuffle(order, *options_.schedule_seed, round_);
  for (Workgroup* wg : order) {
    const PendingList::Commit done = wg->memory().pending().commit(round_, number_);
    report_.pending_entries += done.entries;
    progressed_ |= done.changed;
    pending_ |= done.entries != 0 || wg->memory().has_pending();
  }
}

void Dispatcher::serve_host() {
  const GlobalMemory::HostTurn turn(memory_);
  progressed_ |= kernel_.serve_host();
}

void Dispatcher::retire_finished() {
  const size_t retired = std::erase_if(active_, [&](Workgroup* wg) {
    if (!wg->all_done() || wg->memory().has_pending()) return false;
    free_slots_.push_back(wg->slot());
    wg->finish();
    return true;
  });
  if (retired != 0) std::sort(free_slots_.begin(), free_slots_.end(), std::greater<>());
}

// A round in which a wave computes is not idle: a computation may take any time without a store. An idle
// round counts as the instructions of its longest turn, so that the limit means the same computing time at
// every quantum; a round of sleep and waits counts as kIdleTurn of them.
void Dispatcher::check_progress() {
  if (progressed_ || active_.empty()) {
    unchanged_rounds_ = idle_rounds_ = idle_units_ = 0;
    return;
  }
  bool recurring = !pending_;
  bool used_quantum = false;
  Activity activity = Activity::idle;
  for (const Workgroup* wg : movable_) {
    recurring = recurring && wg->result().recurring;
    used_quantum |= wg->result().used_quantum;
    activity = std::max(activity, wg->result().activity);
  }
  const bool watched = unchanged_rounds_++ >= kUnwatchedRounds;
  if (recurring) stop(true);
  if (!watched) return;
  if (activity == Activity::computes) {
    idle_rounds_ = idle_units_ = 0;
    return;
  }
  ++idle_rounds_;
  const uint64_t quantum = options_.quantum == 0 ? kUnlimitedQuantum : options_.quantum;
  idle_units_ += (used_quantum ? quantum : kIdleTurn) * (activity == Activity::rereads ? 1 : kIdleUnits);
  if (idle_units_ >= options_.max_idle_rounds * kIdleTurn * kIdleUnits) stop(false);
}

void Dispatcher::stop(bool proven) {
  const uint64_t rounds = proven ? unchanged_rounds_ : idle_rounds_;
  Stall stall{launch_.kernel, round_, rounds, proven, total_ - next_, report_.resident};
  throw NoProgressError(no_progress_report(memory_, active_, stall));
}

}  // namespace

DispatchReport dispatch(GlobalMemory& memory, const Launch& launch, const KernelProgram& kernel,
                        const DispatchOptions& options) {
  check_launch(launch);
  return Dispatcher(memory, launch, kernel, options).run();
}

}  // namespace wavetwin
