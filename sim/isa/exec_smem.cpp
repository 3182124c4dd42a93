// SPDX-License-Identifier: MIT
// SMEM: scalar loads, stores, atomics and clocks. Source: isa guide, "Scalar memory operations".
//
// address = SBASE + immediate + SGPR offset, the low two bits of the sum ignored. The guide (8.2.1.1) may be
// read so that each part drops its own; clang 22 moves a byte count from one part to another where only their
// sum is a multiple of 4 (s_load_dword with an odd pointer in SBASE and an odd SGPR offset), so its code runs
// only with the sum. For buffers SBASE is a V# and each dword is checked against its size: num_records bytes,
// or strides where there is one (Mesa, si_make_buffer_descriptor, for GFX9; the guide's formula in 8.2.1.1
// leaves num_records out of the first case). Everything counts in lgkmcnt.
#include <algorithm>
#include <memory>

#include "sim/core/error.h"
#include "sim/isa/exec.h"
#include "sim/isa/exec_memory.h"
#include "sim/isa/rows.h"
#include "sim/isa/scalar_operand.h"

namespace wavetwin::isa {
namespace {

using namespace atomic_op;

constexpr unsigned kMaxScalarDwords = 16;
constexpr bool kInOrder = false;  // scalar memory returns in any order (isa guide 4.4)

// The end of the registers that a tuple from `code` on may have: SGPRs, the pairs FLAT_SCRATCH, XNACK_MASK
// and VCC, trap temporaries.
unsigned register_end(unsigned code) {
  if (code < kSgprCount) return kSgprCount;
  return code < kTtmpFirst ? (code & ~1u) + 2 : kTtmpFirst + kTtmpCount;
}

// Dword d of the data that an instruction writes to memory. A source past the registers reads s0 (isa guide
// 3.6.1).
uint32_t data_dword(const WaveState& wave, const Instruction& in, unsigned d) {
  const unsigned first = in.src[1].index, code = first + d;
  return wave.scalar[code < register_end(first) ? code : 0];
}

struct ScalarAddress {
  uint64_t address = 0;
  uint64_t offset = 0;            // in the buffer
  uint64_t limit = ~uint64_t{0};  // bytes of the buffer

