// SPDX-License-Identifier: MIT
// One value in each of the 64 lanes of a wave.
//
// Lane<T> is a plain array of 64 T; LaneMask is one bit a lane. A plain scalar beside a Lane is wave-uniform
// and is broadcast. Comparisons give a LaneMask. Everything here is trivially copyable and trivially
// destructible, so it may live across a co_await of a simulated kernel, and every loop has a constant trip
// count, so that compilers turn it into a few SIMD operations.
//
// Defined where C++ is not: integers wrap, a shift uses the low 3..6 bits of its count (as v_lshlrev does),
// an integer division by zero gives all ones and its remainder the dividend. Float + - * / are the host's
// IEEE operations (round to nearest even, denormals kept), which is what gfx950 does in its default MODE;
// anything finer is in sim/numerics.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace wavetwin {

inline constexpr unsigned kWaveSize = 64;  // lanes of a gfx950 wave

// ---- LaneMask ----

// In which order the lanes of one instruction take effect where they meet.
enum class LaneOrder : uint8_t { ascending, descending };

// Bit l is lane l.
struct LaneMask {
  uint64_t bits = 0;

  static constexpr LaneMask all() { return {~uint64_t{0}}; }
  static constexpr LaneMask none() { return {0}; }
  static constexpr LaneMask lane(unsigned l) { return {uint64_t{1} << (l % kWaveSize)}; }
  // Lanes 0 .. count-1.
  static constexpr LaneMask first(unsigned count) {
    return {count >= kWaveSize ? ~uint64_t{0} : (uint64_t{1} << count) - 1};
  }
  // The same answer in every lane.
  static constexpr LaneMask uniform(bool value) { return {value ? ~uint64_t{0} : 0}; }

  constexpr bool operator[](unsigned l) const { return (bits >> (l % kWaveSize)) & 1; }
  constexpr bool any() const { return bits != 0; }
  constexpr bool is_all() const { return bits == ~uint64_t{0}; }
  constexpr bool is_none() const { return bits == 0; }
  constexpr unsigned count() const { return static_cast<unsigned>(std::popcount(bits)); }
  // The lowest set lane; 64 when there is none.
  constexpr unsigned first_set() const { return static_cast<unsigned>(std::countr_zero(bits)); }

  // Calls f(lane) for each set lane in lane order.
  template <class F>
  constexpr void for_each(F&& f) const {
    for (uint64_t rest = bits; rest != 0; rest &= rest - 1) f(static_cast<unsigned>(std::countr_zero(rest)));
  }
  template <class F>
  constexpr void for_each_in(LaneOrder order, F&& f) const {
    if (order == LaneOrder::ascending) return for_each(f);
    for (uint64_t rest = bits; rest != 0;) {
      const unsigned lane = 63 - static_cast<unsigned>(std::countl_zero(rest));
      rest ^= uint64_t{1} << lane;
      f(lane);
    }
  }

  friend constexpr bool operator==(LaneMask, LaneMask) = default;
  friend constexpr LaneMask operator&(LaneMask a, LaneMask b) { return {a.bits & b.bits}; }
  friend constexpr LaneMask operator|(LaneMask a, LaneMask b) { return {a.bits | b.bits}; }
  friend constexpr LaneMask operator^(LaneMask a, LaneMask b) { return {a.bits ^ b.bits}; }
  friend constexpr LaneMask operator~(LaneMask a) { return {~a.bits}; }
  friend constexpr LaneMask operator!(LaneMask a) { return {~a.bits}; }
  friend constexpr LaneMask operator&(LaneMask a, bool uniform) { return {uniform ? a.bits : 0}; }
  friend constexpr LaneMask operator&(bool uniform, LaneMask a) { return {uniform ? a.bits : 0}; }
  friend constexpr LaneMask operator|(LaneMask a, bool uniform) { return {uniform ? ~uint64_t{0} : a.bits}; }
  friend constexpr LaneMask operator|(bool uniform, LaneMask a) { return {uniform ? ~uint64_t{0} : a.bits}; }
  constexpr LaneMask& operator&=(LaneMask b) { return bits &= b.bits, *this; }
  constexpr LaneMask& operator|=(LaneMask b) { return bits |= b.bits, *this; }
  constexpr LaneMask& operator^=(LaneMask b) { return bits ^= b.bits, *this; }
};

