// SPDX-License-Identifier: MIT
// How a row of a vector table becomes code: one loop over the 64 lanes, whose body is the row's expression.
// Internal to the exec_v*.cpp files; exec_valu.cpp holds the formats (operand fetch, modifiers, masking,
// write-back).
//
// Words of an expression besides those of tables/README.md:
//   FAST   like MODE, but while the default MODE is in force the host's arithmetic is used
//   (sim/numerics/f32.h) SAT    CLAMP is set and the result is an integer: saturate VCC    this lane's bit of
//   VCC              EXEC  v_cmpx: this lane's new bit of EXEC OPSEL  the op_sel field, for rows that place
//   bytes or halves themselves LANE   the lane's number                   TABLE_BITS  v_bitop3: the truth
//   table
// An expression that begins with `exec_` is called once for the whole wave and sees `wave` and `in` instead.
#pragma once

#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#include "sim/isa/instruction.h"
#include "sim/isa/rows.h"
#include "sim/isa/wave_state.h"
#include "sim/numerics/convert.h"
#include "sim/numerics/cube.h"
#include "sim/numerics/division.h"
#include "sim/numerics/dot.h"
#include "sim/numerics/f16.h"
#include "sim/numerics/f32.h"
#include "sim/numerics/f64.h"
#include "sim/numerics/integer.h"
#include "sim/numerics/transcendental.h"

namespace wavetwin::isa {

// --- values of the operand types

// Two elements of a packed type, low half first.
template <class T>
struct Halves {
  T lo, hi;
};
template <class T>
constexpr uint32_t word(Halves<T> v) {
  return static_cast<uint16_t>(v.lo) | static_cast<uint32_t>(static_cast<uint16_t>(v.hi)) << 16;
}
constexpr uint32_t word(uint32_t v) { return v; }

// Two registers that hold one 32-bit element each.
struct Pair {
  uint32_t lo, hi;
};

// A lane's registers of a wide operand: element r is register r.
struct Words {
  uint32_t* base;  // lane 0 of register 0; registers are 64 dwords apart
  unsigned lane;
  uint32_t& operator[](unsigned r) const { return base[r * kLanes + lane]; }
};

// Applies f to both halves.
template <class T, class F>
constexpr Halves<T> each(Halves<T> a, F f) {
  return {static_cast<T>(f(a.lo)), static_cast<T>(f(a.hi))};
}
template <class T, class U, class F>
constexpr auto each(Halves<U> a, Halves<T> b, F f) {
  return Halves<T>{static_cast<T>(f(a.lo, b.lo)), static_cast<T>(f(a.hi, b.hi))};
}
template <class T, class F>
constexpr Halves<T> each(Halves<T> a, Halves<T> b, Halves<T> c, F f) {
  return {static_cast<T>(f(a.lo, b.lo, c.lo)), static_cast<T>(f(a.hi, b.hi, c.hi))};
}

// Result of an integer operation from its exact value: saturated with CLAMP, else the low bits.
template <class T>
constexpr T integer_result(int64_t exact, bool saturating) {
  return saturating ? saturate<T>(exact) : static_cast<T>(exact);
}

struct NoValue {};

template <OperandType kType>
struct ValueOf {
  static constexpr auto pick() {
    if constexpr (kType == B16 || kType == U16 || kType == F16 || kType == BF16)
      return uint16_t{};
    else if constexpr (kType == I16)
      return int16_t{};
    else if constexpr (kType == B32 || kType == U32 || kType == F32)
      return uint32_t{};
    else if constexpr (kType == U8X4 || kType == I8X4 || kType == U4X8 || kType == I4X8)
      return uint32_t{};
    else if constexpr (kType == I32)
      return int32_t{};
    else if constexpr (kType == B64 || kType == U64 || kType == F64)
      return uint64_t{};
    else if constexpr (kType == I64)
      return int64_t{};
    else if constexpr (kType == F16X2 || kType == BF16X2 || kType == U16X2 || kType == B16X2)
      return Halves<uint16_t>{};
    else if constexpr (kType == I16X2)
      return Halves<int16_t>{};
    else if constexpr (kType == B32X2 || kType == F32X2)
      return Pair{};
    else if constexpr (kType == LANES)
      return bool{};
    else if constexpr (kType == B128 || kType == B192 || kType == B512 || kType == B1024)
      return Words{};
    else
      return NoValue{};
  }
  using type = decltype(pick());
};

template <class T>
T load_lane(const uint32_t* base, unsigned lane) {
  if constexpr (sizeof(T) == 8 && std::is_integral_v<T>) {
    return static_cast<T>(base[lane] | uint64_t{base[kLanes + lane]} << 32);
  } else if constexpr (std::is_same_v<T, bool>) {
    return base[lane] != 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(base[lane]);
  } else if constexpr (std::is_same_v<T, Pair>) {
    return {base[lane], base[kLanes + lane]};
  } else if constexpr (std::is_same_v<T, Words>) {
    return {const_cast<uint32_t*>(base), lane};
  } else if constexpr (std::is_same_v<T, NoValue>) {
    return {};
  } else {
    using Half = decltype(T::lo);
    return {static_cast<Half>(base[lane]), static_cast<Half>(base[lane] >> 16)};
  }
}

// Results of 16 bits fill the register with zeros above (the format merges halves where it must).
template <class T>
void store_lane(uint32_t* base, unsigned lane, T value) {
  if constexpr (sizeof(T) == 8 && std::is_integral_v<T>) {
    base[lane] = static_cast<uint32_t>(static_cast<uint64_t>(value));
    base[kLanes + lane] = static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32);
  } else if constexpr (std::is_same_v<T, int16_t>) {
    base[lane] = static_cast<uint16_t>(value);
  } else if constexpr (std::is_integral_v<T>) {
    base[lane] = static_cast<uint32_t>(value);
  } else if constexpr (std::is_same_v<T, Pair>) {
    base[lane] = value.lo;
    base[kLanes + lane] = value.hi;
  } else if constexpr (!std::is_same_v<T, Words> && !std::is_same_v<T, NoValue>) {
    base[lane] = word(value);
  }
}

