// SPDX-License-Identifier: MIT
// SMEM: every load, store and atomic beside the oracle, with and without a buffer's end; addresses; hints.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <map>
#include <random>
#include <utility>

#include "sim/core/error.h"
#include "tests/isa/memory/memory_fixture.h"
#include "tests/oracle/salu_memory/memory_oracle.h"

namespace wavetwin::isa {
namespace {

using reference::Access;
using reference::Meaning;

// The data is in s[16..47], the base or resource in s[8:11], and the access at byte 24 of 64 dwords.
constexpr unsigned kRegister = 16, kRegisters = 32, kOffset = 24, kWords = 64;

struct Scene {
  std::vector<uint32_t> memory, registers;
  uint32_t records = 0;  // bytes of the buffer
};

Scene make_scene(uint64_t seed, unsigned dwords, uint32_t records) {
  std::mt19937_64 random(seed);
  Scene scene;
  scene.records = records;
  for (unsigned i = 0; i < kWords; ++i) scene.memory.push_back(static_cast<uint32_t>(random()));
  for (unsigned i = 0; i < kRegisters; ++i) scene.registers.push_back(static_cast<uint32_t>(random()));
  // Every other compare value is the one in memory: {new, compare} in consecutive registers.
  for (unsigned d = 0; seed % 2 == 0 && d < dwords && d < 2; ++d)
    scene.registers[dwords + d] = scene.memory[kOffset / 4 + d];
  return scene;
}

uint64_t value_of(const uint32_t* words, unsigned dwords) {
  return words[0] | (dwords == 2 ? uint64_t{words[1]} << 32 : 0);
}

// Memory and registers afterwards; `fitting` dwords are inside the buffer.
Scene wanted_after(const Meaning& m, const Scene& before, unsigned fitting, bool returns) {
  Scene after = before;
  const unsigned dwords = m.bytes / 4;
  uint32_t* memory = after.memory.data() + kOffset / 4;
  if (m.access == Access::load) {
    for (unsigned d = 0; d < dwords; ++d) after.registers[d] = d < fitting ? memory[d] : 0;
  } else if (m.access == Access::store) {
    std::copy_n(before.registers.begin(), fitting, memory);
  } else {
    // Outside of the buffer nothing changes, and the old value reads as 0.
    const bool inside = fitting == dwords;
    const uint64_t old = inside ? value_of(memory, dwords) : 0;
    const uint64_t now = reference::atomic_oracle(m.op, m.bytes, old, value_of(&before.registers[0], dwords),
                                                  value_of(&before.registers[dwords], dwords), 3);
    for (unsigned d = 0; d < dwords; ++d) {
      if (inside) memory[d] = static_cast<uint32_t>(now >> 32 * d);
      if (returns) after.registers[d] = static_cast<uint32_t>(old >> 32 * d);
    }
  }
  return after;
}

void check_scene(const Row& row, const Scene& before, bool returns) {
  std::string name(row.name.substr(2));
  const bool buffer = name.starts_with("BUFFER_");
  for (const char* prefix : {"BUFFER_", "SCRATCH_"})
    if (name.starts_with(prefix)) name = name.substr(std::string(prefix).size());
  const Meaning m = *reference::vector_memory_meaning(name);
  const unsigned dwords = m.bytes / 4;
  const unsigned fitting = buffer ? std::min(dwords, (before.records - kOffset) / 4) : dwords;
  const Scene want = wanted_after(m, before, fitting, returns);
  GlobalMemory memory;
  const uint64_t base = memory.allocate("tested", kWords * 4);
  memory.write(base, before.memory.data(), kWords * 4);
  probe(
      memory,
      [&](WaveState& state, Environment&) {
        state.set_pair(8, base);
        state.set_exec(before.registers[0] % 3 == 0 ? 0 : before.registers[1]);  // does not matter
        state.scalar[10] = before.records;
        std::copy(before.registers.begin(), before.registers.end(), state.scalar.begin() + kRegister);
        run(state, {0xc0000000u | uint32_t{row.opcode} << 18 | 1u << 17 | uint32_t{returns} << 16 |
                        kRegister << 6 | 4,
                    kOffset});
      },
      [&](WaveState& state, Environment& env) {
        env.wait_counters(state, 0, 0);
        const std::vector<uint32_t> got(state.scalar.begin() + kRegister,
                                        state.scalar.begin() + kRegister + kRegisters);
        CHECK_MESSAGE(got == want.registers,
                      fmt::format("{}: registers {:x} want {:x}", row.name, fmt::join(got, " "),
                                  fmt::join(want.registers, " ")));
      });
  std::vector<uint32_t> got(kWords);
  memory.read(base, got.data(), kWords * 4);
  CHECK_MESSAGE(got == want.memory,
                fmt::format("{}: memory is not what it should be, {:x} at the place, want {:x}", row.name,
                            got[kOffset / 4], want.memory[kOffset / 4]));
}

}  // namespace

TEST_CASE(
    "scalar memory rows agree with the oracle; buffers give 0 past their end and drop what is not inside") {
  unsigned rows_tested = 0;
  for (const Row& row : rows()) {
    const bool moves_data = row.dst[0] != NONE || (row.src[1] != NONE && row.src[1] != SIMM16);
    if (row.format != Format::smem || !row.implemented || !moves_data || row.src[0] == NONE) continue;
    ++rows_tested;
    const unsigned dwords = row.dst[0] != NONE ? operand_dwords(row.dst[0]) : operand_dwords(row.src[1]);
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      for (const uint32_t records : {kOffset + 4u, kWords * 4u}) {
        check_scene(row, make_scene(seed, dwords, records), row.has(RETURNS));
        if (row.has(RETURNS)) check_scene(row, make_scene(seed, dwords, records), false);
      }
    }
  }
  CHECK(rows_tested == 74);
}

