// SPDX-License-Identifier: MIT
// printf of OpenCL, by way of the same buffer: scalars, strings, and vectors of every size.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
int printf(__constant const char* format, ...) __attribute__((format(printf, 1, 2)));

// Offset of the buffer's address behind the explicit arguments: code object version 5 (AMDGPUUsage).
__attribute__((used, noinline)) global char* __printf_alloc(uint bytes) {
  global uint* buffer = ((global uint* __constant*)__builtin_amdgcn_implicitarg_ptr())[72 / 8];
  uint taken = __scoped_atomic_load_n(buffer, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  do {
    if (bytes > buffer[1] - taken) return 0;
  } while (!__scoped_atomic_compare_exchange_n(buffer, &taken, taken + bytes, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE));
  return (global char*)(buffer + 2) + taken;
}

kernel void print(global const float* in) {
  const uint i = __builtin_amdgcn_workitem_id_x();
  printf("a:%d %5.2f [%s] [%-4s] %c %ld %hd %hhx %p\n", i, in[i], "a:b", "", 'x', -(long)i, (short)(-1 - (int)i), (char)-1, in);
  if (i != 1) return;
  printf("%v4hlf|%v3hd|%v2hhd|%#v8hhx|%05.1v2lf|%v2hf|%v16hu\n", (float4)(in[1], 1.5f, -2, 3), (short3)(-1, 2, -3), (char2)(-1, 2),
         (uchar8)(1, 2, 3, 4, 5, 6, 7, 255), (double2)(in[1], -0.5), (half2)(1.5h, (half)in[1]), (ushort16)65535);
  printf("%v3ld %v2hlx\n", (long3)(-1, 2, 1l << 40), (uint2)(10, 11));
}
