// SPDX-License-Identifier: MIT
// MUBUF and MTBUF: untyped and typed buffers. Source: isa guide, 9.1 "Vector memory buffer instructions".
#include <algorithm>

#include "sim/isa/buffer_access.h"
#include "sim/isa/exec.h"
#include "sim/isa/exec_buffer_format.h"
#include "sim/isa/exec_memory.h"
#include "sim/isa/float_atomics.h"
#include "sim/isa/rows.h"

namespace wavetwin::isa {
namespace {

using namespace atomic_op;

#define MISSING(reason) \
  MemoryOp {}
#define ROW(opcode, NAME, dst, src, traits, evidence, source, ...) __VA_ARGS__,
constexpr MemoryOp kOps[] = {
#include "sim/isa/tables/mubuf.inc"
// The order of all.inc.
#include "sim/isa/tables/mtbuf.inc"
};
#undef ROW
#undef MISSING

constexpr uint16_t kFirstRow = static_cast<uint16_t>(RowId::BUFFER_LOAD_FORMAT_X);
const MemoryOp& op_of(const Instruction& in) { return kOps[in.row - kFirstRow]; }

BufferAccess access_of(const WaveState& wave, const Instruction& in, const MemoryOp& op) {
  return buffer_access(wave, in, Resource::read(wave, in.src[2], false), op.bytes);
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
  BufferAccess access = access_of(wave, in, op);
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
  if (!has_destination(wave, in)) return wave.env->issue_vm(0);
  const MemoryOp& op = op_of(in);
  Block loaded;
  load_in_range(wave, in, op, loaded.data());
  uint32_t* const out = destination_block(wave, in.dst);
  LaneMask{wave.exec()}.for_each([&](unsigned lane) {
    for (unsigned d = 0; d < block_dwords(op.bytes); ++d) out[d * kLanes + lane] = loaded[d * kLanes + lane];
  });
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
  BufferAccess access = access_of(wave, in, op);
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
  if (!has_destination(wave, in)) return wave.env->issue_vm(0);
  const MemoryOp& op = op_of(in);
  Environment& env = *wave.env;
  const unsigned dwords = block_dwords(op.bytes);
  const BufferAccess access = access_of(wave, in, op);
  const LaneMask fits = access.in_range[0] & access.in_range[dwords - 1];
  Block data_spare, compare_spare;
  const uint32_t* data = source_block(wave, in.src[1], 0, dwords, data_spare);
  const uint32_t* compare =
      op.compare ? source_block(wave, in.src[1], dwords, dwords, compare_spare) : nullptr;
  uint32_t* returned = in.dst ? destination_block(wave, in.dst) : nullptr;
  PendingTicket ticket = 0;
  if (fits.any()) {
    env.note_access(access.address[fits.first_set()], op.bytes);
    ticket = env.memory().atomic(access.address.data(), fits, op.bytes, atomic_function(op, wave.mode), data,
                                 compare, returned, env.atomic_order());
  }
  if (returned != nullptr) {
    (LaneMask{wave.exec()} & ~fits).for_each([&](unsigned lane) {
      for (unsigned d = 0; d < dwords; ++d) returned[d * kLanes + lane] = 0;
    });
  }
  env.issue_vm(ticket);
  if (returned != nullptr && ticket != 0) env.expect_return(wave, in, dwords, true, ticket);
}

// The typed accesses of exec_buffer_format.h with the operation of their row.
template <void (*function)(WaveState&, const Instruction&, const MemoryOp&)>
void run_typed(WaveState& wave, const Instruction& in) {
  function(wave, in, op_of(in));
}

// Cache write-back and invalidation move no data: memory is coherent here. Without SC1 they are no fences
// between workgroups (isa guide 9.1.10.2, tables 51 and 52).
void buffer_cache(WaveState& wave, const Instruction& in) {
  if (in.sc1) {
    if (id_of(in) == RowId::BUFFER_WBL2) wave.env->memory().note_release();
    if (id_of(in) == RowId::BUFFER_INV) wave.env->memory().note_acquire();
  }
  wave.env->issue_vm(0);
}

}  // namespace

ExecFn buffer_function(const Instruction& in) {
  switch (op_of(in).kind) {
    case MemoryKind::none:
      return buffer_cache;
    case MemoryKind::load:
      return in.lds ? buffer_load_lds : buffer_load;
    case MemoryKind::store:
      return in.lds ? execute_missing : buffer_store;
    case MemoryKind::atomic:
      return buffer_atomic;
    case MemoryKind::load_format:
      return in.lds ? run_typed<load_format_lds> : run_typed<load_format_registers>;
    case MemoryKind::store_format:
      return run_typed<store_format_registers>;
    default:
      return execute_missing;
  }
}

}  // namespace wavetwin::isa
