// SPDX-License-Identifier: MIT
// Vector memory instructions that do nothing: EXEC is 0, or the destination lies above the wave's registers,
// which counts as EXEC = 0 (CDNA4 ISA guide 3.6.1). Scalar memory does not look at EXEC.
#include <doctest/doctest.h>

#include <vector>

#include "tests/isa/memory/memory_fixture.h"

namespace wavetwin::isa {
namespace {

constexpr uint32_t kRegisterWord = 0x41000000, kLdsWord = 0x42000000;
constexpr unsigned kAbove = kProbeVgprs;  // no such register

// Ways to address memory that the row has; each gives the instruction with `dst` as destination register.
std::vector<std::vector<uint32_t>> encodings(const Row& row, unsigned dst) {
  const unsigned data = row.src[1] != NONE ? kData : 0, data2 = row.src[2] != NONE ? kData2 : 0;
  const unsigned result = row.dst[0] != NONE ? dst : 0;
  const bool returns = row.has(RETURNS);
  switch (row.format) {
    case Format::ds:
      return {encode_ds(row, 0, row.src[0] == ADDR ? kAddress : 0, data, result, data2)};
    case Format::mubuf:
      if (row.src[0] == NONE) return {};
      return {encode_mubuf(row, kAddress, row.dst[0] != NONE ? dst : kData, {.returns = returns})};
    case Format::mtbuf:
      return {encode_mtbuf(row, kAddress, row.dst[0] != NONE ? dst : kData, {}, 4, 4)};
    default:
      break;
  }
  std::vector<std::vector<uint32_t>> list;
  for (const auto& [trait, segment] :
       {std::pair{SEG_FLAT, 0u}, std::pair{SEG_SCRATCH, 1u}, std::pair{SEG_GLOBAL, 2u}}) {
    if (!row.has(trait)) continue;
    list.push_back({0xdc000000u | uint32_t{row.opcode} << 18 | segment << 14 | uint32_t{segment == 1} << 13 |
                        uint32_t{returns} << 16,
                    kAddress | data << 8 | (segment == 0 ? 0u : 0x7fu) << 16 | result << 24});
  }
  return list;
}

bool is_vector_memory(const Row& row) {
  return row.implemented && (row.format == Format::ds || row.format == Format::flat ||
                             row.format == Format::mubuf || row.format == Format::mtbuf);
}

// Executes the instruction with addresses at which there is no memory: an access would be an error or a
// finding. Nothing may change, and nothing stay outstanding.
void check_does_nothing(const Row& row, const std::vector<uint32_t>& code, uint64_t exec) {
  GlobalMemory memory;
  probe(
      memory,
      [&](WaveState& state, Environment& env) {
        fill_lds(env, [](uint32_t i) { return kLdsWord + i; });
        for (unsigned r = 0; r < kProbeVgprs; ++r)
          set_row(state, r, [r](unsigned lane) { return kRegisterWord + r * 64 + lane; });
        // For DS a place in the LDS.
        if (row.format == Format::ds) set_row(state, kAddress, [](unsigned lane) { return 4 * lane; });
        const PrivateMemory scratch = env.scratch;
        state.set_pair(kResource, 0x123456789000u);
        state.scalar[kResource + 2] = ~0u;
        state.scalar[kResource + 3] = 0x00024000 | 4 | 5 << 3 | 6 << 6 | 7 << 9;
        state.set_exec(exec);
        const std::vector<uint32_t> before(state.vgprs, state.vgprs + kProbeVgprs * kWaveSize);
        run(state, code);
        CHECK(std::equal(before.begin(), before.end(), state.vgprs));
        CHECK(env.scratch == scratch);
        for (uint32_t i = 0; i < kProbeBytes; i += 4) REQUIRE(lds_word(env, i) == kLdsWord + i);
      },
      nothing);
}

}  // namespace

TEST_CASE("with EXEC = 0 no vector memory instruction touches memory or registers") {
  unsigned tested = 0;
  for (const Row& row : rows()) {
    if (!is_vector_memory(row)) continue;
    CAPTURE(std::string(row.name));
    for (const auto& code : encodings(row, kDst)) check_does_nothing(row, code, 0);
    ++tested;
  }
  CHECK(tested > 270);
}

TEST_CASE(
    "a destination above the wave's registers makes a memory instruction do nothing, atomics included") {
  unsigned tested = 0;
  for (const Row& row : rows()) {
    if (!is_vector_memory(row) || row.dst[0] == NONE) continue;
    CAPTURE(std::string(row.name));
    for (const auto& code : encodings(row, kAbove)) check_does_nothing(row, code, ~uint64_t{0});
    // The last of its registers is enough. Tuples are even-aligned.
    if (operand_dwords(row.dst[0]) > 2) {
      for (const auto& code : encodings(row, kAbove - 2)) check_does_nothing(row, code, ~uint64_t{0});
    }
    ++tested;
  }
  CHECK(tested > 180);
}

TEST_CASE("scalar memory instructions do not look at EXEC") {
  for (const uint64_t exec : {uint64_t{0}, uint64_t{0x10}, ~uint64_t{0}}) {
    CAPTURE(exec);
    GlobalMemory memory;
    const uint64_t base = memory.allocate("tested", 64);
    memory.fill(base, 64, 7);
    const auto smem = [](RowId row, unsigned data, unsigned offset, bool returns) {
      return std::vector<uint32_t>{0xc0000000u | uint32_t{row_at(row).opcode} << 18 | 1u << 17 |
                                       uint32_t{returns} << 16 | data << 6 | 4,
                                   offset};
    };
    probe(
        memory,
        [&](WaveState& state, Environment&) {
          state.set_pair(8, base);
          state.scalar[17] = 0x55;
          state.scalar[18] = 1;
          state.set_exec(exec);
          run(state, smem(RowId::S_LOAD_DWORD, 16, 0, false));
          run(state, smem(RowId::S_STORE_DWORD, 17, 8, false));
          run(state, smem(RowId::S_ATOMIC_ADD, 18, 16, true));
          CHECK(state.exec() == exec);
        },
        [&](WaveState& state, Environment& env) {
          env.wait_counters(state, 0, 0);
          CHECK(state.scalar[16] == 0x07070707);
          CHECK(state.scalar[18] == 0x07070707);
        });
    std::array<uint32_t, 16> words;
    memory.read(base, words.data(), 64);
    CHECK(words[2] == 0x55);
    CHECK(words[4] == 0x07070708);
  }
}

}  // namespace wavetwin::isa
