// SPDX-License-Identifier: MIT
// MXFP8 GEMV: y[n][t] = sum over k of W[n][k] 2^(WS[n/32][k/32]-127) X[t][k] 2^(XS[t][k/32]-127).
//
// A task is 16 rows of a row-major e4m3 weight [N][K] (E8M0 scales in 32x32 blocks [N/32][K/32]) against a
// tile of up to 16 tokens, over a window of K. K is walked in steps of 128, one
// v_mfma_scale_f32_16x16x128_f8f6f4 each. The steps are dealt out to the eight waves; each wave leaves its
// 16x16 partial in LDS (`red`), and row_sum adds the partials in wave order.
#pragma once

#include <cstdint>

#include "common/device_ptr.h"
#include "common/kernels/device.h"

namespace wavetwin {

inline constexpr uint32_t kRowTile = 16;    // weight rows of one MFMA
inline constexpr uint32_t kTokenTile = 16;  // tokens of one MFMA
inline constexpr uint32_t kMaxTokens = 48;  // three token tiles
inline constexpr uint32_t kStepK = 128;     // K of one MFMA
inline constexpr uint32_t kStepWords = 32;  // the same in words of four codes
inline constexpr uint32_t kStepBlocks = 4;  // 32-wide K blocks of a step: one scale each
inline constexpr uint32_t kLdsPad = 4;      // words after each LDS row, so that 16 rows spread over the banks
inline constexpr uint32_t kAccElements = 4;                       // f32 accumulators of a lane
inline constexpr uint32_t kRed = kWaves * kLanes * kAccElements;  // f32 of one task's partials

// ---- how a task's K window is dealt out ----

// What is fixed when the kernel is compiled.
struct GemvForm {
  uint32_t k;       // K of the weight: its row pitch in bytes; a multiple of 128
  uint32_t nsteps;  // steps of the window (K/128 when the window is all of K)
  uint32_t split;   // 0: steps dealt out to all waves in turn; else: contiguous ranges to `split` waves
  bool tiled;       // with split: waves / split row tiles side by side; without it waves >= split are idle

