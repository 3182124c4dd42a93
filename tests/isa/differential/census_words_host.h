// SPDX-License-Identifier: MIT
// The host meaning of census_words_device.h. Sources: CDNA4 ISA guide (buffer addressing, MFMA layouts,
// conversions), OCP 8-bit floating point specification (e4m3, e5m2), OCP microscaling specification (e8m0).
#pragma once

#include "tests/isa/differential/census_words.h"

namespace wavetwin::differential {

// ---- no effect on values ----

inline u32 settled(u32 x) { return x; }
inline u32 clocks_advance() { return 1; }
template <u32 kMode>
u32 mode_after() {
  return kMode;
}
inline u32 mode_after(u32 mode) { return mode & 3; }

// ---- memory ----

// `size` bytes at `at`, zeros when they do not lie inside.
inline u32 buffer_bytes(const u8* base, u32 bytes, u32 at, u32 size) {
  u32 value = 0;
  if (at + size <= bytes) std::memcpy(&value, base + at, size);
  return value;
}
inline u32 buffer_word(const u8* base, u32 bytes, u32 at) { return buffer_bytes(base, bytes, at, 4); }
inline u32 buffer_half(const u8* base, u32 bytes, u32 at) { return buffer_bytes(base, bytes, at, 2); }
inline u32 buffer_byte(const u8* base, u32 bytes, u32 at) { return buffer_bytes(base, bytes, at, 1); }
inline u32 buffer_four(const u8* base, u32 bytes, u32 at) {
  return buffer_word(base, bytes, at) ^ buffer_word(base, bytes, at + 4) * 3 ^
         buffer_word(base, bytes, at + 8) * 5 ^ buffer_word(base, bytes, at + 12) * 7;
}
inline void buffer_put(u8* base, u32 bytes, u32 at, u32 x) {
  if (at + 4 <= bytes) std::memcpy(base + at, &x, 4);
}
inline void put_three(u8* p, u32 x, u32 y, u32 z) {
  const u32 words[] = {x, y, z};
  std::memcpy(p, words, sizeof words);
}
inline void put_four(u8* p, u32 x, u32 y, u32 z, u32 w) {
  const u32 words[] = {x, y, z, w};
  std::memcpy(p, words, sizeof words);
}
inline u32 get_four(const u8* p) { return buffer_four(p, 16, 0); }
inline u32 get_three(const u8* p) {
  return buffer_word(p, 12, 0) ^ buffer_word(p, 12, 4) * 3 ^ buffer_word(p, 12, 8) * 5;
}
inline u32 by_scratch_bytes(u32 x, u32 i) {
  const auto byte = [x](u32 n) { return (x >> 8 * n ^ n) & 255; };
  return byte(i & 3) * 3 + byte((i + 1) & 3);
}
inline void copy_to_lds(u32* lds, const u8* from, u32 lane) { std::memcpy(lds + 4 * lane, from, 16); }
// In a group of 16 lanes, element n of lane l is element l % 4 of the lane that is l / 4 places behind 4 n.
template <class Place>
void read_transposed(Threads<u64>& result, const Active& active, Place place) {
  assign(result, active, [&](u32 t) {
    u64 value = 0;
    for (u32 n = 0; n < 4; ++n) {
      const u32 from = t / 16 * 16 + 4 * n + t % 16 / 4;
      value |= (*place(from) >> 16 * (t % 4) & 0xffff) << 16 * n;
    }
    return value;
  });
}

// ---- conversions ----

inline f32 decode_e4m3(u32 code) {
  const f32 sign = code & 0x80 ? -1.0f : 1.0f;
  const int field = static_cast<int>(code >> 3 & 15), fraction = static_cast<int>(code & 7);
  if (field == 15 && fraction == 7) return std::nanf("");
  return sign * (field ? std::ldexp(8.0f + static_cast<f32>(fraction), field - 10)
                       : std::ldexp(static_cast<f32>(fraction), -9));
}
inline f32 decode_e5m2(u32 code) {
  const f32 sign = code & 0x80 ? -1.0f : 1.0f;
  const int field = static_cast<int>(code >> 2 & 31), fraction = static_cast<int>(code & 3);
  if (field == 31) return fraction ? std::nanf("") : sign * HUGE_VALF;
  return sign * (field ? std::ldexp(4.0f + static_cast<f32>(fraction), field - 17)
                       : std::ldexp(static_cast<f32>(fraction), -16));
}
// An 8-bit code of a number that the format has or that lies between two that it has.
inline u32 encode(f32 x, int e, int f) {
  const u32 code = round_to_code(x, e, f);
  return (code & 0x7f) | code >> 15 << 7;
}
template <u32 kByte>
f32 from_e4m3(u32 x) {
  return one_nan(decode_e4m3(x >> 8 * kByte & 255));
}
template <u32 kByte>
f32 from_e5m2(u32 x) {
  return one_nan(decode_e5m2(x >> 8 * kByte & 255));
}
inline f32 sum_e4m3(u32 x) {
  return one_nan(from_e4m3<0>(x) + from_e4m3<1>(x) * 2 + from_e4m3<2>(x) * 3 + from_e4m3<3>(x) * 5);
}
inline u32 to_e4m3(f32 x, f32 y, u32 old) {
  return (old & 0xffff) | encode(x, 4, 3) << 16 | encode(y, 4, 3) << 24;
}
inline u32 to_e5m2(f32 x, f32 y, u32 old) {
  return (old & 0xffff0000) | encode(x, 5, 2) | encode(y, 5, 2) << 8;
}
inline u32 exact_to_e4m3(f32 x, u32, u32 old) { return (old & 0xff00ffff) | encode(x, 4, 3) << 16; }
inline f32 scaled_from_e4m3(u32 x, f32 scale) {
  return one_nan(from_e4m3<2>(x) * scale + from_e4m3<3>(x) * scale * 2);
}
inline u32 scaled_bf16_from_e4m3(u32 x, f32 scale) {
  return u32{code_of(bf16(from_e4m3<1>(x) * scale))} << 16 | code_of(bf16(from_e4m3<0>(x) * scale));
}
inline u32 scaled_to_e4m3(f32 x, f32 y, f32 scale) {
  return encode(x / scale, 4, 3) | encode(y / scale, 4, 3) << 8;
}

// ---- arithmetic ----

inline f32 power_of_two(f32 x) { return std::exp2(x); }
inline f32 logarithm(f32 x) { return std::log2(x); }
inline f32 reciprocal_root(f32 x) { return 1 / std::sqrt(x); }
inline f32 fraction_of(f32 x) { return x - std::floor(x); }
inline f32 largest(f32 x, f32 y, f32 z) { return std::max(std::max(x, y), z); }
inline f32 median_of(f32 x, f32 y, f32 z) { return std::max(std::min(x, y), std::min(std::max(x, y), z)); }
inline f32 dot2_bf16(u32 x, u32 y, f32 c) {
  const auto value = [](u32 code) { return std::bit_cast<f32>(code << 16); };
  return value(x & 0xffff) * value(y & 0xffff) + value(x >> 16) * value(y >> 16) + c;
}
template <u32 kControl, class Value>
void add_dpp(Threads<f32>& result, const Active& active, Value value) {
  assign(result, active, [&](u32 t) {
    const int from = dpp_source(kControl, static_cast<int>(t % kWaveLanes));
    return value(t) + (from < 0 ? 0.0f : value(wave_base(t) + static_cast<u32>(from)));
  });
}

// ---- matrices: A has `rows` rows and as many columns has B; a lane holds row (column) lane % rows ----

// The lane and the place in it of element k, when a lane holds runs of `run` elements.
struct Place {
  u32 lane_group, element;
};
inline Place place_of(u32 k, u32 run, u32 groups) {
  return {k / run % groups, k / (run * groups) * run + k % run};
}

// Row of D that a lane of group `lane / columns` holds in register r: four neighbouring rows a group, in
// turn.
inline u32 row_of(u32 r, u32 lane_group, u32 groups) { return r / 4 * 4 * groups + 4 * lane_group + r % 4; }

template <class Scale, class A, class B>
void matrix_product(Threads<f32>& result, const Active& active, u32 rows, u32 depth, u32 run, A a, B b,
                    Scale scale) {
  const u32 groups = kWaveLanes / rows, registers = rows * rows / kWaveLanes;
  assign(result, active, [&](u32 t) {
    const u32 base = wave_base(t), column = t % rows, lane_group = t % kWaveLanes / rows;
    f32 weighted = 0;
    for (u32 r = 0; r < registers; ++r) {
      const u32 row = row_of(r, lane_group, groups);
      f32 sum = 0;
      for (u32 k = 0; k < depth; ++k) {
        const Place p = place_of(k, run, groups);
        const u32 word_a = a(base + p.lane_group * rows + row),
                  word_b = b(base + p.lane_group * rows + column);
        sum += static_cast<f32>(small_integer(word_a, p.element) * small_integer(word_b, p.element)) *
               scale(a(base + k / 32 * rows + row)) * scale(b(base + k / 32 * rows + column));
      }
      weighted += static_cast<f32>(r + 1) * sum;
    }
    return weighted;
  });
}
inline f32 no_scale(u32) { return 1; }
inline f32 e8m0_scale(u32 word) { return std::ldexp(1.0f, static_cast<int>(scale_code(word)) - 127); }

template <class A, class B>
void mfma_16x16x32_bf16(Threads<f32>& result, const Active& active, A a, B b) {
  matrix_product(result, active, 16, 32, 8, a, b, no_scale);
}
template <class A, class B>
void mfma_32x32x16_bf16(Threads<f32>& result, const Active& active, A a, B b) {
  matrix_product(result, active, 32, 16, 8, a, b, no_scale);
}
template <class A, class B>
void mfma_scale_16x16x128(Threads<f32>& result, const Active& active, A a, B b) {
  matrix_product(result, active, 16, 128, 16, a, b, e8m0_scale);
}
template <class A, class B>
void mfma_scale_32x32x64(Threads<f32>& result, const Active& active, A a, B b) {
  matrix_product(result, active, 32, 64, 16, a, b, e8m0_scale);
}

}  // namespace wavetwin::differential