TEST_CASE("scalar addresses: immediate plus SGPR offset, which counts bytes, or 64 bytes for s_scratch_*") {
  // Guide 8.2.1.1. s6 is the offset; the immediate is 8.
  for (const RowId id : {RowId::S_LOAD_DWORD, RowId::S_SCRATCH_LOAD_DWORD, RowId::S_STORE_DWORD,
                         RowId::S_SCRATCH_STORE_DWORD}) {
    const Row& row = row_at(id);
    const std::string name(row.name);
    CAPTURE(name);
    const bool scratch = name.starts_with("S_SCRATCH"), store = row.dst[0] == NONE;
    const uint64_t place = 8 + (scratch ? 3 * 64 : 3) / 4 * 4;
    std::vector<uint32_t> words(256);
    for (uint32_t i = 0; i < words.size(); ++i) words[i] = 0x600 + i;
    GlobalMemory memory;
    const uint64_t base = memory.allocate("tested", words.size() * 4);
    memory.write(base, words.data(), words.size() * 4);
    const Instruction in = decode_tested(std::vector<uint32_t>{
        0xc0000000u | uint32_t{row.opcode} << 18 | 1u << 17 | 1u << 14 | 16u << 6 | 4, 8 | 6u << 25});
    probe(
        memory,
        [&](WaveState& state, Environment&) {
          state.set_pair(8, base);
          state.scalar[6] = 3;
          state.scalar[16] = 0x77;
          execute_function(in)(state, in);
        },
        [&](WaveState& state, Environment&) {
          if (!store) CHECK(state.scalar[16] == words[place / 4]);
        });
    uint32_t word = 0;
    memory.read(base + place, &word, 4);
    CHECK(word == (store ? 0x77u : words[place / 4]));
  }
}

TEST_CASE(
    "scalar buffers end at num_records bytes, or strides where there is one; nothing lies before their "
    "start") {
  struct Case {
    uint32_t stride, records;
    int offset;
    bool inside;
  };
  for (const Case& c :
       {Case{0, 32, 28, true}, Case{0, 32, 29, true}, Case{0, 32, 32, false}, Case{16, 2, 28, true},
        Case{16, 2, 32, false}, Case{16, 0, 0, false}, Case{0, 32, -4, false}, Case{0, 31, 28, false}}) {
    CAPTURE(c.stride);
    CAPTURE(c.records);
    CAPTURE(c.offset);
    GlobalMemory memory;
    const uint64_t base = memory.allocate("tested", 256);
    memory.fill(base, 256, 7);
    probe(
        memory,
        [&](WaveState& state, Environment&) {
          state.set_pair(8, base + 64);
          state.scalar[9] |= c.stride << 16;
          state.scalar[10] = c.records;
          state.scalar[16] = 1;
          run(state, {0xc0000000u | uint32_t{row_at(RowId::S_BUFFER_LOAD_DWORD).opcode} << 18 | 1u << 17 |
                          16u << 6 | 4,
                      static_cast<uint32_t>(c.offset) & 0x1fffff});
          CHECK(state.scalar[16] == (c.inside ? 0x07070707u : 0u));
        },
        nothing);
  }
}

