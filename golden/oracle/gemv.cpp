// SPDX-License-Identifier: MIT
#include "golden/oracle/gemv.h"

#include <Eigen/Core>

#include "golden/oracle/mx.h"

namespace wavetwin::oracle {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr uint32_t kBlock = 32;  // elements of an MX block
constexpr uint32_t kStep = 128;  // K of one step
constexpr uint32_t kTile = 16;   // rows, and tokens, of one tile
constexpr uint32_t kNumWaves = 8;

// Rows [row0, row0 + rows), columns [col0, col0 + cols) of codes [.][pitch], each times its block's scale; a
// scale covers `scale_rows` rows.
Matrix decoded(std::span<const uint8_t> codes, std::span<const uint8_t> scales, uint64_t pitch,
               uint64_t scale_rows, uint64_t row0, uint64_t rows, uint64_t col0, uint64_t cols) {
  const auto& element = e4m3_values();
  const auto& scale = e8m0_values();
  Matrix out(rows, cols);
  for (uint64_t r = 0; r < rows; ++r) {
    const uint8_t* code = &codes[(row0 + r) * pitch + col0];
    const uint8_t* block = &scales[(row0 + r) / scale_rows * (pitch / kBlock) + col0 / kBlock];
    double* value = &out(r, 0);
    for (uint64_t b = 0; b < cols; b += kBlock) {
      const double factor = scale[block[b / kBlock]];
      for (uint64_t i = b; i < b + kBlock; ++i) value[i] = element[code[i]] * factor;
    }
  }
  return out;
}

// Which wave adds step `st` of a window of `nsteps`, as the kernel's contract deals them out.
uint32_t owner(const GemvShape& shape, uint32_t nsteps, uint32_t st) {
  return shape.split == 0 ? st % kNumWaves : st / (nsteps / shape.split);
}

// Sums of one wave over its steps: a 32-row block of weights against all tokens.
struct Partial {
  Matrix value, magnitude;  // [32][tokens]
  uint32_t added = 0;       // blocks
};

class Gemv {
 public:
  Gemv(const GemvShape& shape, const GemvData& data)
      : shape_(shape),
        data_(data),
        nsteps_(shape.k / kStep / shape.windows),
        tiles_((data.tokens + kTile - 1) / kTile),
        task_rows_(shape.tiled ? kTile * (kNumWaves / shape.split) : kTile),
        row_tasks_(shape.rows / task_rows_) {
    const uint64_t y = uint64_t{shape.windows} * data.tokens * shape.rows;
    const uint64_t grid = uint64_t{row_tasks_} * shape.windows + shape.idle;
    result_.y = {std::vector<double>(y), std::vector<double>(y)};
    const uint64_t red = grid * tiles_ * kNumWaves * 64 * 4;
    result_.red = {std::vector<double>(red), std::vector<double>(red)};  // idle workgroups: exactly zero
    const uint64_t pitch = uint64_t{shape.groups} * shape.k;
    x_ = decoded(data.x, data.x_scale, pitch, 1, 0, data.tokens, 0, pitch);
    x_magnitude_ = x_.cwiseAbs();
  }

  GemvReference run() {
    for (uint32_t window = 0; window < shape_.windows; ++window) {
      for (uint32_t row0 = 0; row0 < shape_.rows; row0 += kBlock) rows(window, row0);
    }
    return std::move(result_);
  }

 private:
  // 32 weight rows over one window.
  void rows(uint32_t window, uint32_t row0) {
    const uint32_t group = row0 / (shape_.rows / shape_.groups);
    std::vector<Partial> waves(shape_.split == 0 ? kNumWaves : shape_.split);
    for (Partial& wave : waves) {
      wave.value = wave.magnitude = Matrix::Zero(kBlock, data_.tokens);
    }
    for (uint32_t st = 0; st < nsteps_; ++st) {
      const uint64_t k0 = uint64_t{window * nsteps_ + st} * kStep;
      const Matrix w = decoded(data_.w, data_.w_scale, shape_.k, kBlock, row0, kBlock, k0, kStep);
      const uint64_t x0 = uint64_t{group} * shape_.k + k0;
      Partial& wave = waves[owner(shape_, nsteps_, st)];
      wave.value.noalias() += w * x_.middleCols(x0, kStep).transpose();
      wave.magnitude.noalias() += w.cwiseAbs() * x_magnitude_.middleCols(x0, kStep).transpose();
      wave.added += kStep / kBlock;
    }
    store_y(window, row0, waves);
    if (shape_.split == 0) add_dead_steps(window, group, waves);
    for (uint32_t half = 0; half < kBlock; half += kTile) store_red(window, row0 + half, half, waves);
  }

  // A ragged window's waves whose turn is past its end multiply the last step's activations by zero: nothing,
  // unless one of them is NaN.
  void add_dead_steps(uint32_t window, uint32_t group, std::vector<Partial>& waves) {
    const uint64_t last = uint64_t{group} * shape_.k + uint64_t{(window + 1) * nsteps_ - 1} * kStep;
    const Matrix nothing = Matrix::Zero(kBlock, kStep) * x_.middleCols(last, kStep).transpose();
    for (uint32_t w = nsteps_ % kNumWaves; w != 0 && w < kNumWaves; ++w) waves[w].value += nothing;
  }

  static double bound(double magnitude, uint32_t added) {
    return magnitude == 0 ? 0 : kGemvTolerance * magnitude + added * 0x1p-149;
  }

  void store_y(uint32_t window, uint32_t row0, const std::vector<Partial>& waves) {
    Matrix value = Matrix::Zero(kBlock, data_.tokens), magnitude = value;
    uint32_t added = 0;
    for (const Partial& wave : waves) {
      value += wave.value;
      magnitude += wave.magnitude;
      added += wave.added + 1;
    }
    for (uint32_t token = 0; token < data_.tokens; ++token) {
      const uint64_t at = (uint64_t{window} * data_.tokens + token) * shape_.rows + row0;
      for (uint32_t r = 0; r < kBlock; ++r) {
        result_.y.value[at + r] = value(r, token);
        result_.y.bound[at + r] = bound(magnitude(r, token), added);
      }
    }
  }

  // The 16x16 accumulators: lane l, element i is row 4 (l / 16) + i, token l % 16; columns past the last
  // token repeat it.
  void store_red(uint32_t window, uint32_t row, uint32_t half, const std::vector<Partial>& waves) {
    const uint64_t workgroup = uint64_t{window} * row_tasks_ + row / task_rows_;
    const uint32_t first = row % task_rows_ / kTile * shape_.split;  // tiled: the waves of this row tile
    for (uint32_t tile = 0; tile < tiles_; ++tile) {
      for (uint32_t w = 0; w < waves.size(); ++w) {
        const uint64_t at = ((workgroup * tiles_ + tile) * kNumWaves + first + w) * 64 * 4;
        for (uint32_t lane = 0; lane < 64; ++lane) {
          const uint32_t token = std::min(kTile * tile + lane % 16, data_.tokens - 1);
          for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t r = half + lane / 16 * 4 + i;
            result_.red.value[at + lane * 4 + i] = waves[w].value(r, token);
            result_.red.bound[at + lane * 4 + i] = bound(waves[w].magnitude(r, token), waves[w].added);
          }
        }
      }
    }
  }

  const GemvShape shape_;
  const GemvData data_;
  const uint32_t nsteps_, tiles_, task_rows_, row_tasks_;
  Matrix x_, x_magnitude_;
  GemvReference result_;
};

}  // namespace

GemvReference gemv(const GemvShape& shape, const GemvData& data) { return Gemv(shape, data).run(); }

}  // namespace wavetwin::oracle
