// SPDX-License-Identifier: MIT
// What is launched (grid, block, resources) and how it is run (options).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/core/lds.h"

namespace wavetwin {

// Of a gfx950 part (CDNA4 ISA guide and the MI355X data sheet).
inline constexpr uint32_t kCuCount = 256;
inline constexpr uint32_t kXccCount = 8;
inline constexpr uint32_t kSimdsPerCu = 4;
inline constexpr uint32_t kWavesPerSimd = 8;
inline constexpr uint32_t kVgprsPerSimd = 512;  // unified VGPRs (architectural + accumulation) a lane
inline constexpr uint32_t kVgprGranule = 8;
inline constexpr uint32_t kMaxThreads = 1024;  // of a workgroup

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
};

struct Launch {
  std::string kernel = {};  // name for errors and reports
  Dim3 grid = {};           // workgroups
  Dim3 block = {};          // threads of a workgroup
  uint32_t lds_bytes = 0;   // static + dynamic
  uint32_t vgprs = 128;     // unified VGPRs of a lane, for the resident set

  uint32_t threads() const { return static_cast<uint32_t>(block.count()); }
  uint32_t waves() const { return (threads() + kWaveSize - 1) / kWaveSize; }
};

// Error (naming the kernel) when the launch does not fit the part: no threads, more than 1024, too much LDS,
// too many VGPRs for its waves to be resident together.
void check_launch(const Launch& launch);

// Workgroups that 256 CUs hold at once, by waves, LDS and VGPRs; at least 1 for a valid launch.
uint32_t resident_workgroups(const Launch& launch);

inline constexpr uint32_t kResidentAll = 0xFFFFFFFFu;

struct DispatchOptions {
  unsigned threads = 0;        // host threads; 0: one a core; never more than the cores
  bool oversubscribe = false;  // lift that cap (determinism tests)
  uint64_t quantum = 1000;  // instructions of a wave's turn; 0: unlimited (ends only after kUnlimitedQuantum)
  uint32_t resident = 0;    // workgroups resident at once; 0: as the part; kResidentAll: the whole grid
  uint32_t max_idle_rounds = 1000;  // rounds in a row that change and compute nothing, which end the run
  uint64_t max_rounds = 0;          // rounds that end the run with an Error; 0: no limit

  // Permutes the order of waves and workgroups in each round, and delays each pending entry by 0..max_delay
  // rounds.
  std::optional<uint64_t> schedule_seed = {};
  uint32_t max_delay = 3;

  bool check_races = true;                 // device memory, between workgroups in one round
  bool check_lds_races = true;             // LDS, between waves and two barriers
  bool check_never_written = true;         // memory and LDS
  std::optional<LdsRange> lds_range = {};  // empty: strict for coroutine kernels, hardware for the others
  uint32_t findings_kept = 16;             // of each kind; all are counted
};

// A turn of an "unlimited" quantum still ends here, so that a wave that spins on LDS lets the others run.
inline constexpr uint64_t kUnlimitedQuantum = uint64_t{1} << 20;

}  // namespace wavetwin