namespace {

// Loads s16 with both offsets from an array whose words are their indices. The pointer or V# is in s[8:11]
// and `base_low` bytes into the array.
uint32_t word_loaded(RowId id, uint32_t base_low, uint32_t immediate, uint32_t offset) {
  GlobalMemory memory;
  const uint64_t base = memory.allocate("tested", 1024);
  for (uint32_t i = 0; i < 256; ++i) memory.write(base + 4 * i, &i, 4);
  uint32_t loaded = 0;
  probe(
      memory,
      [&](WaveState& state, Environment&) {
        state.set_pair(8, base + base_low);
        state.scalar[10] = 1024;
        state.scalar[6] = offset;
        run(state, {0xc0000000u | uint32_t{row_at(id).opcode} << 18 | 1u << 17 | 1u << 14 | 16u << 6 | 4,
                    immediate | 6u << 25});
        loaded = state.scalar[16];
      },
      nothing);
  return loaded;
}

}  // namespace

TEST_CASE(
    "scalar addresses: base and offsets need not be multiples of 4, the low two bits of the sum are "
    "ignored") {
  // clang 22 makes such loads: the pointer of a byte in SBASE, and the way from it to a dword in the SGPR
  // offset.
  for (uint32_t base_low = 0; base_low < 4; ++base_low) {
    for (uint32_t immediate = 4; immediate < 8; ++immediate) {
      for (uint32_t offset = 8; offset < 12; ++offset) {
        CAPTURE(base_low);
        CAPTURE(immediate);
        CAPTURE(offset);
        CHECK(word_loaded(RowId::S_LOAD_DWORD, base_low, immediate, offset) ==
              (base_low + immediate + offset) / 4);
      }
    }
  }
}

TEST_CASE("scalar addresses: a buffer's base drops its low two bits, and so does the sum of its offsets") {
  for (uint32_t low = 0; low < 4; ++low) {
    CAPTURE(low);
    CHECK(word_loaded(RowId::S_BUFFER_LOAD_DWORD, low, 4 + low, 4 + low) == (8 + 2 * low) / 4);
  }
}

namespace {

// An SMEM instruction with the data at operand code `data` and the base or resource in s[8:11].
std::vector<uint32_t> encode_smem(RowId id, unsigned data, bool returns = false) {
  const uint32_t place = row_at(id).src[0] == NONE ? 0 : 1u << 17 | 4;
  return {0xc0000000u | uint32_t{row_at(id).opcode} << 18 | uint32_t{returns} << 16 | data << 6 | place, 0};
}

// Runs it on 16 dwords 0x100.. and a scalar file of 0x1000 + code. What changed: operand codes and dwords.
struct Changes {
  std::map<unsigned, uint32_t> registers, memory;
};
Changes run_smem(const std::vector<uint32_t>& code) {
  GlobalMemory memory;
  std::array<uint32_t, 16> before{};
  for (uint32_t i = 0; i < before.size(); ++i) before[i] = 0x100 + i;
  const uint64_t base = memory.allocate("tested", sizeof before);
  memory.write(base, before.data(), sizeof before);
  const auto initial = [&](unsigned s) -> uint32_t {
    if (is_trap_temporary(s)) return 0;
    return s == 8 ? static_cast<uint32_t>(base) : s == 9 ? static_cast<uint32_t>(base >> 32) : 0x1000 + s;
  };
  Changes changes;
  probe(
      memory,
      [&](WaveState& state, Environment&) {
        for (unsigned s = 0; s < kScalarFileSize; ++s) state.set_scalar(s, initial(s));
        run(state, code);
      },
      [&](WaveState& state, Environment& env) {
        env.wait_counters(state, 0, 0);
        for (unsigned s = 0; s < kScalarFileSize; ++s) {
          if (state.scalar[s] != initial(s)) changes.registers[s] = state.scalar[s];
        }
      });
  std::array<uint32_t, 16> after{};
  memory.read(base, after.data(), sizeof after);
  for (unsigned i = 0; i < after.size(); ++i) {
    if (after[i] != before[i]) changes.memory[i] = after[i];
  }
  return changes;
}

using Values = std::map<unsigned, uint32_t>;

}  // namespace

