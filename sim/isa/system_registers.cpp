// SPDX-License-Identifier: MIT
#include "sim/isa/system_registers.h"

#include <string>

#include "sim/core/error.h"
#include "sim/isa/environment.h"
#include "sim/isa/scalar_operand.h"

namespace wavetwin::isa {
namespace {

enum HardwareRegister : uint32_t {
  kMode = 1,
  kStatus = 2,
  kTrapStatus = 3,
  kHardwareId = 4,
  kGprAllocation = 5,
  kLdsAllocation = 6,
  kInstructionBufferStatus = 7,
  kSharedMemoryBases = 15,
  kXccId = 20,
};

// Bits of MODE that exist: round and denorm, DX10_CLAMP, IEEE, DEBUG, EXCP_EN, FP16_OVFL, DISABLE_PERF,
// GPR_IDX_EN, VSKIP and CSP.
constexpr uint32_t kModeBits = 0xfc9f'fbffu;

uint32_t status(const WaveState& wave) {
  const uint32_t execz = wave.exec() == 0, vccz = wave.vcc() == 0;
  constexpr uint32_t kInThreadgroup = 1u << 11, kValid = 1u << 16;
  return uint32_t{wave.scc} | execz << 9 | vccz << 10 | kInThreadgroup | kValid;
}

// assumption: 32 CUs of an XCC as 4 shader engines of 8, waves round-robin over the 4 SIMDs.
uint32_t hardware_id(const Environment& env) {
  const uint32_t cu = env.group->slot() / kXccCount % 32;
  const uint32_t wave_slot = env.wave / 4, simd = env.wave % 4;
  return (wave_slot & 15) | simd << 4 | (cu % 8) << 8 | (cu / 8) << 13 |
         (env.group->slot() / kCuCount & 15) << 16;
}

uint32_t read_register(const WaveState& wave, uint32_t id) {
  const Environment& env = *wave.env;
  switch (id) {
    case kMode:
      return wave.mode.bits;
    case kStatus:
      return status(wave);
    case kTrapStatus:
      return 0;
    case kHardwareId:
      return hardware_id(env);
    // Base 0; sizes in granules of 8 VGPRs minus one.
    case kGprAllocation:
      return ((wave.vgpr_count + wave.agpr_count) / 8 - 1) << 8 & 0x3f00;
    case kLdsAllocation:
      return (env.group->launch().lds_bytes + 511) / 512 << 12 & 0x1f'f000;
    case kInstructionBufferStatus:
      return 0;
    case kSharedMemoryBases:
      return kSharedApertureHigh >> 16 << 16 | kPrivateApertureHigh >> 16;
    // Workgroups go to the XCCs in turn.
    case kXccId:
      return env.group->xcc_id();
    default:
      throw Error("hardware register " + std::to_string(id) + " has no defined value");
  }
}

}  // namespace

uint32_t read_system_register(const WaveState& wave, uint16_t simm16) {
  const auto field = HardwareRegisterField::decode(simm16);
  return read_register(wave, field.id) >> field.offset & field.mask();
}

void write_system_register(WaveState& wave, uint16_t simm16, uint32_t value) {
  const auto field = HardwareRegisterField::decode(simm16);
  if (field.id == kTrapStatus) return;
  if (field.id != kMode) throw Error("hardware register " + std::to_string(field.id) + " cannot be written");
  const uint32_t mask = field.mask() << field.offset & kModeBits;
  wave.mode.bits = (wave.mode.bits & ~mask) | (value << field.offset & mask);
}

}  // namespace wavetwin::isa
