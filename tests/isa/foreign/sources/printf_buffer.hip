// SPDX-License-Identifier: MIT
// printf by way of a buffer (-mprintf-kind=buffered), and whatever bytes a test puts there.
#define GLOBAL extern "C" __attribute__((global))
typedef unsigned u32;
typedef unsigned long u64;
extern "C" __attribute__((device)) int printf(const char*, ...);

// Two words, the bytes taken and those there are, then records. At the offset of code object version 5 (AMDGPUUsage).
static __attribute__((device)) u32* printf_buffer() {
  return static_cast<u32* const*>(__builtin_amdgcn_implicitarg_ptr())[72 / 8];
}
// What clang's printf asks for room; in the device libraries it is in printf_alloc.cl.
extern "C" __attribute__((device, used, noinline)) void* __printf_alloc(u32 bytes) {
  u32* buffer = printf_buffer();
  u32 taken = __hip_atomic_load(buffer, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  do {
    if (bytes > buffer[1] - taken) return nullptr;
  } while (!__hip_atomic_compare_exchange_strong(buffer, &taken, taken + bytes, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT));
  return reinterpret_cast<char*>(buffer + 2) + taken;
}

GLOBAL void print(u32* out, const char* text) {
  const u32 group = __builtin_amdgcn_workgroup_id_x(), item = __builtin_amdgcn_workitem_id_x();
  out[group * 64 + item] = printf("%u.%02d: %5.2f|%s|%s|%c%%|%#llx|%p\n", group, item, item * 0.5, "text", text, 'a' + item % 26, 1ull << item, static_cast<void*>(out));
  if (item == 3) printf(text, 5, 6);
}
// The buffer's first words, but the one that says its size.
static __attribute__((device)) void fill_buffer(const u32* words, u32 count) {
  printf_buffer()[0] = words[0];
  for (u32 i = 1; i < count; ++i) printf_buffer()[1 + i] = words[i];
}
GLOBAL void fill(const u32* words, u32 count) { fill_buffer(words, count); }
GLOBAL void fill_and_trap(const u32* words, u32 count) {
  fill_buffer(words, count);
  __builtin_trap();
}
