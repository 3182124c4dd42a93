// SPDX-License-Identifier: MIT
// A kernel that touches what every build of a kernel has: ids, sizes, LDS, a barrier, a table, hidden arguments.
#define GLOBAL extern "C" __attribute__((global))
typedef unsigned u32;

__attribute__((constant)) u32 table[4] = {10, 200, 3000, 40000};

GLOBAL void basics(u32* out, u32 factor) {
  __attribute__((shared)) u32 row[256];
  const u32 sx = __builtin_amdgcn_workgroup_size_x(), sy = __builtin_amdgcn_workgroup_size_y();
  const u32 items = sx * sy * __builtin_amdgcn_workgroup_size_z();
  const u32 nx = __builtin_amdgcn_grid_size_x() / sx, ny = __builtin_amdgcn_grid_size_y() / sy;
  const u32 item = __builtin_amdgcn_workitem_id_x() +
                   sx * (__builtin_amdgcn_workitem_id_y() + sy * __builtin_amdgcn_workitem_id_z());
  const u32 group = __builtin_amdgcn_workgroup_id_x() +
                    nx * (__builtin_amdgcn_workgroup_id_y() + ny * __builtin_amdgcn_workgroup_id_z());
  row[item] = item * factor + group;
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier();
  u32* words = out + 3 * (group * items + item);
  words[0] = row[items - 1 - item] + table[item % 4];
  words[1] = nx << 16 | ny << 8 | __builtin_amdgcn_grid_size_z();
  words[2] = sx << 16 | sy << 8 | __builtin_amdgcn_workgroup_size_z();
}
