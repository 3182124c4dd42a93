// SPDX-License-Identifier: MIT
// Scalar ALU: SOP1, SOP2, SOPC, SOPK, SOPP. The row's expression sees the words of tables/README.md, and wave
// and in for the functions below. Sources: isa guide, "Scalar ALU operations" and the instruction
// descriptions of the SOP formats.
#include <bit>
#include <type_traits>

#include "sim/isa/environment.h"
#include "sim/isa/exec.h"
#include "sim/isa/rows.h"
#include "sim/isa/scalar_operand.h"
#include "sim/isa/system_registers.h"
#include "sim/numerics/integer.h"

namespace wavetwin::isa {
namespace {

// --- bit helpers, named as the guide describes the operation

// Bits [offset, offset + width) of v, sign-extended for signed types.
template <typename T>
T extract_field(T v, unsigned offset, unsigned width) {
  constexpr unsigned kBits = sizeof(T) * 8;
  if (width == 0) return 0;
  using U = std::make_unsigned_t<T>;
  if (offset + width >= kBits) return static_cast<T>(v >> offset);
  const unsigned spare = kBits - width;
  return static_cast<T>(static_cast<T>(static_cast<U>(static_cast<U>(v >> offset) << spare)) >> spare);
}

// One bit a group of four: set where any of the four is.
template <typename T>
T quad_mask(T v) {
  T result = 0;
  for (unsigned quad = 0; quad < sizeof(T) * 2; ++quad) result |= T{(v >> (4 * quad) & 15) != 0} << quad;
  return result;
}

// All four bits of every group of which one is set.
template <typename T>
T whole_quads(T v) {
  T result = 0;
  for (unsigned quad = 0; quad < sizeof(T) * 2; ++quad) {
    if (v >> (4 * quad) & 15) result |= T{15} << (4 * quad);
  }
  return result;
}

uint64_t replicate_bits(uint32_t v) {
  uint64_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    if (v >> bit & 1) result |= uint64_t{3} << (2 * bit);
  }
  return result;
}

// --- control

uint64_t exec_next_address(const WaveState& wave, const Instruction& in) {
  return wave.env->load_address + in.pc + in.size;
}

void exec_jump(WaveState& wave, const Instruction&, uint64_t address) {
  const int32_t index = wave.env->program->index_of(address - wave.env->load_address);
  if (index < 0)
    throw Error(hex_address("jump to", address) + ", which is no instruction of this code object");
  wave.next = static_cast<uint32_t>(index);
}

void exec_branch(WaveState& wave, const Instruction& in) {
  if (in.target < 0) throw Error("branch to a place outside the code");
  wave.next = static_cast<uint32_t>(in.target);
}

void exec_end(WaveState& wave) { wave.env->stop(wave, Stop::end); }
void exec_barrier(WaveState& wave) {
  wave.env->cross_barrier();
  wave.env->stop(wave, Stop::barrier);
}

// s_sleep 0 is a no-op.
void exec_sleep(WaveState& wave, const Instruction& in) {
  if ((in.simm16 & 0x7f) != 0) wave.env->stop(wave, Stop::sleep);
}

void exec_waitcnt(WaveState& wave, const Instruction& in) {
  const WaitCounts most = wait_counts(in.simm16);
  wave.env->wait_counters(wave, most.vm, most.lgkm);
}

void exec_sethalt(WaveState&, const Instruction& in) {
  if (in.simm16 & 1) throw Error("the wave halted itself (s_sethalt 1)");
}

// Ids of the HSA trap handler (AMDGPUUsage, "Trap Handler ABI"): 1 and 3 stop in a debugger, and without one
// the wave goes on; 2 is __builtin_trap.
void exec_trap(WaveState&, const Instruction& in) {
  const unsigned id = in.simm16 & 0xff;
  if (id == 1 || id == 3) return;
  throw Error("s_trap " + std::to_string(id) +
              (id == 2 ? " (the program called abort or __builtin_trap)" : ""));
}

// Messages go to the host or to graphics units. An interrupt tells the host that a signal changed; it looks
// for calls after every round (hostcall_server.h), told or not.
void exec_sendmsg(WaveState& wave, const Instruction& in) {
  constexpr unsigned kInterrupt = 1;
  if ((in.simm16 & 15) != kInterrupt) execute_missing(wave, in);
}

// --- fork and join (isa guide 4.6). assumption: a stack entry's SGPRs are {EXEC, address} from the lowest
// up.

uint64_t exec_target_address(const WaveState& wave, const Instruction& in) {
  return exec_next_address(wave, in) + 4 * static_cast<uint64_t>(int64_t{static_cast<int16_t>(in.simm16)});
}

unsigned fork_depth(const WaveState& wave) { return wave.mode.bits >> 29; }
void set_fork_depth(WaveState& wave, unsigned depth) {
  if (depth > 6) throw Error("the fork stack has six entries");
  wave.mode.bits = (wave.mode.bits & 0x1fffffff) | depth << 29;
}

// The smaller part of the active lanes goes first, those that fail on a tie last; the others wait on the
// stack.
void exec_fork(WaveState& wave, const Instruction& in, uint64_t condition, uint64_t target) {
  const uint64_t pass = condition & wave.exec(), fail = ~condition & wave.exec();
  if (fail == 0) return exec_jump(wave, in, target);
  if (pass == 0) return;
  const bool fail_first = std::popcount(fail) < std::popcount(pass);
  const unsigned depth = fork_depth(wave);
  set_fork_depth(wave, depth + 1);
  wave.set_pair(4 * depth, fail_first ? pass : fail);
  wave.set_pair(4 * depth + 2, fail_first ? target : exec_next_address(wave, in));
  wave.set_exec(fail_first ? fail : pass);
  if (!fail_first) exec_jump(wave, in, target);
}

// The first time: the other part of the lanes runs. The second time the program goes on.
void exec_join(WaveState& wave, const Instruction& in, uint32_t depth_at_fork) {
  if (fork_depth(wave) == depth_at_fork) return;
  if (fork_depth(wave) == 0) throw Error("s_cbranch_join without a fork");
  const unsigned depth = fork_depth(wave) - 1;
  set_fork_depth(wave, depth);
  wave.set_exec(wave.pair(4 * depth));
  exec_jump(wave, in, wave.pair(4 * depth + 2));
}

// --- relative SGPR moves: M0 is added to the register number. Out of range a source reads s0 and a
// destination is not written (isa guide 3.6.1, 5.2).

// `count` registers from s[index] on exist.
bool relative_exists(uint64_t index, unsigned count) { return index + count <= kSgprCount; }

unsigned exec_relative(const WaveState& wave, const Operand& operand, unsigned count) {
  const uint64_t index = uint64_t{operand.index} + wave.m0();
  return relative_exists(index, count) ? static_cast<unsigned>(index) : 0;
}

// The named destination afterwards: it may be the one written, or one of its registers.
uint32_t exec_move_relative(WaveState& wave, const Instruction& in, uint32_t value) {
  const uint64_t index = uint64_t{in.dst.index} + wave.m0();
  if (relative_exists(index, 1)) wave.scalar[index] = value;
  return wave.scalar[in.dst.index];
}
uint64_t exec_move_relative(WaveState& wave, const Instruction& in, uint64_t value) {
  const uint64_t index = uint64_t{in.dst.index} + wave.m0();
  if (relative_exists(index, 2)) wave.set_pair(static_cast<unsigned>(index), value);
  return wave.pair(in.dst.index & ~1u);
}

// --- VGPR indexing (isa guide, "VGPR indexing"): M0[7:0] index, M0[15:12] which operands

// After a change of MODE: what the instruction loop must know of it.
void watch_mode(WaveState& wave) {
  wave.attention &= ~uint32_t{kAttentionGprIndex | kAttentionVskip};
  if (wave.mode.gpr_idx_en()) wave.attention |= kAttentionGprIndex;
  if (wave.mode.vskip()) wave.attention |= kAttentionVskip;
}

void set_gpr_index_enable(WaveState& wave, bool on) {
  wave.mode.bits = (wave.mode.bits & ~(1u << 27)) | uint32_t{on} << 27;
  watch_mode(wave);
}
void exec_set_gpr_index(WaveState& wave, uint32_t index) {
  wave.scalar[kM0] = (wave.m0() & ~0xffu) | (index & 0xff);
}
void exec_gpr_index_mode(WaveState& wave, uint32_t operands) {
  wave.scalar[kM0] = (wave.m0() & ~0xf000u) | (operands & 15) << 12;
}
void exec_gpr_index_on(WaveState& wave, uint32_t index, uint32_t operands) {
  exec_set_gpr_index(wave, index);
  exec_gpr_index_mode(wave, operands);
  set_gpr_index_enable(wave, true);
}
void exec_gpr_index_off(WaveState& wave) { set_gpr_index_enable(wave, false); }

// The instruction loop skips vector instructions while the bit is set.
void exec_set_vskip(WaveState& wave, bool on) {
  wave.mode.bits = (wave.mode.bits & ~(1u << 28)) | uint32_t{on} << 28;
  watch_mode(wave);
}

// --- hardware registers

uint32_t exec_getreg(const WaveState& wave, const Instruction& in) {
  return read_system_register(wave, in.simm16);
}

void exec_setreg(WaveState& wave, const Instruction& in, uint32_t value) {
  write_system_register(wave, in.simm16, value);
  watch_mode(wave);
}

// --- the format: operand fetch and write-back

template <OperandType type>
struct ScalarType {
  using T = uint32_t;
};
template <>
struct ScalarType<I32> {
  using T = int32_t;
};
template <>
struct ScalarType<B64> {
  using T = uint64_t;
};
template <>
struct ScalarType<U64> {
  using T = uint64_t;
};
template <>
struct ScalarType<I64> {
  using T = int64_t;
};
template <>
struct ScalarType<SBASE> {
  using T = uint64_t;
};

template <OperandType type>
auto fetch(const WaveState& wave, const Operand& operand) {
  using T = typename ScalarType<type>::T;
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(read_scalar64(wave, operand));
  } else {
    return static_cast<T>(read_scalar32(wave, operand));
  }
}

