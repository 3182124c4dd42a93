// SPDX-License-Identifier: MIT
// Shapes and layouts have to be usable in device code: this only has to compile.
#include "common/mfma/layout.h"

using namespace wavetwin::mfma;

__global__ void layouts(uint32_t* out, uint32_t lane) {
  constexpr const Shape& shape = *find_exact("v_mfma_scale_f32_16x16x128_f8f6f4");
  constexpr InputLayout a = a_layout(shape, Format::e4m3);
  constexpr OutputLayout d = cd_layout(shape);
  static_assert(a.place({0, 3, 70}).lane == 3 && a.place({0, 3, 70}).vgpr() == 5);
  const auto l = static_cast<uint8_t>(lane);
  out[0] = a.element({l, 32}).k;
  out[1] = d.element({l, 64}).row;
  out[2] = scale_element(16, lane).k_block;
}
