// SPDX-License-Identifier: MIT
// The buffers of a program in a GlobalMemory, for the backends that simulate (sim, isa).
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "golden/harness/backend.h"
#include "sim/core/checks.h"
#include "sim/core/global_memory.h"
#include "sim/core/launch.h"

namespace wavetwin::golden {

class SimulatedMemory : public Addresses {
 public:
  // Allocates every buffer and writes what the program initialised; the rest is never-written.
  explicit SimulatedMemory(const std::vector<BufferImage>& images);

  uint64_t of(std::string_view buffer) const override;
  GlobalMemory& memory() { return memory_; }

  // What the kernels left, and which bytes they (or the program) wrote. Never-written bytes keep the image's
  // poison.
  void read_back(std::vector<BufferImage>& images) const;

 private:
  GlobalMemory memory_;
  std::vector<std::pair<std::string, uint64_t>> addresses_;
};

// The machine's form of a launch and of the options.
wavetwin::Launch machine_launch(const Launch& launch);
DispatchOptions dispatch_options(const RunOptions& options);

// The work of a launch, timed into `seconds`.
template <class Work>
auto timed(double& seconds, Work work) {
  const auto start = std::chrono::steady_clock::now();
  auto report = work();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

// Appends one line a finding, and one for those that were counted but not kept; of the kinds in `allow` there
// are only counts, added to `allowed`.
void append_findings(const FindingLog& log, FindingKinds allow, std::vector<std::string>& findings,
                     FindingCounts& allowed);
// "allowed: 3 x missing wait states, 1 x LDS race", or empty.
std::string allowed_text(const FindingCounts& allowed);

}  // namespace wavetwin::golden