// --- the loop

// One instruction's operands as arrays of 64 lanes, modifiers applied. Lane masks as sources are one dword a
// lane.
struct LaneArgs {
  const uint32_t* src[3];  // null when the row has fewer
  const uint32_t* vcc;     // set when the row reads VCC
  const uint32_t* old;     // the destination's value before (TIED rows); may be dst
  uint32_t* dst;
  uint32_t mode_bits;
  const NumericModel* model;
  bool saturating;
  const Instruction* in;
  WaveState* wave;
  // results that are one bit a lane, set by the rows that have them
  uint64_t d_mask, d1_mask, exec_mask;
};

// MODE bits that must have their default for host arithmetic: rounding, subnormals, FP16_OVFL. (IEEE and
// DX10_CLAMP only matter for NaN, which the host path gives back.)
inline constexpr uint32_t kHostModeMask = 0x008000ff, kHostModeBits = 0xf0;

// 64 bytes of 0 or 1 to 64 bits.
inline uint64_t pack_flags(const uint8_t* flags) {
  uint64_t mask = 0;
  for (unsigned group = 0; group < 8; ++group) {
    uint64_t bytes;
    std::memcpy(&bytes, flags + 8 * group, 8);
    mask |= (bytes * 0x0102040810204080ull >> 56) << (8 * group);
  }
  return mask;
}

template <OperandType... kTypes>
struct Types {
  static constexpr OperandType at(unsigned i) {
    constexpr OperandType kAll[] = {kTypes..., NONE, NONE, NONE, NONE, NONE};
    return kAll[i];
  }
};

constexpr bool mentions(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

template <class Op, class M>
void run_lanes(LaneArgs& a, uint32_t* out, M& fast, const Mode& mode) {
  using S0 = typename Op::S0Type;
  using S1 = typename Op::S1Type;
  using S2 = typename Op::S2Type;
  using Result = typename Op::DType;
  constexpr bool kMask = std::is_same_v<Result, bool>;
  constexpr bool kWide = std::is_same_v<Result, Words>;
  alignas(64) uint8_t d_flags[kLanes], d1_flags[kLanes], exec_flags[kLanes];
  const LaneArgs args = a;
  const bool saturating = args.saturating;
#pragma GCC ivdep
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    Result d{};
    if constexpr (kWide) d = Words{out, lane};
    if constexpr (Op::kTied && !kWide && !kMask) d = load_lane<Result>(args.old, lane);
    bool d1 = false, exec = false, vcc = false;
    if constexpr (Op::kReadsVcc) vcc = args.vcc[lane] != 0;
    Op::lane(load_lane<S0>(args.src[0], lane), load_lane<S1>(args.src[1], lane),
             load_lane<S2>(args.src[2], lane), d, d1, exec, vcc, fast, mode, saturating, lane, *args.in,
             *args.wave);
    if constexpr (kMask) d_flags[lane] = d;
    if constexpr (!kMask) store_lane(out, lane, d);
    if constexpr (Op::kSecondMask) d1_flags[lane] = d1;
    if constexpr (Op::kWritesExec) exec_flags[lane] = exec;
  }
  if constexpr (kMask) a.d_mask = pack_flags(d_flags);
  if constexpr (Op::kSecondMask) a.d1_mask = pack_flags(d1_flags);
  if constexpr (Op::kWritesExec) a.exec_mask = pack_flags(exec_flags);
}

// True when writing `d` may destroy what a later lane, or a second pass, reads from `s`.
inline bool may_overlap(const uint32_t* d, const uint32_t* s) {
  const uintptr_t distance = reinterpret_cast<uintptr_t>(d) - reinterpret_cast<uintptr_t>(s) + 2 * kLanes * 4;
  return s != nullptr && distance < 4 * kLanes * 4;
}