inline constexpr LaneMask kAllLanes = LaneMask::all();

// ---- Lane<T> ----

template <class T>
struct alignas(64) Lane {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
  using value_type = T;

  T v[kWaveSize];

  Lane() = default;  // lanes are indeterminate, as a register is
  // NOLINTNEXTLINE(google-explicit-constructor): a scalar is wave-uniform
  Lane(T uniform) {
    for (unsigned l = 0; l < kWaveSize; ++l) v[l] = uniform;
  }

  // f(lane) in each lane.
  template <class F>
  static Lane generate(F&& f) {
    Lane r;
    for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = static_cast<T>(f(l));
    return r;
  }
  // start, start + 1, start + 2, ...
  static Lane iota(T start = T{0}) {
    return generate([start](unsigned l) { return static_cast<T>(start + static_cast<T>(l)); });
  }

  constexpr T& operator[](unsigned l) { return v[l]; }
  constexpr const T& operator[](unsigned l) const { return v[l]; }
};

using LaneU8 = Lane<uint8_t>;
using LaneI8 = Lane<int8_t>;
using LaneU16 = Lane<uint16_t>;
using LaneI16 = Lane<int16_t>;
using LaneU32 = Lane<uint32_t>;
using LaneI32 = Lane<int32_t>;
using LaneU64 = Lane<uint64_t>;
using LaneI64 = Lane<int64_t>;
using LaneF32 = Lane<float>;
using LaneF64 = Lane<double>;

// N consecutive VGPRs of a wave: r[i] is dword i of every lane.
template <unsigned N>
struct Vgprs {
  LaneU32 r[N];

  LaneU32& operator[](unsigned i) { return r[i]; }
  const LaneU32& operator[](unsigned i) const { return r[i]; }
  static Vgprs uniform(uint32_t value) {
    Vgprs out;
    for (unsigned i = 0; i < N; ++i) out.r[i] = value;
    return out;
  }
};

static_assert(std::is_trivially_copyable_v<LaneU32> && std::is_trivially_destructible_v<LaneU32>);
static_assert(std::is_trivially_copyable_v<Vgprs<4>> && sizeof(Vgprs<4>) == 1024);

namespace lane_detail {

// The unsigned type in which T wraps: integers compute there, floats stay what they are.
template <class T, bool kIsInteger = std::is_integral_v<T>>
struct Wrapping {
  using type = T;
};
template <class T>
struct Wrapping<T, true> {
  // At least unsigned int, since a smaller type would be promoted to int.
  using type = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
};
template <class T>
using WrappingT = typename Wrapping<T>::type;

template <class T, class F>
inline Lane<T> map(const Lane<T>& a, F f) {
  Lane<T> r;
  for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = static_cast<T>(f(a.v[l]));
  return r;
}
template <class T, class F>
inline Lane<T> zip(const Lane<T>& a, const Lane<T>& b, F f) {
  Lane<T> r;
  for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = static_cast<T>(f(a.v[l], b.v[l]));
  return r;
}

// One byte a lane (0 or 1) packed into one bit a lane.
inline LaneMask pack_bytes(const uint8_t (&flags)[kWaveSize]) {
  uint64_t bits = 0;
  for (unsigned group = 0; group < 8; ++group) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 8; ++i) bytes |= uint64_t{flags[8 * group + i]} << (8 * i);
    bits |= ((bytes * 0x0102040810204080ull) >> 56) << (8 * group);
  }
  return {bits};
}
template <class T, class F>
inline LaneMask compare(const Lane<T>& a, const Lane<T>& b, F f) {
  uint8_t flags[kWaveSize];
  for (unsigned l = 0; l < kWaveSize; ++l) flags[l] = f(a.v[l], b.v[l]) ? 1 : 0;
  return pack_bytes(flags);
}

