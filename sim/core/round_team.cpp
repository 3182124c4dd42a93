// SPDX-License-Identifier: MIT
#include "sim/core/round_team.h"

#include "sim/core/workgroup.h"

namespace wavetwin {

namespace {

constexpr unsigned kCountShift = 24;
constexpr unsigned kGenerationShift = 48;
constexpr uint64_t kField = RoundTeam::kMaxItems;

}  // namespace

void RoundTeam::run(Workgroup* const* workgroups, uint32_t count, uint64_t round) {
  const uint32_t signal = signal_.load(std::memory_order_relaxed) + 1;
  // Every item of the last round was taken and has run, so nobody reads these until the claim word opens the
  // round.
  workgroups_.store(workgroups, std::memory_order_relaxed);
  round_.store(round, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  claim_.store(uint64_t{signal} << kGenerationShift | uint64_t{count} << kCountShift,
               std::memory_order_release);
  signal_.store(signal, std::memory_order_release);
  signal_.notify_all();
  take_items();
  for (uint32_t done = done_.load(std::memory_order_acquire); done != count;) {
    done_.wait(done, std::memory_order_acquire);
    done = done_.load(std::memory_order_acquire);
  }
}

void RoundTeam::take_items() {
  uint64_t claim = claim_.load(std::memory_order_acquire);
  while (true) {
    const uint32_t item = static_cast<uint32_t>(claim & kField);
    const uint32_t count = static_cast<uint32_t>(claim >> kCountShift & kField);
    if (item >= count) return;
    if (!claim_.compare_exchange_weak(claim, claim + 1, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    workgroups_.load(std::memory_order_relaxed)[item]->run_round(round_.load(std::memory_order_relaxed));
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == count) done_.notify_all();
    claim = claim_.load(std::memory_order_acquire);
  }
}

void RoundTeam::help() {
  uint32_t seen = 0;
  while (!stopped_.load(std::memory_order_acquire)) {
    signal_.wait(seen, std::memory_order_acquire);
    seen = signal_.load(std::memory_order_acquire);
    take_items();
  }
}

void RoundTeam::stop() {
  stopped_.store(true, std::memory_order_release);
  signal_.fetch_add(1, std::memory_order_release);
  signal_.notify_all();
}

}  // namespace wavetwin
