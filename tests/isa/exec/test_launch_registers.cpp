// SPDX-License-Identifier: MIT
// The registers that a wave begins with and the dispatch packet, from the bits of the kernel descriptor (LLVM
// AMDGPUUsage, "Initial Kernel Execution State" and "Kernel Descriptor"; HSA Platform System Architecture
// Specification, "Kernel dispatch packet").
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "sim/isa/isa_wave.h"
#include "sim/isa/launch.h"

namespace wavetwin::isa {
namespace {

constexpr uint32_t kGroupX = 1u << 7, kGroupY = 1u << 8, kGroupZ = 1u << 9, kGroupInfo = 1u << 10;
constexpr LaunchAddresses kAddresses{0x1111000022220000, 0x3333000044440000, 0x5555000066660000,
                                     0x7777000088880000};
constexpr uint32_t kPrivateBytes = 0x1230;

// Preloaded arguments: `dwords` from dword `offset` on.
KernelInfo kernel_of(uint32_t properties, uint32_t user_sgprs, uint32_t rsrc2, uint32_t dwords = 0,
                     uint32_t offset = 0) {
  KernelInfo kernel;
  kernel.descriptor.properties = static_cast<uint16_t>(properties);
  kernel.descriptor.rsrc2 = rsrc2 | user_sgprs << 1;
  kernel.descriptor.kernarg_preload = static_cast<uint16_t>(dwords | offset << 7);
  kernel.descriptor.private_segment_fixed_size = kPrivateBytes;
  kernel.descriptor.group_segment_fixed_size = 0x400;
  return kernel;
}

LaunchShape shape_of(std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block) {
  LaunchShape shape;
  shape.grid = grid;
  shape.block = block;
  shape.dynamic_lds = 0x20;
  return shape;
}

// What a wave begins with.
class Begin {
 public:
  Begin(const KernelInfo& kernel, const LaunchShape& shape, uint64_t workgroup = 0, uint32_t wave = 0)
      : vgprs_(9), agprs_(9) {
    state_.vgprs = vgprs_.data();
    state_.agprs = agprs_.data();
    state_.vgpr_count = state_.agpr_count = 8;
    std::vector<uint8_t> kernarg(64 * 4);
    for (uint32_t d = 0; d < 64; ++d) {
      const uint32_t word = 0xA0000000 + d;
      std::memcpy(&kernarg[4 * d], &word, 4);
    }
    WaveStart start;
    start.workgroup = workgroup;
    start.wave = wave;
    initialise_registers(state_, kernel, shape, kAddresses, kernarg, start);
  }
  uint32_t sgpr(unsigned i) const { return state_.scalar[i]; }
  uint32_t v0(unsigned lane) const { return state_.vgpr_source(0)[lane]; }
  uint64_t exec() const { return state_.exec(); }

