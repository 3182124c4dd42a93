// SPDX-License-Identifier: MIT
// The GEMV stages as kernels of their own, one a shape; twin of hip/kernels/gemv.hip. Workgroup b works on
// task b.
#include "sim/kernels/gemv.h"

#include "sim/kernels/gemv_kernel.h"

namespace wavetwin {
namespace {

// The task's outputs of one token tile: thread -> (row, token), rows fastest.
template <GemvShape kShape>
void store_outputs(Wave& wave, const GemvArgs& args, const GemvTask& task, LdsView red, uint32_t t0,
                   uint32_t n) {
  constexpr GemvForm kForm = kShape.form();
  constexpr uint32_t kSumWaves = kForm.tiled ? kForm.split : kWaves;
  const LaneU32 row = wave.thread_id() % kForm.task_rows();
  const LaneU32 token = wave.thread_id() / kForm.task_rows();
  const LaneMask in = task.live & (token < n);
  const LaneF32 sum = row_sum(red, row % kRowTile, token, row / kRowTile * kSumWaves, kSumWaves, in);
  wave.store_element(args.y,
                     (task.window * args.tokens + t0 + token) * kShape.rows  // the token's row of y
                         + task.row0 + row,
                     sum, in);
}

// The waves' partials of one token tile, as they are in LDS.
void store_red(Wave& wave, const GemvArgs& args, LdsView red, uint32_t tile) {
  const LaneU32 at = (wave.workgroup_id() * token_tiles(args.tokens) + tile) * kRed  // the tile's partials
                     + wave.thread_id() * kAccElements;                              // the lane's accumulator
  wave.store<4>(args.red.address + 4 * convert<uint64_t>(at), red.load<4>(wave.thread_id() * kAccElements));
}

template <GemvShape kShape>
WaveTask gemv(Wave& wave, GemvArgs args) {
  static_assert(kShape.valid());
  constexpr GemvForm kForm = kShape.form();
  constexpr GemvLds kLds = gemv_lds(kForm);
  const LdsView red = wave.lds(kLds.red);
  const LdsView xl = wave.lds(kLds.xl);
  const LdsView xsl = wave.lds(kLds.xsl);
  const GemvTask task = gemv_task(kShape, wave.workgroup_id());
  const uint32_t stride_w = kShape.x_stride() / 4;
  const uint32_t stride_g = kShape.x_stride() / 32;
  const uint32_t off_w = task.group * kShape.k / 4 + task.kbeg * kStepWords;
  const uint32_t off_g = task.group * kShape.k / 32 + task.kbeg * kStepBlocks;

  const StepOperands<kForm> ops = gemv_loads<kForm>(wave, args.w, args.ws, task.row0, task.kbeg, task.live);
  const uint32_t tiles = token_tiles(args.tokens);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    const uint32_t t0 = kTokenTile * tile;
    const uint32_t n = args.tokens - t0 < kTokenTile ? args.tokens - t0 : kTokenTile;
    const RowSpans<kForm> spans =
        rows_loads<kForm>(wave, args.x, args.xs, stride_w, off_w, stride_g, off_g, t0, n, task.live);
    co_await rows_store<kForm>(wave, spans, xl, xsl, n);
    gemv_mfmas<kForm>(wave, xl, xsl, red, ops, n);
    co_await wave.barrier();
    store_outputs<kShape>(wave, args, task, red, t0, n);
    if (args.red.address != 0) store_red(wave, args, red, tile);
    // The barrier of the next tile's rows_store comes before its partials replace these.
  }
}

using Kernel = WaveTask (*)(Wave&, GemvArgs);
#define WAVETWIN_GEMV_KERNEL(name, mangled, ...) gemv<GemvShape{__VA_ARGS__}>,
constexpr Kernel kKernels[] = {WAVETWIN_GEMV_SHAPES(WAVETWIN_GEMV_KERNEL)};
#undef WAVETWIN_GEMV_KERNEL

}  // namespace

WaveTask gemv_kernel(uint32_t kernel, Wave& wave, GemvArgs args) { return kKernels[kernel](wave, args); }

}  // namespace wavetwin