TEST_CASE("scalar loads whose destination runs past its registers are not executed; the last that fits is") {
  // Guide 8.4. The registers end at s101, at VCC_HI and at TTMP15.
  CHECK(run_smem(encode_smem(RowId::S_LOAD_DWORD, 101)).registers == Values{{101, 0x100}});
  CHECK(run_smem(encode_smem(RowId::S_LOAD_DWORDX2, 100)).registers == Values{{100, 0x100}, {101, 0x101}});
  CHECK(run_smem(encode_smem(RowId::S_LOAD_DWORDX4, 96)).registers.size() == 4);
  CHECK(run_smem(encode_smem(RowId::S_LOAD_DWORDX8, 92)).registers.size() == 8);
  CHECK(run_smem(encode_smem(RowId::S_LOAD_DWORDX16, 84)).registers.size() == 16);
  CHECK(run_smem(encode_smem(RowId::S_LOAD_DWORDX2, 106)).registers == Values{{106, 0x100}, {107, 0x101}});
  for (const auto& [id, data] : {std::pair{RowId::S_LOAD_DWORDX4, 100u},
                                 {RowId::S_LOAD_DWORDX8, 96u},
                                 {RowId::S_LOAD_DWORDX8, 100u},
                                 {RowId::S_LOAD_DWORDX16, 88u},
                                 {RowId::S_LOAD_DWORDX16, 100u},
                                 {RowId::S_LOAD_DWORDX4, 104u},
                                 {RowId::S_LOAD_DWORDX16, 104u},
                                 {RowId::S_LOAD_DWORDX16, 112u},
                                 {RowId::S_LOAD_DWORDX8, 120u},
                                 {RowId::S_BUFFER_LOAD_DWORDX4, 100u},
                                 {RowId::S_SCRATCH_LOAD_DWORDX4, 100u}}) {
    const std::string name = name_of(id);
    CAPTURE(name);
    CAPTURE(data);
    CHECK(run_smem(encode_smem(id, data)).registers.empty());
  }
}

TEST_CASE("scalar stores read s0 for data registers that do not exist") {
  // Guide 3.6.1. s0 is 0x1000.
  const Changes past = run_smem(encode_smem(RowId::S_STORE_DWORDX4, 100));
  CHECK(past.memory == Values{{0, 0x1064}, {1, 0x1065}, {2, 0x1000}, {3, 0x1000}});
  CHECK(past.registers.empty());
  const Changes vcc = run_smem(encode_smem(RowId::S_STORE_DWORDX2, 106));
  CHECK(vcc.memory == Values{{0, 0x106a}, {1, 0x106b}});
  // {new, compare}: the compare value 0x1000'00001000 is not the one in memory. The old one fits.
  const Changes swapped = run_smem(encode_smem(RowId::S_ATOMIC_CMPSWAP_X2, 100, true));
  CHECK(swapped.memory.empty());
  CHECK(swapped.registers == Values{{100, 0x100}, {101, 0x101}});
}

