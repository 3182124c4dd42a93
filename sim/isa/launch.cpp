// SPDX-License-Identifier: MIT
#include "sim/isa/launch.h"

#include <algorithm>
#include <cstring>

#include "sim/core/error.h"
#include "sim/isa/host_services.h"
#include "sim/isa/scalar_operand.h"

namespace wavetwin::isa {
namespace {

constexpr uint32_t kMaxLdsBytes = 160 * 1024;
constexpr uint32_t kUndefinedTag = 0x7fa5'0000;

template <typename T>
void put(std::span<uint8_t> block, size_t offset, T value) {
  std::memcpy(block.data() + offset, &value, sizeof value);
}

std::string dimensions(const std::array<uint32_t, 3>& v) {
  return std::to_string(v[0]) + " x " + std::to_string(v[1]) + " x " + std::to_string(v[2]);
}

// Value of a hidden argument.
uint64_t hidden_value(const std::string& kind, const LaunchShape& shape, uint64_t queue_address) {
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::string suffix = kAxes[axis];
    if (kind == "hidden_block_count_" + suffix) return shape.whole_workgroups(axis);
    if (kind == "hidden_group_size_" + suffix) return shape.block[axis];
    if (kind == "hidden_remainder_" + suffix) return shape.remainder[axis];
    if (kind == "hidden_global_offset_" + suffix) return 0;
  }
  if (kind == "hidden_grid_dims") return shape.dimensions;
  if (kind == "hidden_private_base") return kPrivateApertureHigh;
  if (kind == "hidden_shared_base") return kSharedApertureHigh;
  if (kind == "hidden_queue_ptr") return queue_address;
  if (kind == "hidden_dynamic_lds_size") return shape.dynamic_lds;
  if (kind == kGridSyncKind) return kGridSyncAddress;
  const auto service = host_service(kind);
  return service ? service->pointer() : 0;
}

void fill_hidden(std::span<uint8_t> block, const KernelInfo& kernel, const LaunchShape& shape, size_t from,
                 uint64_t queue_address) {
  for (const KernelArgumentInfo& argument : kernel.metadata.arguments) {
    if (!argument.hidden() || argument.offset < from) continue;
    const uint64_t value = hidden_value(argument.kind, shape, queue_address);
    std::memcpy(block.data() + argument.offset, &value, std::min<size_t>(argument.size, sizeof value));
  }
}

size_t block_bytes(const KernelInfo& kernel) {
  size_t bytes = std::max(kernel.descriptor.kernarg_size, kernel.metadata.kernarg_size);
  for (const KernelArgumentInfo& a : kernel.metadata.arguments) {
    bytes = std::max<size_t>(bytes, size_t{a.offset} + a.size);
  }
  return bytes;
}

// splitmix64's mixing step.
uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void fill_undefined(uint32_t* words, size_t count, uint64_t seed) {
  const uint32_t key = static_cast<uint32_t>(mix(seed));
  for (uint32_t i = 0; i < count; ++i)
    words[i] = kUndefinedTag | ((i * 0x9e3779b9u ^ key) * 0x85ebca6bu) >> 16;
}

void set_user_sgprs(WaveState& state, const KernelInfo& kernel, const LaunchShape& shape,
                    const LaunchAddresses& addresses, std::span<const uint8_t> kernarg,
                    const WaveStart& start) {
  const KernelDescriptor& d = kernel.descriptor;
  unsigned at = 0;
  const auto word = [&](uint32_t value) {
    if (at < kSgprCount) state.scalar[at] = value;
    ++at;
  };
  const auto address = [&](uint64_t value) {
    word(static_cast<uint32_t>(value));
    word(static_cast<uint32_t>(value >> 32));
  };
  if (d.has_private_segment_buffer()) at += 4;
  if (d.has_dispatch_ptr()) address(addresses.dispatch_packet);
  if (d.has_queue_ptr()) address(addresses.queue);
  if (d.has_kernarg_ptr()) address(addresses.kernarg);
  if (d.has_dispatch_id()) address(0);
  if (d.has_flat_scratch_init()) at += 2;
  if (d.has_private_segment_size()) word(d.private_segment_fixed_size);
  for (unsigned i = 0; i < d.preload_dwords() && at < d.user_sgprs(); ++i) {
    const size_t offset = (size_t{d.preload_offset_dwords()} + i) * 4;
    uint32_t value = 0;
    if (offset + 4 <= kernarg.size()) std::memcpy(&value, kernarg.data() + offset, 4);
    word(value);
  }
  at = d.user_sgprs();
  const auto workgroup = shape.coordinates(start.workgroup);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (d.workgroup_id(axis)) word(workgroup[axis]);
  }
  if (d.workgroup_info()) word(shape.waves_of(start.workgroup) & 0x3f);
}

