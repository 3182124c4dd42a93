// SPDX-License-Identifier: MIT
// One kernel a builtin of clang: b_<row> evaluates the device side of its row of rows.inc in each of 64 lanes.
#include "tests/isa/foreign/builtins/inputs.h"

#define DEVICE __attribute__((device)) static inline
#define CONSTANT __attribute__((address_space(4)))
#define LDS_PTR __attribute__((address_space(3)))
#define GLOBAL_PTR __attribute__((address_space(1)))

using namespace wavetwin::isa::builtins;

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long i64;
typedef unsigned long u64;
typedef float f32;
typedef double f64;
typedef _Float16 f16;
typedef __bf16 bf16;
#define VECTOR(type, count) typedef type type##x##count __attribute__((ext_vector_type(count)));
#define VECTORS(type) VECTOR(type, 2) VECTOR(type, 3) VECTOR(type, 4) VECTOR(type, 6) VECTOR(type, 8) \
  VECTOR(type, 16) VECTOR(type, 32)
typedef __fp16 half4 __attribute__((ext_vector_type(4)));
VECTORS(i16) VECTORS(u16) VECTORS(i32) VECTORS(u32) VECTORS(f32) VECTORS(f64) VECTORS(f16) VECTORS(bf16)

// A value and what is in memory after it, and the like.
template <typename A, typename B>
struct Pair {
  A first;
  B second;
};
template <typename A, typename B>
DEVICE Pair<A, B> pair(A a, B b) {
  return {a, b};
}

template <typename T>
DEVICE T value_at(const u32* words) {
  T value;
  __builtin_memcpy(&value, words, sizeof value);
  return value;
}
// Vectors of three and six words have padding behind them.
template <typename T>
inline constexpr unsigned kBytesOf = sizeof(T);
template <>
inline constexpr unsigned kBytesOf<u32x3> = 12;
template <>
inline constexpr unsigned kBytesOf<u32x6> = 24;
// A macro: vectors that clang mangles alike can be different types.
#define put(to, ...)                                                                                         \
  do {                                                                                                       \
    auto put_value = __VA_ARGS__;                                                                            \
    if constexpr (sizeof put_value < 4) *(to) = 0;                                                           \
    __builtin_memcpy(to, &put_value, kBytesOf<decltype(put_value)>);                                                    \
  } while (0)

// What rows say.
#define IN(type, section) value_at<type>(in + (section))
#define U(k) in[kRandom + (k)]
#define I(k) IN(i32, kRandom + (k))
#define W(k) IN(u64, kRandom + 2 * (k))
#define F(k) IN(f32, kFloats + (k))
#define D(k) IN(f64, kDoubles + 2 * (k))
#define H(k) (IN(f16x2, kHalves + (k))[0])
#define S(k) in[kCounts + (k)]
#define FI(k) IN(f32, kSmallFloats + (k))
#define DI(k) IN(f64, kSmallDoubles + 2 * (k))
#define H2(k) IN(f16x2, kSmallHalves + (k))
#define B2(k) IN(bf16x2, kSmallBf16 + (k))
#define LANE lane
#define MEMORY ((u32*)memory)  // kInputWords words of the lane's own, a copy of its inputs
#define SHARED_WORDS ((LDS_PTR u32*)shared + 4 * lane)  // 4 words of the lane's own, a copy of U(0) ... U(3)
#define SHARED_ALL ((LDS_PTR u32*)shared)
#define RSRC __builtin_amdgcn_make_buffer_rsrc(memory_base, 0, 4 * kInputWords * kLanesOfWave, 0x27000)
#define OFFSET(word) (int)(4 * (kInputWords * lane + (word)))

#define ACCUMULATOR_16 f32x4{}
#define ACCUMULATOR_32 f32x16{}

#define KERNEL(name, ...)                                                                                    \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(64, 64))) void b_##name(     \
      u32* outputs, const u32* inputs, u32* memory_base) {                                                   \
    __attribute__((shared)) u32 shared[4 * kLanesOfWave];                                                    \
    const u32 lane = __builtin_amdgcn_workitem_id_x();                                                       \
    [[maybe_unused]] const u32* in = inputs + kInputWords * lane;                                            \
    [[maybe_unused]] u32* memory = memory_base + kInputWords * lane;                                         \
    u32* out = outputs + kOutputWords * lane;                                                                \
    for (u32 i = 0; i < 4; ++i) ((volatile u32*)shared)[4 * lane + i] = in[i];                               \
    __builtin_amdgcn_s_barrier();                                                                            \
    __VA_ARGS__                                                                                              \
  }

#define EXACT(name, device, ...) KERNEL(name, put(out, device);)
#define NEAR(name, type, tolerance, device, ...) KERNEL(name, put(out, device);)
#define RUNS(name, ...) KERNEL(name, __VA_ARGS__; *out = 1;)
#define EXACT_BODY(name, body, ...) KERNEL(name, body)
#define MFMA(name, rows, blocks, per_lane, a, a_at, b_at, c, c_at)                                           \
  KERNEL(mfma_##name, put(out, __builtin_amdgcn_mfma_##name(IN(a, a_at), IN(a, b_at), IN(c, c_at), 0, 0, 0));)
#define MFMA_SCALE(name, rows, a_format, b_format, a_at, b_at)                                               \
  KERNEL(mfma_scale_##name##_##a_format##b_format,                                                           \
         put(out, __builtin_amdgcn_mfma_scale_f32_##name(                                                    \
                      IN(i32x8, a_at), IN(i32x8, b_at), value_at<decltype(ACCUMULATOR_##rows)>(in + kSmallFloats), \
                      a_format, b_format, 1, 0x7f7f817f, 2, 0x7f7c7f7f));)
#define SMFMAC(name, rows, a, b, a_at, b_at, c, c_at)                                                        \
  KERNEL(smfmac_##name,                                                                                      \
         put(out, __builtin_amdgcn_smfmac_##name(IN(a, a_at), IN(b, b_at), IN(c, c_at), I(kSparseIndex), 0, 0));)
#define NOT_HERE(name, reason)

#include "tests/isa/foreign/builtins/rows.inc"