template <class Op>
void lane_loop(LaneArgs& a) {
  if constexpr (Op::kUsesFast) {
    if ((a.mode_bits & kHostModeMask) == kHostModeBits) [[likely]] {
      // The sources must outlive the host pass: it may have to be repeated.
      constexpr unsigned kDwords = operand_dwords(Op::kDType) == 0 ? 1 : operand_dwords(Op::kDType);
      alignas(64) uint32_t result[kDwords * kLanes];
      const bool in_place = Op::kDType == LANES || Op::kTied || may_overlap(a.dst, a.src[0]) ||
                            may_overlap(a.dst, a.src[1]) || may_overlap(a.dst, a.src[2]);
      HostMode host;
      const Mode mode;
      run_lanes<Op>(a, in_place ? result : a.dst, host, mode);
      if (host.retry == 0) [[likely]] {
        if (Op::kDType != LANES && in_place) std::memcpy(a.dst, result, sizeof result);
        return;
      }
    }
  }
  const Mode mode = Mode::from_register(a.mode_bits, a.model);
  run_lanes<Op>(a, a.dst, mode, mode);
}

// --- what the formats know of a row

using LaneLoop = void (*)(LaneArgs&);
using WaveFn = void (*)(WaveState&, const Instruction&);

struct LaneRow {
  LaneLoop loop = nullptr;  // lane rows
  WaveFn whole = nullptr;   // rows whose expression begins with exec_
  bool reads_vcc = false;   // besides a LANES source
  bool writes_exec = false;
};

template <class Op>
void whole_wave(WaveState& wave, const Instruction& in) {
  typename Op::DType d{};
  bool d1 = false, exec = false;
  const Mode mode = Mode::from_register(wave.mode.bits);
  Op::lane({}, {}, {}, d, d1, exec, false, mode, mode, false, 0, in, wave);
}

template <class Op>
constexpr LaneRow lane_row() {
  if constexpr (Op::kText.starts_with("MISSING("))
    return {};
  else if constexpr (Op::kText.starts_with("exec_"))
    return {nullptr, whole_wave<Op>, false, false};
  else
    return {lane_loop<Op>, nullptr, Op::kReadsVcc, Op::kWritesExec};
}

// The rows of one table, in its order. Defined by exec_vop1.cpp and so on.
struct LaneTable {
  RowId first;
  const LaneRow* rows;
  size_t count;
};
LaneTable vop1_lane_rows();
LaneTable vop2_lane_rows();
LaneTable vopc_lane_rows();
LaneTable vop3_lane_rows();
LaneTable vop3p_lane_rows();
LaneTable mai_lane_rows();
LaneTable vop3px_lane_rows();

}  // namespace wavetwin::isa

#define WAVETWIN_UNPACK(...) __VA_ARGS__

// One struct a row. Used as ROW by lane_rows.inc.
#define WAVETWIN_LANE_OP(opcode, name, dst_types, src_types, traits, evidence, source, ...)         \
  struct name##_op {                                                                                \
    using Dst = Types<WAVETWIN_UNPACK dst_types>;                                                   \
    using Src = Types<WAVETWIN_UNPACK src_types>;                                                   \
    static constexpr std::string_view kText = #__VA_ARGS__;                                         \
    static constexpr OperandType kDType = Dst::at(0);                                               \
    using DType = typename ValueOf<Dst::at(0)>::type;                                               \
    using S0Type = typename ValueOf<Src::at(0)>::type;                                              \
    using S1Type = typename ValueOf<Src::at(1)>::type;                                              \
    using S2Type = typename ValueOf<Src::at(2)>::type;                                              \
    static constexpr bool kTied = ((traits)&TIED) != 0;                                             \
    static constexpr bool kSecondMask = Dst::at(1) == LANES;                                        \
    static constexpr bool kUsesFast = mentions(kText, "FAST");                                      \
    static constexpr bool kReadsVcc = mentions(kText, "VCC");                                       \
    static constexpr bool kWritesExec = mentions(kText, "EXEC");                                    \
    template <class M>                                                                              \
    static inline void lane([[maybe_unused]] S0Type S0, [[maybe_unused]] S1Type S1,                 \
                            [[maybe_unused]] S2Type S2, [[maybe_unused]] DType& D,                  \
                            [[maybe_unused]] bool& D1, [[maybe_unused]] bool& EXEC,                 \
                            [[maybe_unused]] bool VCC, [[maybe_unused]] M& FAST,                    \
                            [[maybe_unused]] const Mode& MODE, [[maybe_unused]] bool SAT,           \
                            [[maybe_unused]] unsigned LANE, [[maybe_unused]] const Instruction& in, \
                            [[maybe_unused]] WaveState& wave) {                                     \
      [[maybe_unused]] const unsigned OPSEL = in.op_sel;                                            \
      [[maybe_unused]] const uint32_t TABLE_BITS = in.simm16;                                       \
      __VA_ARGS__;                                                                                  \
    }                                                                                               \
  };
#define MISSING(reason) static_cast<void>(0)
