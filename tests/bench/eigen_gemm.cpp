// SPDX-License-Identifier: MIT
#include "tests/bench/eigen_gemm.h"

#include <Eigen/Core>

namespace wavetwin::bench {

void eigen_gemm(int n, const float* a, const float* b, float* c) {
  using Matrix = Eigen::MatrixXf;
  Eigen::Map<Matrix>(c, n, n).noalias() +=
      Eigen::Map<const Matrix>(a, n, n) * Eigen::Map<const Matrix>(b, n, n);
}

}  // namespace wavetwin::bench
