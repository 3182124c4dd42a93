// SPDX-License-Identifier: MIT
// Kernels that call the host: printf, assert, device memory, and whatever words a test gives them.
#include "tests/isa/foreign/sources/host_calls.h"

extern "C" __attribute__((device)) int printf(const char*, ...);

GLOBAL void print(u32* out) {
  const u32 group = __builtin_amdgcn_workgroup_id_x(), item = __builtin_amdgcn_workitem_id_x();
  out[group * 128 + item] = printf("%u.%02d: %-5.2f|%s|%c|%#llx|%p\n", group, item, item * 0.5, item % 2 ? "odd" : "an even number, which is a text of more than fifty-six bytes",
                                   'a' + item % 26, 1ull << item % 64, static_cast<void*>(out));
  if (item % 3 == 0 && group == 1) printf("three divides %d\n", item);
  if (item == 5) printf("five");
}

// As HIP's headers do it.
template <u64 condition_bytes>
__attribute__((device, noinline)) static void assert_fail(const char (&condition)[condition_bytes], u64 line) {
  constexpr char kFormat[] = "%s:%lu: Device-side assertion `%s' failed.\n";
  u64 message = fprintf_begin(1);
  message = __ockl_printf_append_string_n(message, kFormat, sizeof kFormat, 0);
  message = __ockl_printf_append_string_n(message, "host_calls.hip", 15, 0);
  message = __ockl_printf_append_args(message, 1, line, 0, 0, 0, 0, 0, 0, 0);
  __ockl_printf_append_string_n(message, condition, condition_bytes, 1);
  __builtin_trap();
}
#define assert(condition) ((condition) ? void(0) : assert_fail(#condition, 17))
GLOBAL void check(u32* out) {
  const u32 item = __builtin_amdgcn_workitem_id_x();
  assert(out[item] < 5);
  out[item] = 7;
}

// Lane l of the only wave makes `calls` calls: nine words each, the service first; the answer takes their place.
GLOBAL void call(u64* words, u32 calls) {
  words += __builtin_amdgcn_workitem_id_x() * calls * 9;
  for (u32 c = 0; c < calls; ++c, words += 9) {
    Words request;
    for (u32 i = 0; i < 8; ++i) request.word[i] = words[1 + i];
    const Words answer = host_call(static_cast<u32>(words[0]), request);
    for (u32 i = 0; i < 2; ++i) words[1 + i] = answer.word[i];
  }
}

// Stores words to the buffer that the host reads: `pairs` of offset and value.
GLOBAL void poke(const u64* words, u32 pairs) {
  for (u32 i = 0; i < pairs; ++i)
    reinterpret_cast<u64*>(hostcall_buffer())[words[2 * i] / 8] = words[2 * i + 1];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  __builtin_amdgcn_s_sleep(1);
}

__attribute__((device)) static u64 device_memory(u64 address, u64 bytes) {
  return host_call(3, Words{{address, bytes}}).word[0];
}
// Every work-item fills a block of its own and hands it on.
GLOBAL void allocate(u32** blocks, u64 bytes) {
  const u32 item = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  u32* block = reinterpret_cast<u32*>(device_memory(0, bytes));
  blocks[item] = block;
  for (u32 i = 0; i < bytes / 4; ++i) block[i] = 1000 * item + i;
}
GLOBAL void sum_and_free(u32* const* blocks, u64 bytes, u64* sums) {
  const u32 item = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  u64 sum = 0;
  for (u32 i = 0; i < bytes / 4; ++i) sum += blocks[item][i];
  sums[item] = sum;
  device_memory(reinterpret_cast<u64>(blocks[item]), 0);
}
GLOBAL void use_after_free(u32* out) {
  u32* block = reinterpret_cast<u32*>(device_memory(0, 4096));
  block[0] = 1;
  device_memory(reinterpret_cast<u64>(block), 0);
  out[0] = *static_cast<volatile u32*>(block);
}
// Workgroup 0 frees the block that workgroup 1 keeps reading.
GLOBAL void watch(u64* place) {
  if (__builtin_amdgcn_workgroup_id_x() == 0) {
    const u64 block = device_memory(0, 4096);
    *reinterpret_cast<u32*>(block) = 1;
    __hip_atomic_store(place, block, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    for (u32 i = 0; i < 5; ++i) __builtin_amdgcn_s_sleep(1);
    device_memory(block, 0);
    return;
  }
  u64 block;
  while ((block = __hip_atomic_load(place, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)) == 0) __builtin_amdgcn_s_sleep(1);
  for (u32 i = 0; i < 50; ++i) {
    (void)*reinterpret_cast<volatile u32*>(block);
    __builtin_amdgcn_s_sleep(1);
  }
}
// The heap's state of the device libraries is zeros at first.
GLOBAL void heap_words(u64* out) {
  const u64* heap = static_cast<u64* const*>(__builtin_amdgcn_implicitarg_ptr())[96 / 8];
  u64 any = 0;
  for (u32 i = 0; i < 128 * 1024 / 8; ++i) any |= heap[i];
  out[0] = any;
}