  // A negative sum lies behind every end.
  bool fits(unsigned dword) const { return offset <= limit && 4 * dword + 4 <= limit - offset; }
};

// The SGPR offset of s_scratch_* counts in 64 bytes (isa guide 8.2.1.1).
uint64_t offset_unit(const Instruction& in) {
  switch (id_of(in)) {
    case RowId::S_SCRATCH_LOAD_DWORD:
    case RowId::S_SCRATCH_LOAD_DWORDX2:
    case RowId::S_SCRATCH_LOAD_DWORDX4:
    case RowId::S_SCRATCH_STORE_DWORD:
    case RowId::S_SCRATCH_STORE_DWORDX2:
    case RowId::S_SCRATCH_STORE_DWORDX4:
      return 64;
    default:
      return 1;
  }
}

// Comment of Instruction: src[0] base, src[1] data, src[2] SGPR offset.
ScalarAddress address_of(const WaveState& wave, const Instruction& in) {
  uint64_t offset = in.imm_offset ? static_cast<uint64_t>(int64_t{in.offset}) : 0;
  if (in.src[2]) offset += uint64_t{read_scalar32(wave, in.src[2])} * offset_unit(in);
  ScalarAddress result;
  if (in.src[0].type != RSRC) {
    result.address = (read_scalar64(wave, in.src[0]) + offset) & ~uint64_t{3};
    return result;
  }
  const uint32_t* resource = &wave.scalar[in.src[0].index];
  const uint64_t base = resource[0] | uint64_t{resource[1] & 0xffff} << 32;
  const uint64_t stride = resource[1] >> 16 & 0x3fff;
  const uint64_t records = resource[2];
  result.offset = offset & ~uint64_t{3};
  result.limit = stride == 0 ? records : stride * records;
  result.address = (base & ~uint64_t{3}) + result.offset;
  return result;
}

void load_words(WaveState& wave, const Instruction& in, unsigned dwords) {
  const ScalarAddress place = address_of(wave, in);
  std::array<uint32_t, kMaxScalarDwords> words{};
  unsigned readable = 0;
  while (readable < dwords && place.fits(readable)) ++readable;
  if (readable != 0) {
    wave.env->note_access(place.address, 4);
    wave.env->memory().load_scalar(place.address, readable, words.data());
  }
  for (unsigned d = 0; d < dwords; ++d) wave.set_scalar(in.dst.index + d, words[d]);
  wave.env->issue_lgkm(0, kInOrder);
}

void store_words(WaveState& wave, const Instruction& in, unsigned dwords) {
  const ScalarAddress place = address_of(wave, in);
  std::array<uint32_t, kMaxScalarDwords> words{};
  for (unsigned d = 0; d < dwords; ++d) words[d] = data_dword(wave, in, d);
  unsigned writable = 0;
  while (writable < dwords && place.fits(writable)) ++writable;
  PendingTicket ticket = 0;
  if (writable != 0) ticket = wave.env->memory().store_scalar(place.address, writable, words.data(), 0);
  wave.env->issue_lgkm(ticket, kInOrder);
}

// Scalar atomics: the data registers hold {new, compare} for cmpswap and are replaced by the old value with
// glc.
void modify_words(WaveState& wave, const Instruction& in, unsigned bytes, AtomicFunction function,
                  bool has_compare) {
  Environment& env = *wave.env;
  const ScalarAddress place = address_of(wave, in);
  const unsigned dwords = bytes / 4;
  std::array<uint64_t, kLanes> address{};
  address[0] = place.address;
  Block data{}, compare{};
  for (unsigned d = 0; d < dwords; ++d) {
    data[d * kLanes] = data_dword(wave, in, d);
    if (has_compare) compare[d * kLanes] = data_dword(wave, in, dwords + d);
  }
  const bool returns = static_cast<bool>(in.dst);
  auto staging = returns ? std::make_unique<uint32_t[]>(size_t{kLanes} * dwords) : nullptr;
  PendingTicket ticket = 0;
  if (place.fits(dwords - 1)) {
    env.note_access(place.address, bytes);
    ticket = env.memory().atomic(address.data(), LaneMask::lane(0), bytes, function, data.data(),
                                 has_compare ? compare.data() : nullptr, staging.get());
  }
  env.issue_lgkm(ticket, kInOrder);
  if (returns) env.expect_return(wave, in, dwords, false, ticket, std::move(staging));
}

// --- the words of the rows

#define LOAD(dwords) load_words(wave, in, dwords)
#define STORE(dwords) store_words(wave, in, dwords)
#define MODIFY(bytes, function) modify_words(wave, in, bytes, function, false)
#define MODIFY_IF(bytes, function) modify_words(wave, in, bytes, function, true)
#define CLOCK(value)                             \
  write_scalar64(wave, in.dst, wave.env->value); \
  wave.env->issue_lgkm(0, kInOrder)
#define NO_EFFECT wave.env->issue_lgkm(0, kInOrder)
#define MISSING(reason) execute_missing(wave, in)
#define ROW(opcode, NAME, dst, src, traits, evidence, source, ...) \
  void NAME([[maybe_unused]] WaveState& wave, [[maybe_unused]] const Instruction& in) { __VA_ARGS__; }
namespace rows {
#include "sim/isa/tables/smem.inc"
}  // namespace rows
#undef ROW

#define ROW(opcode, NAME, dst, src, traits, evidence, source, ...) rows::NAME,
constexpr ExecFn kFunctions[] = {
#include "sim/isa/tables/smem.inc"
};
#undef ROW

// A destination that runs past its registers: the instruction is not executed (isa guide 8.4).
void exec_no_destination(WaveState&, const Instruction&) {}

}  // namespace

ExecFn smem_function(const Instruction& in) {
  if (in.dst && in.dst.index + in.dst.dwords > register_end(in.dst.index)) return exec_no_destination;
  return kFunctions[in.row - static_cast<uint16_t>(RowId::S_LOAD_DWORD)];
}

}  // namespace wavetwin::isa
