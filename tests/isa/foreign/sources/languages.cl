// SPDX-License-Identifier: MIT
// OpenCL C on builtins alone.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__constant uint table[4] = {10, 20, 30, 40};

__attribute__((reqd_work_group_size(64, 2, 1))) __kernel void opencl(__global uint* out, __local uint* tmp,
                                                                    float4 v, half h, __constant uint* c, int n) {
  __local uint mirror[128];
  const uint item = __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workitem_id_y();
  tmp[item] = item * 3 + c[item % 4];
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier();
  mirror[127 - item] = tmp[item ^ 1];
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier();
  const float4 w = v.wzyx * (float)item + v;
  __global uint* words = out + 4 * (__builtin_amdgcn_workgroup_id_x() * 128 + item);
  words[0] = mirror[item] + table[item & 3];
  words[1] = as_uint(w.x + w.z);
  words[2] = (uint)(h * (half)2) + n;
  __private uint mine[8];
  for (uint i = 0; i < 8; ++i) mine[(i * 3 + item) & 7] = i;
  __generic uint* either = item & 1 ? (__generic uint*)&mine[item & 7] : (__generic uint*)&mirror[item];
  words[3] = *either;
}
