// SPDX-License-Identifier: MIT
// Synchronisation: flags with agent scope, spinning, LDS and global atomics, hardware registers, clocks.
#include "tests/isa/decode/kernels/device.h"

extern "C" GLOBAL void produce_consume(uint32_t* flag, uint32_t* data, uint32_t rounds) {
  for (uint32_t r = 1; r <= rounds; ++r) {
    if (group() % 2 == 0) {
      data[group() * 64 + item()] = r * item();
      barrier();
      if (item() == 0) __scoped_atomic_store_n(&flag[group()], r, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
    } else {
      while (__scoped_atomic_load_n(&flag[group() - 1], __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) < r) {
        __builtin_amdgcn_s_sleep(2);
      }
      data[group() * 64 + item()] = data[(group() - 1) * 64 + item()] + 1;
    }
  }
}

extern "C" GLOBAL void grid_barrier(uint32_t* arrived, uint32_t groups) {
  barrier();
  if (item() == 0) {
    __scoped_atomic_fetch_add(arrived, 1u, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
    while (__scoped_atomic_load_n(arrived, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) < groups) {
    }
  }
  barrier();
}

extern "C" GLOBAL void atomics(uint32_t* words, uint64_t* wide, float* real_sum, int* signed_words) {
  SHARED uint32_t histogram[64];
  SHARED uint64_t ticket;
  SHARED float sum;
  histogram[item() % 64] = 0;
  if (item() == 0) ticket = 0, sum = 0;
  barrier();
  __scoped_atomic_fetch_add(&histogram[words[item()] % 64], 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  const uint64_t mine =
      __scoped_atomic_fetch_add(&ticket, uint64_t{1}, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  __scoped_atomic_fetch_add(&sum, 1.5f, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  barrier();
  __scoped_atomic_fetch_max(&words[64], histogram[item() % 64], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_fetch_min(&signed_words[0], static_cast<int>(item()) - 7, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
  words[65] =
      __scoped_atomic_fetch_or(&words[66], 1u << (item() % 32), __ATOMIC_SEQ_CST, __MEMORY_SCOPE_SYSTEM);
  __scoped_atomic_fetch_and(&words[67], ~item(), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_fetch_xor(&wide[1], mine, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  uint64_t expected = mine;
  __scoped_atomic_compare_exchange_n(&wide[0], &expected, mine + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
  wide[2 + item()] = expected;
  words[68] = __scoped_atomic_exchange_n(&words[69], item(), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __scoped_atomic_fetch_add(real_sum, sum, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

extern "C" GLOBAL void identify(uint64_t* out) {
  out[0] = __builtin_amdgcn_s_getreg(4 | 31 << 11);           // HW_ID, all bits
  out[1] = __builtin_amdgcn_s_getreg(20 | 0 << 6 | 3 << 11);  // XCC_ID, 4 bits
  __builtin_amdgcn_s_setreg(1 | 4 << 6 | 1 << 11, 3);         // MODE, the f32 denormal bits
  out[2] = __builtin_readcyclecounter();
  out[3] = __builtin_amdgcn_s_memrealtime();
  out[4] = reinterpret_cast<uint64_t>(__builtin_amdgcn_dispatch_ptr());
  __builtin_amdgcn_s_setprio(1);
  __builtin_amdgcn_s_sleep(10);
  if (out[5] == 17) __builtin_trap();
}
