// SPDX-License-Identifier: MIT
// MUBUF: untyped buffers. Source: isa guide, "Vector memory buffer instructions" and the V# table.
//
// address = base + soffset + index * stride + (voffset + inst_offset)
// Range: structured buffers (idxen, stride != 0) compare the index with num_records; raw buffers compare each
// dword's byte offset with num_records, soffset included (assumption: the guide leaves it out, AMD's emulator
// states that gfx950 includes it). Loads out of range give 0, stores and atomics are dropped; wide loads and
// stores are judged dword by dword, atomics as a whole.
#include <algorithm>

#include "sim/isa/exec.h"
#include "sim/isa/exec_memory.h"
#include "sim/isa/float_atomics.h"
#include "sim/isa/rows.h"
#include "sim/isa/scalar_operand.h"

namespace wavetwin::isa {
namespace {

using namespace atomic_op;

#define MISSING \
  MemoryOp {}
#define ROW(opcode, NAME, dst, src, traits, evidence, source, ...) __VA_ARGS__,
constexpr MemoryOp kOps[] = {
#include "sim/isa/tables/mubuf.inc"
};
#undef ROW
#undef MISSING

constexpr uint16_t kFirstRow = static_cast<uint16_t>(RowId::BUFFER_LOAD_FORMAT_X);
const MemoryOp& op_of(const Instruction& in) { return kOps[in.row - kFirstRow]; }

// The fields of a buffer resource (V#).
struct Resource {
  uint64_t base;
  uint32_t stride, records;
  bool swizzle, add_tid;
  uint32_t index_stride;