template <class T>
inline T add(T a, T b) {
  return static_cast<T>(static_cast<WrappingT<T>>(a) + static_cast<WrappingT<T>>(b));
}
template <class T>
inline T subtract(T a, T b) {
  return static_cast<T>(static_cast<WrappingT<T>>(a) - static_cast<WrappingT<T>>(b));
}
template <class T>
inline T multiply(T a, T b) {
  return static_cast<T>(static_cast<WrappingT<T>>(a) * static_cast<WrappingT<T>>(b));
}
template <class T>
inline T divide(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return subtract(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
}
template <class T>
inline T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}
template <class T>
inline constexpr unsigned kShiftMask = 8 * sizeof(T) - 1;
template <class T>
inline T shift_left(T a, T count) {
  return static_cast<T>(static_cast<WrappingT<T>>(a) << (static_cast<unsigned>(count) & kShiftMask<T>));
}
template <class T>
inline T shift_right(T a, T count) {  // arithmetic for signed T
  return static_cast<T>(a >> (static_cast<unsigned>(count) & kShiftMask<T>));
}

}  // namespace lane_detail

// Binary operators: lane with lane, lane with scalar, scalar with lane; and the assignment form.
#define WAVETWIN_LANE_OPERATOR(op, function, Constraint)                              \
  template <class T>                                                                  \
  requires Constraint<T>                                                              \
  inline Lane<T> operator op(const Lane<T>& a, const Lane<T>& b) {                    \
    return lane_detail::zip(a, b, [](T x, T y) { return function(x, y); });           \
  }                                                                                   \
  template <class T>                                                                  \
  requires Constraint<T>                                                              \
  inline Lane<T> operator op(const Lane<T>& a, std::type_identity_t<T> b) {           \
    return lane_detail::map(a, [b](T x) { return function(x, b); });                  \
  }                                                                                   \
  template <class T>                                                                  \
  requires Constraint<T>                                                              \
  inline Lane<T> operator op(std::type_identity_t<T> a, const Lane<T>& b) {           \
    return lane_detail::map(b, [a](T y) { return function(a, y); });                  \
  }                                                                                   \
  template <class T>                                                                  \
  requires Constraint<T>                                                              \
  inline Lane<T>& operator op##=(Lane<T>& a, const Lane<T>& b) { return a = a op b; } \
  template <class T>                                                                  \
  requires Constraint<T>                                                              \
  inline Lane<T>& operator op##=(Lane<T>& a, std::type_identity_t<T> b) { return a = a op b; }

namespace lane_detail {
template <class T>
concept Any = std::is_arithmetic_v<T>;
template <class T>
concept Integer = std::is_integral_v<T>;
template <class T>
inline T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
inline T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
inline T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
}  // namespace lane_detail

WAVETWIN_LANE_OPERATOR(+, lane_detail::add<T>, lane_detail::Any)
WAVETWIN_LANE_OPERATOR(-, lane_detail::subtract<T>, lane_detail::Any)
WAVETWIN_LANE_OPERATOR(*, lane_detail::multiply<T>, lane_detail::Any)
WAVETWIN_LANE_OPERATOR(/, lane_detail::divide<T>, lane_detail::Any)
WAVETWIN_LANE_OPERATOR(%, lane_detail::remainder<T>, lane_detail::Integer)
WAVETWIN_LANE_OPERATOR(&, lane_detail::bit_and<T>, lane_detail::Integer)
WAVETWIN_LANE_OPERATOR(|, lane_detail::bit_or<T>, lane_detail::Integer)
WAVETWIN_LANE_OPERATOR(^, lane_detail::bit_xor<T>, lane_detail::Integer)
WAVETWIN_LANE_OPERATOR(<<, lane_detail::shift_left<T>, lane_detail::Integer)
WAVETWIN_LANE_OPERATOR(>>, lane_detail::shift_right<T>, lane_detail::Integer)
#undef WAVETWIN_LANE_OPERATOR

// Comparisons; with a NaN all but != are false.
#define WAVETWIN_LANE_COMPARISON(op)                                         \
  template <class T>                                                         \
  inline LaneMask operator op(const Lane<T>& a, const Lane<T>& b) {          \
    return lane_detail::compare(a, b, [](T x, T y) { return x op y; });      \
  }                                                                          \
  template <class T>                                                         \
  inline LaneMask operator op(const Lane<T>& a, std::type_identity_t<T> b) { \
    return lane_detail::compare(a, a, [b](T x, T) { return x op b; });       \
  }                                                                          \
  template <class T>                                                         \
  inline LaneMask operator op(std::type_identity_t<T> a, const Lane<T>& b) { \
    return lane_detail::compare(b, b, [a](T y, T) { return a op y; });       \
  }

