// SPDX-License-Identifier: MIT
#include "sim/core/wave_task.h"

#include "sim/core/schedule_hash.h"

namespace wavetwin {

void CoroutineWave::start(const WaveTask& task) {
  top_ = task.handle();
  wave_.leaf_ = top_;
}

WaitReason CoroutineWave::resume(Turn& turn) {
  if (turn.round != round_) wave_.round_start_ = wave_.instructions_;
  round_ = turn.round;
  const uint64_t turn_start = wave_.instructions_;
  // A wait for memory is over when everything the wave issued is committed.
  if (wave_.suspended_ && wave_.reason_ == WaitReason::memory && wave_.stores_outstanding())
    return WaitReason::memory;
  wave_.suspended_ = false;
  while (!wave_.suspended_) {
    wave_.leaf_.resume();
    if (top_.done()) {
      turn.used += wave_.instructions_ - turn_start;
      return WaitReason::done;
    }
  }
  turn.used += wave_.instructions_ - turn_start;
  const uint64_t hash = awaited_hash();
  recurring_ = hash != 0 && hash == last_hash_;
  last_hash_ = hash;
  return wave_.reason_;
}

std::string CoroutineWave::where() const { return wave_.stage_; }

// What the wave polls, and where; 0 when it does not poll.
uint64_t CoroutineWave::awaited_hash() const {
  if (wave_.reason_ != WaitReason::sleep || wave_.awaited_lanes_.is_none()) return 0;
  uint64_t hash = schedule_hash(wave_.awaited_lanes_.bits, wave_.awaited_value_,
                                reinterpret_cast<uintptr_t>(wave_.leaf_.address()));
  wave_.awaited_lanes_.for_each([&](unsigned l) { hash = schedule_hash(hash, wave_.awaited_address_[l]); });
  return hash | 1;
}

void CoroutineWave::describe(WaveStatus& status) const {
  status.where = where();
  wave_.awaited_lanes_.for_each([&](unsigned l) {
    status.awaited.push_back({wave_.awaited_address_[l], wave_.awaited_bytes_, wave_.awaited_value_});
  });
}

}  // namespace wavetwin
