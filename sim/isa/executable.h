// SPDX-License-Identifier: MIT
// A code object made ready to run: decoded once, each instruction with the function that executes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/global_memory.h"
#include "sim/isa/code_object.h"
#include "sim/isa/decode.h"
#include "sim/isa/environment.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

struct Step {
  ExecFn run;
  const Instruction* instruction;
  InstructionKind kind;
};

class Executable {
 public:
  explicit Executable(CodeObject object);
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  const CodeObject& object() const { return object_; }
  const Program& program() const { return program_; }
  // One a decoded instruction, and a last one that raises Error for running past the end.
  const std::vector<Step>& steps() const { return steps_; }
  // Loads that some path uses early, accesses to LDS that are late on some path (load_hazards.h).
  const WatchedInstructions& watched_loads() const { return watched_loads_; }
  const WatchedInstructions& watched_lds() const { return watched_lds_; }
  // Whether some path has too few wait states (wait_states.h).
  bool has_close_followers() const { return has_close_followers_; }
  // Whether some path leaves a scalar store in its cache (scalar_stores.h).
  bool has_unwritten_stores() const { return has_unwritten_stores_; }

 private:
  void watch(WatchedInstructions& watched, uint32_t index, ExecFn run);

  CodeObject object_;
  Program program_;
  Instruction end_;  // stands behind the last instruction
  std::vector<Step> steps_;
  WatchedInstructions watched_loads_, watched_lds_;
  bool has_close_followers_ = false;
  bool has_unwritten_stores_ = false;
};

// Puts the code object's segments into device memory as a buffer `name`, relocated; gives the guest address
// of image address 0.
uint64_t load_image(GlobalMemory& memory, const CodeObject& object, const std::string& name);

}  // namespace wavetwin::isa
