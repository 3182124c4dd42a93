// SPDX-License-Identifier: MIT
// DS: alignment, the end of the allocation, partial EXEC of the two-element forms, and what M0 is not.
// Expected values follow the CDNA4 ISA guide 3.6.1, 11.3 and 12.12.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/isa/memory/memory_fixture.h"

namespace wavetwin::isa {
namespace {

constexpr uint64_t kExec = 0xa5000000000f0ff1u;

uint8_t byte_at(uint32_t address) { return static_cast<uint8_t>(address * 37 + address / 256 + 11); }

uint32_t word_at(uint32_t address) {
  uint32_t word = 0;
  for (unsigned b = 0; b < 4; ++b) word |= uint32_t{byte_at(address + b)} << 8 * b;
  return word;
}

uint8_t lds_byte(Environment& env, uint32_t address) {
  uint8_t byte;
  env.lds().peek(address, 1, &byte);
  return byte;
}

// Runs `body` on an LDS full of byte_at().
template <class Body>
void with_lds(Body body) {
  GlobalMemory memory;
  probe(
      memory,
      [&](WaveState& state, Environment& env) {
        fill_lds(env, word_at);
        body(state, env);
      },
      nothing);
}

struct Width {
  RowId load, store;
  unsigned bytes;
};
constexpr Width kWidths[] = {
    {RowId::DS_READ_U8, RowId::DS_WRITE_B8, 1},    {RowId::DS_READ_U16, RowId::DS_WRITE_B16, 2},
    {RowId::DS_READ_B32, RowId::DS_WRITE_B32, 4},  {RowId::DS_READ_B64, RowId::DS_WRITE_B64, 8},
    {RowId::DS_READ_B96, RowId::DS_WRITE_B96, 12}, {RowId::DS_READ_B128, RowId::DS_WRITE_B128, 16}};

}  // namespace

TEST_CASE("DS loads and stores of every width work at every byte address, whatever M0 holds") {
  for (const Width& width : kWidths) {
    for (unsigned shift = 0; shift < 16; ++shift) {
      for (const uint32_t m0 : {0u, 64u, ~0u}) {
        CAPTURE(name_of(width.load));
        CAPTURE(shift);
        with_lds([&](WaveState& state, Environment& env) {
          state.scalar[kM0] = m0;
          set_row(state, kAddress, [&](unsigned lane) { return lane * 32 + shift; });
          for (unsigned d = 0; d < 4; ++d) set_row(state, kDst + d, [](unsigned) { return 0; });
          state.set_exec(kExec);
          run(state, encode_ds(row_at(width.load), 3, kAddress, 0, kDst));
          for (unsigned d = 0; d < 4; ++d)
            set_row(state, kData + d,
                    [&](unsigned lane) { return 0x80706050u + 0x01010101u * (4 * d + lane); });
          run(state, encode_ds(row_at(width.store), 260, kAddress, kData, 0));
          for (unsigned lane = 0; lane < 8; ++lane) {  // up to 260 bytes behind lane 7's place is inside
            const bool active = kExec >> lane & 1;
            for (unsigned b = 0; b < width.bytes; ++b) {
              CAPTURE(lane);
              CAPTURE(b);
              const uint32_t place = lane * 32 + shift + b;
              const uint32_t got = at(state, kDst + b / 4, lane) >> 8 * (b % 4) & 255;
              CHECK(got == (active ? byte_at(place + 3) : 0));
              const uint32_t data = at(state, kData + b / 4, lane) >> 8 * (b % 4) & 255;
              if (active) CHECK(lds_byte(env, place + 260) == data);
            }
          }
        });
      }
    }
  }
}

TEST_CASE(
    "DS loads outside of the LDS give 0, stores and atomics are dropped; the offset does not come round") {
  for (const Width& width : kWidths) {
    CAPTURE(name_of(width.load));
    with_lds([&](WaveState& state, Environment& env) {
      const uint32_t end = env.lds().size();
      // Lane 0 is the last place inside, the others are outside: by one byte, by far, by the top of 32 bits.
      const std::array<uint32_t, 4> places{end - width.bytes, end - width.bytes + 1, end + 4096, 0xfffffff0u};
      set_row(state, kAddress, [&](unsigned lane) { return places[lane % 4]; });
      for (unsigned d = 0; d < 4; ++d) {
        set_row(state, kDst + d, [](unsigned) { return 0x11111111; });
        set_row(state, kData + d, [](unsigned) { return 0xcccccccc; });
      }
      state.set_exec(0xf);
      run(state, encode_ds(row_at(width.load), 0, kAddress, 0, kDst));
      for (unsigned lane = 0; lane < 4; ++lane) {
        for (unsigned b = 0; b < width.bytes; ++b) {
          CAPTURE(lane);
          CHECK((at(state, kDst + b / 4, lane) >> 8 * (b % 4) & 255) ==
                (lane == 0 ? byte_at(places[0] + b) : 0));
        }
      }
      run(state, encode_ds(row_at(width.store), 0, kAddress, kData, 0));
      for (uint32_t i = end - 32; i < end; ++i)
        CHECK(lds_byte(env, i) == (i >= end - width.bytes ? 0xcc : byte_at(i)));
    });
  }
  with_lds([](WaveState& state, Environment& env) {
    set_row(state, kAddress, [&](unsigned lane) { return env.lds().size() - 8 + 4 * lane; });
    set_row(state, kData, [](unsigned) { return 1; });
    set_row(state, kDst, [](unsigned) { return 0x11111111; });
    state.set_exec(0xf);
    const uint32_t end = env.lds().size();
    run(state, encode_ds(row_at(RowId::DS_ADD_RTN_U32), 0, kAddress, kData, kDst));
    for (unsigned lane = 0; lane < 4; ++lane)
      CHECK(at(state, kDst, lane) == (lane < 2 ? word_at(end - 8 + 4 * lane) : 0));
    for (uint32_t i = end - 8; i < end; i += 4) CHECK(lds_word(env, i) == word_at(i) + 1);
  });
}

TEST_CASE("two-element DS instructions work on the active lanes, each lane with two places of its own") {
  for (const Row& row : rows()) {
    if (row.format != Format::ds || !row.has(TWO_OFFSETS)) continue;
    CAPTURE(std::string(row.name));
    const unsigned bytes = row.name.find("B64") != std::string_view::npos ? 8 : 4, dwords = bytes / 4;
    const unsigned unit = row.name.find("ST64") != std::string_view::npos ? 64 * bytes : bytes;
    const bool read = row.name.starts_with("DS_READ2"), exchange = row.name.starts_with("DS_WRXCHG2");
    with_lds([&](WaveState& state, Environment& env) {
      set_row(state, kAddress, [&](unsigned lane) { return lane % 8 * 24; });
      for (unsigned d = 0; d < 2; ++d) {
        set_row(state, kData + d, [&](unsigned lane) { return 0x100 * d + lane; });
        set_row(state, kData2 + d, [&](unsigned lane) { return 0x1000 + 0x100 * d + lane; });
      }
      for (unsigned d = 0; d < 4; ++d) set_row(state, kDst + d, [](unsigned) { return 0x11111111; });
      constexpr uint64_t kSome = 0xa6;  // of the first eight lanes, which have places apart
      state.set_exec(kSome);
      const unsigned data = row.src[1] != NONE ? kData : 0, data2 = row.src[2] != NONE ? kData2 : 0;
      run(state, encode_ds(row, 0 | 2 << 8, kAddress, data, row.dst[0] != NONE ? kDst : 0, data2));
      for (unsigned lane = 0; lane < 8; ++lane) {
        const bool active = kSome >> lane & 1;
        for (unsigned element = 0; element < 2; ++element) {
          const uint32_t place = lane * 24 + element * 2 * unit;
          for (unsigned d = 0; d < dwords; ++d) {
            CAPTURE(lane);
            CAPTURE(element);
            const uint32_t stored = element * 0x1000 + 0x100 * d + lane;
            // Elements of lanes that lie 16 bytes on may be the same place when unit is 8.
            if (unit != 8 || element == 0)
              CHECK(lds_word(env, place + 4 * d) == (active && !read ? stored : word_at(place + 4 * d)));
            if (read || exchange)
              CHECK(at(state, kDst + element * dwords + d, lane) ==
                    (active ? word_at(place + 4 * d) : 0x11111111));
          }
        }
      }
    });
  }
}

TEST_CASE("two-element DS instructions with equal offsets access one place, with the first data") {
  // Guide 11.3.1, double address instructions.
  for (const Row& row : rows()) {
    if (row.format != Format::ds || !row.has(TWO_OFFSETS)) continue;
    CAPTURE(std::string(row.name));
    const unsigned dwords = row.name.find("B64") != std::string_view::npos ? 2 : 1;
    const unsigned unit = (row.name.find("ST64") != std::string_view::npos ? 64 : 1) * 4 * dwords;
    const bool read = row.name.starts_with("DS_READ2");
    with_lds([&](WaveState& state, Environment& env) {
      set_row(state, kAddress, [](unsigned) { return 8; });
      for (unsigned d = 0; d < 2; ++d) {
        set_row(state, kData + d, [&](unsigned) { return 0x100 + d; });
        set_row(state, kData2 + d, [&](unsigned) { return 0x200 + d; });
      }
      state.set_exec(1);
      const unsigned data = row.src[1] != NONE ? kData : 0, data2 = row.src[2] != NONE ? kData2 : 0;
      run(state, encode_ds(row, 1 | 1 << 8, kAddress, data, row.dst[0] != NONE ? kDst : 0, data2));
      for (unsigned d = 0; d < dwords; ++d) {
        const uint32_t place = 8 + unit + 4 * d;
        CHECK(lds_word(env, place) == (read ? word_at(place) : 0x100 + d));
        for (unsigned element = 0; row.dst[0] != NONE && element < 2; ++element)
          CHECK(at(state, kDst + element * dwords + d, 0) == word_at(place));
      }
    });
  }
}

TEST_CASE("DS atomics of one place run in lane order and return what each lane found") {
  with_lds([](WaveState& state, Environment& env) {
    set_row(state, kAddress, [](unsigned) { return 16; });
    set_row(state, kData, [](unsigned lane) { return 1u << lane % 16; });
    state.set_exec(kExec);
    run(state, encode_ds(row_at(RowId::DS_ADD_RTN_U32), 4, kAddress, kData, kDst));
    uint32_t value = word_at(20);
    for (unsigned lane = 0; lane < kWaveSize; ++lane) {
      if (!(kExec >> lane & 1)) continue;
      CAPTURE(lane);
      CHECK(at(state, kDst, lane) == value);
      value += 1u << lane % 16;
    }
    CHECK(lds_word(env, 20) == value);
  });
}

TEST_CASE(
    "ds_bpermute_b32 and ds_permute_b32 take the lane from address bits 7:2 and leave inactive lanes alone") {
  with_lds([](WaveState& state, Environment&) {
    // Bits 1:0 and everything above the lane number do not count.
    set_row(state, kAddress,
            [](unsigned lane) { return 0xfffff000u + (lane * 7 % 64) * 4 + lane % 4 + (lane % 3) * 256; });
    set_row(state, kData, [](unsigned lane) { return 0x300 + lane; });
    for (const RowId row : {RowId::DS_BPERMUTE_B32, RowId::DS_PERMUTE_B32}) {
      CAPTURE(name_of(row));
      set_row(state, kDst, [](unsigned) { return 1; });
      state.set_exec(kExec);
      run(state, encode_ds(row_at(row), 0, kAddress, kData, kDst));
      std::array<uint32_t, kWaveSize> want{};
      for (unsigned lane = 0; lane < kWaveSize; ++lane) {
        const unsigned other = lane * 7 % 64;
        if (row == RowId::DS_BPERMUTE_B32 && (kExec >> other & 1)) want[lane] = 0x300 + other;
        if (row == RowId::DS_PERMUTE_B32 && (kExec >> lane & 1)) want[other] = 0x300 + lane;
      }
      for (unsigned lane = 0; lane < kWaveSize; ++lane) {
        CAPTURE(lane);
        CHECK(at(state, kDst, lane) == (kExec >> lane & 1 ? want[lane] : 1));
      }
    }
    // Two lanes that push to one: the higher one wins, and who gets nothing gets 0.
    set_row(state, kAddress, [](unsigned) { return 4 * 4; });
    state.set_exec(0x70);
    run(state, encode_ds(row_at(RowId::DS_PERMUTE_B32), 0, kAddress, kData, kDst));
    CHECK(at(state, kDst, 4) == 0x306);
    CHECK(at(state, kDst, 5) == 0);
  });
}

}  // namespace wavetwin::isa
