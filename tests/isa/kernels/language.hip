// SPDX-License-Identifier: MIT
// What C++ makes of calls, recursion, function pointers, tables, private arrays, generic pointers, 64-bit and
// double-precision arithmetic. Built at -O0, -O1 and -O3; every build must give the words that the test works
// out.
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))
#define NOINLINE __attribute__((noinline))
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((constant))

constexpr unsigned kWords = 10;

CONSTANT unsigned kTable[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
DEVICE unsigned counters[4] = {100, 200, 300, 400};

DEVICE NOINLINE unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }

DEVICE NOINLINE unsigned twice(unsigned x) { return 2 * x; }
DEVICE NOINLINE unsigned square(unsigned x) { return x * x; }
DEVICE NOINLINE unsigned invert(unsigned x) { return ~x; }
typedef unsigned (*Function)(unsigned);
DEVICE Function const kFunctions[3] = {twice, square, invert};

// A private array that is written and read at places only known at run time.
DEVICE NOINLINE unsigned shuffle_sum(unsigned seed) {
  unsigned values[8];
  for (unsigned i = 0; i < 8; ++i) values[(i * 5 + seed) % 8] = i * i + seed;
  unsigned sum = 0;
  for (unsigned i = 0; i < 8; ++i) sum = sum * 3 + values[(i + seed) % 8];
  return sum;
}

DEVICE NOINLINE void store_through(unsigned* p, unsigned value) { *p = value; }

DEVICE NOINLINE unsigned choose(unsigned x) {
  switch (x % 5) {
    case 0:
      return 10 + x;
    case 1:
      return x << 3;
    case 2:
      return x ^ 0xff;
    case 3:
      return 7;
    default:
      return x / 3;
  }
}

extern "C" GLOBAL __attribute__((amdgpu_flat_work_group_size(64, 64))) void language(unsigned* out,
                                                                                     unsigned n) {
  SHARED unsigned shared[64];
  const unsigned thread = __builtin_amdgcn_workitem_id_x();
  const unsigned id = 64 * __builtin_amdgcn_workgroup_id_x() + thread;
  if (id >= n) return;
  unsigned* words = out + id * kWords;
  words[0] = gcd(id * 12 + 18, 84);
  words[1] = kTable[id % 16];
  words[2] = kFunctions[id % 3](id);
  words[3] = shuffle_sum(id);
  store_through(shared + thread, id * 7);  // a generic pointer to LDS
  unsigned local = 0;
  store_through(&local, id * 11);  // and to private memory
  words[4] = shared[thread] + local;
  const unsigned long long big = (static_cast<unsigned long long>(id) << 33) + 12345678901ull;
  words[5] = static_cast<unsigned>(big / (id + 3));
  words[6] = static_cast<unsigned>(big % (id + 3));
  const double real = id * 0.75 + 0.5;
  words[7] = static_cast<unsigned>(real * real * 16);
  words[8] = choose(id);
  words[9] = counters[id % 4];
}
