// SPDX-License-Identifier: MIT
// What a host runtime gives kernels through hidden arguments besides numbers: buffers that a thread of the
// host serves (hostcall_server.h), and the state of grid-wide barriers. Sources: LLVM AMDGPUUsage ("Code
// Object V5 Kernel Argument Metadata"); the ROCm device libraries (ockl, cg.cl) for the state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wavetwin::isa {

inline constexpr const char* kPrintfKind = "hidden_printf_buffer";
inline constexpr const char* kHostcallKind = "hidden_hostcall_buffer";
inline constexpr const char* kHeapKind = "hidden_heap_v1";
inline constexpr uint64_t kPrintfAddress = 0x7f03'0000'0000;
inline constexpr uint64_t kHostcallAddress = 0x7f04'0000'0000;
inline constexpr uint64_t kHeapAddress = 0x7f05'0000'0000;

// The hidden arguments of both kinds. One that is refused points behind an empty block of this name, so that
// the first access is an error that says what was asked for.
struct HostService {
  const char* kind;     // of the hidden argument
  uint64_t address;     // of the block
  const char* refused;  // its name; null: the service is there

  uint64_t pointer() const { return refused != nullptr ? address + 4096 : address; }
};
inline constexpr std::array kHostServices = {
    HostService{kPrintfKind, kPrintfAddress, nullptr},
    HostService{kHostcallKind, kHostcallAddress, nullptr},
    HostService{kHeapKind, kHeapAddress, nullptr},
    HostService{"hidden_default_queue", 0x7f06'0000'0000,
                "hidden_default_queue (kernels that launch kernels are not simulated)"},
    HostService{"hidden_completion_action", 0x7f07'0000'0000,
                "hidden_completion_action (kernels that launch kernels are not simulated)"},
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
