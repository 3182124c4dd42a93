// SPDX-License-Identifier: MIT
// The lane maps are what the executor does with the decoded instruction. A move copies bits, so registers
// that hold a different number in every lane show at once, for every lane, where its value came from: as
// strong as 64 one-hots. The elements of the transposing reads are too small for that; there each bit of each
// chunk is 1 alone.
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

// Runs one instruction on numbered registers.
void run_numbered(WaveState& state, const std::vector<uint32_t>& dwords, uint64_t exec) {
  fill(state, kSource, kNew);
  fill(state, kResult, kOld);
  state.set_exec(exec);
  isa::run(state, dwords);
}

void check_move(WaveState& state, const std::vector<uint32_t>& dwords, uint64_t exec,
                const LaneMoves& moves) {
  run_numbered(state, dwords, exec);
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

void check_dpp(WaveState& state, unsigned control, const LaneFields& fields) {
  check_move(
      state,
      encode_dpp(control, fields.row_mask.value_or(15), fields.bank_mask.value_or(15), fields.bound_ctrl),
      fields.exec.value_or(~uint64_t{0}), lane_moves(dpp_name(control), fields));
}

// Calls body for every DPP control.
template <class Body>
void for_each_control(Body body) {
  for (unsigned control = 0; control < 0x200; ++control) {
    if (dpp_is_valid(control)) body(control);
  }
}

// The controls as the guide's table and LLVM list them: 0 for a code that stands for nothing.
bool dpp_is_listed(unsigned control) {
  const auto in = [control](unsigned first, unsigned last) { return control >= first && control <= last; };
  const bool quad_perm = in(0x000, 0x0ff);
  const bool row_shl = in(0x101, 0x10f), row_shr = in(0x111, 0x11f), row_ror = in(0x121, 0x12f);
  const bool wave = control == 0x130 || control == 0x134 || control == 0x138 || control == 0x13c;
  const bool mirrors_and_row_bcast = in(0x140, 0x143), row_newbcast = in(0x150, 0x15f);
  return quad_perm || row_shl || row_shr || row_ror || wave || mirrors_and_row_bcast || row_newbcast;
}

// EXEC with one lane alone, and with one lane off; then those of kMasks.
std::vector<uint64_t> lane_masks() {
  std::vector<uint64_t> masks(std::begin(kMasks), std::end(kMasks));
  for (unsigned lane = 0; lane < 64; ++lane) {
    masks.push_back(uint64_t{1} << lane);
    masks.push_back(~(uint64_t{1} << lane));
  }
  return masks;
}

// ds_swizzle_b32 with one offset.
void check_swizzle(WaveState& state, unsigned offset, uint64_t exec) {
  LaneFields fields;
  fields.offset = offset;
  fields.exec = exec;
  check_move(state, isa::encode_ds(isa::row_at(isa::RowId::DS_SWIZZLE_B32), offset, kSource, 0, kResult),
             exec, lane_moves("ds_swizzle_b32", fields));
}

// v_permlane{16,32}_swap_b32 v8, v4; the long form has fi (fetch inactive lanes) and bound_ctrl.
std::vector<uint32_t> encode_swap(isa::RowId id) {
  return {0x7e000000u | kResult << 17 | uint32_t{isa::row_at(id).opcode} << 9 | (256 + kSource)};
}
std::vector<uint32_t> encode_swap(isa::RowId id, bool fi, bool bound_ctrl) {
  return {0xd0000000u | (isa::row_at(id).opcode + 0x140u) << 16 | kResult | uint32_t{fi} << 11 |
              uint32_t{bound_ctrl} << 12,
          256 + kSource};
}
void check_swap(WaveState& state, const std::vector<uint32_t>& dwords, uint64_t exec,
                const LaneMoves& moves) {
  run_numbered(state, dwords, exec);
  int wrong = -1;
  for (unsigned lane = 64; lane-- > 0;) {
    if (at(state, kResult, lane) != expected(moves, 0, lane, {kOld, kNew}, kOld) ||
        at(state, kSource, lane) != expected(moves, 1, lane, {kOld, kNew}, kNew))
      wrong = static_cast<int>(lane);
  }
  CHECK_MESSAGE(wrong < 0, fmt::format("{}, EXEC {:#x}: lane {}", moves.instruction, exec, wrong));
}

// A transposing read with the chunks of the lanes in LDS; not in the order of the lanes.
class TransposeCheck {
 public:
  TransposeCheck(WaveState& state, Environment& env, const TransposingRead& read, isa::RowId row)
      : state_(state),
        env_(env),
        read_(read),
        moves_(lane_moves(read.name, {})),
        in_(isa::decode_tested(isa::encode_ds(isa::row_at(row), 0, kAddress, 0, kResult))),
        targets_(size_t{64} * read.elements, -1) {
    state.set_exec(~uint64_t{0});
    for (unsigned lane = 0; lane < 64; ++lane) {
      at(state, kAddress, lane) = address(lane);
      for (unsigned dword = 0; dword < dwords(); ++dword) store(lane, dword, 0);
      for (unsigned n = 0; n < read.elements; ++n) {
        const LaneSource& source = moves_.at(0, lane, n);
        targets_[source.lane * read.elements + source.element] = static_cast<int>(lane * read.elements + n);
      }
    }
  }

  // One bit of a lane's chunk alone: the first difference as text.
  std::string hot_bit(unsigned lane, unsigned bit) {
    store(lane, bit / 32, 1u << bit % 32);
    isa::execute_function(in_)(state_, in_);
    store(lane, bit / 32, 0);
    const int target = targets_[lane * read_.elements + bit / read_.bits];
    const unsigned result_lane = static_cast<unsigned>(target) / read_.elements;
    const unsigned result_bit =
        static_cast<unsigned>(target) % read_.elements * read_.bits + bit % read_.bits;
    for (unsigned l = 0; l < 64; ++l)
      for (unsigned d = 0; d < dwords(); ++d) {
        const bool holds = target >= 0 && l == result_lane && d == result_bit / 32;
        const uint32_t want = holds ? 1u << result_bit % 32 : 0, got = at(state_, kResult + d, l);
        if (got != want)
          return fmt::format(
              "{}: bit {} of element {} in the chunk of lane {} alone: v{}{{{}}} of the result is {:#x}, "
              "expected {:#x}; the map puts it in element {} of lane {}",
              read_.name, bit % read_.bits, bit / read_.bits, lane, d, l, got, want, result_bit / read_.bits,
              result_lane);
      }
    return "";
  }
  unsigned dwords() const { return read_.bits * read_.elements / 32; }

 private:
  static uint32_t address(unsigned lane) { return 16 * (lane * 37 % 64); }
  void store(unsigned lane, unsigned dword, uint32_t word) {
    const std::array<uint32_t, 64> where{address(lane) + 4 * dword}, what{word};
    env_.lds().store(where.data(), LaneMask::lane(0), 4, what.data());
  }
  WaveState& state_;
  Environment& env_;
  const TransposingRead& read_;
  LaneMoves moves_;
  isa::Instruction in_;
  std::vector<int> targets_;  // by element of a chunk: lane * elements + n of the result
};

}  // namespace

