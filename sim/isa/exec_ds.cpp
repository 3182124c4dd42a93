// SPDX-License-Identifier: MIT
// DS: the local data share and its cross-lane operations. Sources: isa guide, "Data share operations";
// layouts of the transposing reads as in "Transpose loads" with the notes below.
//
// Address = VGPR + 16-bit offset, or + 8-bit offset * stride for the two-element forms; M0 is not used (it
// limits nothing on gfx9 and later). Everything is immediate; lgkmcnt counts it.
#include <algorithm>

#include "common/lane_map.h"
#include "sim/isa/exec.h"
#include "sim/isa/exec_memory.h"
#include "sim/isa/float_memory_ops.h"
#include "sim/isa/rows.h"

namespace wavetwin::isa {
namespace {

using namespace atomic_op;
using Offsets = std::array<uint32_t, kLanes>;

// --- words of the rows that only DS has

// (MEM & ~DATA0) | DATA1; DATA0 arrives as the compare operand.
template <class T>
uint64_t mask_or(uint64_t old, uint64_t data, uint64_t mask) {
  return static_cast<T>((old & ~mask) | data);
}
// MEM >= DATA0 ? MEM - DATA0 : MEM + DATA1
uint64_t wrap(uint64_t old, uint64_t data, uint64_t limit) {
  const auto o = static_cast<uint32_t>(old), l = static_cast<uint32_t>(limit);
  return o >= l ? o - l : static_cast<uint32_t>(o + data);
}

// --- cross-lane operations without memory

const uint32_t* data_row(const WaveState& wave, const Operand& operand, Block& spare) {
  return source_block(wave, operand, 0, 1, spare);
}

// Writes `value` to the active lanes of the destination and counts the operation.
void finish_lanes(WaveState& wave, const Instruction& in, const Offsets& value) {
  if (has_destination(wave, in)) {
    uint32_t* const out = destination_block(wave, in.dst);
    LaneMask{wave.exec()}.for_each([&](unsigned lane) { out[lane] = value[lane]; });
  }
  wave.env->issue_lgkm(0);
}

void ds_swizzle(WaveState& wave, const Instruction& in) {
  Block spare;
  const uint32_t* data = data_row(wave, in.src[0], spare);
  const LaneMask exec{wave.exec()};
  Offsets value;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned source = swizzle_source(static_cast<uint16_t>(in.offset), lane);
    value[lane] = exec[source] ? data[source] : 0;
  }
  finish_lanes(wave, in, value);
}

unsigned lane_of_address(uint32_t address, const Instruction& in) {
  return permute_lane(address + static_cast<uint32_t>(in.offset));
}

// Push: the highest sending lane wins.
void ds_permute(WaveState& wave, const Instruction& in) {
  Block address_spare, data_spare;
  const uint32_t* address = data_row(wave, in.src[0], address_spare);
  const uint32_t* data = data_row(wave, in.src[1], data_spare);
  Offsets value{};
  LaneMask{wave.exec()}.for_each(
      [&](unsigned lane) { value[lane_of_address(address[lane], in)] = data[lane]; });
  finish_lanes(wave, in, value);
}

// Pull: 0 from an inactive lane.
void ds_bpermute(WaveState& wave, const Instruction& in) {
  Block address_spare, data_spare;
  const uint32_t* address = data_row(wave, in.src[0], address_spare);
  const uint32_t* data = data_row(wave, in.src[1], data_spare);
  const LaneMask exec{wave.exec()};
  Offsets value;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned source = lane_of_address(address[lane], in);
    value[lane] = exec[source] ? data[source] : 0;
  }
  finish_lanes(wave, in, value);
}

// --- addresses

Offsets lds_addresses(const WaveState& wave, const Instruction& in, uint32_t offset) {
  const uint32_t* base = wave.vgpr_source(in.src[0].index);
  Offsets out;
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = base[lane] + offset;
  return out;
}

// --- transposing reads
//
// Which element comes from where: transposed_source() in common/lane_map.h.
template <unsigned element_bits, unsigned dwords>
void ds_read_transposed(WaveState& wave, const Instruction& in) {
  if (!has_destination(wave, in)) return wave.env->issue_lgkm(0);
  constexpr unsigned kElements = dwords * 32 / element_bits;
  const Offsets address = lds_addresses(wave, in, static_cast<uint32_t>(in.offset));
  const LaneMask exec{wave.exec()};
  Block chunk{};
  wave.env->lds().load(address.data(), exec, dwords * 4, chunk.data());
  const auto element = [&](unsigned lane, unsigned index) {
    const unsigned bit = index * element_bits, d = bit / 32, shift = bit % 32;
    uint64_t words = chunk[d * kLanes + lane];
    if (d + 1 < dwords) words |= uint64_t{chunk[(d + 1) * kLanes + lane]} << 32;
    return static_cast<uint32_t>(words >> shift) & ((1u << element_bits) - 1);
  };
  uint32_t* const out = destination_block(wave, in.dst);
  exec.for_each([&](unsigned lane) {
    std::array<uint64_t, 3> packed{};
    for (unsigned n = 0; n < kElements; ++n) {
      const ChunkElement from = transposed_source(kElements, lane, n);
      const unsigned bit = n * element_bits;
      const uint64_t value = uint64_t{element(from.lane, from.index)} << (bit % 32);
      packed[bit / 32] |= value & 0xffffffffu;
      if (bit / 32 + 1 < dwords) packed[bit / 32 + 1] |= value >> 32;
    }
    for (unsigned d = 0; d < dwords; ++d) out[d * kLanes + lane] = static_cast<uint32_t>(packed[d]);
  });
  wave.env->issue_lgkm(0);
}

