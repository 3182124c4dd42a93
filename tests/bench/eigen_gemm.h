// SPDX-License-Identifier: MIT
#pragma once

namespace wavetwin::bench {

// c += a * b, n x n, column-major, by Eigen on one thread. Compiled apart, with this machine's own
// instructions.
void eigen_gemm(int n, const float* a, const float* b, float* c);

}  // namespace wavetwin::bench
