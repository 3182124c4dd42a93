// SPDX-License-Identifier: MIT
// Runs a launch to its end, in deterministic rounds.
//
//   round:   in parallel over resident workgroups: every wave runs, in wave order, until it waits or its turn
//   ends;
//            barriers complete; repeated until nothing in the workgroup can move
//   commit:  one thread, workgroup by workgroup: pending entries change memory, returned values are
//   delivered,
//            accesses of the round are checked for races, finished workgroups make room for the next ones
//   stop:    every wave is done, or an error, or no progress
//
// Memory, the number of rounds, findings and the error are the same on any number of threads, for kernels
// free of races. The error is that of the lowest workgroup of the first round that has one.
#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/core/checks.h"
#include "sim/core/error.h"
#include "sim/core/global_memory.h"
#include "sim/core/launch.h"
#include "sim/core/wave_program.h"
#include "sim/core/wave_task.h"

namespace wavetwin {

struct DispatchReport {
  uint64_t rounds = 0;
  uint64_t instructions = 0;     // what waves reported; for coroutine kernels their memory operations
  uint64_t pending_entries = 0;  // device-scope stores and atomics committed
  uint32_t resident = 0;         // size of the resident set
  unsigned threads = 1;          // host threads used
  uint64_t untracked_reads = 0;  // loads the race check had no room for (0: the check was complete)
  FindingLog findings;
};

// A run without progress. what() is the whole report: one line of summary, then one line for every wave or
// group of waves in the same state: place, awaited address by name, value there, value wanted, last writer.
class NoProgressError : public Error {
 public:
  using Error::Error;
};

// Throws Error for a launch that does not fit the part, NoProgressError for a deadlock or livelock, and the
// guest's own errors with kernel, workgroup, wave and place in front.
DispatchReport dispatch(GlobalMemory& memory, const Launch& launch, const KernelProgram& kernel,
                        const DispatchOptions& options = {});

// The same for a coroutine kernel.
template <class Args>
DispatchReport launch_kernel(GlobalMemory& memory, const Launch& launch, WaveTask (*kernel)(Wave&, Args),
                             const std::type_identity_t<Args>& args, const DispatchOptions& options = {}) {
  return dispatch(memory, launch, CoroutineKernel<Args>(kernel, args), options);
}

}  // namespace wavetwin
