// SPDX-License-Identifier: MIT
// Tells a wave that computes from one that only looks at the same memory again, in rounds in which nothing
// changed.
//
// As long as no byte changes, a wave that does not end is a spin, or a computation that is not done yet.
// Waves whose whole state recurs are proven to spin (WaveProgram::recurring). What is left has new registers
// in every turn: a spin that counts its looks, or a computation. A spin looks at places it looked at before;
// so does a loop over a small table, but what another wave publishes is read with device scope or an atomic.
// assumption: a wave that reads few places again and again with device scope, for a thousand turns and
// thousands of instructions without anything else between, waits for somebody to write there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/core/lane.h"

namespace wavetwin {

// What a turn did while nothing changed, and so what a round of such turns did: that of its busiest wave.
enum class Activity : uint8_t {
  idle,      // looked again at places it had read, some with device scope or an atomic; or slept, or waited
  rereads,   // looked again at places it had read, plainly: a small table, or a spin that forgot the scope
  computes,  // used its turn, and read nothing lately, or a place it had not read before
};

class PollWatch {
 public:
  // A read of any kind of memory by the lanes of the mask. `synchronising`: an atomic, or with SC0 or SC1.
  template <class Address>
  void read(const Address* address, LaneMask mask, bool synchronising) {
    if (mask.is_none()) return;
    uint64_t key = uint64_t{mask.bits} * 0x9E3779B97F4A7C15ull;
    for (unsigned l = 0; l < kWaveSize; ++l) key += ((mask.bits >> l) & 1) != 0 ? uint64_t{address[l]} : 0;
    read_ = true;
    synchronising_ |= synchronising;
    if (std::find(places_.begin(), places_.end(), key) != places_.end()) return;
    places_[next_++ % kPlaces] = key;
    new_place_ = true;
  }

  // The turn is over: it executed `used` instructions, and may have been cut short by the quantum.
  Activity end_turn(uint64_t used, bool cut) {
    if (read_ && !new_place_) {
      since_look_ = 0;
      last_ = synchronising_ ? Activity::idle : Activity::rereads;
    } else {
      since_look_ += used;
    }
    read_ = new_place_ = synchronising_ = false;
    const bool busy = cut || used >= kQuiet;  // it did not just sleep or wait
    return busy && since_look_ >= kQuiet ? Activity::computes : last_;
  }

 private:
  static constexpr size_t kPlaces = 64;     // more of them in turn are no spin
  static constexpr uint64_t kQuiet = 1000;  // instructions without a second look

  std::array<uint64_t, kPlaces> places_{};  // keys; the oldest is replaced
  size_t next_ = 0;
  bool read_ = false, new_place_ = false, synchronising_ = false;  // of this turn
  uint64_t since_look_ = kQuiet;                                   // a wave that never looked twice computes
  Activity last_ = Activity::idle;
};

}  // namespace wavetwin
