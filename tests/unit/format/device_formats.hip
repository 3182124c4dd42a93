// SPDX-License-Identifier: MIT
// Proves that common/ and common/format compile for gfx950, freestanding, at -O0 and -O3.
#include "common/bits.h"
#include "common/device_ptr.h"
#include "common/format/fnuz_hint.h"
#include "common/format/format_id.h"
#include "common/format/mx_block.h"
#include "common/format/pack.h"
#include "common/host_device.h"

namespace {

struct Arguments {
  wavetwin::DevicePtr<const float> values;
  wavetwin::DevicePtr<uint32_t> codes;
  wavetwin::DevicePtr<float> back;
};
static_assert(sizeof(Arguments) == 24);

WAVETWIN_DEVICE uint32_t index() {
  return __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
}

template <class F>
WAVETWIN_DEVICE void round_trip(const Arguments& args) {
  const uint32_t i = index();
  const F code = wavetwin::encode<F>(args.values[i], wavetwin::Overflow::ieee);
  args.codes[i] = code.bits;
  args.back[i] = wavetwin::decode(code);
}

}  // namespace

#define WAVETWIN_ROUND_TRIP(NAME, FORMAT) \
  extern "C" __global__ void NAME(Arguments args) { round_trip<wavetwin::FORMAT>(args); }
WAVETWIN_ROUND_TRIP(round_trip_e4m3, E4M3)
WAVETWIN_ROUND_TRIP(round_trip_e5m2, E5M2)
WAVETWIN_ROUND_TRIP(round_trip_e3m2, E3M2)
WAVETWIN_ROUND_TRIP(round_trip_e2m3, E2M3)
WAVETWIN_ROUND_TRIP(round_trip_e2m1, E2M1)
WAVETWIN_ROUND_TRIP(round_trip_f16, F16)
WAVETWIN_ROUND_TRIP(round_trip_bf16, BF16)

// One 32-block a lane, by vLLM's rule; the codes come out packed in eight dwords.
extern "C" __global__ void quantize_vllm_rocm(Arguments args) {
  const uint32_t i = index();
  uint8_t codes[32];
  const wavetwin::E8M0 scale = wavetwin::quantize_block(
      wavetwin::ScaleRule::vllm_rocm, wavetwin::E4M3::kFormat, args.values.offset(32 * i), 32, codes);
  for (uint32_t k = 0; k < 32; ++k) wavetwin::insert_code(args.codes.offset(8 * i).get(), 8, k, codes[k]);
  wavetwin::dequantize_block(wavetwin::E4M3::kFormat, codes, 32, scale, args.back.offset(32 * i));
}

// The rules torchao names, with a run-time rule and element format.
extern "C" __global__ void quantize_e2m1(Arguments args, uint32_t rule) {
  const uint32_t i = index();
  uint8_t codes[32];
  const wavetwin::E8M0 scale = wavetwin::quantize_block(
      static_cast<wavetwin::ScaleRule>(rule), wavetwin::E2M1::kFormat, args.values.offset(32 * i), 32, codes);
  for (uint32_t k = 0; k < 32; ++k) wavetwin::insert_code(args.codes.offset(4 * i).get(), 4, k, codes[k]);
  args.back[i] = wavetwin::decode(scale);
}
