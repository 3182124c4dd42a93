// SPDX-License-Identifier: MIT
// The lane maps are what the executor does with the decoded instruction. A move copies bits, so registers
// that hold a different number in every lane show at once, for every lane, where its value came from: as
// strong as 64 one-hots. The elements of the transposing reads are too small for that; there each pass writes
// one bit of every element's number, and the passes together spell it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "common/lane_map.h"
#include "golden/layout/lane_moves.h"
#include "golden/layout/lane_names.h"
#include "golden/layout/register_map.h"
#include "tests/isa/memory/memory_fixture.h"

namespace wavetwin::golden {
namespace {

using isa::Environment;
using isa::WaveState;

constexpr unsigned kSource = 4, kAddress = 5, kResult = 8;
constexpr uint32_t kOld = 0x1000, kNew = 0x2000;  // + lane: what the result held, what the source holds
const uint64_t kMasks[] = {~uint64_t{0}, 0xff7fffff0fffffffu, 0x5555555555555555u, 1, uint64_t{1} << 63};

uint32_t& at(WaveState& state, unsigned reg, unsigned lane) { return state.vgprs[reg * 64 + lane]; }

void fill(WaveState& state, unsigned reg, uint32_t base) {
  for (unsigned lane = 0; lane < 64; ++lane) at(state, reg, lane) = base + lane;
}

// What the map says lane `lane` of result number `result` holds; source number s held bases[s] + lane.
uint32_t expected(const LaneMoves& moves, unsigned result, unsigned lane, const uint32_t (&bases)[2],
                  uint32_t old) {
  const LaneSource& source = moves.at(result, lane, 0);
  if (source.kind == LaneSource::Kind::zero) return 0;
  if (source.kind == LaneSource::Kind::kept) return old + lane;
  return bases[source.source] + source.lane;
}

// The first lane of the register that differs, -1 when none does.
int first_difference(WaveState& state, unsigned reg, const LaneMoves& moves) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (at(state, reg, lane) != expected(moves, 0, lane, {kNew, kNew}, kOld)) return static_cast<int>(lane);
  }
  return -1;
}

// Runs one instruction on numbered registers and compares.
void check_move(WaveState& state, const std::vector<uint32_t>& dwords, uint64_t exec,
                const LaneMoves& moves) {
  fill(state, kSource, kNew);
  fill(state, kResult, kOld);
  state.set_exec(exec);
  isa::run(state, dwords);
  const int lane = first_difference(state, kResult, moves);
  CHECK_MESSAGE(lane < 0, fmt::format("{}, EXEC {:#x}: lane {}", moves.instruction, exec, lane));
}

// v_mov_b32_dpp v8, v4.
std::vector<uint32_t> encode_dpp(unsigned control, unsigned row_mask, unsigned bank_mask, bool bound_ctrl) {
  const uint32_t opcode = isa::row_at(isa::RowId::V_MOV_B32).opcode;
  return {0x7e000000u | kResult << 17 | opcode << 9 | 250,
          kSource | control << 8 | uint32_t{bound_ctrl} << 19 | bank_mask << 24 | row_mask << 28};
}

void in_a_wave(const std::function<void(WaveState&)>& body) {
  GlobalMemory memory;
  isa::probe(
      memory, [&](WaveState& state, Environment&) { body(state); }, [](WaveState&, Environment&) {});
}

// Every DPP control under some EXEC, masks and bound_ctrl.
size_t check_dpp(WaveState& state, const LaneFields& fields) {
  size_t controls = 0;
  for (unsigned control = 0; control < 0x200; ++control) {
    if (!dpp_is_valid(control)) continue;
    ++controls;
    check_move(
        state,
        encode_dpp(control, fields.row_mask.value_or(15), fields.bank_mask.value_or(15), fields.bound_ctrl),
        fields.exec.value_or(~uint64_t{0}), lane_moves(dpp_name(control), fields));
  }
  return controls;
}

// The bytes that a lane's chunk has in LDS, made of one bit of each element's number.
void write_chunks(WaveState& state, Environment& env, const TransposingRead& read, unsigned bit) {
  const unsigned dwords = read.bits * read.elements / 32;
  std::vector<uint32_t> data(dwords * 64);
  std::array<uint32_t, 64> address{};
  for (unsigned lane = 0; lane < 64; ++lane) {
    address[lane] = 16 * lane;
    at(state, kAddress, lane) = address[lane];
    for (unsigned e = 0; e < read.elements; ++e) {
      const unsigned number = lane * 16 + e, first = e * read.bits;
      data[first / 32 * 64 + lane] |= (number >> bit & 1) << (first % 32);
    }
  }
  env.lds().store(address.data(), kAllLanes, 4 * dwords, data.data());
}

}  // namespace

TEST_CASE("one-hot lanes: every DPP control, with EXEC, row and bank masks and bound_ctrl") {
  in_a_wave([](WaveState& state) {
    CHECK(check_dpp(state, {}) == 256 + 3 * 15 + 4 + 4 + 16);
    for (const uint64_t exec : kMasks) {
      LaneFields fields;
      fields.exec = exec;
      fields.bound_ctrl = exec & 1;
      check_dpp(state, fields);
      fields.bound_ctrl = !fields.bound_ctrl;
      fields.row_mask = 0xa;
      fields.bank_mask = 0x7;
      check_dpp(state, fields);
    }
  });
}

TEST_CASE("one-hot lanes: the name of every DPP control is read back as its code") {
  for (unsigned control = 0; control < 0x200; ++control) {
    if (!dpp_is_valid(control)) continue;
    CAPTURE(control);
    CHECK(parse_dpp(dpp_name(control)) == control);
  }
}

