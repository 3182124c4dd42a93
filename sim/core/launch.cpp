// SPDX-License-Identifier: MIT
#include "sim/core/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.h"

namespace wavetwin {

namespace {

constexpr uint32_t kLdsGranule = 1280;  // LDS is handed out in these bytes (CDNA4 ISA guide, LDS allocation)

uint32_t round_up(uint32_t value, uint32_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// Waves of this kernel that one CU holds by its register files.
uint32_t waves_per_cu(const Launch& launch) {
  const uint32_t vgprs = std::max(kVgprGranule, round_up(launch.vgprs, kVgprGranule));
  return kSimdsPerCu * std::min(kWavesPerSimd, kVgprsPerSimd / vgprs);
}

}  // namespace

void check_launch(const Launch& launch) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("kernel '{}': {}", launch.kernel, why));
  };
  const uint64_t threads = launch.block.count();
  if (threads == 0 || threads > kMaxThreads) {
    refuse(fmt::format("a workgroup of {} threads; it must have 1 to {}", threads, kMaxThreads));
  }
  constexpr uint64_t kMaxWorkgroups = uint64_t{1} << 27;
  if (launch.grid.count() == 0 || launch.grid.count() > kMaxWorkgroups) {
    refuse(fmt::format("a grid of {} workgroups; it must have 1 to {}", launch.grid.count(), kMaxWorkgroups));
  }
  if (launch.lds_bytes > kMaxLdsBytes) {
    refuse(fmt::format("{} bytes of LDS; a workgroup has at most {}", launch.lds_bytes, kMaxLdsBytes));
  }
  if (launch.vgprs > kVgprsPerSimd) {
    refuse(fmt::format("{} VGPRs; a lane has at most {}", launch.vgprs, kVgprsPerSimd));
  }
  if (launch.waves() > waves_per_cu(launch)) {
    refuse(fmt::format("a workgroup of {} waves with {} VGPRs does not fit a CU, which holds {} such waves",
                       launch.waves(), launch.vgprs, waves_per_cu(launch)));
  }
}

uint32_t resident_workgroups(const Launch& launch) {
  const uint32_t by_waves = waves_per_cu(launch) / launch.waves();
  const uint32_t lds = round_up(launch.lds_bytes, kLdsGranule);
  const uint32_t by_lds = lds == 0 ? by_waves : kMaxLdsBytes / lds;
  return kCuCount * std::max(1u, std::min(by_waves, by_lds));
}

}  // namespace wavetwin
