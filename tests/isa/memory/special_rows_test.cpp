// SPDX-License-Identifier: MIT
// Memory rows whose meaning is not in the words of their names. Expected values follow the CDNA4 ISA guide's
// pseudo-code for each.
#include <doctest/doctest.h>

#include <bit>

#include "common/lane_map.h"
#include "tests/isa/memory/memory_fixture.h"

namespace wavetwin::isa {
namespace {

std::vector<uint32_t> ds(RowId row, unsigned offset, unsigned address, unsigned data, unsigned dst) {
  return encode_ds(row_at(row), offset, address, data, dst);
}

// Guide, DS_SWIZZLE_B32: where lane i takes its data from.
unsigned swizzle_source(unsigned offset, unsigned i) {
  if (offset >= 0xe000) {
    const unsigned mask = offset & 31;
    unsigned j = 0;
    for (unsigned bit = 0; bit < 5; ++bit) {
      if (i & (1u << bit)) j += 16u >> bit;
    }
    unsigned ones = 0;
    for (unsigned bit = 0; bit < 5; ++bit) ones += mask >> bit & 1;
    return j >> ones | (i & mask) | (i & 32);
  }
  if (offset >= 0xc000) {
    const int count = static_cast<int>(offset >> 5 & 31), mask = static_cast<int>(offset & 31);
    const int rotate = offset & 0x400 ? -count : count;
    const int moved = (static_cast<int>(i & 31) + rotate + 32) % 32;
    return static_cast<unsigned>((static_cast<int>(i) & mask) | (moved & ~mask & 31)) | (i & 32);
  }
  if (offset & 0x8000) return (i / 4) * 4 + (offset >> 2 * (i % 4)) % 4;
  unsigned j = 0;
  for (unsigned bit = 0; bit < 5; ++bit) {
    bool b = i >> bit & 1;
    b = b && (offset >> bit & 1);
    b = b || (offset >> (5 + bit) & 1);
    b = b != (offset >> (10 + bit) & 1);
    j += unsigned{b} << bit;
  }
  return j | (i & 32);
}

}  // namespace

TEST_CASE("ds_swizzle_b32: bit masks, quad permutation, rotation and FFT order; inactive sources give 0") {
  constexpr uint64_t kExec = 0xff7fffff0fffffffu;
  for (const unsigned offset :
       {0x041fu, 0x7c1fu, 0x0410u, 0x8000u + 0x1b, 0x8000u + 0xe4, 0xc000u + (3u << 5), 0xc400u + (5u << 5),
        0xc000u + (7u << 5) + 0x18, 0xe000u, 0xe010u, 0xe01fu}) {
    CAPTURE(offset);
    CAPTURE(name_of(RowId::DS_SWIZZLE_B32));
    GlobalMemory memory;
    probe(
        memory,
        [&](WaveState& state, Environment&) {
          set_row(state, kAddress, [](unsigned lane) { return 0x900 + lane; });
          set_row(state, kDst, [](unsigned) { return 1; });
          state.set_exec(kExec);
          run(state, ds(RowId::DS_SWIZZLE_B32, offset, kAddress, 0, kDst));
          for (unsigned lane = 0; lane < kWaveSize; ++lane) {
            const unsigned source = swizzle_source(offset, lane);
            const uint32_t moved = kExec >> source & 1 ? 0x900 + source : 0;
            CAPTURE(lane);
            CHECK(at(state, kDst, lane) == (kExec >> lane & 1 ? moved : 1));
          }
        },
        nothing);
  }
}

TEST_CASE("ds_swizzle_b32: the lane map is the guide's for every offset") {
  for (unsigned offset = 0; offset < 0x10000; ++offset) {
    for (unsigned lane = 0; lane < kWaveSize; ++lane) {
      if (wavetwin::swizzle_source(offset, lane) == swizzle_source(offset, lane)) continue;
      FAIL_CHECK(name_of(RowId::DS_SWIZZLE_B32) << " offset " << offset << " lane " << lane << ": "
                                                << wavetwin::swizzle_source(offset, lane));
    }
  }
}

TEST_CASE("ds_permute_b32 and ds_bpermute_b32 add the offset to the lane address") {
  GlobalMemory memory;
  probe(
      memory,
      [](WaveState& state, Environment&) {
        set_row(state, kAddress, [](unsigned lane) { return 4 * lane; });
        set_row(state, kData, [](unsigned lane) { return 0x300 + lane; });
        state.set_exec(~uint64_t{0});
        for (const RowId id : {RowId::DS_BPERMUTE_B32, RowId::DS_PERMUTE_B32}) {
          CAPTURE(name_of(id));
          run(state, ds(id, 12, kAddress, kData, kDst));
          const unsigned distance = id == RowId::DS_BPERMUTE_B32 ? 3 : 61;
          for (unsigned lane = 0; lane < kWaveSize; ++lane)
            CHECK(at(state, kDst, lane) == 0x300 + (lane + distance) % 64);
        }
      },
      nothing);
}

TEST_CASE("ds_read_addtid_b32 and ds_write_addtid_b32: M0 + offset + 4 * lane") {
  GlobalMemory memory;
  probe(
      memory,
      [](WaveState& state, Environment& env) {
        fill_lds(env, [](uint32_t i) { return i; });
        state.scalar[kM0] = 64;
        state.set_exec(~uint64_t{0});
        run(state, ds(RowId::DS_READ_ADDTID_B32, 16, 0, 0, kDst));
        for (unsigned lane = 0; lane < kWaveSize; ++lane) {
          CAPTURE(name_of(RowId::DS_READ_ADDTID_B32));
          CHECK(at(state, kDst, lane) == 80 + 4 * lane);
        }
        set_row(state, kData, [](unsigned lane) { return 0x700 + lane; });
        run(state, ds(RowId::DS_WRITE_ADDTID_B32, 32, 0, kData, 0));
        for (unsigned lane = 0; lane < kWaveSize; ++lane) {
          CAPTURE(name_of(RowId::DS_WRITE_ADDTID_B32));
          CHECK(lds_word(env, 96 + 4 * lane) == 0x700 + lane);
        }
      },
      nothing);
}

TEST_CASE(
    "ds_append and ds_consume move a counter by the number of active lanes and give all the old value") {
  for (const RowId id : {RowId::DS_APPEND, RowId::DS_CONSUME}) {
    CAPTURE(name_of(id));
    GlobalMemory memory;
    probe(
        memory,
        [&](WaveState& state, Environment& env) {
          fill_lds(env, [](uint32_t i) { return 100 + i; });
          state.scalar[kM0] = 8;  // LLVM 22: the LDS address
          set_row(state, kDst, [](unsigned) { return 1; });
          state.set_exec(0x70);
          run(state, ds(id, 4, 0, 0, kDst));
          for (unsigned lane = 0; lane < 8; ++lane)
            CHECK(at(state, kDst, lane) == (lane >= 4 && lane < 7 ? 112u : 1u));
          CHECK(lds_word(env, 12) == (id == RowId::DS_APPEND ? 115 : 109));
        },
        nothing);
  }
}

// Element n of a lane is element (lane mod E) of the chunk at the address of lane (lane & ~15) + (lane & 15)
// / E
// + (16 / E) n, E elements a lane. Triton PR 8525 and 5750 for 16 bits, AMD's rocjitsu for 16 and 8;
// assumption for 4 and 6.
TEST_CASE("transposing reads move elements between the lanes of a group of 16") {
  struct Form {
    RowId row;
    unsigned width, dwords;
  };
  for (const Form form : {Form{RowId::DS_READ_B64_TR_B4, 4, 2}, Form{RowId::DS_READ_B96_TR_B6, 6, 3},
                          Form{RowId::DS_READ_B64_TR_B8, 8, 2}, Form{RowId::DS_READ_B64_TR_B16, 16, 2}}) {
    CAPTURE(name_of(form.row));
    const unsigned elements = form.dwords * 32 / form.width;
    GlobalMemory memory;
    probe(
        memory,
        [&](WaveState& state, Environment& env) {
          fill_lds(env, [](uint32_t i) { return i * 2654435761u; });
          state.set_exec(~uint64_t{0});
          const auto element_of = [&](unsigned lane, unsigned index) {
            uint64_t value = 0;
            for (unsigned b = 0; b < form.width; ++b) {
              const unsigned bit = index * form.width + b;
              const uint32_t word = lds_word(env, 16 + lane * 4 * form.dwords + bit / 32 * 4);
              value |= uint64_t{word >> bit % 32 & 1} << b;
            }
            return value;
          };
          set_row(state, kAddress, [&](unsigned lane) { return lane * 4 * form.dwords; });
          run(state, ds(form.row, 16, kAddress, 0, kDst));
          for (unsigned lane = 0; lane < kWaveSize; ++lane) {
            for (unsigned n = 0; n < elements; ++n) {
              uint64_t got = 0;
              for (unsigned b = 0; b < form.width; ++b) {
                const unsigned bit = n * form.width + b;
                got |= uint64_t{at(state, kDst + bit / 32, lane) >> bit % 32 & 1} << b;
              }
              CAPTURE(lane);
              CAPTURE(n);
              const unsigned source = lane / 16 * 16 + lane % 16 / elements + 16 / elements * n;
              CHECK(got == element_of(source, lane % elements));
            }
          }
        },
        nothing);
  }
}

TEST_CASE(
    "ds_condxchg32_rtn_b64 exchanges each dword whose data has the top bit, and returns both old ones") {
  constexpr uint64_t kExec = 0x8f;
  GlobalMemory memory;
  probe(
      memory,
      [](WaveState& state, Environment& env) {
        fill_lds(env, [](uint32_t i) { return 0x1000 + i; });
        // Bits 2:0 and bits above 15 of the address do not count (guide 12.12).
        set_row(state, kAddress, [](unsigned lane) { return 0x10000 + lane * 16 + 5; });
        set_row(state, kData, [](unsigned lane) { return (lane % 2 ? 0x80000000u : 0) | 0x100 | lane; });
        set_row(state, kData + 1,
                [](unsigned lane) { return (lane % 4 < 2 ? 0x80000000u : 0) | 0x200 | lane; });
        for (unsigned d = 0; d < 2; ++d) set_row(state, kDst + d, [](unsigned) { return 1; });
        state.set_exec(kExec);
        run(state, ds(RowId::DS_CONDXCHG32_RTN_B64, 34, kAddress, kData, kDst));
        for (unsigned lane = 0; lane < kWaveSize; ++lane) {
          const uint32_t address = lane * 16 + 32;
          const bool active = kExec >> lane & 1;
          CAPTURE(lane);
          CAPTURE(name_of(RowId::DS_CONDXCHG32_RTN_B64));
          CHECK(at(state, kDst, lane) == (active ? 0x1000 + address : 1));
          CHECK(at(state, kDst + 1, lane) == (active ? 0x1004 + address : 1));
          if (address + 8 > kProbeBytes) continue;
          CHECK(lds_word(env, address) == (active && lane % 2 ? 0x100 | lane : 0x1000 + address));
          CHECK(lds_word(env, address + 4) == (active && lane % 4 < 2 ? 0x200 | lane : 0x1004 + address));
        }
      },
      nothing);
}

TEST_CASE("loads to LDS: every width from global, scratch and buffer memory, of the active lanes") {
  constexpr uint64_t kExec = 0x7ff0ff0f1234567fu;
  struct Form {
    RowId global, buffer;
    unsigned bytes;
    bool sign, scratch;
  };
  const Form forms[] = {{RowId::GLOBAL_LOAD_LDS_UBYTE, RowId::BUFFER_LOAD_UBYTE, 1, false, true},
                        {RowId::GLOBAL_LOAD_LDS_SBYTE, RowId::BUFFER_LOAD_SBYTE, 1, true, true},
                        {RowId::GLOBAL_LOAD_LDS_USHORT, RowId::BUFFER_LOAD_USHORT, 2, false, true},
                        {RowId::GLOBAL_LOAD_LDS_SSHORT, RowId::BUFFER_LOAD_SSHORT, 2, true, true},
                        {RowId::GLOBAL_LOAD_LDS_DWORD, RowId::BUFFER_LOAD_DWORD, 4, false, true},
                        {RowId::GLOBAL_LOAD_LDS_DWORDX3, RowId::BUFFER_LOAD_DWORDX3, 12, false, false},
                        {RowId::GLOBAL_LOAD_LDS_DWORDX4, RowId::BUFFER_LOAD_DWORDX4, 16, false, false}};
  const auto source = [](uint32_t i) { return static_cast<uint8_t>(i * 37 + 11); };
  for (const Form& form : forms) {
    for (const unsigned segment : {2u, 1u, 0u}) {  // global, scratch, buffer
      if (segment == 1 && !form.scratch) continue;
      CAPTURE(name_of(segment == 0 ? form.buffer : form.global));
      CAPTURE(segment);
      GlobalMemory memory;
      const uint64_t base = memory.allocate("in", 4096);
      std::vector<uint8_t> bytes(4096);
      for (uint32_t i = 0; i < bytes.size(); ++i) bytes[i] = source(i);
      memory.write(base, bytes.data(), bytes.size());
      probe(
          memory,
          [&](WaveState& state, Environment& env) {
            fill_lds(env, [](uint32_t) { return 0xeeeeeeee; });
            set_row(state, kAddress, [&](unsigned lane) { return segment == 1 ? 0 : lane * 16; });
            if (segment == 1) {
              std::array<uint32_t, kWaveSize> offset{}, word{};
              offset.fill(4);
              for (unsigned lane = 0; lane < kWaveSize; ++lane) word[lane] = source(lane) * 0x01010101u;
              env.scratch.store(offset.data(), LaneMask::all(), 4, word.data());
            }
            state.set_pair(4, base);
            state.set_pair(8, base);
            state.scalar[10] = 4096;
            state.scalar[11] = 0x00027000;
            state.scalar[kM0] = 0x40 | 3 | 0x40000;  // bits 1:0 and above 17 are ignored
            state.set_exec(kExec);
            if (segment == 0) {
              run(state, encode_mubuf(row_at(form.buffer), kAddress, 0, {.lds = true, .offset = 4}));
            } else {
              const uint32_t opcode = row_at(form.global).opcode;
              const uint32_t saddr = segment == 2 ? 4u : 0x7f;
              run(state, {0xdc000000u | opcode << 18 | segment << 14 | uint32_t{segment == 1} << 13 | 4,
                          kAddress | saddr << 16});
            }
            const unsigned pitch = form.bytes > 4 ? 16 : 4, written = std::max(form.bytes, 4u);
            for (unsigned lane = 0; lane < kWaveSize; ++lane) {
              std::vector<uint8_t> got(pitch), want(pitch, 0xee);
              env.lds().peek(0x40 + 4 + lane * pitch, pitch, got.data());
              for (unsigned b = 0; (kExec >> lane & 1) && b < written; ++b) {
                const uint8_t top = segment == 1 ? source(lane) : source(lane * 16 + 4 + form.bytes - 1);
                const uint8_t value = segment == 1 ? source(lane) : source(lane * 16 + 4 + b);
                want[b] = b < form.bytes ? value : form.sign && top >= 0x80 ? 0xff : 0;
              }
              CAPTURE(lane);
              CHECK(got == want);
            }
          },
          nothing);
    }
  }
}

TEST_CASE(
    "clocks follow rounds and executed instructions: s_memtime counts cycles, s_memrealtime slower ticks") {
  GlobalMemory memory;
  const auto clock = [](WaveState& state, RowId id) {
    run(state, {0xc0000000u | uint32_t{row_at(id).opcode} << 18 | 16u << 6, 0});
    return state.pair(16);
  };
  probe(
      memory,
      [&](WaveState& state, Environment& env) {
        env.round = 10;
        for (const auto& [id, unit] :
             {std::pair{RowId::S_MEMTIME, 1u}, std::pair{RowId::S_MEMREALTIME, 24u}}) {
          CAPTURE(name_of(id));
          env.executed[0] = 0;
          CHECK(clock(state, id) == 10 * 1024 / unit);
          env.executed[0] += 50;
          CHECK(clock(state, id) == (10 * 1024 + 50) / unit);
        }
      },
      nothing);
}

}  // namespace wavetwin::isa
