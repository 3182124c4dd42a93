// SPDX-License-Identifier: MIT
// The GEMV stages as kernels of their own, one a shape; twin of sim/kernels/gemv.cpp. Workgroup b works on
// task b.
#include "hip/device/gemv.h"

namespace wavetwin {

// The task's outputs of one token tile: thread -> (row, token), rows fastest.
template <GemvShape kShape>
WAVETWIN_INLINE void store_outputs(const Wave& wave, const GemvArgs& args, const GemvTask& task,
                                   LdsFloats red, uint32_t t0, uint32_t n) {
  constexpr GemvForm kForm = kShape.form();
  constexpr uint32_t kSumWaves = kForm.tiled ? kForm.split : kWaves;
  const uint32_t row = wave.thread_id() % kForm.task_rows();
  const uint32_t token = wave.thread_id() / kForm.task_rows();
  if (task.live && token < n) {
    const float sum = row_sum(red, row % kRowTile, token, row / kRowTile * kSumWaves, kSumWaves);
    float* y = pointer(args.y);
    y[(task.window * args.tokens + t0 + token) * kShape.rows  // the token's row of y
      + task.row0 + row] = sum;
  }
}

// The waves' partials of one token tile, as they are in LDS.
WAVETWIN_INLINE void store_red(const Wave& wave, const GemvArgs& args, LdsFloats red, uint32_t tile) {
  const uint32_t at = (wave.workgroup_id() * token_tiles(args.tokens) + tile) * kRed  // the tile's partials
                      + wave.thread_id() * kAccElements;  // the lane's accumulator
  float* out = pointer(args.red);
  *reinterpret_cast<F32x4*>(out + at) = lds_load4(red, wave.thread_id() * kAccElements);
}

template <GemvShape kShape>
WAVETWIN_INLINE void gemv(const GemvArgs& args, LdsWords lds) {
  static_assert(kShape.valid());
  constexpr GemvForm kForm = kShape.form();
  constexpr GemvLds kLds = gemv_lds(kForm);
  const LdsFloats red = (LdsFloats)(lds + kLds.red / 4);
  const LdsWords xl = lds + kLds.xl / 4;
  const LdsWords xsl = lds + kLds.xsl / 4;
  const Wave wave = this_wave();
  const GemvTask task = gemv_task(kShape, wave.workgroup_id());
  const uint32_t stride_w = kShape.x_stride() / 4;
  const uint32_t stride_g = kShape.x_stride() / 32;
  const uint32_t off_w = task.group * kShape.k / 4 + task.kbeg * kStepWords;
  const uint32_t off_g = task.group * kShape.k / 32 + task.kbeg * kStepBlocks;

  const StepOperands<kForm> ops =
      gemv_loads<kForm>(wave, pointer(args.w), pointer(args.ws), task.row0, task.kbeg, task.live);
  const uint32_t tiles = token_tiles(args.tokens);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    const uint32_t t0 = kTokenTile * tile;
    const uint32_t n = args.tokens - t0 < kTokenTile ? args.tokens - t0 : kTokenTile;
    const RowSpans<kForm> spans = rows_loads<kForm>(wave, pointer(args.x), pointer(args.xs), stride_w, off_w,
                                                    stride_g, off_g, t0, n, task.live);
    rows_store<kForm>(wave, spans, xl, xsl, n);
    gemv_mfmas<kForm>(wave, xl, xsl, red, ops, n);
    barrier();
    store_outputs<kShape>(wave, args, task, red, t0, n);
    if (args.red.address != 0) store_red(wave, args, red, tile);
    // The barrier of the next tile's rows_store comes before its partials replace these.
  }
}

#define WAVETWIN_GEMV_KERNEL(name, mangled, ...)                                             \
  extern "C" WAVETWIN_KERNEL void gemv_##name(GemvArgs args) __asm__("_ZN5aiter" mangled);   \
  extern "C" WAVETWIN_KERNEL void gemv_##name(GemvArgs args) {                               \
    constexpr GemvShape kShape{__VA_ARGS__};                                                 \
    __shared__ __attribute__((aligned(16))) uint32_t lds[gemv_lds(kShape.form()).bytes / 4]; \
    gemv<kShape>(args, (LdsWords)lds);                                                       \
  }
WAVETWIN_GEMV_SHAPES(WAVETWIN_GEMV_KERNEL)

}  // namespace wavetwin
