// SPDX-License-Identifier: MIT
// FLAT, GLOBAL and SCRATCH. Sources: isa guide, "Flat memory instructions"; LLVM's memory model for gfx950.
//
// GLOBAL: 64-bit VGPR address, or SGPR pair + zero-extended 32-bit VGPR offset; SCRATCH: offset into the
// private segment; FLAT: the high dword of each lane's address picks LDS, scratch or device memory. The
// immediate offset is added in every case.
#include "sim/isa/exec.h"
#include "sim/isa/exec_memory.h"
#include "sim/isa/float_memory_ops.h"
#include "sim/isa/rows.h"
#include "sim/isa/scalar_operand.h"

namespace wavetwin::isa {
namespace {

using namespace atomic_op;

#define MISSING(reason) \
  MemoryOp {}
#define ROW(opcode, NAME, dst, src, traits, evidence, source, ...) __VA_ARGS__,
constexpr MemoryOp kOps[] = {
#include "sim/isa/tables/flat.inc"
};
#undef ROW
#undef MISSING

constexpr uint16_t kFirstRow = static_cast<uint16_t>(RowId::FLAT_LOAD_UBYTE);

const MemoryOp& op_of(const Instruction& in) { return kOps[in.row - kFirstRow]; }

using Addresses = std::array<uint64_t, kLanes>;
using Offsets = std::array<uint32_t, kLanes>;

// Device addresses of GLOBAL and FLAT instructions.
void global_addresses(const WaveState& wave, const Instruction& in, Addresses& out) {
  const auto displacement = static_cast<uint64_t>(int64_t{in.offset});
  if (in.src[2]) {
    const uint64_t base = read_scalar64(wave, in.src[2]) + displacement;
    const uint32_t* offset = wave.vgpr_source(in.src[0].index);
    for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = base + offset[lane];
    return;
  }
  const uint32_t* low = wave.vgpr_source(in.src[0].index);
  const uint32_t* high = wave.vgpr_source(in.src[0].index + 1u);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    out[lane] = (uint64_t{high[lane]} << 32 | low[lane]) + displacement;
  }
}

// Private-segment offsets of SCRATCH instructions: VGPR + SGPR + immediate, each optional but the last.
void scratch_offsets(const WaveState& wave, const Instruction& in, Offsets& out) {
  uint32_t base = static_cast<uint32_t>(in.offset);
  if (in.src[2]) base += read_scalar32(wave, in.src[2]);
  if (!in.src[0]) {
    out.fill(base);
    return;
  }
  const uint32_t* offset = wave.vgpr_source(in.src[0].index);
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = base + offset[lane];
}

// Where the lanes of one instruction go.
struct Places {
  LaneMask device, shared, scratch;
  Addresses address;
  Offsets offset;  // shared and scratch lanes
};

Places places_of(const WaveState& wave, const Instruction& in) {
  Places places;
  const LaneMask exec{wave.exec()};
  if (in.segment == Segment::scratch) {
    places.scratch = exec;
    scratch_offsets(wave, in, places.offset);
    return places;
  }
  global_addresses(wave, in, places.address);
  places.device = exec;
  if (in.segment == Segment::global) return places;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const auto high = static_cast<uint32_t>(places.address[lane] >> 32);
    places.offset[lane] = static_cast<uint32_t>(places.address[lane]);
    if (high == kSharedApertureHigh) places.shared = places.shared | LaneMask::lane(lane);
    if (high == kPrivateApertureHigh) places.scratch = places.scratch | LaneMask::lane(lane);
  }
  places.shared = places.shared & exec;
  places.scratch = places.scratch & exec;
  places.device = exec & ~places.shared & ~places.scratch;
  return places;
}

// FLAT counts in both counters, the others in vmcnt only.
void issue(Environment& env, const Instruction& in, PendingTicket ticket) {
  const bool in_order = !env.may_find_lds(in);
  env.issue_vm(ticket, in_order);
  if (!in_order) env.issue_lgkm(ticket, false);
}

