// SPDX-License-Identifier: MIT
#include "sim/kernels/device.h"

#include "common/mfma/shape.h"
#include "sim/kernels/device_rules.h"
#include "sim/numerics/mfma.h"

namespace wavetwin {
namespace {

mfma::MfmaModel& model() {
  static mfma::MfmaModel active = mfma::preset("gfx950-default");
  return active;
}

// One wave's registers as the numerics take them: [vgpr][lane].
template <unsigned N>
mfma::WaveRegisters registers(const Vgprs<N>& v) {
  return &v.r[0].v;
}

template <unsigned N>
Accumulator plain(const mfma::Shape& shape, const Vgprs<N>& a, const Vgprs<N>& b, const Accumulator& c) {
  Accumulator d;
  mfma::mfma(model(), shape, {}, {registers(a), registers(b), registers(c), &d.r[0].v});
  return d;
}

}  // namespace

const mfma::MfmaModel& mfma_model() { return model(); }
void set_mfma_model(const mfma::MfmaModel& replacement) { model() = replacement; }

Accumulator mfma_scaled(const Vgprs<8>& a, const Vgprs<8>& b, const Accumulator& c, const LaneU32& scale_a,
                        const LaneU32& scale_b, uint32_t a_format, uint32_t b_format) {
  static const mfma::Shape& kShape = *mfma::find_exact("v_mfma_scale_f32_16x16x128_f8f6f4");
  mfma::Modifiers modifiers;
  modifiers.a_format = static_cast<mfma::Format>(a_format);
  modifiers.b_format = static_cast<mfma::Format>(b_format);
  Accumulator d;
  mfma::mfma(model(), kShape, modifiers,
             {registers(a), registers(b), registers(c), &d.r[0].v, scale_a.v, scale_b.v});
  return d;
}

Accumulator mfma_bf16(const Vgprs<4>& a, const Vgprs<4>& b, const Accumulator& c) {
  static const mfma::Shape& kShape = *mfma::find_exact("v_mfma_f32_16x16x32_bf16");
  static const mfma::Shape& kF16 = *mfma::find_exact("v_mfma_f32_16x16x32_f16");
  return plain(device_rules().f16_products ? kF16 : kShape, a, b, c);
}

Accumulator mfma16_bf16(const Vgprs<2>& a, const Vgprs<2>& b, const Accumulator& c) {
  static const mfma::Shape& kShape = *mfma::find_exact("v_mfma_f32_16x16x16_bf16");
  static const mfma::Shape& kF16 = *mfma::find_exact("v_mfma_f32_16x16x16_f16");
  return plain(device_rules().f16_products ? kF16 : kShape, a, b, c);
}

}  // namespace wavetwin
