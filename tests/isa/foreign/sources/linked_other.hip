// SPDX-License-Identifier: MIT
// The other part, with a kernel of its own.
#define DEVICE __attribute__((device))
typedef unsigned u32;

DEVICE u32 far_table[8] = {2, 3, 5, 7, 11, 13, 17, 19};
DEVICE u32 far_function(u32 x) { return x * x + far_table[x % 8]; }
DEVICE u32 weak_here(u32 x) { return x + 2000; }
DEVICE static u32 twice(u32 x) { return 2 * x; }
DEVICE static u32 invert(u32 x) { return ~x; }
typedef u32 (*Function)(u32);
DEVICE Function far_functions[2] = {twice, invert};

extern "C" __attribute__((global)) void linked_other(u32* out, u32 x) { out[0] = far_function(x); }
