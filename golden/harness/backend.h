// SPDX-License-Identifier: MIT
// What runs a Program. The harness fills the memory before and looks at it afterwards; a backend only
// executes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "golden/harness/case.h"
#include "sim/core/checks.h"
#include "sim/kernels/device_rules.h"
#include "sim/numerics/mfma_model.h"
#include "sim/numerics/numeric_model.h"

namespace wavetwin::golden {

struct RunOptions {
  int threads = 0;                        // 0: all cores
  std::optional<uint64_t> schedule_seed;  // permutes waves and workgroups, delays pending memory
  std::optional<uint64_t> resident;       // resident workgroups; 0: all of the grid; nothing: as on the part
  uint64_t max_idle_rounds = 1000;
  std::string build;  // which code object: "" (-O3), ".O0", ".O1"
  // The user's files in place of the built code objects, by stem; one stands for every build.
  std::map<std::string, std::filesystem::path> code_objects;
  mfma::MfmaModel model;  // arithmetic of the MFMAs in the simulated backends
  NumericModel numeric;   // and of everything else that no document fixes
  DeviceRules rules;      // of the backend sim alone: the right ones unless a difference is to be explained
  FindingKinds allowed;   // what the simulated machines find of these kinds is counted and nothing more
};

// A buffer of the program during a run.
struct BufferImage {
  const BufferSpec* spec = nullptr;
  // Before execute: initial content and poison; after it: what the kernel left. Empty for a sparse buffer.
  std::vector<std::byte> bytes;
  // One a byte: 1 where the program put data; a read of anything else is a finding.
  std::vector<uint8_t> initialised;
  // The kernel has nothing to write here.
  bool read_only = false;
  // One a byte, filled by backends that know: 1 where it was initialised or the kernel stored. Else empty,
  // and the poison has to tell.
  std::vector<uint8_t> written;
};

struct Execution {
  std::vector<std::string> findings;  // what the machine observed: races, reads of never-written bytes, ...
  std::vector<std::string> hints;     // what most likely made the findings
  FindingCounts allowed{};            // of kinds that RunOptions allows
  std::string device;                 // hip: the device in words
  uint64_t rounds = 0;                // scheduler rounds of all launches; 0 where there are none
  double launch_seconds = 0;          // wall time of the launches alone; 0 where it is not measured
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const char* name() const = 0;
  // Why it cannot run here ("no gfx950: hipErrorNoDevice (100) ..."), or nothing. Cheap after the first call.
  virtual std::optional<std::string> unavailable() = 0;
  // The builds of the code objects a case runs with; more than one for cases with the label "opt".
  virtual std::vector<std::string> builds(const KernelCase&) const { return {""}; }
  // Runs all launches on the images (one a buffer of the program, in its order) and leaves the result in
  // them. Throws Error for a bad program: out of bounds, no progress, a missing code object.
  virtual Execution execute(const Program& program, std::vector<BufferImage>& images,
                            const RunOptions& options) = 0;
};

// The file a launch's code object is in under these options. Throws FileError when it is not there.
std::filesystem::path code_object_file(const std::string& stem, const RunOptions& options);

// One function a backend; `all_backends` lists them in the order of the rows.
std::unique_ptr<Backend> make_sim_backend();
std::unique_ptr<Backend> make_isa_backend();
std::unique_ptr<Backend> make_hip_backend();
std::vector<std::unique_ptr<Backend>> all_backends();

}  // namespace wavetwin::golden
