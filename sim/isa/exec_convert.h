// SPDX-License-Identifier: MIT
// The wide v_cvt_scalef32_* instructions: 32 elements a lane between 6-bit codes (6 registers) and f32, f16
// or bf16. source: CDNA4 ISA guide, V_CVT_SCALEF32_PK32_F32_FP6 and following: element i of a packed operand
// is at bit 6 * i.
#pragma once

#include "sim/isa/exec_valu.h"

namespace wavetwin::isa {

using FormatF16 = ::wavetwin::F16;
using FormatBf16 = ::wavetwin::BF16;

// How 32 elements lie in a lane's registers, and their conversion from a code.
struct F32Elements {
  static Unpacked get(const Words& w, unsigned i, const Mode& m) { return source_f32(w[i], m); }
  template <class F>
  static void put(const Words& w, unsigned i, uint32_t code, uint32_t scale, const Mode& m) {
    w[i] = scaled_to_f32<F>(code, scale, m);
  }
};
inline uint16_t half_of(const Words& w, unsigned i) {
  return static_cast<uint16_t>(w[i / 2] >> (16 * (i % 2)));
}
inline void put_half(const Words& w, unsigned i, uint16_t value) {
  w[i / 2] = insert_bits<uint32_t>(w[i / 2], 16 * (i % 2), 16, value);
}
struct F16Elements {
  static Unpacked get(const Words& w, unsigned i, const Mode&) { return source_f16(half_of(w, i)); }
  template <class F>
  static void put(const Words& w, unsigned i, uint32_t code, uint32_t scale, const Mode& m) {
    put_half(w, i, scaled_to_f16<F>(code, scale, m));
  }
};
struct Bf16Elements {
  static Unpacked get(const Words& w, unsigned i, const Mode&) { return source_bf16(half_of(w, i)); }
  template <class F>
  static void put(const Words& w, unsigned i, uint32_t code, uint32_t scale, const Mode& m) {
    put_half(w, i, scaled_to_bf16<F>(code, scale, m));
  }
};

// 6-bit element i of 6 registers.
inline uint32_t get6(const Words& w, unsigned i) {
  const unsigned bit = 6 * i;
  const uint64_t two = w[bit / 32] | (bit / 32 < 5 ? uint64_t{w[bit / 32 + 1]} << 32 : 0);
  return two >> (bit % 32) & 63;
}
inline void put6(const Words& w, unsigned i, uint32_t code) {
  const unsigned bit = 6 * i;
  w[bit / 32] =
      static_cast<uint32_t>((w[bit / 32] & ~(uint64_t{63} << (bit % 32))) | uint64_t{code} << (bit % 32));
  if (bit % 32 > 26) {
    const unsigned done = 32 - bit % 32;
    w[bit / 32 + 1] = insert_bits<uint32_t>(w[bit / 32 + 1], 0, 6 - done, code >> done);
  }
}

template <class F, class Elements>
void pack32(const Words& d, const Words& s, uint32_t scale, const Mode& m) {
  for (unsigned i = 0; i < 32; ++i) put6(d, i, scaled_to_small<F>(Elements::get(s, i, m), scale, m));
}
// The seed steps from element to element.
template <class F, class Elements>
void pack32_stochastic(const Words& d, const Words& s, uint32_t seed, uint32_t scale, const Mode& m) {
  for (unsigned i = 0; i < 32; ++i, seed = prng_step(seed)) {
    put6(d, i, scaled_to_small_stochastic<F>(Elements::get(s, i, m), seed, scale, m));
  }
}
// v_cvt_scalef32_2xpk16: even elements from the first source, odd ones from the second.
template <class F>
void pack_interleaved(const Words& d, const Words& even, const Words& odd, uint32_t scale, const Mode& m) {
  for (unsigned i = 0; i < 32; ++i) {
    put6(d, i, scaled_to_small<F>(F32Elements::get(i % 2 ? odd : even, i / 2, m), scale, m));
  }
}
template <class F, class Elements>
void unpack32(const Words& d, const Words& s, uint32_t scale, const Mode& m) {
  for (unsigned i = 0; i < 32; ++i) Elements::template put<F>(d, i, get6(s, i), scale, m);
}

}  // namespace wavetwin::isa
