// SPDX-License-Identifier: MIT
// What a kernel asks of its surroundings: traps, the services of a host runtime, a barrier of the grid.
#define GLOBAL extern "C" __attribute__((global))
typedef unsigned u32;
typedef unsigned long u64;

GLOBAL void debug_trap(u32* out) {
  __builtin_debugtrap();
  asm volatile("s_trap 1");
  out[__builtin_amdgcn_workitem_id_x()] = 5;
}
GLOBAL void trap(u32* out) {
  if (out[__builtin_amdgcn_workitem_id_x()] == 0) __builtin_trap();
}

// Hidden arguments at the offsets of code object version 5 (AMDGPUUsage).
#define HIDDEN(bytes) reinterpret_cast<u32*>(static_cast<const u64*>(__builtin_amdgcn_implicitarg_ptr())[(bytes) / 8])
#define SERVICE(name, bytes) \
  GLOBAL void name(u32* out) { out[0] = *HIDDEN(bytes); }
SERVICE(hidden_default_queue, 104)
SERVICE(hidden_completion_action, 112)

// As cooperative groups wait for the grid: a count in the low half of a word, rounds in the high half.
__attribute__((device)) static void grid_barrier() {
  u32* arrived = HIDDEN(88) + 8;
  const u32 members = HIDDEN(88)[10];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  __builtin_amdgcn_s_barrier();
  if (__builtin_amdgcn_workitem_id_x() == 0) {
    const u32 before = __hip_atomic_fetch_add(arrived, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    if ((before & 0xffff) == members - 1)
      __hip_atomic_fetch_add(arrived, 0x10000 - members, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while ((__hip_atomic_load(arrived, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) & 0xffff0000) ==
           (before & 0xffff0000))
      __builtin_amdgcn_s_sleep(1);
  }
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
}
// Each workgroup hands its sum to the next one, three times.
GLOBAL void grid_sync(u32* out, u32 groups) {
  const u32 group = __builtin_amdgcn_workgroup_id_x(), item = __builtin_amdgcn_workitem_id_x();
  u32 value = 100 * group + item;
  for (u32 round = 0; round < 3; ++round) {
    out[group * 128 + item] = value + 1;
    grid_barrier();
    value = out[(group + 1) % groups * 128 + item];
    grid_barrier();
  }
  out[group * 128 + item] = value;
}

// With threadgroup split a workgroup has no LDS, and flat loads are waited for in vmcnt alone.
GLOBAL void copy_flat(u32* out, const u32* in, u32 count) {
  void* volatile to = out + __builtin_amdgcn_workitem_id_x() * count;
  const void* volatile from = in;
  __builtin_memcpy(to, from, 4 * count);
}