WAVETWIN_LANE_COMPARISON(==)
WAVETWIN_LANE_COMPARISON(!=)
WAVETWIN_LANE_COMPARISON(<)
WAVETWIN_LANE_COMPARISON(<=)
WAVETWIN_LANE_COMPARISON(>)
WAVETWIN_LANE_COMPARISON(>=)
#undef WAVETWIN_LANE_COMPARISON

template <class T>
inline Lane<T> operator-(const Lane<T>& a) {
  if constexpr (std::is_floating_point_v<T>) {
    return lane_detail::map(a, [](T x) { return -x; });
  } else {
    return lane_detail::map(a, [](T x) { return lane_detail::subtract(T{0}, x); });
  }
}
template <class T>
requires std::is_integral_v<T>
inline Lane<T> operator~(const Lane<T>& a) {
  return lane_detail::map(a, [](T x) { return static_cast<T>(~x); });
}

// a in the lanes of `mask`, b in the others.
template <class T>
inline Lane<T> select(LaneMask mask, const Lane<T>& a, const Lane<T>& b) {
  Lane<T> r;
  for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = ((mask.bits >> l) & 1) ? a.v[l] : b.v[l];
  return r;
}
template <class T>
inline Lane<T> select(LaneMask mask, const Lane<T>& a, std::type_identity_t<T> b) {
  return select(mask, a, Lane<T>(b));
}
template <class T>
inline Lane<T> select(LaneMask mask, std::type_identity_t<T> a, const Lane<T>& b) {
  return select(mask, Lane<T>(a), b);
}
template <unsigned N>
inline Vgprs<N> select(LaneMask mask, const Vgprs<N>& a, const Vgprs<N>& b) {
  Vgprs<N> r;
  for (unsigned i = 0; i < N; ++i) r[i] = select(mask, a[i], b[i]);
  return r;
}

// Integer minimum and maximum. The float ones have NaN and zero rules and live in sim/numerics.
template <class T>
requires std::is_integral_v<T>
inline Lane<T> min(const Lane<T>& a, const Lane<T>& b) {
  return lane_detail::zip(a, b, [](T x, T y) { return x < y ? x : y; });
}
template <class T>
requires std::is_integral_v<T>
inline Lane<T> min(const Lane<T>& a, std::type_identity_t<T> b) { return min(a, Lane<T>(b)); }
template <class T>
requires std::is_integral_v<T>
inline Lane<T> max(const Lane<T>& a, const Lane<T>& b) {
  return lane_detail::zip(a, b, [](T x, T y) { return x > y ? x : y; });
}
template <class T>
requires std::is_integral_v<T>
inline Lane<T> max(const Lane<T>& a, std::type_identity_t<T> b) { return max(a, Lane<T>(b)); }

// The bits of each lane read as a U of the same size.
template <class U, class T>
inline Lane<U> lane_cast(const Lane<T>& a) {
  static_assert(sizeof(U) == sizeof(T));
  return std::bit_cast<Lane<U>>(a);
}
inline LaneF32 as_f32(const LaneU32& a) { return lane_cast<float>(a); }
inline LaneU32 as_u32(const LaneF32& a) { return lane_cast<uint32_t>(a); }
inline LaneI32 as_i32(const LaneU32& a) { return lane_cast<int32_t>(a); }
inline LaneU32 as_u32(const LaneI32& a) { return lane_cast<uint32_t>(a); }

// The value of each lane as a U: integers wrap or extend, integers to floats round to nearest even. A float
// to an integer has hardware rules and lives in sim/numerics.
template <class U, class T>
inline Lane<U> convert(const Lane<T>& a) {
  static_assert(std::is_integral_v<T> || std::is_floating_point_v<U>, "float to integer: see sim/numerics");
  Lane<U> r;
  for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = static_cast<U>(a.v[l]);
  return r;
}

// The 64-bit lanes {low, high}.
inline LaneU64 combine(const LaneU32& low, const LaneU32& high) {
  LaneU64 r;
  for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = uint64_t{high.v[l]} << 32 | low.v[l];
  return r;
}
inline LaneU32 low_dword(const LaneU64& a) { return convert<uint32_t>(a); }
inline LaneU32 high_dword(const LaneU64& a) { return convert<uint32_t>(a >> uint64_t{32}); }

}  // namespace wavetwin