// v0 packs the work-item ids x, y, z in ten bits each; axes the kernel does not ask for are zero. A partial
// workgroup fills its lanes in the order of its own size (HSA Programmer's Reference Manual, "current
// work-item flattened ID"; the ROCm device libraries' sub-group ids rely on it).
void set_workitem_ids(WaveState& state, const KernelInfo& kernel, const std::array<uint32_t, 3>& block,
                      uint32_t wave) {
  const unsigned axes = kernel.descriptor.workitem_id_axes();
  const uint32_t items = block[0] * block[1] * block[2];
  uint64_t exec = 0;
  uint32_t* v0 = state.vgpr_destination(0);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t flat = wave * kLanes + lane;
    if (flat >= items) break;
    exec |= uint64_t{1} << lane;
    const uint32_t x = flat % block[0];
    const uint32_t y = flat / block[0] % block[1];
    const uint32_t z = flat / block[0] / block[1];
    v0[lane] = x | (axes > 1 ? y << 10 : 0) | (axes > 2 ? z << 20 : 0);
  }
  state.set_exec(exec);
}

// AMDGPUUsage, ".uniform_work_group_size": the compiler took every workgroup for a whole one.
void require_whole_workgroups(const KernelInfo& kernel, const LaunchShape& shape) {
  if (!shape.partial() || !kernel.metadata.uniform_workgroups) return;
  const auto items_along = [&](unsigned axis) { return std::to_string(shape.items_along(axis)); };
  throw Error("kernel '" + kernel.name + "': the grid of " + items_along(0) + " x " + items_along(1) + " x " +
              items_along(2) + " work-items is no multiple of the block " + dimensions(shape.block) +
              ", but the kernel was built for whole workgroups (.uniform_work_group_size; clang's "
              "-fno-offload-uniform-block builds it for partial ones)");
}

}  // namespace

LaunchShape LaunchShape::of_items(const std::array<uint32_t, 3>& items,
                                  const std::array<uint32_t, 3>& block) {
  LaunchShape shape;
  shape.block = block;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const uint32_t along = std::max(block[axis], 1u);
    shape.remainder[axis] = items[axis] % along;
    shape.grid[axis] = items[axis] / along + (shape.remainder[axis] != 0);
  }
  return shape;
}

std::array<uint32_t, 3> LaunchShape::block_of(uint64_t id) const {
  const std::array<uint32_t, 3> at = coordinates(id);
  std::array<uint32_t, 3> items = block;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (at[axis] >= whole_workgroups(axis)) items[axis] = remainder[axis];
  }
  return items;
}

uint32_t LaunchShape::waves_of(uint64_t id) const {
  const std::array<uint32_t, 3> items = block_of(id);
  return (items[0] * items[1] * items[2] + kLanes - 1) / kLanes;
}

std::array<uint32_t, 3> LaunchShape::coordinates(uint64_t id) const {
  return {static_cast<uint32_t>(id % grid[0]), static_cast<uint32_t>(id / grid[0] % grid[1]),
          static_cast<uint32_t>(id / grid[0] / grid[1])};
}

void check_shape(const KernelInfo& kernel, const LaunchShape& shape) {
  const std::string who = "kernel '" + kernel.name + "': ";
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (shape.grid[axis] == 0) throw Error(who + "grid " + dimensions(shape.grid) + " is empty");
    if (shape.block[axis] == 0) throw Error(who + "block " + dimensions(shape.block) + " is empty");
    if (shape.block[axis] > kMaxWorkgroupItems) {
      throw Error(who + "block " + dimensions(shape.block) + " has more than 1024 work-items");
    }
    // The dispatch packet counts work-items in 32 bits an axis.
    if (shape.items_along(axis) > 0xffffffffu) {
      throw Error(who + "grid " + dimensions(shape.grid) + " of blocks " + dimensions(shape.block) +
                  " has more than 4294967295 work-items along an axis");
    }
  }
  const uint32_t limit = kernel.has_metadata
                             ? std::min(kMaxWorkgroupItems, kernel.metadata.max_flat_workgroup_size)
                             : kMaxWorkgroupItems;
  if (uint64_t{shape.block[0]} * shape.block[1] * shape.block[2] > limit) {
    throw Error(who + "block " + dimensions(shape.block) + " has more than the " + std::to_string(limit) +
                " work-items the kernel was built for");
  }
  if (shape.workgroups() > 0x7fffffff) throw Error(who + "grid " + dimensions(shape.grid) + " is too large");
  const auto& required = kernel.metadata.required_workgroup_size;
  if (required && *required != shape.block) {
    throw Error(who + "block " + dimensions(shape.block) + ", but the kernel requires " +
                dimensions(*required));
  }
  require_whole_workgroups(kernel, shape);
  const uint64_t lds = uint64_t{kernel.descriptor.group_segment_fixed_size} + shape.dynamic_lds;
  if (lds > kMaxLdsBytes) {
    throw Error(who + "needs " + std::to_string(lds) + " bytes of LDS (" +
                std::to_string(kernel.descriptor.group_segment_fixed_size) + " static, " +
                std::to_string(shape.dynamic_lds) + " dynamic); a workgroup has " +
                std::to_string(kMaxLdsBytes));
  }
}

