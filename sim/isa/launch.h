// SPDX-License-Identifier: MIT
// What a launch puts in front of a wave: the kernarg block, the dispatch packet and the initial registers.
// Sources: LLVM AMDGPUUsage ("Kernel Dispatch", "Initial Kernel Execution State", "Implicit kernel
// arguments"), checked against what clang-22 reads in kernels built for gfx950.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/isa/code_object.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::isa {

inline constexpr uint32_t kMaxWorkgroupItems = 1024;
inline constexpr uint32_t kDispatchPacketBytes = 64;

// Along an axis whose work-items are no multiple of the block, the last workgroup is partial: it has what is
// left over, numbers its work-items by its own size, and waves that would have none are not there.
struct LaunchShape {
  std::array<uint32_t, 3> grid{1, 1, 1};    // workgroups, with the partial one of each axis
  std::array<uint32_t, 3> block{64, 1, 1};  // work-items of a whole workgroup
  uint32_t dynamic_lds = 0;                 // bytes behind the kernel's static LDS
  std::array<uint32_t, 3> remainder{};      // work-items along an axis of its partial workgroup; 0: none is
  uint32_t dimensions = 3;                  // that the launch states, 1 to 3; HIP always states three

  // The grid of an AQL packet, in work-items. A block without work-items is left for check_shape to refuse.
  static LaunchShape of_items(const std::array<uint32_t, 3>& items, const std::array<uint32_t, 3>& block);

  uint64_t workgroups() const { return uint64_t{grid[0]} * grid[1] * grid[2]; }
  uint32_t items() const { return block[0] * block[1] * block[2]; }   // of a whole workgroup
  uint32_t waves() const { return (items() + kLanes - 1) / kLanes; }  // of a whole workgroup
  uint32_t whole_workgroups(unsigned axis) const { return grid[axis] - (remainder[axis] != 0); }
  uint64_t items_along(unsigned axis) const {
    return uint64_t{whole_workgroups(axis)} * block[axis] + remainder[axis];
  }
  bool partial() const { return remainder != std::array<uint32_t, 3>{}; }
  // Coordinates of workgroup `id`, x fastest.
  std::array<uint32_t, 3> coordinates(uint64_t id) const;
  // Work-items and waves of workgroup `id`.
  std::array<uint32_t, 3> block_of(uint64_t id) const;
  uint32_t waves_of(uint64_t id) const;
};

// Guest addresses of what the launch itself owns.
struct LaunchAddresses {
  uint64_t kernarg = 0;
  uint64_t dispatch_packet = 0;
  uint64_t queue = 0;
  uint64_t descriptor = 0;
};

// Throws Error when the shape does not fit the kernel: empty, above 1024 work-items, not the required
// workgroup size, partial where the kernel relies on whole workgroups, or more LDS than a workgroup can have.
void check_shape(const KernelInfo& kernel, const LaunchShape& shape);

// The kernarg block from the metadata: `explicit_arguments` are the bytes of the arguments that are not
// hidden, in order; every hidden one is filled from the shape. Error when the number or a size differs.
std::vector<uint8_t> build_kernarg(const KernelInfo& kernel, const LaunchShape& shape,
                                   std::span<const std::vector<uint8_t>> explicit_arguments,
                                   uint64_t queue_address);

// The kernarg block from raw bytes: padded with zeros to the kernel's size; hidden arguments that lie behind
// `raw` are filled from the metadata where there is some.
std::vector<uint8_t> pad_kernarg(const KernelInfo& kernel, const LaunchShape& shape,
                                 std::span<const uint8_t> raw, uint64_t queue_address);

// The AQL kernel dispatch packet that dispatch_ptr points to.
std::array<uint8_t, kDispatchPacketBytes> build_dispatch_packet(const KernelInfo& kernel,
                                                                const LaunchShape& shape,
                                                                const LaunchAddresses& addresses);

// Sets every register of a wave as the hardware would find it. Registers without a defined value hold
// 0x7FA5xxxx (a signalling NaN as f32, and easy to recognise), xxxx from `seed`, workgroup, wave, register
// and lane.
struct WaveStart {
  uint64_t workgroup = 0;
  uint32_t wave = 0;
  uint32_t mode_bits = 0x3f0;
  uint64_t seed = 0;
};
void initialise_registers(WaveState& state, const KernelInfo& kernel, const LaunchShape& shape,
                          const LaunchAddresses& addresses, std::span<const uint8_t> kernarg,
                          const WaveStart& start);

}  // namespace wavetwin::isa
