// SPDX-License-Identifier: MIT
// Values of every shape by value: packed and bit-field structures, wide and odd integers, half vectors, masks, block
// copies of odd sizes. The same file is the host's side; both are clang's, so that _BitInt and vectors mean the same.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long u64;
typedef long i64;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef unsigned _BitInt(119) u119;
typedef _Float16 Halves __attribute__((ext_vector_type(8)));
typedef bool Mask __attribute__((ext_vector_type(8)));
typedef int Ints __attribute__((ext_vector_type(4)));

#ifdef __HIP__
#define DEVICE __attribute__((device))
#else
#define DEVICE
#endif
#define NOINLINE __attribute__((noinline)) static

struct __attribute__((packed)) Packed {
  u8 a;
  u32 b;
  u16 c;
  u64 d;
  float e;
  double f;
};
struct Wide {
  u32 a[20];
  Packed p;
  _BitInt(77) q;
  u8 tail[5];
};
struct Bits {
  u32 a : 3;
  int b : 11;
  u64 c : 37;
  u32 d : 13;
};
struct Arguments {
  Wide wide;
  Bits bits;
  Ints ints;
  u8 small;
  u64 data[8];
  double real;
};

DEVICE NOINLINE u32 hash(u32 x) {
  x = (x ^ x >> 16) * 0x7feb352d;
  x = (x ^ x >> 15) * 0x846ca68b;
  return x ^ x >> 16;
}
DEVICE NOINLINE void copy(void* to, const void* from, u32 bytes) { __builtin_memcpy(to, from, bytes); }
DEVICE NOINLINE void fill(void* to, int value, u32 bytes) { __builtin_memset(to, value, bytes); }
DEVICE NOINLINE Wide changed(Wide w, u32 k) {
  for (u32 i = 0; i < 20; ++i) w.a[i] += k * i;
  w.p.b ^= k;
  w.q = static_cast<unsigned _BitInt(77)>(w.q) * static_cast<unsigned _BitInt(77)>(w.q) + k;
  w.tail[k % 5] = k;
  return w;
}

DEVICE NOINLINE void structures(u32* o, u32 i, const Arguments& in) {
  const Wide wide = changed(in.wide, i);
  o[0] = wide.a[7] + wide.a[19];
  o[1] = wide.p.b;
  o[2] = static_cast<u32>(wide.q);
  o[3] = static_cast<u32>(wide.q >> 45);
  o[4] = wide.tail[i % 5] + wide.tail[4];
  Bits bits = in.bits;
  bits.a += i;
  bits.b -= i;
  bits.c *= i | 1;
  bits.d ^= i * 77;
  o[5] = bits.a;
  o[6] = bits.b;
  o[7] = static_cast<u32>(bits.c);
  o[8] = static_cast<u32>(bits.c >> 32);
  o[9] = bits.d;
  Packed list[3];
  for (u32 k = 0; k < 3; ++k)
    list[k] = {static_cast<u8>(i), hash(i) + k, static_cast<u16>(i * 3), in.data[i % 8], i * 1.5f, in.real * i};
  volatile u32 which = i % 3;
  o[10] = list[which].b + list[which].c;
  o[11] = static_cast<u32>(static_cast<i64>(list[which].f));
  o[12] = static_cast<u32>(list[which].d >> 13);
}

