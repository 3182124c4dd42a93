// SPDX-License-Identifier: MIT
// The threads of a dispatch: they sleep between rounds and share the workgroups of one.
//
// An OpenMP barrier a round would do, but its threads spin, which costs milliseconds a round on a machine
// that has other work. Here a thread that comes late finds nothing left and is not waited for.
#pragma once

#include <atomic>
#include <cstdint>

namespace wavetwin {

class Workgroup;

class RoundTeam {
 public:
  static constexpr uint32_t kMaxItems = (1u << 24) - 1;

  // The leader: runs every workgroup of the round (at most kMaxItems), together with whoever helps, and
  // returns when all have run.
  void run(Workgroup* const* workgroups, uint32_t count, uint64_t round);
  // The others: help until stop().
  void help();
  void stop();

 private:
  void take_items();

  // What is left of the round, in one word, so that a late thread cannot take an item of another round:
  // generation (16 bits), number of items (24), next item (24).
  std::atomic<uint64_t> claim_{0};
  std::atomic<uint32_t> signal_{0};  // counts rounds; what helpers sleep on
  std::atomic<bool> stopped_{false};
  std::atomic<uint32_t> done_{0};
  std::atomic<Workgroup* const*> workgroups_{nullptr};
  std::atomic<uint64_t> round_{0};
};

}  // namespace wavetwin