 private:
  RegisterFile vgprs_, agprs_;
  WaveState state_;
};

bool is_undefined(uint32_t word) { return word >> 16 == 0x7fa5; }

}  // namespace

TEST_CASE("launch registers: user SGPRs in the order of the properties, then preloaded arguments") {
  struct Property {
    unsigned words;
    std::optional<uint64_t> value;  // none: not defined here
  };
  const Property properties[7] = {{4, {}},
                                  {2, kAddresses.dispatch_packet},
                                  {2, kAddresses.queue},
                                  {2, kAddresses.kernarg},
                                  {2, 0},
                                  {2, {}},
                                  {1, kPrivateBytes}};
  for (uint32_t mask = 0; mask < 128; ++mask) {
    CAPTURE(mask);
    std::vector<std::optional<uint32_t>> expected;
    for (unsigned p = 0; p < 7; ++p) {
      if (!(mask >> p & 1)) continue;
      for (unsigned w = 0; w < properties[p].words; ++w) {
        if (properties[p].value) {
          expected.push_back(static_cast<uint32_t>(*properties[p].value >> (32 * w)));
        } else {
          expected.push_back(std::nullopt);
        }
      }
    }
    const auto own = static_cast<uint32_t>(expected.size());
    constexpr uint32_t kOffset = 3;
    for (const uint32_t preloaded : {0u, 1u, 31u - own}) {
      CAPTURE(preloaded);
      const KernelInfo kernel = kernel_of(mask, own + preloaded, kGroupX, preloaded, kOffset);
      const Begin begin(kernel, shape_of({5, 1, 1}, {64, 1, 1}), 4);
      for (unsigned i = 0; i < own; ++i) {
        CAPTURE(i);
        if (expected[i]) CHECK(begin.sgpr(i) == *expected[i]);
        if (!expected[i]) CHECK(is_undefined(begin.sgpr(i)));
      }
      for (unsigned i = 0; i < preloaded; ++i) CHECK(begin.sgpr(own + i) == 0xA0000000 + kOffset + i);
      CHECK(begin.sgpr(own + preloaded) == 4);  // system SGPRs behind them
      CHECK(is_undefined(begin.sgpr(own + preloaded + 1)));
    }
  }
}

TEST_CASE("launch registers: arguments are preloaded to the end of the user SGPRs and of the block") {
  // 20 dwords asked for, room for 6; the system SGPRs follow the user SGPRs, also those that nothing fills.
  const Begin few(kernel_of(0, 6, kGroupX, 20), shape_of({9, 1, 1}, {64, 1, 1}), 8);
  for (unsigned i = 0; i < 6; ++i) CHECK(few.sgpr(i) == 0xA0000000 + i);
  CHECK(few.sgpr(6) == 8);
  CHECK(is_undefined(few.sgpr(7)));
  CHECK(Begin(kernel_of(8, 14, kGroupX), shape_of({9, 1, 1}, {64, 1, 1}), 8).sgpr(14) == 8);
  const Begin end(kernel_of(0, 4, 0, 4, 62), shape_of({1, 1, 1}, {64, 1, 1}));
  CHECK(end.sgpr(0) == 0xA0000000 + 62);
  CHECK(end.sgpr(1) == 0xA0000000 + 63);
  CHECK(end.sgpr(2) == 0);
}

TEST_CASE("launch registers: the workgroup's coordinates that the kernel asks for, and its waves") {
  const LaunchShape shape = shape_of({5, 3, 2}, {64, 5, 1});
  for (uint32_t axes = 0; axes < 8; ++axes) {
    for (const bool info : {false, true}) {
      for (uint32_t id = 0; id < 30; ++id) {
        CAPTURE(axes);
        CAPTURE(id);
        const uint32_t rsrc2 = (axes & 1 ? kGroupX : 0) | (axes & 2 ? kGroupY : 0) |
                               (axes & 4 ? kGroupZ : 0) | (info ? kGroupInfo : 0);
        const Begin begin(kernel_of(8, 2, rsrc2), shape, id);
        unsigned at = 2;
        if (axes & 1) CHECK(begin.sgpr(at++) == id % 5);
        if (axes & 2) CHECK(begin.sgpr(at++) == id / 5 % 3);
        if (axes & 4) CHECK(begin.sgpr(at++) == id / 15);
        if (info) CHECK((begin.sgpr(at++) & 0x3f) == 5);
        CHECK(is_undefined(begin.sgpr(at)));
      }
    }
  }
}

TEST_CASE(
    "launch registers: v0 packs the work-item's coordinates, ten bits each; EXEC has those that exist") {
  for (const auto& block :
       {std::array<uint32_t, 3>{7, 5, 3}, {64, 1, 1}, {1, 1, 100}, {2, 33, 2}, {128, 1, 1}, {16, 4, 2}}) {
    const LaunchShape shape = shape_of({1, 1, 1}, block);
    for (uint32_t axes = 1; axes <= 3; ++axes) {
      const KernelInfo kernel = kernel_of(8, 2, (axes - 1) << 11);
      uint32_t flat = 0;
      for (uint32_t wave = 0; wave < shape.waves(); ++wave) {
        const Begin begin(kernel, shape, 0, wave);
        uint64_t exec = 0;
        for (unsigned lane = 0; lane < 64 && flat < block[0] * block[1] * block[2]; ++lane, ++flat) {
          exec |= uint64_t{1} << lane;
          const uint32_t x = flat % block[0], y = flat / block[0] % block[1],
                         z = flat / (block[0] * block[1]);
          CAPTURE(flat);
          CAPTURE(axes);
          CHECK(begin.v0(lane) == x + (axes > 1 ? y * 1024 : 0) + (axes > 2 ? z * 1048576 : 0));
        }
        CHECK(begin.exec() == exec);
      }
      CHECK(flat == block[0] * block[1] * block[2]);
    }
  }
}

TEST_CASE("launch registers: a partial workgroup numbers lanes by its own size and counts its own waves") {
  for (const auto& items : {std::array<uint32_t, 3>{23, 13, 7}, {7, 5, 3}, {300, 1, 1}, {16, 9, 4}}) {
    for (const auto& block : {std::array<uint32_t, 3>{16, 4, 4}, {64, 1, 1}, {10, 3, 2}, {5, 50, 4}}) {
      const LaunchShape shape = LaunchShape::of_items(items, block);
      for (uint64_t group = 0; group < shape.workgroups(); ++group) {
        const std::array<uint32_t, 3> at = shape.coordinates(group);
        std::vector<uint32_t> expected;  // v0 of the work-items that exist, in order
        for (uint32_t z = 0; z < block[2] && at[2] * block[2] + z < items[2]; ++z)
          for (uint32_t y = 0; y < block[1] && at[1] * block[1] + y < items[1]; ++y)
            for (uint32_t x = 0; x < block[0] && at[0] * block[0] + x < items[0]; ++x)
              expected.push_back(x | y << 10 | z << 20);
        const auto waves = static_cast<uint32_t>((expected.size() + 63) / 64);
        REQUIRE(shape.waves_of(group) == waves);
        for (uint32_t wave = 0; wave < waves; ++wave) {
          CAPTURE(group);
          CAPTURE(wave);
          const Begin begin(kernel_of(8, 2, 2 << 11 | kGroupInfo), shape, group, wave);
          const size_t live = std::min<size_t>(64, expected.size() - 64 * wave);
          CHECK(begin.exec() == (live == 64 ? ~0ull : (1ull << live) - 1));
          for (unsigned lane = 0; lane < live; ++lane) CHECK(begin.v0(lane) == expected[64 * wave + lane]);
          CHECK((begin.sgpr(2) & 0x3f) == waves);
        }
      }
    }
  }
}

TEST_CASE("dispatch packet: the grid in work-items, whole workgroups' size, the dimensions stated") {
  LaunchShape shape = LaunchShape::of_items({133, 7, 1}, {32, 4, 1});
  shape.dimensions = 2;
  const auto packet = build_dispatch_packet(kernel_of(0, 0, 0), shape, kAddresses);
  uint32_t words[6];
  std::memcpy(words, packet.data(), sizeof words);
  CHECK((words[0] >> 16) == 2);
  CHECK(words[1] == (32 | 4 << 16));
  CHECK(words[3] == 133);
  CHECK(words[4] == 7);
  CHECK(words[5] == 1);
}

TEST_CASE("dispatch packet: sizes in work-items, segments with what the launch adds, addresses") {
  const auto packet = build_dispatch_packet(kernel_of(0, 0, 0), shape_of({5, 3, 2}, {64, 4, 2}), kAddresses);
  const auto word = [&](size_t at, size_t bytes) {
    uint64_t value = 0;
    std::memcpy(&value, packet.data() + at, bytes);
    return value;
  };
  CHECK((word(0, 2) & 0xff) == 2);  // HSA_PACKET_TYPE_KERNEL_DISPATCH
  CHECK(word(2, 2) == 3);           // dimensions
  CHECK(word(4, 2) == 64);
  CHECK(word(6, 2) == 4);
  CHECK(word(8, 2) == 2);
  CHECK(word(12, 4) == 320);
  CHECK(word(16, 4) == 12);
  CHECK(word(20, 4) == 4);
  CHECK(word(24, 4) == kPrivateBytes);
  CHECK(word(28, 4) == 0x420);
  CHECK(word(32, 8) == kAddresses.descriptor);
  CHECK(word(40, 8) == kAddresses.kernarg);
}

TEST_CASE("kernel descriptor: the mode, and where the accumulation VGPRs begin") {
  KernelDescriptor d;
  d.rsrc1 = 0xAB << 12 | 7;  // 64 VGPRs
  CHECK(d.mode_bits() == 0xAB);
  for (const auto& [bit, mode] : {std::pair{21u, 8u}, {23u, 9u}, {26u, 23u}}) {
    d.rsrc1 = 1u << bit;
    CHECK(d.mode_bits() == 1u << mode);
  }
  for (const unsigned bit : {20u, 22u, 24u, 25u, 27u, 28u}) {
    d.rsrc1 = 1u << bit;
    CHECK(d.mode_bits() == 0);
  }
  d.rsrc1 = 7;
  for (const uint32_t offset : {4u, 32u, 60u, 64u, 128u}) {
    d.rsrc3 = offset / 4 - 1;
    CHECK(d.arch_vgprs() == std::min(offset, 64u));
    CHECK(d.acc_vgprs() == 64 - std::min(offset, 64u));
  }
  for (const uint32_t dwords : {1u, 16u, 100u}) {
    d.kernarg_preload = static_cast<uint16_t>(dwords | 5 << 7);
    CHECK(d.preload_dwords() == dwords);
    CHECK(d.preload_offset_dwords() == 5);
  }
}

}  // namespace wavetwin::isa