// --- forms addressed by lane number or by M0

Offsets lane_addresses(const WaveState& wave, const Instruction& in) {
  Offsets out;
  const uint32_t base = (wave.m0() & 0xffff) + static_cast<uint32_t>(in.offset);
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = base + 4 * lane;
  return out;
}

void ds_read_addtid(WaveState& wave, const Instruction& in) {
  if (!has_destination(wave, in)) return wave.env->issue_lgkm(0);
  wave.env->lds().load(lane_addresses(wave, in).data(), LaneMask{wave.exec()}, 4,
                       destination_block(wave, in.dst));
  wave.env->issue_lgkm(0);
}

void ds_write_addtid(WaveState& wave, const Instruction& in) {
  Block spare;
  const uint32_t* data = data_row(wave, in.src[1], spare);
  wave.env->lds().store(lane_addresses(wave, in).data(), LaneMask{wave.exec()}, 4, data);
  wave.env->issue_lgkm(0);
}

// ds_append / ds_consume: one counter for the wave moves by the number of active lanes; all get the old
// value. Its address is M0 + offset: LLVM 22 puts the LDS address there (the guide names the offset only).
template <bool append>
void ds_count(WaveState& wave, const Instruction& in) {
  const LaneMask exec{wave.exec()};
  if (exec.any() && has_destination(wave, in)) {
    Offsets address, data, old{};
    address.fill(wave.m0() + static_cast<uint32_t>(in.offset));
    data.fill(append ? exec.count() : 0u - exec.count());
    const unsigned first = exec.first_set();
    wave.env->lds().atomic(address.data(), LaneMask::lane(first), 4, add<uint32_t>, data.data(), nullptr,
                           old.data());
    uint32_t* const out = destination_block(wave, in.dst);
    exec.for_each([&](unsigned lane) { out[lane] = old[first]; });
  }
  wave.env->issue_lgkm(0);
}

// Two dwords, each exchanged where its data has the top bit set, without that bit (isa guide 12.12,
// DS_CONDXCHG32_RTN_B64, whose address has 16 bits).
void ds_conditional_exchange(WaveState& wave, const Instruction& in) {
  if (!has_destination(wave, in)) return wave.env->issue_lgkm(0);
  Offsets address = lds_addresses(wave, in, static_cast<uint32_t>(in.offset));
  Block spare;
  const uint32_t* data = source_block(wave, in.src[1], 0, 2, spare);
  uint32_t* const out = destination_block(wave, in.dst);
  const auto exchange = [](uint64_t old, uint64_t value, uint64_t) {
    return value >> 31 & 1 ? value & 0x7fffffff : old;
  };
  // The destination may be the data's registers; every dword's data is read before its result is written.
  for (unsigned d = 0; d < 2; ++d) {
    for (uint32_t& a : address) a = (a & 0xfff8) + 4 * d;
    wave.env->lds().atomic(address.data(), LaneMask{wave.exec()}, 4, exchange, data + d * kLanes, nullptr,
                           out + d * kLanes, wave.env->atomic_order());
  }
  wave.env->issue_lgkm(0);
}

// --- the table

#define MISSING(reason) \
  MemoryOp {}
#define ROW(opcode, NAME, dst, src, traits, evidence, source, ...) __VA_ARGS__,
constexpr MemoryOp kOps[] = {
#include "sim/isa/tables/ds.inc"
};
#undef ROW
#undef MISSING

constexpr uint16_t kFirstRow = static_cast<uint16_t>(RowId::DS_ADD_U32);
const MemoryOp& op_of(const Instruction& in) { return kOps[in.row - kFirstRow]; }

// --- the format

void ds_nop(WaveState&, const Instruction&) {}

void ds_load(WaveState& wave, const Instruction& in) {
  if (!has_destination(wave, in)) return wave.env->issue_lgkm(0);
  const MemoryOp& op = op_of(in);
  const Offsets address = lds_addresses(wave, in, static_cast<uint32_t>(in.offset));
  const LaneMask exec{wave.exec()};
  uint32_t* const out = destination_block(wave, in.dst);
  wave.env->lds().load(address.data(), exec, op.bytes, out);
  place_loaded(op, exec, out);
  wave.env->issue_lgkm(0);
}

void ds_store(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  const Offsets address = lds_addresses(wave, in, static_cast<uint32_t>(in.offset));
  Block spare, moved;
  const uint32_t* data = source_block(wave, in.src[1], 0, block_dwords(op.bytes), spare);
  data = place_stored(op, data, moved);
  wave.env->lds().store(address.data(), LaneMask{wave.exec()}, op.bytes, data);
  wave.env->issue_lgkm(0);
}