  static Resource read(const WaveState& wave, const Operand& operand) {
    std::array<uint32_t, 4> w;
    for (unsigned i = 0; i < 4; ++i) w[i] = wave.scalar[(operand.index + i) & (kScalarFileSize - 1)];
    Resource r;
    r.base = w[0] | uint64_t{w[1] & 0xffff} << 32;
    r.stride = w[1] >> 16 & 0x3fff;
    r.swizzle = w[1] >> 31;
    r.records = w[2];
    r.add_tid = w[3] >> 23 & 1;
    r.index_stride = 8u << (w[3] >> 21 & 3);
    // With add_tid the data format field holds the high bits of the stride.
    if (r.add_tid) r.stride |= (w[3] >> 15 & 15) << 14;
    if (w[3] >> 30 != 0)
      throw Error("the buffer resource in s" + std::to_string(operand.index) + " is not a buffer");
    return r;
  }
};

struct BufferAccess {
  std::array<uint64_t, kLanes> address;
  std::array<LaneMask, kMaxBlockDwords> in_range;  // by dword
};

// Swizzled addressing: elements of 4 bytes, index_stride indices interleaved.
uint64_t swizzled(const Resource& r, uint64_t index, uint64_t offset) {
  const uint64_t index_high = index / r.index_stride, index_low = index % r.index_stride;
  return (index_high * r.stride + offset / 4 * 4) * r.index_stride + index_low * 4 + offset % 4;
}

BufferAccess access_of(const WaveState& wave, const Instruction& in, unsigned bytes) {
  const Resource r = Resource::read(wave, in.src[2]);
  const uint32_t soffset = read_scalar32(wave, in.src[3]);
  const uint32_t* first = in.offen || in.idxen ? wave.vgpr_source(in.src[0].index) : nullptr;
  const uint32_t* second = in.offen && in.idxen ? wave.vgpr_source(in.src[0].index + 1u) : nullptr;
  const bool unchecked = r.add_tid && !in.idxen;
  const bool structured = in.idxen && r.stride != 0;
  BufferAccess access;
  LaneMask{wave.exec()}.for_each([&](unsigned lane) {
    const uint32_t vindex = in.idxen ? first[lane] : 0;
    const uint32_t voffset = in.offen ? (in.idxen ? second[lane] : first[lane]) : 0;
    const uint64_t index = uint64_t{vindex} + (r.add_tid ? lane : 0);
    const uint64_t offset = uint64_t{voffset} + static_cast<uint32_t>(in.offset);
    const uint64_t place = r.swizzle && r.add_tid ? swizzled(r, index, offset) : index * r.stride + offset;
    access.address[lane] = r.base + soffset + place;
    for (unsigned d = 0; d < block_dwords(bytes); ++d) {
      const uint64_t end = offset + soffset + std::min(4 * d + 4, bytes);
      const bool fits = unchecked || (structured ? index < r.records : end <= r.records);
      if (fits) access.in_range[d] = access.in_range[d] | LaneMask::lane(lane);
    }
  });
  return access;
}

uint32_t cache_bits(const Instruction& in) {
  return (in.sc0 ? kCacheSc0 : 0) | (in.nt ? kCacheNt : 0) | (in.sc1 ? kCacheSc1 : 0);
}

// Calls f(address, mask, bytes, first dword) for the parts of the access that are in range: the whole of it,
// or dword by dword where lanes differ.
template <typename F>
void for_each_part(BufferAccess& access, unsigned bytes, F f) {
  const unsigned dwords = block_dwords(bytes);
  bool same = true;
  for (unsigned d = 1; d < dwords; ++d) same &= access.in_range[d] == access.in_range[0];
  if (same) {
    if (access.in_range[0].any()) f(access.address.data(), access.in_range[0], bytes, 0u);
    return;
  }
  for (unsigned d = 0; d < dwords; ++d) {
    if (access.in_range[d].any()) f(access.address.data(), access.in_range[d], 4u, d);
    for (uint64_t& address : access.address) address += 4;
  }
}

void load_in_range(WaveState& wave, const Instruction& in, const MemoryOp& op, uint32_t* out) {
  Environment& env = *wave.env;
  const LaneMask exec{wave.exec()};
  BufferAccess access = access_of(wave, in, op.bytes);
  if (access.in_range[0].any()) env.note_access(access.address[access.in_range[0].first_set()], op.bytes);
  for (unsigned d = 0; d < block_dwords(op.bytes); ++d) {
    (exec & ~access.in_range[d]).for_each([&](unsigned lane) { out[d * kLanes + lane] = 0; });
  }
  for_each_part(access, op.bytes, [&](const uint64_t* address, LaneMask mask, unsigned bytes, unsigned d) {
    env.memory().load(address, mask, bytes, out + d * kLanes, cache_bits(in));
  });
  place_loaded(op, exec, out);
}

void buffer_load(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  Block loaded;
  load_in_range(wave, in, op, loaded.data());
  if (uint32_t* out = destination_block(wave, in.dst, 0, block_dwords(op.bytes))) {
    LaneMask{wave.exec()}.for_each([&](unsigned lane) {
      for (unsigned d = 0; d < block_dwords(op.bytes); ++d)
        out[d * kLanes + lane] = loaded[d * kLanes + lane];
    });
  }
  wave.env->issue_vm(0);
}

void buffer_load_lds(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  Block data{};
  load_in_range(wave, in, op, data.data());
  store_lds_rows(wave, in, op, LaneMask{wave.exec()}, data.data());
  wave.env->issue_vm(0);
}

void buffer_store(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  BufferAccess access = access_of(wave, in, op.bytes);
  Block spare, moved;
  const uint32_t* data = source_block(wave, in.src[1], 0, block_dwords(op.bytes), spare);
  data = place_stored(op, data, moved);
  PendingTicket ticket = 0;
  for_each_part(access, op.bytes, [&](const uint64_t* address, LaneMask mask, unsigned bytes, unsigned d) {
    const PendingTicket part =
        wave.env->memory().store(address, mask, bytes, data + d * kLanes, cache_bits(in));
    ticket = std::max(ticket, part);
  });
  wave.env->issue_vm(ticket);
}

void buffer_atomic(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  Environment& env = *wave.env;
  const unsigned dwords = block_dwords(op.bytes);
  const BufferAccess access = access_of(wave, in, op.bytes);
  const LaneMask fits = access.in_range[0] & access.in_range[dwords - 1];
  Block data_spare, compare_spare;
  const uint32_t* data = source_block(wave, in.src[1], 0, dwords, data_spare);
  const uint32_t* compare =
      op.compare ? source_block(wave, in.src[1], dwords, dwords, compare_spare) : nullptr;
  uint32_t* returned = in.dst ? destination_block(wave, in.dst, 0, dwords) : nullptr;
  PendingTicket ticket = 0;
  if (fits.any()) {
    env.note_access(access.address[fits.first_set()], op.bytes);
    ticket = env.memory().atomic(access.address.data(), fits, op.bytes, atomic_function(op, wave.mode), data,
                                 compare, returned);
  }
  if (returned != nullptr) {
    (LaneMask{wave.exec()} & ~fits).for_each([&](unsigned lane) {
      for (unsigned d = 0; d < dwords; ++d) returned[d * kLanes + lane] = 0;
    });
  }
  env.issue_vm(ticket);
  if (returned != nullptr && ticket != 0) env.expect_return(wave, in.dst, dwords, true, ticket);
}

// Cache write-back and invalidate: memory is coherent here.
void buffer_cache(WaveState& wave, const Instruction&) { wave.env->issue_vm(0); }

}  // namespace

ExecFn buffer_function(const Instruction& in) {
  if (in.format != Format::mubuf) return execute_missing;
  switch (op_of(in).kind) {
    case MemoryKind::none:
      return buffer_cache;
    case MemoryKind::load:
      return in.lds ? buffer_load_lds : buffer_load;
    case MemoryKind::store:
      return in.lds ? execute_missing : buffer_store;
    case MemoryKind::atomic:
      return buffer_atomic;
    default:
      return execute_missing;
  }
}

}  // namespace wavetwin::isa
