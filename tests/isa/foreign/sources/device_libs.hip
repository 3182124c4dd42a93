// SPDX-License-Identifier: MIT
// printf, assert, malloc and free as ROCm's device libraries have them (ockl, opencl).
#define GLOBAL extern "C" __attribute__((global))
#define DEVICE extern "C" __attribute__((device))
typedef unsigned u32;
typedef unsigned long u64;
DEVICE int printf(const char*, ...);
DEVICE u64 __ockl_fprintf_stderr_begin();
DEVICE u64 __ockl_fprintf_append_string_n(u64, const char*, u64, u32);
DEVICE void* __ockl_dm_alloc(u64);
DEVICE void __ockl_dm_dealloc(u64);

__attribute__((device)) static u32 global_item() {
  return __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
}

GLOBAL void print(u32* out) {
  const u32 item = global_item();
  out[item] = printf("%d: %5.2f %s %p %c|%-6s|\n", item, item * 0.5, "a text that takes several messages, because it is long", static_cast<void*>(out), 'a' + item % 26, "ab");
}

// As HIP's assert ends.
GLOBAL void check(const u32* in) {
  if (in[global_item()] != 0) return;
  const char text[] = "in is zero\n";
  __ockl_fprintf_append_string_n(__ockl_fprintf_stderr_begin(), text, sizeof text, 1);
  __builtin_trap();
}

// Allocates, writes, reads and frees, `rounds` times; sizes differ from lane to lane.
GLOBAL void heap(u64* sums, u32 bytes, u32 rounds) {
  const u32 item = global_item();
  u64 sum = 0;
  for (u32 round = 0; round < rounds; ++round) {
    const u32 words = (bytes + (item & 3) * 100) / 4;
    u32* block = static_cast<u32*>(__ockl_dm_alloc(4 * words));
    for (u32 i = 0; i < words; ++i) block[i] = item + i + round;
    for (u32 i = 0; i < words; ++i) sum += block[i];
    __ockl_dm_dealloc(reinterpret_cast<u64>(block));
  }
  sums[item] = sum;
}
// malloc in one kernel, free in another.
GLOBAL void keep(u32** blocks) {
  const u32 item = global_item();
  blocks[item] = static_cast<u32*>(__ockl_dm_alloc(48));
  blocks[item][11] = item;
}
GLOBAL void release(u32* const* blocks, u64* sums) {
  const u32 item = global_item();
  sums[item] = blocks[item][11];
  __ockl_dm_dealloc(reinterpret_cast<u64>(blocks[item]));
}
