// SPDX-License-Identifier: MIT
// What a host runtime gives kernels through hidden arguments besides numbers: buffers that a thread of the
// host serves, and the state of grid-wide barriers. Sources: LLVM AMDGPUUsage ("Code Object V5 Kernel
// Argument Metadata"); the ROCm device libraries (ockl, cg.cl) for the state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wavetwin::isa {

// A service that needs a host thread, which is not here: its argument points behind an empty block of this
// name, so that the first access is an error that says what was asked for.
struct HostService {
  const char* kind;  // of the hidden argument
  const char* name;
  uint64_t address;  // of the block

  uint64_t pointer() const { return address + 4096; }
};
inline constexpr std::array kHostServices = {
    HostService{"hidden_printf_buffer",
                "hidden_printf_buffer (printf, which needs the host, is not simulated)", 0x7f03'0000'0000},
    HostService{"hidden_hostcall_buffer",
                "hidden_hostcall_buffer (calls of the host, as printf and assert make, are not simulated)",
                0x7f04'0000'0000},
    HostService{"hidden_heap_v1", "hidden_heap_v1 (malloc and free of kernels are not simulated)",
                0x7f05'0000'0000},
    HostService{"hidden_default_queue",
                "hidden_default_queue (kernels that launch kernels are not simulated)", 0x7f06'0000'0000},
    HostService{"hidden_completion_action",
                "hidden_completion_action (kernels that launch kernels are not simulated)", 0x7f07'0000'0000},
};
std::optional<HostService> host_service(std::string_view kind);

// The argument hidden_multigrid_sync_arg: a barrier of the grid counts its workgroups here. assumption: the
// layout of the ROCm 6 and 7 device libraries; what a later one has behind it is out of bounds and an error.
struct GridSyncState {
  uint64_t multi_grid = 0;  // null: the launch is on one device
  uint32_t grid = 0, grids = 0;
  uint64_t items_before = 0, all_items = 0;
  uint32_t arrived = 0, spare = 0;
  uint32_t workgroups = 0, padding = 0;
};
static_assert(sizeof(GridSyncState) == 48);
inline constexpr const char* kGridSyncKind = "hidden_multigrid_sync_arg";
inline constexpr const char* kGridSyncName = "grid synchronisation state";
inline constexpr uint64_t kGridSyncAddress = 0x7f08'0000'0000;

}  // namespace wavetwin::isa
