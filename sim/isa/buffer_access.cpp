// SPDX-License-Identifier: MIT
#include "sim/isa/buffer_access.h"

#include <algorithm>
#include <string>

#include "sim/core/error.h"
#include "sim/isa/environment.h"
#include "sim/isa/scalar_operand.h"

namespace wavetwin::isa {
namespace {

// Isa guide 9.1.5.2, with elements of 4 bytes: the resource has no field for their size.
uint64_t swizzled(const Resource& r, uint64_t index, uint64_t offset) {
  const uint64_t index_high = index / r.index_stride, index_low = index % r.index_stride;
  return (index_high * r.stride + offset / 4 * 4) * r.index_stride + index_low * 4 + offset % 4;
}

}  // namespace

Resource Resource::read(const WaveState& wave, const Operand& operand, bool typed) {
  std::array<uint32_t, 4> w;
  for (unsigned i = 0; i < 4; ++i) w[i] = wave.scalar[(operand.index + i) & (kScalarFileSize - 1)];
  if (w[3] >> 30 != 0)
    throw Error("the buffer resource in s" + std::to_string(operand.index) + " is not a buffer");
  Resource r;
  r.base = w[0] | uint64_t{w[1] & 0xffff} << 32;
  r.stride = w[1] >> 16 & 0x3fff;
  r.swizzle = w[1] >> 31;
  r.records = w[2];
  for (unsigned i = 0; i < 4; ++i) r.select[i] = w[3] >> (3 * i) & 7;
  r.number_format = static_cast<NumberFormat>(w[3] >> 12 & 7);
  r.data_format = w[3] >> 15 & 15;
  r.add_tid = w[3] >> 23 & 1;
  r.index_stride = 8u << (w[3] >> 21 & 3);
  if (r.add_tid && !typed) r.stride |= r.data_format << 14;
  r.unbound = !typed && !r.add_tid && r.data_format == 0;
  return r;
}

BufferAccess buffer_access(const WaveState& wave, const Instruction& in, const Resource& r, unsigned bytes) {
  const uint32_t soffset = read_scalar32(wave, in.src[3]);
  const uint32_t* first = in.offen || in.idxen ? wave.vgpr_source(in.src[0].index) : nullptr;
  const uint32_t* second = in.offen && in.idxen ? wave.vgpr_source(in.src[0].index + 1u) : nullptr;
  const bool unchecked = r.add_tid && !in.idxen;
  const bool structured = in.idxen && r.stride != 0;
  const uint32_t checked_soffset = wave.env->numeric_model->buffer_soffset_free ? 0 : soffset;
  BufferAccess access;
  if (r.unbound) return access;
  LaneMask{wave.exec()}.for_each([&](unsigned lane) {
    const uint32_t vindex = in.idxen ? first[lane] : 0;
    const uint32_t voffset = in.offen ? (in.idxen ? second[lane] : first[lane]) : 0;
    const uint64_t index = uint64_t{vindex} + (r.add_tid ? lane : 0);
    const uint64_t offset = uint64_t{voffset} + static_cast<uint32_t>(in.offset);
    const uint64_t place = r.swizzle ? swizzled(r, index, offset) : index * r.stride + offset;
    access.address[lane] = r.base + soffset + place;
    for (unsigned d = 0; d < block_dwords(bytes); ++d) {
      const uint64_t end = offset + checked_soffset + std::min(4 * d + 4, bytes);
      const bool fits = unchecked || (structured ? index < r.records : end <= r.records);
      if (fits) access.in_range[d] = access.in_range[d] | LaneMask::lane(lane);
    }
  });
  return access;
}

}  // namespace wavetwin::isa
