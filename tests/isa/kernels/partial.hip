// SPDX-License-Identifier: MIT
// Launches whose last workgroup of an axis is partial: what each work-item finds out about itself. Built with
// -fno-offload-uniform-block.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

typedef __attribute__((address_space(4))) const unsigned* ConstantWords;
typedef __attribute__((address_space(4))) const unsigned short* ConstantHalves;

constexpr unsigned kWords = 12;  // of a work-item; test_partial.cpp has their meaning

// The hidden arguments.
static __device__ unsigned block_count(unsigned axis) {
  return ((ConstantWords)__builtin_amdgcn_implicitarg_ptr())[axis];
}
static __device__ unsigned whole_size(unsigned axis) {
  return ((ConstantHalves)__builtin_amdgcn_implicitarg_ptr())[6 + axis];
}
static __device__ unsigned remainder(unsigned axis) {
  return ((ConstantHalves)__builtin_amdgcn_implicitarg_ptr())[9 + axis];
}
static __device__ unsigned grid_dimensions() {
  return ((ConstantHalves)__builtin_amdgcn_implicitarg_ptr())[32];
}

// As the ROCm device libraries find get_local_size (code object version 5 and later).
static __device__ unsigned group_size(unsigned axis, unsigned group) {
  return group < block_count(axis) ? whole_size(axis) : remainder(axis);
}

extern "C" __global__ void partial(unsigned* out) {
  __shared__ unsigned sum;
  const unsigned group[3] = {__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                             __builtin_amdgcn_workgroup_id_z()};
  const unsigned item[3] = {__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                            __builtin_amdgcn_workitem_id_z()};
  const unsigned size[3] = {group_size(0, group[0]), group_size(1, group[1]), group_size(2, group[2])};
  const auto* packet = (ConstantWords)__builtin_amdgcn_dispatch_ptr();

  const unsigned flat = (item[2] * size[1] + item[1]) * size[0] + item[0];
  const unsigned long live = __builtin_amdgcn_read_exec();
  if (flat == 0) sum = 0;
  __builtin_amdgcn_s_waitcnt(0);
  __builtin_amdgcn_s_barrier();
  __atomic_fetch_add(&sum, flat + 1, __ATOMIC_RELAXED);
  __builtin_amdgcn_s_waitcnt(0);
  __builtin_amdgcn_s_barrier();

  unsigned global[3];
  for (unsigned axis = 0; axis < 3; ++axis) global[axis] = group[axis] * whole_size(axis) + item[axis];
  unsigned* words = out + ((global[2] * packet[4] + global[1]) * packet[3] + global[0]) * kWords;
  words[0] = flat;
  words[1] = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  words[2] = __builtin_popcountl(live);
  words[3] = sum;
  words[4] = size[0] | size[1] << 10 | size[2] << 20;
  words[5] = grid_dimensions();
  words[6] = packet[0] >> 16;  // the same in the dispatch packet
  words[7] = packet[1];            // workgroup size x, y
  words[8] = packet[2];            // workgroup size z
  words[9] = packet[3];            // grid size
  words[10] = packet[4];
  words[11] = packet[5];
}