void ds_atomic(WaveState& wave, const Instruction& in) {
  if (!has_destination(wave, in)) return wave.env->issue_lgkm(0);
  const MemoryOp& op = op_of(in);
  const Offsets address = lds_addresses(wave, in, static_cast<uint32_t>(in.offset));
  const unsigned dwords = block_dwords(op.bytes);
  Block first_spare, second_spare;
  const uint32_t* first = source_block(wave, in.src[1], 0, dwords, first_spare);
  const uint32_t* second = op.compare ? source_block(wave, in.src[2], 0, dwords, second_spare) : nullptr;
  uint32_t* returned = in.dst ? destination_block(wave, in.dst) : nullptr;
  wave.env->lds().atomic(address.data(), LaneMask{wave.exec()}, op.bytes, atomic_function(op, wave.mode),
                         op.compare ? second : first, op.compare ? first : nullptr, returned,
                         wave.env->atomic_order());
  wave.env->issue_lgkm(0);
}

void ds_load_two(WaveState& wave, const Instruction& in) {
  if (!has_destination(wave, in)) return wave.env->issue_lgkm(0);
  const MemoryOp& op = op_of(in);
  const unsigned dwords = block_dwords(op.bytes);
  const Offsets first = lds_addresses(wave, in, static_cast<uint32_t>(in.offset) * op.stride);
  const Offsets second = lds_addresses(wave, in, uint32_t{in.offset1} * op.stride);
  const LaneMask exec{wave.exec()};
  uint32_t* const out = destination_block(wave, in.dst);
  wave.env->lds().load(first.data(), exec, op.bytes, out);
  wave.env->lds().load(second.data(), exec, op.bytes, out + dwords * kLanes);
  wave.env->issue_lgkm(0);
}

// Equal offsets name one place; it is accessed once, with the first data (isa guide 11.3.1).
bool names_one_place(const Instruction& in) { return in.offset == in.offset1; }

void ds_store_two(WaveState& wave, const Instruction& in) {
  const MemoryOp& op = op_of(in);
  const unsigned dwords = block_dwords(op.bytes);
  const Offsets first = lds_addresses(wave, in, static_cast<uint32_t>(in.offset) * op.stride);
  const Offsets second = lds_addresses(wave, in, uint32_t{in.offset1} * op.stride);
  const LaneMask exec{wave.exec()};
  Block first_spare, second_spare;
  wave.env->lds().store(first.data(), exec, op.bytes, source_block(wave, in.src[1], 0, dwords, first_spare));
  if (!names_one_place(in)) {
    wave.env->lds().store(second.data(), exec, op.bytes,
                          source_block(wave, in.src[2], 0, dwords, second_spare));
  }
  wave.env->issue_lgkm(0);
}

void ds_exchange_two(WaveState& wave, const Instruction& in) {
  if (!has_destination(wave, in)) return wave.env->issue_lgkm(0);
  const MemoryOp& op = op_of(in);
  const unsigned dwords = block_dwords(op.bytes);
  const LaneMask exec{wave.exec()};
  const AtomicFunction function = op.bytes == 8 ? swap<uint64_t> : swap<uint32_t>;
  Block spare, data_spare;
  uint32_t* const out = destination_block(wave, in.dst);
  const Offsets first = lds_addresses(wave, in, static_cast<uint32_t>(in.offset) * op.stride);
  const Offsets second = lds_addresses(wave, in, uint32_t{in.offset1} * op.stride);
  // The second data operand may share registers with the result, so both are read first.
  const uint32_t* second_data = source_block(wave, in.src[2], 0, dwords, spare);
  std::copy_n(second_data, dwords * kLanes, data_spare.begin());
  const uint32_t* first_data = source_block(wave, in.src[1], 0, dwords, spare);
  wave.env->lds().atomic(first.data(), exec, op.bytes, function, first_data, nullptr, out,
                         wave.env->atomic_order());
  if (names_one_place(in)) {
    exec.for_each([&](unsigned lane) {
      for (unsigned d = 0; d < dwords; ++d) out[(dwords + d) * kLanes + lane] = out[d * kLanes + lane];
    });
  } else {
    wave.env->lds().atomic(second.data(), exec, op.bytes, function, data_spare.data(), nullptr,
                           out + dwords * kLanes, wave.env->atomic_order());
  }
  wave.env->issue_lgkm(0);
}

}  // namespace

ExecFn ds_function(const Instruction& in) {
  if (in.gds) return execute_missing;
  const MemoryOp& op = op_of(in);
  switch (op.kind) {
    case MemoryKind::none:
      return ds_nop;
    case MemoryKind::load:
      return ds_load;
    case MemoryKind::store:
      return ds_store;
    case MemoryKind::atomic:
      return ds_atomic;
    case MemoryKind::load_two:
      return ds_load_two;
    case MemoryKind::store_two:
      return ds_store_two;
    case MemoryKind::exchange_two:
      return ds_exchange_two;
    case MemoryKind::special:
      return op.run;
    default:
      return execute_missing;
  }
}

}  // namespace wavetwin::isa
