// SPDX-License-Identifier: MIT
#include "tests/bench/isa/lane_loop.h"

#include <cmath>

namespace wavetwin::bench {
namespace {

constexpr float kV4 = 0.50000006f, kV11 = 0.3f;

// One instruction is one loop, as in the executor.
template <class F>
void each_lane(F f) {
  for (unsigned lane = 0; lane < 64; ++lane) f(lane);
}

void mix(float* a, float* b, float* c, LaneRegisters& r) {
  each_lane([&](unsigned l) { a[l] = b[l] + c[l]; });
  each_lane([&](unsigned l) { b[l] = std::fma(a[l], kV11, kV4); });
  each_lane([&](unsigned l) { c[l] = a[l] * kV11; });
  each_lane([&](unsigned l) { r.u[2][l] += 3; });
  each_lane([&](unsigned l) { a[l] = std::fma(b[l], kV11, c[l]); });
  each_lane([&](unsigned l) { r.u[0][l] ^= r.u[2][l]; });
  each_lane([&](unsigned l) { b[l] *= kV11; });
  each_lane([&](unsigned l) { r.u[1][l] += r.u[0][l] << 1; });
}

}  // namespace

void lane_loop(LaneRegisters& r) {
  for (unsigned i = 0; i < 4; ++i) {
    mix(r.f[0], r.f[1], r.f[2], r);
    mix(r.f[1], r.f[2], r.f[0], r);
    mix(r.f[2], r.f[0], r.f[1], r);
    mix(r.f[0], r.f[2], r.f[1], r);
  }
}

}  // namespace wavetwin::bench