void note_first(Environment& env, const Places& places, unsigned bytes) {
  if (places.device.any()) env.note_access(places.address[places.device.first_set()], bytes);
}

void load_places(Environment& env, const Places& places, unsigned bytes, uint32_t* out, uint32_t cache) {
  if (places.device.any()) env.memory().load(places.address.data(), places.device, bytes, out, cache);
  if (places.shared.any()) env.lds().load(places.offset.data(), places.shared, bytes, out);
  if (places.scratch.any()) env.scratch.load(places.offset.data(), places.scratch, bytes, out);
}

void flat_load(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  Environment& env = *wave.env;
  if (!has_destination(wave, in)) return issue(env, in, 0);
  const Places places = places_of(wave, in);
  uint32_t* const out = destination_block(wave, in.dst);
  note_first(env, places, op.bytes);
  load_places(env, places, op.bytes, out, cache_bits(in));
  place_loaded(op, LaneMask{wave.exec()}, out);
  issue(env, in, 0);
}

void flat_store(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  Environment& env = *wave.env;
  const Places places = places_of(wave, in);
  Block spare;
  const uint32_t* data = source_block(wave, in.src[1], 0, block_dwords(op.bytes), spare);
  data = place_stored(op, data, spare);
  PendingTicket ticket = 0;
  if (places.device.any()) {
    ticket = env.memory().store(places.address.data(), places.device, op.bytes, data, cache_bits(in));
  }
  if (places.shared.any()) env.lds().store(places.offset.data(), places.shared, op.bytes, data);
  if (places.scratch.any()) env.scratch.store(places.offset.data(), places.scratch, op.bytes, data);
  issue(env, in, ticket);
}

void flat_atomic(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  Environment& env = *wave.env;
  if (!has_destination(wave, in)) return issue(env, in, 0);
  const Places places = places_of(wave, in);
  if (places.scratch.any()) throw Error("atomic operation on scratch memory");
  const unsigned dwords = block_dwords(op.bytes);
  Block data_spare, compare_spare;
  const uint32_t* data = source_block(wave, in.src[1], 0, dwords, data_spare);
  const uint32_t* compare =
      op.compare ? source_block(wave, in.src[1], dwords, dwords, compare_spare) : nullptr;
  uint32_t* returned = in.dst ? destination_block(wave, in.dst) : nullptr;
  const AtomicFunction function = atomic_function(op, wave.mode);
  note_first(env, places, op.bytes);
  if (places.shared.any()) {
    env.lds().atomic(places.offset.data(), places.shared, op.bytes, function, data, compare, returned,
                     env.atomic_order());
  }
  PendingTicket ticket = 0;
  if (places.device.any()) {
    ticket = env.memory().atomic(places.address.data(), places.device, op.bytes,
                                 op.memory != nullptr ? op.memory : function, data, compare, returned,
                                 env.atomic_order());
  }
  issue(env, in, ticket);
  if (returned != nullptr && ticket != 0) env.expect_return(wave, in, dwords, true, ticket);
}

void flat_load_lds(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  Environment& env = *wave.env;
  const Places places = places_of(wave, in);
  const LaneMask exec{wave.exec()};
  Block data{};
  note_first(env, places, op.bytes);
  load_places(env, places, op.bytes, data.data(), cache_bits(in));
  place_loaded(op, exec, data.data());
  store_lds_rows(wave, in, op, exec, data.data());
  issue(env, in, 0);
}

}  // namespace

ExecFn flat_function(const Instruction& in) {
  switch (op_of(in).kind) {
    case MemoryKind::load:
      return flat_load;
    case MemoryKind::store:
      return flat_store;
    case MemoryKind::atomic:
      return flat_atomic;
    case MemoryKind::load_lds:
      return flat_load_lds;
    default:
      return execute_missing;
  }
}

}  // namespace wavetwin::isa
