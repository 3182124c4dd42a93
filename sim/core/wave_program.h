// SPDX-License-Identifier: MIT
// The one interface between the scheduler and what runs on it: coroutine kernels and the executor's waves
// alike.
//
// A KernelProgram makes the waves of a workgroup; a WaveProgram is one wave. The scheduler calls resume()
// with a turn; the wave runs until it has to wait or its turn is over and says why. It reaches memory through
// its Workgroup (sim/core/workgroup.h): wg.memory() for device memory, wg.lds() for LDS.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/lds.h"

namespace wavetwin {

class Workgroup;

// Why resume() returned.
enum class WaitReason : uint8_t {
  barrier,  // s_barrier: until every live wave of the workgroup is there, possibly in the same round
  memory,   // a wait that covers pending entries: resumed after the next commit, to look again
  sleep,    // s_sleep: the turn is over, resumed in the next round
  quantum,  // the turn's instructions are used up, resumed in the next round
  done,     // the wave ended; it is never resumed again
};

// One call of resume().
struct Turn {
  uint64_t budget = 0;  // instructions the wave may still execute in this round
  uint64_t used = 0;    // the wave adds what it executed
  uint64_t round = 0;   // rounds since the launch: the base of guest clocks
  // No byte of memory changed, no barrier completed and no wave ended in the rounds [idle_from, round).
  uint64_t idle_from = 0;
};

// A memory word that a wave waits for.
struct AwaitedValue {
  uint64_t address = 0;
  uint32_t bytes = 4;              // 1, 2, 4 or 8
  std::optional<uint64_t> wanted;  // unknown for most executor waves
};

// What a no-progress report says of one wave.
struct WaveStatus {
  std::string where;                  // "split: await_flags", or pc and instruction
  std::vector<AwaitedValue> awaited;  // in lane order; long lists are cut by the report
};

class WaveProgram {
 public:
  virtual ~WaveProgram() = default;

  // Runs until the wave waits, its turn is over or it ends. An exception ends the run; the scheduler adds
  // kernel, workgroup, wave and where() to the message of an Error.
  virtual WaitReason resume(Turn& turn) = 0;

  // The place in the program, for errors, findings and reports: short, one line.
  virtual std::string where() const = 0;

  // For the no-progress report, while the wave is suspended.
  virtual void describe(WaveStatus& status) const { status.where = where(); }

  // True when the wave's whole state at the end of this turn, or of one since Turn::idle_from, equals an
  // earlier one of the same idle rounds, so that as long as no memory byte changes it goes round the same
  // states: proof that it only polls. False when in doubt (the idle-round limit then ends the run). Asked
  // only of waves whose last reason was sleep, quantum or memory.
  virtual bool recurring() const { return false; }

  // What an LDS access past the allocation does, unless the options say.
  virtual LdsRange lds_range() const { return LdsRange::hardware; }
};

// One kernel with its arguments. make_wave is called from several threads at once, on distinct workgroups.
class KernelProgram {
 public:
  virtual ~KernelProgram() = default;
  virtual std::unique_ptr<WaveProgram> make_wave(Workgroup& workgroup, uint32_t wave) const = 0;
  // Waves of a workgroup, 1 to those of a whole one: a partial workgroup may have fewer.
  virtual uint32_t waves_of(uint32_t /*workgroup*/, uint32_t of_whole) const { return of_whole; }
  // Whether its waves note cache write-backs and invalidations, so that missing ones can be told.
  virtual bool notes_fences() const { return false; }
  // Between rounds, after the commit, on one thread: the host's turn, which may change memory, allocate and
  // free. True when it did what a wave may wait for; an exception ends the run.
  virtual bool serve_host() const { return false; }
};

}  // namespace wavetwin