  // Steps each wave executes; a wave whose last one is past the window executes it with zeros.
  WAVETWIN_INDEX uint32_t steps_per_wave() const {
    return split == 0 ? (nsteps + kWaves - 1) / kWaves : nsteps / split;
  }
  WAVETWIN_INDEX bool ragged() const { return split == 0 && nsteps % kWaves != 0; }
  WAVETWIN_INDEX uint32_t row_tiles() const { return tiled ? kWaves / split : 1; }
  WAVETWIN_INDEX uint32_t task_rows() const { return kRowTile * row_tiles(); }
  // LDS row of one token: words of codes, and scale codes (one i32 each).
  WAVETWIN_INDEX uint32_t words() const { return kStepWords * nsteps; }
  WAVETWIN_INDEX uint32_t groups() const { return kStepBlocks * nsteps; }
  WAVETWIN_INDEX bool valid() const {
    return k % kStepK == 0 && nsteps > 0 && nsteps * kStepK <= k && (split != 0 || !tiled) &&
           (split == 0 || (split <= kWaves && nsteps % split == 0 && (!tiled || kWaves % split == 0)));
  }
};

struct Step {
  uint32_t st;  // step inside the window; past its end when not live
  bool live;
};

// Step i (< steps_per_wave) of `wave`.
WAVETWIN_INDEX Step steps(const GemvForm& form, uint32_t wave, uint32_t i) {
  if (form.split == 0) {
    const uint32_t st = wave + kWaves * i;
    return {st, st < form.nsteps};
  }
  const uint32_t last = form.split - 1;
  const uint32_t part = form.tiled ? wave % form.split : (wave < last ? wave : last);
  return {part * form.steps_per_wave() + i, true};
}

// The row tile of a task that `wave` works on.
WAVETWIN_INDEX uint32_t row_tile_of(const GemvForm& form, uint32_t wave) {
  return form.tiled ? wave / form.split : 0;
}

// ---- LDS ----

// Pitch in words of an LDS row that holds `words`.
WAVETWIN_INDEX uint32_t lds_row(uint32_t words) { return words + kLdsPad; }

// Element u of consecutive rows `row` wide, at the lds_row pitch.
template <class U>
WAVETWIN_INDEX U lds_at(U u, uint32_t row) {
  return u + u / row * kLdsPad;
}

// f32 of `red` that holds row r (< 16), token t of wave w: register r % 4 of lane 16 (r / 4) + t (the C
// layout of the 16x16 MFMAs).
template <class U, class W>
WAVETWIN_INDEX U red_at(U r, U t, W w) {
  const U lane = r / 4u * 16u + t;
  return (lane + w * kLanes) * kAccElements + r % 4u;
}

// A workgroup's LDS, byte offsets: the waves' partials, then `rows` activation rows of words and of scale
// codes.
struct GemvLds {
  uint32_t red, xl, xsl, bytes;
};
WAVETWIN_INDEX GemvLds gemv_lds(const GemvForm& form, uint32_t rows = kTokenTile, uint32_t tasks = 1) {
  const uint32_t red = 4 * kRed * tasks;
  const uint32_t xl = 4 * rows * lds_row(form.words());
  const uint32_t xsl = 4 * rows * lds_row(form.groups());
  return {0, red, red + xl, red + xl + xsl};
}

// ---- copies of activation rows, 16 B a thread and round ----

// A span [n][width] of words. Threads at and past rows_per_round * items do not store.
struct SpanItems {
  uint32_t items;           // 16 B items of a row
  uint32_t rows_per_round;  // rows the workgroup's threads cover at once
  uint32_t rounds;
};
WAVETWIN_INDEX SpanItems span_items(uint32_t width, uint32_t n) {
  const uint32_t items = width / 4;
  const uint32_t per_round = kThreads / items;
  return {items, per_round, (n + per_round - 1) / per_round};
}

// ---- the standalone kernel ----

// One symbol of hip/kernels/gemv.hip.
struct GemvShape {
  uint32_t rows;  // N
  uint32_t k;
  uint32_t split;  // as in GemvForm
  bool tiled;
  uint32_t windows;  // parts K is split into; each is a task with its own output
  uint32_t groups;   // output groups: rows [g N/groups, ...) read activation columns [g K, (g + 1) K)
  uint32_t idle;     // workgroups past the last task, masked off

