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

// Isa guide 3.4: EXECZ 9, VCCZ 10, IN_TG 11 (of more than one wave), VALID 16, SCRATCH_EN 28; SCC is bit 0,
// below SPI_PRIO (the guide prints 1). No trap handler, no privilege, priority 0.
uint32_t status(const WaveState& wave) {
  const Environment& env = *wave.env;
  const uint32_t execz = wave.exec() == 0, vccz = wave.vcc() == 0;
  const uint32_t in_group = env.group->waves() > 1, scratch = env.scratch.bytes_per_lane() != 0;
  constexpr uint32_t kValid = 1u << 16;
  return uint32_t{wave.scc} | execz << 9 | vccz << 10 | in_group << 11 | kValid | scratch << 28;
}

// Isa guide table 21, bases 0: VGPR_SIZE 11:6 in groups of 8 less one (3.6.4; the groups of 4 that the table
// names cannot count to 512), ACCV_OFF 17:12 in groups of 4 less one (as the kernel descriptor has it),
// SGPR_SIZE 27:24 in groups of 16 less one. assumption: every wave has all SGPRs. A descriptor may ask for
// fewer, in groups of 16; s0 in place of those above (3.6.1) is not modelled, compilers count what they use.
uint32_t gpr_allocation(const WaveState& wave) {
  constexpr uint32_t kSgprs = 112;  // s0 to s101, FLAT_SCRATCH, XNACK_MASK and VCC
  const uint32_t vgprs = (wave.vgpr_count + wave.agpr_count + 7) / 8;
  return (vgprs - 1) << 6 | (wave.vgpr_count / 4 - 1) << 12 | (kSgprs / 16 - 1) << 24;
}

// Isa guide table 22: LDS_SIZE 21:12 in units of 64 dwords; LDS is allocated in blocks of 1280 bytes (3.6.5).
uint32_t lds_allocation(const Environment& env) {
  constexpr uint32_t kBlock = 1280, kUnit = 256;
  return (env.group->launch().lds_bytes + kBlock - 1) / kBlock * (kBlock / kUnit) << 12;
}

// Exceptions are not gathered: their sticky bits, TRAPSTS[8:0], have no value here. The other bits are 0: no
// trap was taken or is pending.
constexpr uint32_t kExceptionBits = 0x1ff;
uint32_t trap_status(const HardwareRegisterField& field) {
  if (field.mask() << field.offset & kExceptionBits)
    throw Error("TRAPSTS is read, and floating-point exceptions are not gathered");
  return 0;
}

// assumption: 32 CUs of an XCC as 4 shader engines of 8, waves round-robin over the 4 SIMDs.
uint32_t hardware_id(const Environment& env) {
  const uint32_t cu = env.group->slot() / kXccCount % 32;
  const uint32_t wave_slot = env.wave / 4, simd = env.wave % 4;
  return (wave_slot & 15) | simd << 4 | (cu % 8) << 8 | (cu / 8) << 13 |
         (env.group->slot() / kCuCount & 15) << 16;
}

uint32_t read_register(const WaveState& wave, const HardwareRegisterField& field) {
  const Environment& env = *wave.env;
  switch (field.id) {
    case kMode:
      return wave.mode.bits;
    case kStatus:
      return status(wave);
    case kTrapStatus:
      return trap_status(field);
    case kHardwareId:
      return hardware_id(env);
    case kGprAllocation:
      return gpr_allocation(wave);
    case kLdsAllocation:
      return lds_allocation(env);
    case kInstructionBufferStatus:
      return 0;
    case kSharedMemoryBases:
      return kSharedApertureHigh >> 16 << 16 | kPrivateApertureHigh >> 16;
    // Workgroups go to the XCCs in turn.
    case kXccId:
      return env.group->xcc_id();
    default:
      throw Error("hardware register " + std::to_string(field.id) + " has no defined value");
  }
}

}  // namespace

uint32_t read_system_register(const WaveState& wave, uint16_t simm16) {
  const auto field = HardwareRegisterField::decode(simm16);
  return read_register(wave, field) >> field.offset & field.mask();
}

void write_system_register(WaveState& wave, uint16_t simm16, uint32_t value) {
  const auto field = HardwareRegisterField::decode(simm16);
  if (field.id == kTrapStatus) return;
  if (field.id != kMode) throw Error("hardware register " + std::to_string(field.id) + " cannot be written");
  const uint32_t mask = field.mask() << field.offset & kModeBits;
  wave.mode.bits = (wave.mode.bits & ~mask) | (value << field.offset & mask);
}

}  // namespace wavetwin::isa
