// SPDX-License-Identifier: MIT
// FLAT, GLOBAL and SCRATCH: how addresses are made of registers and offsets, and the apertures of FLAT.
// Expected values follow the CDNA4 ISA guide 10.1 to 10.7.
#include <doctest/doctest.h>

#include <array>
#include <cstring>

#include "sim/core/error.h"
#include "tests/isa/memory/memory_fixture.h"

namespace wavetwin::isa {
namespace {

constexpr uint32_t kSharedHigh = 0x00010000, kPrivateHigh = 0x00020000;  // apertures of SH_MEM_BASES
constexpr uint64_t kExec = 0xf0f0ff0f1234567fu;
constexpr unsigned kNone = 0x7f, kSaddr = 4;

uint32_t pattern(uint64_t byte) { return static_cast<uint32_t>(byte * 2654435761u ^ 0x5a5a5a5a); }

// A FLAT-format instruction; `sve` is the bit that says that SCRATCH has a VGPR.
struct AddressForm {
  unsigned segment = 2, saddr = kNone, offset = 0;
  bool sve = false, returns = false;
};
std::vector<uint32_t> encode(RowId row, const AddressForm& form, unsigned data, unsigned dst) {
  return {0xdc000000u | uint32_t{row_at(row).opcode} << 18 | form.segment << 14 | uint32_t{form.sve} << 13 |
              (form.offset & 0x1fff) | uint32_t{form.returns} << 16,
          kAddress | data << 8 | form.saddr << 16 | dst << 24};
}

void set_addresses(WaveState& state, const std::function<uint64_t(unsigned)>& address) {
  set_row(state, kAddress, [&](unsigned lane) { return static_cast<uint32_t>(address(lane)); });
  set_row(state, kAddress + 1, [&](unsigned lane) { return static_cast<uint32_t>(address(lane) >> 32); });
}

uint64_t fill_device(GlobalMemory& memory, uint64_t bytes) {
  const uint64_t base = memory.allocate("tested", bytes);
  std::vector<uint32_t> words;
  for (uint64_t i = 0; i < bytes; i += 4) words.push_back(pattern(i));
  memory.write(base, words.data(), bytes);
  return base;
}

void fill_scratch(Environment& env) {
  for (uint32_t i = 0; i + 4 <= kProbeBytes; i += 4) {
    std::array<uint32_t, kWaveSize> offset, word;
    offset.fill(i);
    for (unsigned lane = 0; lane < kWaveSize; ++lane) word[lane] = pattern(i) + lane;
    env.scratch.store(offset.data(), LaneMask::all(), 4, word.data());
  }
}

}  // namespace

TEST_CASE(
    "global addresses: 64-bit VGPRs, or an SGPR pair and an unsigned 32-bit VGPR, and a signed 13-bit "
    "offset") {
  GlobalMemory memory;
  const uint64_t base = fill_device(memory, 16384);
  probe(
      memory,
      [&](WaveState& state, Environment&) {
        state.set_exec(kExec);
        for (const int offset : {0, 4, 4092, -4, -4096}) {
          CAPTURE(offset);
          const auto check = [&](const AddressForm& form) {
            set_row(state, kDst, [](unsigned) { return 1; });
            run(state, encode(RowId::FLAT_LOAD_DWORD, form, 0, kDst));
            for (unsigned lane = 0; lane < kWaveSize; ++lane) {
              CAPTURE(lane);
              const uint32_t want = pattern(static_cast<uint64_t>(4096 + offset) + 8 * lane);
              CHECK(at(state, kDst, lane) == (kExec >> lane & 1 ? want : 1));
            }
          };
          const unsigned field = static_cast<unsigned>(offset);
          set_addresses(state, [&](unsigned lane) { return base + 4096 + 8 * lane; });
          check({.offset = field});
          // The VGPR offset has its top bit set: extended with zeros, and the base lies 2 GiB lower.
          state.set_pair(kSaddr, base + 4096 - 0x80000000u);
          set_row(state, kAddress, [](unsigned lane) { return 0x80000000u + 8 * lane; });
          check({.saddr = kSaddr, .offset = field});
        }
      },
      nothing);
}

TEST_CASE("scratch addresses: each of VGPR, SGPR and signed offset alone or together") {
  GlobalMemory memory;
  probe(
      memory,
      [&](WaveState& state, Environment& env) {
        fill_scratch(env);
        state.set_exec(kExec);
        state.scalar[kSaddr] = 64;
        set_row(state, kAddress, [](unsigned lane) { return 128 + 4 * (lane % 16); });
        for (const int offset : {0, 12, 255, -64}) {
          for (const bool sve : {false, true}) {
            for (const unsigned saddr : {kNone, kSaddr}) {
              const int constant = offset + (saddr != kNone ? 64 : 0);
              if (constant < 0 && !sve) continue;
              CAPTURE(offset);
              CAPTURE(sve);
              CAPTURE(saddr);
              set_row(state, kDst, [](unsigned) { return 1; });
              auto code =
                  encode(RowId::FLAT_LOAD_UBYTE,
                         {.segment = 1, .saddr = saddr, .offset = static_cast<unsigned>(offset), .sve = sve},
                         0, kDst);
              if (!sve) code[1] &= ~0xffu;
              run(state, code);
              for (unsigned lane = 0; lane < kWaveSize; ++lane) {
                CAPTURE(lane);
                const auto byte =
                    static_cast<uint32_t>(constant + (sve ? 128 + 4 * static_cast<int>(lane % 16) : 0));
                const uint32_t want = (pattern(byte / 4 * 4) + lane) >> 8 * (byte % 4) & 255;
                CHECK(at(state, kDst, lane) == (kExec >> lane & 1 ? want : 1));
              }
            }
          }
        }
      },
      nothing);
}

TEST_CASE(
    "FLAT: the lanes of one instruction go to LDS, scratch and device memory by the top of their address") {
  GlobalMemory memory;
  const uint64_t base = fill_device(memory, 4096);
  const auto address = [&](unsigned lane) {
    const uint64_t high = lane % 3 == 0 ? uint64_t{kSharedHigh} << 32 : uint64_t{kPrivateHigh} << 32;
    return (lane % 3 == 2 ? base : high) + 8 * lane;
  };
  probe(
      memory,
      [&](WaveState& state, Environment& env) {
        fill_lds(env, [](uint32_t i) { return pattern(i) ^ 0xff; });
        fill_scratch(env);
        set_addresses(state, address);
        set_row(state, kDst, [](unsigned) { return 1; });
        set_row(state, kData, [](unsigned lane) { return 0x700 + lane; });
        state.set_exec(kExec);
        run(state, encode(RowId::FLAT_LOAD_DWORD, {.segment = 0, .saddr = 0, .offset = 4}, 0, kDst));
        for (unsigned lane = 0; lane < kWaveSize; ++lane) {
          const uint32_t byte = 8 * lane + 4;
          const std::array<uint32_t, 3> want{pattern(byte) ^ 0xff, pattern(byte) + lane, pattern(byte)};
          CAPTURE(lane);
          CHECK(at(state, kDst, lane) == (kExec >> lane & 1 ? want[lane % 3] : 1));
        }
        run(state, encode(RowId::FLAT_STORE_DWORD, {.segment = 0, .saddr = 0}, kData, 0));
        for (unsigned lane = 0; lane < kWaveSize; ++lane) {
          const uint32_t byte = 8 * lane;
          const bool active = kExec >> lane & 1;
          std::array<uint32_t, kWaveSize> offset{}, word{};
          offset[lane] = byte;
          env.scratch.load(offset.data(), LaneMask::lane(lane), 4, word.data());
          CAPTURE(lane);
          CHECK(lds_word(env, byte) == (active && lane % 3 == 0 ? 0x700 + lane : pattern(byte) ^ 0xff));
          CHECK(word[lane] == (active && lane % 3 == 1 ? 0x700 + lane : pattern(byte) + lane));
        }
      },
      nothing);
  for (unsigned lane = 0; lane < kWaveSize; ++lane) {
    uint32_t word;
    memory.read(base + 8 * lane, &word, 4);
    CAPTURE(lane);
    CHECK(word == (kExec >> lane & 1 && lane % 3 == 2 ? 0x700 + lane : pattern(8 * lane)));
  }
}

TEST_CASE(
    "FLAT atomics return old values from LDS and from device memory in one instruction, and refuse scratch") {
  GlobalMemory memory;
  const uint64_t base = fill_device(memory, 4096);
  const auto address = [&](unsigned lane) {
    return (lane % 2 ? base : uint64_t{kSharedHigh} << 32) + 8 * lane;
  };
  probe(
      memory,
      [&](WaveState& state, Environment& env) {
        fill_lds(env, [](uint32_t i) { return pattern(i) ^ 0xff; });
        set_addresses(state, address);
        set_row(state, kDst, [](unsigned) { return 1; });
        set_row(state, kData, [](unsigned lane) { return 0x700 + lane; });
        state.set_exec(kExec);
        run(state, encode(RowId::FLAT_ATOMIC_ADD, {.segment = 0, .saddr = 0, .offset = 4, .returns = true},
                          kData, kDst));
        for (unsigned lane = 0; lane < kWaveSize; lane += 2) {
          CAPTURE(lane);
          const uint32_t old = pattern(8 * lane + 4) ^ 0xff;
          CHECK(lds_word(env, 8 * lane + 4) == old + (kExec >> lane & 1 ? 0x700 + lane : 0));
        }
      },
      [&](WaveState& state, Environment& env) {
        for (unsigned lane = 0; lane < kWaveSize; ++lane) {
          const uint32_t old = pattern(8 * lane + 4) ^ (lane % 2 ? 0 : 0xff);
          CAPTURE(lane);
          CHECK(at(state, kDst, lane) == (kExec >> lane & 1 ? old : 1));
        }
        set_addresses(state, [](unsigned lane) { return (uint64_t{kPrivateHigh} << 32) + 4 * lane; });
        CHECK_THROWS_AS(run(state, encode(RowId::FLAT_ATOMIC_ADD, {.segment = 0, .saddr = 0}, kData, 0)),
                        Error);
        (void)env;
      });
  for (unsigned lane = 1; lane < kWaveSize; lane += 2) {
    uint32_t word;
    memory.read(base + 8 * lane + 4, &word, 4);
    CAPTURE(lane);
    CHECK(word == pattern(8 * lane + 4) + (kExec >> lane & 1 ? 0x700 + lane : 0));
  }
}

TEST_CASE("the offset of FLAT proper is 12 bits, unsigned") {
  GlobalMemory memory;
  const uint64_t base = fill_device(memory, 8192);
  probe(
      memory,
      [&](WaveState& state, Environment&) {
        set_addresses(state, [&](unsigned lane) { return base + 4 * lane; });
        state.set_exec(~uint64_t{0});
        run(state, encode(RowId::FLAT_LOAD_DWORD, {.segment = 0, .saddr = 0, .offset = 0xfff - 3}, 0, kDst));
        for (unsigned lane = 0; lane < kWaveSize; ++lane) {
          CAPTURE(lane);
          CHECK(at(state, kDst, lane) == pattern(4092 + 4 * lane));
        }
      },
      nothing);
}

TEST_CASE(
    "loads to LDS: inactive lanes keep their place, and M0's two low bits and what is above 17 do not "
    "count") {
  struct Form {
    RowId row;
    unsigned bytes;
  };
  for (const Form form :
       {Form{RowId::GLOBAL_LOAD_LDS_UBYTE, 1}, Form{RowId::GLOBAL_LOAD_LDS_DWORD, 4},
        Form{RowId::GLOBAL_LOAD_LDS_DWORDX3, 12}, Form{RowId::GLOBAL_LOAD_LDS_DWORDX4, 16}}) {
    CAPTURE(name_of(form.row));
    GlobalMemory memory;
    const uint64_t base = fill_device(memory, 4096);
    probe(
        memory,
        [&](WaveState& state, Environment& env) {
          fill_lds(env, [](uint32_t) { return 0xeeeeeeee; });
          set_addresses(state, [&](unsigned lane) { return base + 32 * lane; });
          state.scalar[kM0] = 0xabfc0000u | 0x23;
          state.set_exec(kExec);
          run(state, encode(form.row, {.offset = 16}, 0, 0));
          const unsigned pitch = form.bytes > 4 ? 16 : 4;
          for (unsigned lane = 0; lane < kWaveSize; ++lane) {
            for (unsigned d = 0; d < pitch / 4; ++d) {
              CAPTURE(lane);
              CAPTURE(d);
              uint32_t want = 0xeeeeeeee;
              if ((kExec >> lane & 1) && 4 * d < form.bytes) want = pattern(32 * lane + 16 + 4 * d);
              if ((kExec >> lane & 1) && form.bytes == 1) want &= 255;
              CHECK(lds_word(env, 0x20 + 16 + lane * pitch + 4 * d) == want);
            }
          }
        },
        nothing);
  }
}

TEST_CASE("scratch: accesses reach to the last byte of the private segment, and no further") {
  PrivateMemory scratch;
  scratch.reset(40);  // 48: whole 16 bytes
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 12u, 16u}) {
    for (const uint32_t at :
         {0u, 31u, 32u, 33u, 36u, 37u, 40u, 41u, 44u, 45u, 46u, 47u, 48u, 49u, 0x7fffffffu, ~0u}) {
      CAPTURE(bytes);
      CAPTURE(at);
      std::array<uint32_t, kWaveSize> offset{};
      std::array<uint32_t, 4 * kWaveSize> data{};
      offset[7] = at;
      const auto fits = [&](auto access) {
        try {
          access();
        } catch (const Error&) {
          return false;
        }
        return true;
      };
      const bool expected = uint64_t{at} + bytes <= 48;
      const LaneMask lane = LaneMask::lane(7);
      CHECK(fits([&] { scratch.load(offset.data(), lane, bytes, data.data()); }) == expected);
      CHECK(fits([&] { scratch.store(offset.data(), lane, bytes, data.data()); }) == expected);
    }
  }
}

}  // namespace wavetwin::isa