TEST_CASE("scalar memory data that is not aligned is refused by name; M0 and EXEC are no data") {
  // Guide 8.1, 8.4.
  const auto refuses = [](RowId id, unsigned data) {
    CHECK_THROWS_WITH_AS(decode_tested(encode_smem(id, data)),
                         doctest::Contains(("s[" + std::to_string(data) + ":").c_str()), Error);
  };
  for (const RowId id : {RowId::S_LOAD_DWORDX2, RowId::S_STORE_DWORDX2, RowId::S_MEMTIME,
                         RowId::S_ATOMIC_ADD_X2, RowId::S_ATOMIC_CMPSWAP})
    refuses(id, 17);
  for (const RowId id : {RowId::S_LOAD_DWORDX4, RowId::S_LOAD_DWORDX8, RowId::S_LOAD_DWORDX16,
                         RowId::S_BUFFER_LOAD_DWORDX4, RowId::S_STORE_DWORDX4, RowId::S_ATOMIC_CMPSWAP_X2}) {
    refuses(id, 17);
    refuses(id, 18);
  }
  for (const RowId id : {RowId::S_LOAD_DWORD, RowId::S_STORE_DWORD, RowId::S_ATOMIC_ADD}) {
    for (const unsigned data : {124u, 126u, 127u}) {
      CHECK_THROWS_WITH_AS(decode_tested(encode_smem(id, data)), doctest::Contains("cannot be M0 or EXEC"),
                           Error);
    }
  }
}

TEST_CASE("scalar memory: trap temporaries take no data and are stored as 0") {
  // Guide 3.10.
  CHECK(run_smem(encode_smem(RowId::S_LOAD_DWORDX4, 112)).registers.empty());
  CHECK(run_smem(encode_smem(RowId::S_LOAD_DWORDX16, 108)).registers.empty());
  CHECK(run_smem(encode_smem(RowId::S_STORE_DWORDX2, 110)).memory == Values{{0, 0}, {1, 0}});
  const Changes returned = run_smem(encode_smem(RowId::S_ATOMIC_SWAP, 120, true));
  CHECK(returned.memory == Values{{0, 0}});
  CHECK(returned.registers.empty());
}

TEST_CASE("scalar cache and translation hints touch no register") {
  for (const Row& row : rows()) {
    if (row.format != Format::smem || row.expression != "NO_EFFECT") continue;
    const std::string name(row.name);
    CAPTURE(name);
    const uint32_t base = row.src[0] == NONE ? 0 : 4;
    const Instruction in = decode_tested(
        std::vector<uint32_t>{0xc0000000u | uint32_t{row.opcode} << 18 | (base ? 1u << 17 : 0u) | base, 0});
    REQUIRE(in.valid());
    GlobalMemory memory;
    probe(
        memory,
        [&](WaveState& state, Environment&) {
          for (unsigned s = 0; s < kSgprCount; ++s) state.scalar[s] = 0x100 + s;
          execute_function(in)(state, in);
          for (unsigned s = 0; s < kSgprCount; ++s) CHECK(state.scalar[s] == 0x100 + s);
        },
        nothing);
  }
}

TEST_CASE("cache write-back, invalidation and ds_nop touch no register and no memory") {
  for (const RowId id : {RowId::BUFFER_WBL2, RowId::BUFFER_INV, RowId::DS_NOP}) {
    const Row& row = row_at(id);
    CAPTURE(name_of(id));
    GlobalMemory memory;
    const uint64_t base = memory.allocate("tested", 64);
    memory.fill(base, 64, 7);
    probe(
        memory,
        [&](WaveState& state, Environment& env) {
          fill_lds(env, [](uint32_t i) { return i; });
          for (unsigned r = 0; r < kProbeVgprs; ++r)
            set_row(state, r, [r](unsigned lane) { return r * 64 + lane; });
          for (unsigned s = 0; s < kSgprCount; ++s) state.scalar[s] = 0x100 + s;
          state.set_exec(~uint64_t{0});
          run(state, row.format == Format::ds
                         ? encode_ds(row, 0, 0, 0, 0)
                         : std::vector<uint32_t>{0xe0000000u | uint32_t{row.opcode} << 18, 0});
          for (unsigned r = 0; r < kProbeVgprs; ++r) {
            for (unsigned lane = 0; lane < kWaveSize; ++lane) REQUIRE(at(state, r, lane) == r * 64 + lane);
          }
          for (unsigned s = 0; s < kSgprCount; ++s) CHECK(state.scalar[s] == 0x100 + s);
          CHECK(lds_word(env, 8) == 8);
        },
        nothing);
    uint32_t word = 0;
    memory.read(base, &word, 4);
    CHECK(word == 0x07070707);
  }
}

}  // namespace wavetwin::isa