  WAVETWIN_INDEX GemvForm form() const { return {k, k / kStepK / windows, split, tiled}; }
  WAVETWIN_INDEX uint32_t row_tasks() const { return rows / form().task_rows(); }
  WAVETWIN_INDEX uint32_t tasks() const { return row_tasks() * windows; }
  WAVETWIN_INDEX uint32_t grid() const { return tasks() + idle; }
  WAVETWIN_INDEX uint32_t x_stride() const { return groups * k; }  // codes of one token
  WAVETWIN_INDEX bool valid() const {
    return form().valid() && k % (windows * kStepK) == 0 && rows % (groups * form().task_rows()) == 0 &&
           rows % 32 == 0;
  }
};

// What workgroup `bid` works on: task = window * row_tasks + row task.
struct GemvTask {
  bool live;  // false: masked off, everything below belongs to the last task
  uint32_t window;
  uint32_t row0;  // first weight row
  uint32_t group;
  uint32_t kbeg;  // first step of the window
};
WAVETWIN_INDEX GemvTask gemv_task(const GemvShape& shape, uint32_t bid) {
  const uint32_t task = bid < shape.tasks() ? bid : shape.tasks() - 1;
  const uint32_t window = task / shape.row_tasks();
  const uint32_t row_task = task % shape.row_tasks();
  return {bid < shape.tasks(), window, row_task * shape.form().task_rows(),
          row_task / (shape.row_tasks() / shape.groups), window * shape.form().nsteps};
}

WAVETWIN_INDEX uint32_t token_tiles(uint32_t tokens) { return (tokens + kTokenTile - 1) / kTokenTile; }

// The kernarg segment.
struct GemvArgs {
  DevicePtr<const uint8_t> w;    // e4m3 [N][K]
  DevicePtr<const uint8_t> ws;   // E8M0 [N/32][K/32]
  DevicePtr<const uint32_t> x;   // e4m3 [tokens][groups K], four codes a word
  DevicePtr<const uint32_t> xs;  // E8M0 [tokens][groups K/32], one i32 each
  DevicePtr<float> y;            // f32 [windows][tokens][N]
  DevicePtr<float> red;          // f32 [grid][token tiles][8 waves][64 lanes][4], or null: not stored
  uint32_t tokens;               // 1 .. 48
  uint32_t reserved;
};
static_assert(sizeof(GemvArgs) == 56 && alignof(GemvArgs) == 8);

// The shapes with a kernel: name, then the part of the symbol after "_ZN5aiter" (its length and "gemv_" with
// the parameters in order), then the parameters. Profilers demangle it to aiter::gemv_<parameters>.
//   wo_a       attention output, first projection: 2 groups of 1024 rows (tensor parallel 4)
//   wo_b       second projection at tensor parallel 4 (K 2048) and 2 (K 4096)
//   wqkv       fused down projection, split in two K windows of 20 steps: 3 steps a wave, ragged
//   wq_b       query up projection at tensor parallel 4: 10 steps, ragged
//   split4     contiguous steps on waves 0..3 only
//   masked     16 tasks and 16 more workgroups that are masked off
//   small_*    the forms of wo_a, split4 and wqkv on a few workgroups, for unoptimised builds
#define WAVETWIN_GEMV_SHAPES(X)                                                                     \
  X(wo_a, "46gemv_n2048_k4096_split4_tiled1_win1_grp2_idle0E", 2048, 4096, 4, true, 1, 2, 0)        \
  X(wo_b_k2048, "46gemv_n5120_k2048_split0_tiled0_win1_grp1_idle0E", 5120, 2048, 0, false, 1, 1, 0) \
  X(wo_b_k4096, "46gemv_n5120_k4096_split0_tiled0_win1_grp1_idle0E", 5120, 4096, 0, false, 1, 1, 0) \
  X(wqkv, "46gemv_n1792_k5120_split0_tiled0_win2_grp1_idle0E", 1792, 5120, 0, false, 2, 1, 0)       \
  X(wq_b, "46gemv_n8192_k1280_split0_tiled0_win1_grp1_idle0E", 8192, 1280, 0, false, 1, 1, 0)       \
  X(split4, "46gemv_n2048_k4096_split4_tiled0_win1_grp1_idle0E", 2048, 4096, 4, false, 1, 1, 0)     \
  X(masked, "46gemv_n256_k1280_split0_tiled0_win1_grp1_idle16E", 256, 1280, 0, false, 1, 1, 16)     \
  X(small_tiled, "44gemv_n64_k1024_split4_tiled1_win1_grp2_idle0E", 64, 1024, 4, true, 1, 2, 0)     \
  X(small_split, "44gemv_n64_k1024_split4_tiled0_win1_grp1_idle0E", 64, 1024, 4, false, 1, 1, 0)    \
  X(small_window, "44gemv_n64_k2560_split0_tiled0_win2_grp1_idle0E", 64, 2560, 0, false, 2, 1, 0)

struct GemvKernel {
  const char* name;
  const char* symbol;
  GemvShape shape;
};
#define WAVETWIN_GEMV_ROW(name, mangled, ...) {#name, "_ZN5aiter" mangled, {__VA_ARGS__}},
inline constexpr GemvKernel kGemvKernels[] = {WAVETWIN_GEMV_SHAPES(WAVETWIN_GEMV_ROW)};
#undef WAVETWIN_GEMV_ROW

}  // namespace wavetwin
