// SPDX-License-Identifier: MIT
// The kernels' side of calls of the host, as the ROCm device libraries (ockl: hostcall_impl.cl, services.cl) do it,
// with the functions that clang's printf calls.
#pragma once

#define GLOBAL extern "C" __attribute__((global))
#define DEVICE extern "C" __attribute__((device, used))
typedef unsigned u32;
typedef unsigned long u64;

struct Header {
  u64 next, active;
  u32 service, control;
};
struct Signal {
  u64 kind, value;
  u64* mailbox;
  u32 event;
};
struct HostcallBuffer {
  Header* headers;
  u64 (*slots)[64][8];
  Signal* doorbell;
  u64 free_stack, ready_stack, index_mask;
};

#define SYSTEM __HIP_MEMORY_SCOPE_SYSTEM

// At the offset of code object version 5 (AMDGPUUsage).
static __attribute__((device)) HostcallBuffer* hostcall_buffer() {
  return static_cast<HostcallBuffer* const*>(__builtin_amdgcn_implicitarg_ptr())[80 / 8];
}
static __attribute__((device)) u64 uniform(u64 value) {
  return __builtin_amdgcn_readfirstlane(static_cast<u32>(value)) |
         static_cast<u64>(__builtin_amdgcn_readfirstlane(static_cast<u32>(value >> 32))) << 32;
}
static __attribute__((device)) u64 pop(HostcallBuffer* buffer) {
  u64 top = __hip_atomic_load(&buffer->free_stack, __ATOMIC_ACQUIRE, SYSTEM);
  for (;;) {
    const u64 next = __hip_atomic_load(&buffer->headers[top & buffer->index_mask].next, __ATOMIC_RELAXED, SYSTEM);
    if (__hip_atomic_compare_exchange_strong(&buffer->free_stack, &top, next, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE, SYSTEM))
      return top;
    __builtin_amdgcn_s_sleep(1);
  }
}
static __attribute__((device)) void push(HostcallBuffer* buffer, u64* stack, u64 entry) {
  u64 top = __hip_atomic_load(stack, __ATOMIC_RELAXED, SYSTEM);
  do {
    buffer->headers[entry & buffer->index_mask].next = top;  // plain, as the device libraries do it
  } while (!__hip_atomic_compare_exchange_strong(stack, &top, entry, __ATOMIC_RELEASE, __ATOMIC_RELAXED, SYSTEM));
}
static __attribute__((device)) void ring(Signal* doorbell) {
  __hip_atomic_fetch_add(&doorbell->value, 1, __ATOMIC_RELEASE, SYSTEM);
  __hip_atomic_store(doorbell->mailbox, doorbell->event, __ATOMIC_RELEASE, SYSTEM);
  __builtin_amdgcn_s_sendmsg(1, __builtin_amdgcn_readfirstlane(doorbell->event) & 0xff);
}

struct Words {
  u64 word[8];
};
// One call of the host by the active lanes; its answer are the first two words.
static __attribute__((device, noinline)) Words host_call(u32 service, Words request) {
  HostcallBuffer* buffer = hostcall_buffer();
  const u32 lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  const bool leads = lane == __builtin_amdgcn_readfirstlane(lane);
  u64 entry = 0;
  if (leads) entry = pop(buffer);
  entry = uniform(entry);
  const u64 index = entry & buffer->index_mask;
  Header* header = buffer->headers + index;
  for (u32 i = 0; i < 8; ++i) buffer->slots[index][lane][i] = request.word[i];
  const u64 active = __builtin_amdgcn_read_exec();
  if (leads) {
    header->active = active;
    header->service = service;
    header->control = 1;
  }
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  if (leads) {
    push(buffer, &buffer->ready_stack, entry);
    ring(buffer->doorbell);
    while (__hip_atomic_load(&header->control, __ATOMIC_ACQUIRE, SYSTEM) & 1) __builtin_amdgcn_s_sleep(1);
  }
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
  Words answer;
  for (u32 i = 0; i < 2; ++i)
    answer.word[i] = __hip_atomic_load(&buffer->slots[index][lane][i], __ATOMIC_RELAXED, SYSTEM);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  if (leads) push(buffer, &buffer->free_stack, entry + buffer->index_mask + 1);  // with the next tag
  return answer;
}

// --- messages: a descriptor (1 begins, 2 ends, words from bit 5) and up to seven words

static __attribute__((device)) u64 message_append(u64 message, u32 flags, u32 count, const u64* words) {
  Words request = {};
  request.word[0] = (message & ~0xfful) | flags | count << 5;
  for (u32 i = 0; i < count; ++i) request.word[1 + i] = words[i];
  return host_call(2, request).word[0];
}
static __attribute__((device)) u64 fprintf_begin(u64 stream) { return message_append(0, 1, 1, &stream); }
DEVICE u64 __ockl_printf_begin(u64) { return fprintf_begin(0); }
DEVICE u64 __ockl_printf_append_args(u64 message, u32 count, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u32 last) {
  const u64 words[] = {a, b, c, d, e, f, g};
  return message_append(message, last ? 2 : 0, count, words);
}
DEVICE u64 __ockl_printf_append_string_n(u64 message, const char* text, u64 length, u32 last) {
  if (text == nullptr) length = 0;
  u64 left = length;
  do {
    u64 words[7] = {};
    const u64 now = left < 56 ? left : 56;
    for (u64 i = 0; i < now; ++i) words[i / 8] |= static_cast<u64>(static_cast<unsigned char>(text[length - left + i])) << i % 8 * 8;
    left -= now;
    const u32 count = text == nullptr ? 1 : (now + 7) / 8;
    message = message_append(message, last && left == 0 ? 2 : 0, count, words);
  } while (left != 0);
  return message;
}