TEST_CASE(
    "one-hot lanes: each of the 512 DPP_CTRL codes is a control with a map, or refused with its reason") {
  unsigned controls = 0;
  in_a_wave([&](WaveState& state) {
    for (unsigned control = 0; control < 0x200; ++control) {
      CAPTURE(control);
      const std::vector<uint32_t> dwords = encode_dpp(control, 15, 15, false);
      std::string why;
      CHECK(dpp_is_valid(control) == dpp_is_listed(control));
      CHECK(isa::try_decode(dwords, 0, &why).valid() == dpp_is_listed(control));
      if (dpp_is_listed(control)) {
        ++controls;
        check_dpp(state, control, {});
        continue;
      }
      CHECK(why == "v_mov_b32: reserved DPP control");
      CHECK_THROWS_WITH_AS(dpp_name(control),
                           fmt::format("no DPP control has the code {:#x}", control).c_str(), Error);
    }
  });
  CHECK(controls == 256 + 3 * 15 + 4 + 4 + 16);
}

TEST_CASE(
    "one-hot lanes: every DPP control with each lane alone and each lane off, with and without bound_ctrl") {
  in_a_wave([](WaveState& state) {
    for_each_control([&](unsigned control) {
      for (const uint64_t exec : lane_masks()) {
        LaneFields fields;
        fields.exec = exec;
        check_dpp(state, control, fields);
        fields.bound_ctrl = true;
        check_dpp(state, control, fields);
      }
    });
  });
}