DEVICE NOINLINE void integers(u32* o, u32 i, const Arguments& in) {
  Ints ints = in.ints * static_cast<int>(i);
  ints = ints.wzyx + in.ints;
  o[0] = ints.x ^ ints.y;
  o[1] = ints.z + in.small;
  i128 quotient = static_cast<i128>(static_cast<i64>(in.data[i % 8])) * static_cast<i64>(in.data[(i + 1) % 8]);
  quotient /= i + 3;
  o[2] = static_cast<u32>(quotient);
  o[3] = static_cast<u32>(quotient >> 64);
  u128 rest = static_cast<u128>(in.data[i % 8]) << 64 | in.data[(i + 3) % 8];
  rest %= in.data[(i + 2) % 8] | 1;
  o[4] = static_cast<u32>(rest);
  o[5] = static_cast<u32>(rest >> 32);
  u119 odd = in.data[i % 8];
  odd = odd * odd * odd >> i;
  o[6] = static_cast<u32>(odd);
  o[7] = static_cast<u32>(odd >> 70);
  o[8] = __builtin_popcountll(in.data[i % 8]) + __builtin_clzll(in.data[i % 8] | 1) +
         __builtin_ctzll(in.data[i % 8] | 1ul << 63);
  o[9] = static_cast<u32>(static_cast<i64>(in.data[i % 8]) % 1000007);
  switch (i % 11) {
    case 0: o[10] = hash(1); break;
    case 1: o[10] = i << 4; break;
    case 2: o[10] = 7; break;
    case 3: o[10] = i * i; break;
    case 4: o[10] = ~i; break;
    case 5: o[10] = i / 3; break;
    case 6: o[10] = i % 5; break;
    case 7: o[10] = o[1] + 1; break;
    case 8: o[10] = 99; break;
    default: o[10] = hash(i);
  }
}

DEVICE NOINLINE u32 bytes(u32 i, const Arguments& in) {
  u8 buffer[61];
  fill(buffer, i, 61);
  copy(buffer + 3, in.data, 1 + i % 40);
  __builtin_memmove(buffer + 5, buffer + 2, 17 + i % 20);
  u32 sum = 0;
  for (u32 k = 0; k < 61; ++k) sum = sum * 31 + buffer[k];
  return sum;
}

DEVICE NOINLINE void reals(u32* o, u32 i, const Arguments& in) {
  double d = in.real;
  for (u32 k = 0; k < i % 7; ++k) d = __builtin_fma(d, 1.25, -3.0) / (k + 1.5);
  const i64 fixed = static_cast<i64>(__builtin_floor(d * 1e6));
  o[0] = static_cast<u32>(fixed);
  o[1] = static_cast<u32>(fixed >> 32);
  o[2] = static_cast<u32>(static_cast<u64>(__builtin_sqrt(static_cast<double>(i) * i + 2.0) * 1e8));
  o[3] = static_cast<u32>(static_cast<u64>(static_cast<float>(in.data[i % 8] >> 2)));
  Halves halves;
  for (u32 k = 0; k < 8; ++k) halves[k] = static_cast<_Float16>(static_cast<int>(i + k));
  halves = halves * halves + halves;
  _Float16 sum = 0;
  for (u32 k = 0; k < 8; ++k) sum = sum * static_cast<_Float16>(0.5) + halves[(k + i) % 8];
  o[4] = __builtin_bit_cast(u16, sum);
  const Mask large = halves > static_cast<_Float16>(100);
  o[5] = __builtin_bit_cast(u8, large);
}

DEVICE static void compute(u32* o, u32 i, const Arguments& in) {
  structures(o, i, in);
  integers(o + 13, i, in);
  o[24] = bytes(i, in);
  reals(o + 25, i, in);
}

#ifdef __HIP__
extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(64, 64))) void values(u32* out,
                                                                                                  Arguments in) {
  const u32 i = __builtin_amdgcn_workitem_id_x();
  compute(out + 31 * i, i, in);
}
#else
static constexpr u64 kStep = 0x9e3779b97f4a7c15;
extern "C" const Arguments values_arguments = {
    {{1, 22, 333, 4444, 55555}, {1, 2, 3, 4, 5, 6}, static_cast<_BitInt(77)>(0x123456789ab) << 30 | 77, {40, 41, 42}},
    {5, -300, 0x12345678ab, 1234},
    {1, -2, 3, -4},
    200,
    {kStep, 2 * kStep, 3 * kStep, 4 * kStep, 5 * kStep, 6 * kStep, 7 * kStep, 8 * kStep},
    -1234.5678};
extern "C" const unsigned values_arguments_bytes = sizeof(Arguments);
extern "C" const unsigned values_arguments_alignment = alignof(Arguments);
extern "C" void values_on_host(u32 item, u32* out) { compute(out, item, values_arguments); }
#endif