TEST_CASE("one-hot lanes: ds_swizzle_b32 with every offset") {
  in_a_wave([](WaveState& state) {
    const isa::Row& row = isa::row_at(isa::RowId::DS_SWIZZLE_B32);
    for (unsigned offset = 0; offset < 0x10000; ++offset) {
      // Every offset in steps of 3 with all lanes, and some with fewer; the suite "slow" has the rest.
      if (offset % 3 != 0 && offset < 0xc000) continue;
      LaneFields fields;
      fields.offset = offset;
      fields.exec = offset % 7 == 0 ? kMasks[offset / 7 % 5] : ~uint64_t{0};
      check_move(state, isa::encode_ds(row, offset, kSource, 0, kResult), *fields.exec,
                 lane_moves("ds_swizzle_b32", fields));
    }
  });
}

TEST_CASE("one-hot lanes: ds_permute_b32 and ds_bpermute_b32, each lane to each lane") {
  in_a_wave([](WaveState& state) {
    for (const bool push : {true, false}) {
      const char* name = push ? "ds_permute_b32" : "ds_bpermute_b32";
      const isa::Row& row = isa::row_at(push ? isa::RowId::DS_PERMUTE_B32 : isa::RowId::DS_BPERMUTE_B32);
      for (unsigned one = 0; one < 64 * 64; ++one) {
        std::string list;  // the identity, but lane `one / 64` names lane `one % 64`
        for (unsigned lane = 0; lane < 64; ++lane) {
          const unsigned named = lane == one / 64 ? one % 64 : lane;
          list += (lane == 0 ? "" : ",") + std::to_string(named);
          at(state, kAddress, lane) = 4 * named;
        }
        LaneFields fields;
        fields.lanes = list;
        fields.offset = one % 5 * 4;
        fields.exec = kMasks[one % 11 == 0 ? 1 + one % 4 : 0];
        check_move(state, isa::encode_ds(row, *fields.offset, kAddress, kSource, kResult), *fields.exec,
                   lane_moves(name, fields));
      }
    }
  });
}

TEST_CASE("one-hot lanes: v_permlane16_swap_b32 and v_permlane32_swap_b32 under every EXEC tried") {
  in_a_wave([](WaveState& state) {
    for (const auto& [name, id] : {std::pair{"v_permlane16_swap_b32", isa::RowId::V_PERMLANE16_SWAP_B32},
                                   std::pair{"v_permlane32_swap_b32", isa::RowId::V_PERMLANE32_SWAP_B32}}) {
      for (const uint64_t exec : kMasks) {
        LaneFields fields;
        fields.exec = exec;
        const LaneMoves moves = lane_moves(name, fields);
        fill(state, kResult, kOld);
        fill(state, kSource, kNew);
        state.set_exec(exec);
        isa::run(state,
                 {0x7e000000u | kResult << 17 | uint32_t{isa::row_at(id).opcode} << 9 | (256 + kSource)});
        for (unsigned lane = 0; lane < 64; ++lane) {
          CAPTURE(name);
          CAPTURE(exec);
          CAPTURE(lane);
          CHECK(at(state, kResult, lane) == expected(moves, 0, lane, {kOld, kNew}, kOld));
          CHECK(at(state, kSource, lane) == expected(moves, 1, lane, {kOld, kNew}, kNew));
        }
      }
    }
  });
}

TEST_CASE("one-hot lanes: every element of the transposing LDS reads") {
  const std::map<std::string, isa::RowId> rows = {{"ds_read_b64_tr_b16", isa::RowId::DS_READ_B64_TR_B16},
                                                  {"ds_read_b64_tr_b8", isa::RowId::DS_READ_B64_TR_B8},
                                                  {"ds_read_b64_tr_b4", isa::RowId::DS_READ_B64_TR_B4},
                                                  {"ds_read_b96_tr_b6", isa::RowId::DS_READ_B96_TR_B6}};
  for (const auto& [name, id] : rows) {
    const TransposingRead& read = *find_transposing_read(name);
    const LaneMoves moves = lane_moves(name, {});
    GlobalMemory memory;
    const isa::RowId row = id;
    isa::probe(
        memory,
        [&](WaveState& state, Environment& env) {
          for (unsigned bit = 0; bit < 10; ++bit) {
            state.set_exec(~uint64_t{0});
            write_chunks(state, env, read, bit);
            isa::run(state, isa::encode_ds(isa::row_at(row), 0, kAddress, 0, kResult));
            for (unsigned lane = 0; lane < 64; ++lane) {
              // The whole registers: each element is its one bit, and nothing else.
              std::array<uint32_t, 3> want{};
              for (unsigned e = 0; e < read.elements; ++e) {
                const LaneSource& source = moves.at(0, lane, e);
                const unsigned first = e * read.bits;
                want[first / 32] |= ((source.lane * 16u + source.element) >> bit & 1) << (first % 32);
              }
              for (unsigned d = 0; d < read.bits * read.elements / 32; ++d) {
                CAPTURE(name);
                CAPTURE(lane);
                CHECK(at(state, kResult + d, lane) == want[d]);
              }
            }
          }
        },
        [](WaveState&, Environment&) {});
  }
}

TEST_SUITE("slow") {
  TEST_CASE("one-hot lanes: ds_swizzle_b32 with every offset under every EXEC tried") {
    in_a_wave([](WaveState& state) {
      const isa::Row& row = isa::row_at(isa::RowId::DS_SWIZZLE_B32);
      for (unsigned offset = 0; offset < 0x10000; ++offset) {
        for (const uint64_t exec : kMasks) {
          LaneFields fields;
          fields.offset = offset;
          fields.exec = exec;
          check_move(state, isa::encode_ds(row, offset, kSource, 0, kResult), exec,
                     lane_moves("ds_swizzle_b32", fields));
        }
      }
    });
  }
}

}  // namespace wavetwin::golden
