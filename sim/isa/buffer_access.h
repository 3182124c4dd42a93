// SPDX-License-Identifier: MIT
// Where the lanes of a buffer instruction go. Source: isa guide 9.1.5 and the V# table 9.1.8.
//
// address = base + soffset + index * stride + (voffset + inst_offset), or swizzled: elements of 4 bytes,
// index_stride indices interleaved. Any byte address is taken: the Linux driver sets unaligned access mode
// (amdkfd, kfd_device_queue_manager_v9.c: ALIGNMENT_MODE of SH_MEM_CONFIG), where the two low bits of 9.1.7
// count.
// Range: structured buffers (idxen, stride != 0) compare the index with num_records (9.1.5.1 and Mesa for
// GFX9; table 45 has the units the other way round); raw buffers compare each dword's byte offset with
// num_records, soffset included (AMD's emulator states that gfx950 includes it; the guide leaves it out:
// option buffer_soffset). Loads out of range give 0, stores and atomics are dropped; wide loads and stores
// are judged dword by dword, atomics and typed elements as a whole. Nothing of a buffer whose data format is
// INVALID is in range: it is unbound (9.1.4).
#pragma once

#include <array>
#include <cstdint>

#include "sim/core/lane.h"
#include "sim/isa/exec_memory.h"
#include "sim/isa/instruction.h"
#include "sim/isa/wave_state.h"
#include "sim/numerics/buffer_format.h"

namespace wavetwin::isa {

// The fields of a buffer resource (V#).
struct Resource {
  uint64_t base = 0;
  uint32_t stride = 0, records = 0;
  bool swizzle = false, add_tid = false;
  bool unbound = false;
  uint32_t index_stride = 0;
  unsigned data_format = 0;
  NumberFormat number_format = NumberFormat::unorm;
  std::array<uint8_t, 4> select{};  // dst_sel of x, y, z, w: 0, 1, or 4 + component

  // `typed`: the data format is one; otherwise, with add_tid, it holds the high bits of the stride.
  static Resource read(const WaveState& wave, const Operand& operand, bool typed);
};

struct BufferAccess {
  std::array<uint64_t, kLanes> address;
  std::array<LaneMask, kMaxBlockDwords> in_range;  // by dword
};

// `bytes` of a lane.
BufferAccess buffer_access(const WaveState& wave, const Instruction& in, const Resource& resource,
                           unsigned bytes);

}  // namespace wavetwin::isa