// EXEC as an assignable word of expressions.
struct ExecWord {
  WaveState& wave;
  operator uint64_t() const { return wave.exec(); }
  ExecWord& operator=(uint64_t mask) {
    wave.set_exec(mask);
    return *this;
  }
};

template <OperandType... types>
struct Types {
  static constexpr size_t kCount = sizeof...(types);
  static constexpr std::array<OperandType, 6> kList{types..., NONE};
  template <size_t i>
  static constexpr OperandType at = i < kCount ? kList[i] : NONE;
};

template <OperandType type>
constexpr bool kRegister = operand_dwords(type) != 0;

// Runs `body(S0, S1, D)` with the row's types; D is read before and written after it.
template <typename Dst, typename Src, typename Body>
void run_scalar(WaveState& wave, const Instruction& in, Body body) {
  constexpr OperandType d = Dst::template at<0>;
  const auto s0 = fetch<Src::template at<0>>(wave, in.src[0]);
  const auto s1 = fetch<Src::template at<1>>(wave, in.src[1]);
  if constexpr (kRegister<d>) {
    auto result = fetch<d>(wave, in.dst);
    body(s0, s1, result);
    if constexpr (sizeof(result) == 8) {
      write_scalar64(wave, in.dst, static_cast<uint64_t>(result));
    } else {
      write_scalar32(wave, in.dst, static_cast<uint32_t>(result));
    }
  } else {
    uint32_t none = 0;
    body(s0, s1, none);
  }
}

