// SPDX-License-Identifier: MIT
// Read-modify-write operations of memory and LDS atomics (CDNA4 ISA guide, memory atomics). A function maps
// the old value to the new one; 4-byte operations use the low 32 bits. Float atomics have numeric rules and
// come from sim/numerics in the same form.
#pragma once

#include <cstdint>
#include <type_traits>

namespace wavetwin {

// (old value, data, compare value) -> new value.
using AtomicFunction = uint64_t (*)(uint64_t old, uint64_t data, uint64_t compare);

// T is uint32_t or uint64_t.
namespace atomic_op {

template <class T>
uint64_t swap(uint64_t, uint64_t data, uint64_t) {
  return static_cast<T>(data);
}
template <class T>
uint64_t cmpswap(uint64_t old, uint64_t data, uint64_t compare) {
  return static_cast<T>(old) == static_cast<T>(compare) ? static_cast<T>(data) : static_cast<T>(old);
}
template <class T>
uint64_t add(uint64_t old, uint64_t data, uint64_t) {
  return static_cast<T>(old + data);
}
template <class T>
uint64_t sub(uint64_t old, uint64_t data, uint64_t) {
  return static_cast<T>(old - data);
}
template <class T>
uint64_t rsub(uint64_t old, uint64_t data, uint64_t) {
  return static_cast<T>(data - old);
}
template <class T>
uint64_t umin(uint64_t old, uint64_t data, uint64_t) {
  return static_cast<T>(data) < static_cast<T>(old) ? static_cast<T>(data) : static_cast<T>(old);
}
template <class T>
uint64_t umax(uint64_t old, uint64_t data, uint64_t) {
  return static_cast<T>(data) > static_cast<T>(old) ? static_cast<T>(data) : static_cast<T>(old);
}
template <class T>
uint64_t smin(uint64_t old, uint64_t data, uint64_t) {
  using S = std::make_signed_t<T>;
  return static_cast<T>(static_cast<S>(data) < static_cast<S>(old) ? data : old);
}
template <class T>
uint64_t smax(uint64_t old, uint64_t data, uint64_t) {
  using S = std::make_signed_t<T>;
  return static_cast<T>(static_cast<S>(data) > static_cast<S>(old) ? data : old);
}
template <class T>
uint64_t bit_and(uint64_t old, uint64_t data, uint64_t) {
  return static_cast<T>(old & data);
}
template <class T>
uint64_t bit_or(uint64_t old, uint64_t data, uint64_t) {
  return static_cast<T>(old | data);
}
template <class T>
uint64_t bit_xor(uint64_t old, uint64_t data, uint64_t) {
  return static_cast<T>(old ^ data);
}
// old >= data ? 0 : old + 1
template <class T>
uint64_t inc(uint64_t old, uint64_t data, uint64_t) {
  return static_cast<T>(old) >= static_cast<T>(data) ? 0 : static_cast<T>(old + 1);
}
// old == 0 or old > data ? data : old - 1
template <class T>
uint64_t dec(uint64_t old, uint64_t data, uint64_t) {
  const T o = static_cast<T>(old), d = static_cast<T>(data);
  return o == 0 || o > d ? d : static_cast<T>(o - 1);
}

}  // namespace atomic_op
}  // namespace wavetwin
