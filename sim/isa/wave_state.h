// SPDX-License-Identifier: MIT
// The architectural registers of one wave, as the execute functions see them.
//
// Vector registers are structure-of-arrays: row r holds lanes 0..63 of v[r], 64-byte aligned, so that one
// vector instruction is a few host SIMD operations. Scalar registers are one file of 128 dwords indexed by
// the scalar operand code (CDNA4 ISA guide, "Scalar ALU operands"), so VCC, M0 and EXEC are ordinary entries
// of it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unordered_map>

namespace wavetwin::isa {

struct Instruction;
class Environment;

inline constexpr unsigned kLanes = 64;

// Scalar operand codes that are registers (isa guide, table of SALU operands).
enum ScalarCode : unsigned {
  kSgprFirst = 0,
  kSgprCount = 102,
  kFlatScratchLo = 102,
  kXnackMaskLo = 104,
  kVccLo = 106,
  kTtmpFirst = 108,
  kTtmpCount = 16,
  kM0 = 124,
  kExecLo = 126,
  kScalarFileSize = 128,
};

// Trap temporaries belong to the trap handler: without its privilege writes are ignored and reads give 0 (isa
// guide 3.10). There is no handler here, so their entries of the scalar file stay 0.
constexpr bool is_trap_temporary(unsigned code) { return code - kTtmpFirst < kTtmpCount; }

// The MODE register (isa guide, "Mode register"): raw bits plus one accessor a field.
struct ModeRegister {
  uint32_t bits = 0x3f0;  // clang's default: round to nearest even, all denormals, DX10_CLAMP, IEEE

  constexpr unsigned round_f32() const { return bits & 3; }  // 0 nearest even, 1 +inf, 2 -inf, 3 zero
  constexpr unsigned round_f16_f64() const { return (bits >> 2) & 3; }
  constexpr unsigned denorm_f32() const { return (bits >> 4) & 3; }  // bit 0 allow input, bit 1 allow output
  constexpr unsigned denorm_f16_f64() const { return (bits >> 6) & 3; }
  constexpr bool dx10_clamp() const { return (bits >> 8) & 1; }
  constexpr bool ieee() const { return (bits >> 9) & 1; }
  constexpr bool fp16_ovfl() const { return (bits >> 23) & 1; }
  constexpr bool gpr_idx_en() const { return (bits >> 27) & 1; }
  constexpr bool vskip() const { return (bits >> 28) & 1; }
};

// Why the instruction loop must leave its fast path before the next instruction (bits of
// WaveState::attention).
enum Attention : uint32_t {
  kAttentionPendingReturn = 1,  // a returning atomic has not delivered: operands must be checked
  kAttentionGprIndex = 2,       // MODE.GPR_IDX_EN: VGPR operands are offset by M0
  kAttentionTrace = 4,          // somebody watches every instruction
  kAttentionStop = 8,           // the instruction just executed ended or suspended the wave's turn
  kAttentionWatch = 16,         // this turn is watched for a recurring state
  kAttentionVskip = 32,         // MODE.VSKIP: vector instructions are skipped
  kAttentionDistance = 64,      // the program may have instructions that follow each other too closely
  kAttentionScalarStore = 128,  // the program may end without writing scalar stores back
};

// One wave. Rows above the allocation follow the isa guide, "Out-of-range register access": a source reads
// v0, a destination is dropped (it goes to a spare row).
struct WaveState {
  // --- vector registers
  uint32_t* vgprs = nullptr;  // [vgpr_count + 1][64]; the last row is the spare one
  uint32_t* agprs = nullptr;  // [agpr_count + 1][64]
  uint32_t vgpr_count = 0;    // architectural VGPRs of the wave (accum_offset)
  uint32_t agpr_count = 0;    // accumulation VGPRs of the wave

  // --- scalar registers, indexed by operand code
  alignas(64) std::array<uint32_t, kScalarFileSize> scalar{};
  bool scc = false;
  ModeRegister mode;

  // --- control
  uint32_t next =
      0;  // index, in the decoded program, of the instruction after the current one; a branch sets it
  uint32_t attention = 0;  // Attention bits
  Environment* env = nullptr;

  const uint32_t* vgpr_source(unsigned r) const { return vgprs + size_t{r < vgpr_count ? r : 0} * kLanes; }
  uint32_t* vgpr_destination(unsigned r) { return vgprs + size_t{r < vgpr_count ? r : vgpr_count} * kLanes; }
  const uint32_t* agpr_source(unsigned r) const { return agprs + size_t{r < agpr_count ? r : 0} * kLanes; }
  uint32_t* agpr_destination(unsigned r) { return agprs + size_t{r < agpr_count ? r : agpr_count} * kLanes; }

  // Writes by operand code; trap temporaries keep their 0.
  void set_scalar(unsigned code, uint32_t value) {
    if (!is_trap_temporary(code)) scalar[code & (kScalarFileSize - 1)] = value;
  }
  uint64_t pair(unsigned code) const {  // code is even
    uint64_t value;
    std::memcpy(&value, &scalar[code], 8);
    return value;
  }
  void set_pair(unsigned code, uint64_t value) {
    if (!is_trap_temporary(code)) std::memcpy(&scalar[code], &value, 8);
  }

  uint64_t exec() const { return pair(kExecLo); }
  void set_exec(uint64_t mask) { set_pair(kExecLo, mask); }
  uint64_t vcc() const { return pair(kVccLo); }
  void set_vcc(uint64_t mask) { set_pair(kVccLo, mask); }
  uint32_t m0() const { return scalar[kM0]; }
};

// Every execute function has this form: the format's operand fetch, the row's expression, the write-back.
using ExecFn = void (*)(WaveState&, const Instruction&);

// The functions of instructions that some path does not wait for (load_hazards.h).
using WatchedInstructions = std::unordered_map<const Instruction*, ExecFn>;

}  // namespace wavetwin::isa
