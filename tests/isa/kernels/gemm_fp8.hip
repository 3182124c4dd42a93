// SPDX-License-Identifier: MIT
// c[m][n] = sum over k of a[m][k] * b[n][k], e4m3, made of v_mfma_f32_16x16x128_f8f6f4; what the executor's
// MFMA speed is stated for. A workgroup of 4 waves makes a tile of 64 x 64, a wave 32 x 32. m, n, k are
// multiples of 64, 64, 128.
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))

typedef int Words4 __attribute__((ext_vector_type(4)));
typedef int Words8 __attribute__((ext_vector_type(8)));
typedef float Accumulator __attribute__((ext_vector_type(4)));

// Lane l holds row l % 16; bytes 16 (l / 16) .. +16 of each half of the 128.
static DEVICE Words8 fragment(const unsigned char* row, unsigned k, unsigned group) {
  const Words4 low = *reinterpret_cast<const Words4*>(row + k + 16 * group);
  const Words4 high = *reinterpret_cast<const Words4*>(row + k + 64 + 16 * group);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

extern "C" GLOBAL __attribute__((amdgpu_flat_work_group_size(256, 256))) void gemm_fp8(const unsigned char* a,
                                                                                       const unsigned char* b,
                                                                                       float* c, unsigned n,
                                                                                       unsigned k) {
  const unsigned thread = __builtin_amdgcn_workitem_id_x();
  const unsigned lane = thread % 64, wave = thread / 64;
  const unsigned row = lane % 16, group = lane / 16;
  const unsigned m0 = 64 * __builtin_amdgcn_workgroup_id_y() + 32 * (wave / 2);
  const unsigned n0 = 64 * __builtin_amdgcn_workgroup_id_x() + 32 * (wave % 2);
  Accumulator acc[2][2] = {};
  for (unsigned at = 0; at < k; at += 128) {
    Words8 rows[2], columns[2];
    for (unsigned i = 0; i < 2; ++i) {
      rows[i] = fragment(a + (m0 + 16 * i + row) * k, at, group);
      columns[i] = fragment(b + (n0 + 16 * i + row) * k, at, group);
    }
    for (unsigned i = 0; i < 2; ++i) {
      for (unsigned j = 0; j < 2; ++j) {
        acc[i][j] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(rows[i], columns[j], acc[i][j], 0, 0, 0,
                                                                     0x7f, 0, 0x7f);
      }
    }
  }
  for (unsigned i = 0; i < 2; ++i) {
    for (unsigned j = 0; j < 2; ++j) {
      for (unsigned e = 0; e < 4; ++e)
        c[(m0 + 16 * i + 4 * group + e) * n + n0 + 16 * j + row] = acc[i][j][e];
    }
  }
}