#define UNPACK(...) __VA_ARGS__
#define MISSING(reason) execute_missing(wave, in)
#define NO_EFFECT (void)0  // hints, caches, priorities
#define TABLE(format)
#define ROW(opcode, NAME, dst, src, traits, evidence, source, ...)                                           \
  void NAME(WaveState& wave, const Instruction& in) {                                                        \
    [[maybe_unused]] bool& SCC = wave.scc;                                                                   \
    [[maybe_unused]] ExecWord EXEC{wave};                                                                    \
    [[maybe_unused]] const int32_t K = static_cast<int16_t>(in.simm16);                                      \
    [[maybe_unused]] const uint32_t UK = in.simm16;                                                          \
    run_scalar<Types<UNPACK dst>, Types<UNPACK src>>(                                                        \
        wave, in,                                                                                            \
        [&]([[maybe_unused]] auto S0, [[maybe_unused]] auto S1, [[maybe_unused]] auto& D) { __VA_ARGS__; }); \
  }
namespace rows {
#include "sim/isa/tables/sop1.inc"
#include "sim/isa/tables/sop2.inc"
#include "sim/isa/tables/sopc.inc"
#include "sim/isa/tables/sopk.inc"
#include "sim/isa/tables/sopp.inc"
}  // namespace rows
#undef ROW

struct Entry {
  RowId row;
  ExecFn function;
};
#define ROW(opcode, NAME, dst, src, traits, evidence, source, ...) {RowId::NAME, rows::NAME},
constexpr Entry kEntries[] = {
#include "sim/isa/tables/sop1.inc"
#include "sim/isa/tables/sop2.inc"
#include "sim/isa/tables/sopc.inc"
#include "sim/isa/tables/sopk.inc"
#include "sim/isa/tables/sopp.inc"
};
#undef ROW
#undef TABLE
#undef MISSING
#undef NO_EFFECT
#undef UNPACK

}  // namespace

ExecFn salu_function(const Instruction& in) {
  for (const Entry& entry : kEntries) {
    if (static_cast<uint16_t>(entry.row) == in.row) return entry.function;
  }
  return execute_missing;
}

}  // namespace wavetwin::isa
