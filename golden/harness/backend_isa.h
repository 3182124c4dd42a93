// SPDX-License-Identifier: MIT
// The backend `isa` with somebody watching one wave.
#pragma once

#include <cstdint>
#include <memory>

#include "golden/harness/backend.h"

namespace wavetwin::isa {
class TraceObserver;
}

namespace wavetwin::golden {

// Wave `wave` of workgroup `workgroup` of every launch.
struct TracedWave {
  isa::TraceObserver* observer = nullptr;
  uint64_t workgroup = 0;
  uint32_t wave = 0;
};
std::unique_ptr<Backend> make_traced_isa_backend(const TracedWave& traced);

}  // namespace wavetwin::golden