std::vector<uint8_t> build_kernarg(const KernelInfo& kernel, const LaunchShape& shape,
                                   std::span<const std::vector<uint8_t>> explicit_arguments,
                                   uint64_t queue_address) {
  const std::string who = "kernel '" + kernel.name + "': ";
  if (!kernel.has_metadata)
    throw Error(who + "has no metadata: give a raw \"kernarg\" block instead of \"args\"");
  std::vector<uint8_t> block(block_bytes(kernel));
  size_t given = 0;
  for (const KernelArgumentInfo& argument : kernel.metadata.arguments) {
    if (argument.hidden()) continue;
    const std::string place = "argument " + std::to_string(given) +
                              (argument.name.empty() ? std::string() : " '" + argument.name + "'");
    if (given >= explicit_arguments.size()) {
      throw Error(who + place + " is missing (" + std::to_string(explicit_arguments.size()) + " were given)");
    }
    const std::vector<uint8_t>& value = explicit_arguments[given];
    if (value.size() != argument.size) {
      throw Error(who + place + " has " + std::to_string(argument.size) + " bytes, the value given has " +
                  std::to_string(value.size()));
    }
    std::copy(value.begin(), value.end(), block.begin() + argument.offset);
    ++given;
  }
  if (given != explicit_arguments.size()) {
    throw Error(who + "takes " + std::to_string(given) + " arguments, " +
                std::to_string(explicit_arguments.size()) + " were given");
  }
  fill_hidden(block, kernel, shape, 0, queue_address);
  return block;
}

std::vector<uint8_t> pad_kernarg(const KernelInfo& kernel, const LaunchShape& shape,
                                 std::span<const uint8_t> raw, uint64_t queue_address) {
  std::vector<uint8_t> block(std::max(block_bytes(kernel), raw.size()));
  fill_hidden(block, kernel, shape, raw.size(), queue_address);
  std::copy(raw.begin(), raw.end(), block.begin());
  return block;
}

std::array<uint8_t, kDispatchPacketBytes> build_dispatch_packet(const KernelInfo& kernel,
                                                                const LaunchShape& shape,
                                                                const LaunchAddresses& addresses) {
  std::array<uint8_t, kDispatchPacketBytes> packet{};
  put<uint16_t>(packet, 0, 2);                                        // header: kernel dispatch
  put<uint16_t>(packet, 2, static_cast<uint16_t>(shape.dimensions));  // setup
  for (unsigned axis = 0; axis < 3; ++axis) {
    put<uint16_t>(packet, 4 + 2 * axis, static_cast<uint16_t>(shape.block[axis]));
    put<uint32_t>(packet, 12 + 4 * axis, static_cast<uint32_t>(shape.items_along(axis)));
  }
  put<uint32_t>(packet, 24, kernel.descriptor.private_segment_fixed_size);
  put<uint32_t>(packet, 28, kernel.descriptor.group_segment_fixed_size + shape.dynamic_lds);
  put<uint64_t>(packet, 32, addresses.descriptor);
  put<uint64_t>(packet, 40, addresses.kernarg);
  return packet;
}

void initialise_registers(WaveState& state, const KernelInfo& kernel, const LaunchShape& shape,
                          const LaunchAddresses& addresses, std::span<const uint8_t> kernarg,
                          const WaveStart& start) {
  const uint64_t seed = mix(start.seed) ^ mix(start.workgroup << 8 | start.wave);
  fill_undefined(state.vgprs, size_t{state.vgpr_count + 1} * kLanes, seed + 1);
  fill_undefined(state.agprs, size_t{state.agpr_count + 1} * kLanes, seed + 2);
  fill_undefined(state.scalar.data(), state.scalar.size(), seed + 3);
  state.scc = mix(seed) & 1;
  state.mode.bits = start.mode_bits;
  set_user_sgprs(state, kernel, shape, addresses, kernarg, start);
  set_workitem_ids(state, kernel, shape.block_of(start.workgroup), start.wave);
}

}  // namespace wavetwin::isa