TEST_CASE("one-hot lanes: every row_mask and bank_mask, one DPP control of each kind") {
  in_a_wave([](WaveState& state) {
    for (const char* name : {"quad_perm:[1,2,3,0]", "row_shl:3", "row_shr:5", "row_ror:7", "wave_shl:1",
                             "wave_rol:1", "wave_shr:1", "wave_ror:1", "row_mirror", "row_half_mirror",
                             "row_bcast:15", "row_bcast:31", "row_newbcast:9"}) {
      for (unsigned masks = 0; masks < 512; ++masks) {
        LaneFields fields;
        fields.row_mask = masks & 15;
        fields.bank_mask = masks >> 4 & 15;
        fields.bound_ctrl = masks >> 8;
        check_dpp(state, parse_dpp(name), fields);
      }
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
    for (unsigned offset = 0; offset < 0x10000; ++offset) check_swizzle(state, offset, ~uint64_t{0});
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

TEST_CASE(
    "one-hot lanes: v_permlane16_swap_b32 and v_permlane32_swap_b32, each lane alone and each lane off") {
  in_a_wave([](WaveState& state) {
    for (const auto& [name, id] : {std::pair{"v_permlane16_swap_b32", isa::RowId::V_PERMLANE16_SWAP_B32},
                                   std::pair{"v_permlane32_swap_b32", isa::RowId::V_PERMLANE32_SWAP_B32}}) {
      const LaneMoves all = lane_moves(name, {});
      for (const uint64_t exec : lane_masks()) {
        LaneFields fields;
        fields.exec = exec;
        const LaneMoves moves = lane_moves(name, fields);
        check_swap(state, encode_swap(id), exec, moves);
        for (const bool bound_ctrl : {false, true}) {
          check_swap(state, encode_swap(id, false, bound_ctrl), exec, moves);
          check_swap(state, encode_swap(id, true, bound_ctrl), exec, all);  // as if all lanes ran
        }
      }
    }
  });
}

TEST_CASE("one-hot lanes: each bit of each chunk of the transposing LDS reads alone") {
  const std::map<std::string, isa::RowId> rows = {{"ds_read_b64_tr_b16", isa::RowId::DS_READ_B64_TR_B16},
                                                  {"ds_read_b64_tr_b8", isa::RowId::DS_READ_B64_TR_B8},
                                                  {"ds_read_b64_tr_b4", isa::RowId::DS_READ_B64_TR_B4},
                                                  {"ds_read_b96_tr_b6", isa::RowId::DS_READ_B96_TR_B6}};
  size_t bits = 0;
  for (const auto& [name, row] : rows) {
    GlobalMemory memory;
    isa::probe(
        memory,
        [&, id = row, &read = *find_transposing_read(name)](WaveState& state, Environment& env) {
          TransposeCheck check(state, env, read, id);
          for (unsigned lane = 0; lane < 64; ++lane)
            for (unsigned bit = 0; bit < 32 * check.dwords(); ++bit, ++bits) {
              const std::string difference = check.hot_bit(lane, bit);
              CHECK_MESSAGE(difference.empty(), difference);
              if (!difference.empty()) return;
            }
        },
        [](WaveState&, Environment&) {});
  }
  CHECK(bits == 64 * (64 + 64 + 64 + 96));
}

TEST_SUITE("slow") {
  TEST_CASE("one-hot lanes: ds_swizzle_b32 with every offset under every EXEC tried") {
    in_a_wave([](WaveState& state) {
      for (unsigned offset = 0; offset < 0x10000; ++offset) {
        for (const uint64_t exec : lane_masks()) check_swizzle(state, offset, exec);
      }
    });
  }

  TEST_CASE("one-hot lanes: every DPP control with every row_mask and bank_mask") {
    in_a_wave([](WaveState& state) {
      for_each_control([&](unsigned control) {
        for (unsigned masks = 0; masks < 512; ++masks) {
          LaneFields fields;
          fields.row_mask = masks & 15;
          fields.bank_mask = masks >> 4 & 15;
          fields.bound_ctrl = masks >> 8;
          fields.exec = kMasks[masks % 5];
          check_dpp(state, control, fields);
        }
      });
    });
  }
}

}  // namespace wavetwin::golden
