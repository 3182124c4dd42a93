// SPDX-License-Identifier: MIT
// DPP (guide 13.3.9) on a representative of every form: controls, row and bank masks, bound_ctrl, EXEC,
// sign modifiers, the destination in place of a source.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/isa/valu/random_setup.h"
#include "tests/isa/valu/refusal.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

// VOP1 of each type, VOP2 of each type, with a carry, with the destination as a source; compares.
constexpr const char* kRepresentatives[] = {
    "V_MOV_B32",     "V_NOT_B32",      "V_FLOOR_F32",      "V_CVT_F32_I32", "V_CVT_I32_F32",
    "V_FLOOR_F16",   "V_CVT_F32_F16",  "V_CVT_F16_F32",    "V_CVT_F32_FP8", "V_SAT_PK_U8_I16",
    "V_ADD_F32",     "V_SUB_U32",      "V_ASHRREV_I32",    "V_SUB_F16",     "V_SUB_U16",
    "V_PK_FMAC_F16", "V_ADD_CO_U32",   "V_SUBB_CO_U32",    "V_CNDMASK_B32", "V_FMAC_F32",
    "V_MAC_F16",     "V_DOT4C_I32_I8", "V_DOT2C_F32_BF16", "V_CMP_LT_F32",  "V_CMP_GE_I32",
    "V_CMPX_NE_U16", "V_CMP_CLASS_F16"};
// 64-bit operands: row_newbcast only.
constexpr const char* kWide[] = {"V_MOV_B64",  "V_FLOOR_F64",  "V_CVT_F64_I32", "V_CVT_I32_F64",
                                 "V_FMAC_F64", "V_CMP_LT_F64", "V_CMPX_GE_U64"};

constexpr uint64_t kExec[] = {~uint64_t{0},          0,
                              0x5555555555555555ull, 0xaaaaaaaaaaaaaaaaull,
                              0xffff0000ffffffffull, 0x0000ffffffff7fffull,
                              0x5a5af0f0123489abull, 0x8000000000000001ull,
                              0x1234567890abcdefull, 0x7ffffffffffffffeull};

std::vector<unsigned> controls_of(const Row& row) {
  std::vector<unsigned> controls;
  for (unsigned c = 0; c < 512; ++c)
    if (ref::dpp_control_exists(c) && (!takes_newbcast_only(row) || c >= 0x150)) controls.push_back(c);
  return controls;
}

std::vector<const Row*> representatives() {
  std::vector<const Row*> all;
  for (const char* name : kRepresentatives) all.push_back(&row_named(name));
  for (const char* name : kWide) all.push_back(&row_named(name));
  return all;
}

Setup dpp(unsigned control, bool bound, uint64_t exec, unsigned rows = 15, unsigned banks = 15) {
  Setup s;
  s.coding = ref::Coding::dpp;
  s.dpp_ctrl = control;
  s.bound_ctrl = bound;
  s.row_mask = rows;
  s.bank_mask = banks;
  s.exec = exec;
  return s;
}

// One row under all combinations; stops at its first difference.
template <class Controls, class Masks>
uint64_t check_product(const Row& row, const Controls& controls, const Masks& masks) {
  RowBench bench(row, seed_of(row));
  bench.keep_answers();
  uint64_t count = 0;
  for (unsigned control : controls)
    for (unsigned rows : masks)
      for (unsigned banks : masks)
        for (bool bound : {false, true})
          for (uint64_t exec : kExec) {
            ++count;
            if (!bench.check(dpp(control, bound, exec, rows, banks))) return count;
          }
  return count;
}

std::vector<unsigned> all_masks() {
  std::vector<unsigned> masks;
  for (unsigned m = 0; m < 16; ++m) masks.push_back(m);
  return masks;
}

Encoding plain_dpp(unsigned control) {
  Encoding e;
  e.coding = ref::Coding::dpp;
  e.dst = 2;
  e.src[0] = vgpr_code(4);
  e.src[1] = vgpr_code(6);
  e.dpp_ctrl = control;
  return e;
}

}  // namespace

TEST_CASE("DPP: every control, with and without bound_ctrl, under ten patterns of EXEC, in every form") {
  uint64_t count = 0;
  for (const Row* row : representatives())
    count += check_product(*row, controls_of(*row), std::vector<unsigned>{15});
  CHECK(count == (27 * 325 + 7 * 16) * 2 * std::size(kExec));
}

TEST_CASE("DPP: every row mask with every bank mask, in every form") {
  for (const Row* row : representatives()) {
    const std::vector<unsigned> controls =
        takes_newbcast_only(*row) ? std::vector<unsigned>{0x157} : std::vector<unsigned>{0x1b, 0x113, 0x142};
    check_product(*row, controls, all_masks());
  }
}

TEST_SUITE("slow") {
  TEST_CASE("DPP: every control with all masks, bound_ctrl and patterns of EXEC, in every form") {
    uint64_t count = 0;
    for (const Row* row : representatives()) count += check_product(*row, controls_of(*row), all_masks());
    MESSAGE(count << " executions");
    CHECK(count == (27 * 325 + 7 * 16) * 2 * std::size(kExec) * 256);
  }
}

TEST_CASE("DPP: abs and neg of both sources after the lanes have moved, in every form and MODE") {
  for (const Row* row : representatives()) {
    Random random(seed_of(*row));
    const unsigned allowed = sign_bits_allowed(*row, ref::Coding::dpp);
    bool same = true;
    for (unsigned signs = 0; signs < 16 && same; ++signs) {
      if ((signs & 3 & ~allowed) || (signs >> 2 & ~allowed)) continue;
      RowBench bench(*row, random());
      for (unsigned n = 0; n < 12 && same; ++n) {
        Setup s = dpp(random_dpp_control(*row, random), n % 2, random_exec(random));
        s.neg = signs & 3;
        s.abs = signs >> 2;
        s.mode = n < 2 ? 0x3f0 : random_mode(random);
        same = bench.check(s);
      }
    }
  }
}

TEST_CASE("DPP: the destination in place of either source keeps its old value where nothing is written") {
  for (const Row* row : representatives()) {
    if (row->dst[0] == LANES) continue;
    RowBench bench(*row, seed_of(*row) + 1);
    bool same = true;
    for (unsigned control : controls_of(*row))
      for (int source = 0; source < static_cast<int>(source_count(*row)) && same; ++source) {
        if (row->src[static_cast<size_t>(source)] == LANES) continue;
        Setup s = dpp(control, control % 2, kExec[control % std::size(kExec)], 15 - control % 3, 15);
        s.in_place = source;
        same = bench.check(s);
      }
  }
}

TEST_CASE("DPP: controls that do not exist are refused by name") {
  for (unsigned control = 0; control < 512; ++control) {
    const std::string answer = refusal(encode_dpp(row_named("V_ADD_F32"), plain_dpp(control)));
    if (ref::dpp_control_exists(control)) {
      CHECK_MESSAGE(answer == "accepted", fmt::format("control {:#x}: {}", control, answer));
    } else {
      CHECK_MESSAGE(answer.find("reserved DPP control") != std::string::npos,
                    fmt::format("control {:#x}: {}", control, answer));
    }
  }
}

TEST_CASE("DPP: 64-bit operands take row_newbcast and refuse every other control by name") {
  for (const char* name : kWide) {
    for (unsigned control = 0; control < 0x160; ++control) {
      if (!ref::dpp_control_exists(control)) continue;
      const std::string answer = refusal(encode_dpp(row_named(name), plain_dpp(control)));
      const char* want = control >= 0x150 ? "accepted" : "64-bit DPP takes row_newbcast only";
      CHECK_MESSAGE(answer.find(want) != std::string::npos,
                    fmt::format("{} {:#x}: {}", name, control, answer));
    }
  }
}

TEST_CASE("DPP: rows without the form refuse it by name, and the 64-bit encoding takes none") {
  const auto without = rows_without(DPP);
  CHECK(without.size() > 4);
  for (const Row* row : without) {
    const std::string answer = refusal(encode_dpp(*row, plain_dpp(0x101)));
    CHECK_MESSAGE(answer.ends_with(": the instruction has no DPP form"),
                  fmt::format("{}: {}", row->name, answer));
  }
  Encoding e = plain_dpp(0x101);
  e.src[0] = kDppCode;
  const std::string answer = refusal(encode_vop3(row_named("V_ADD_F32"), e));
  CHECK_MESSAGE(answer.find("64-bit encodings take no literal, SDWA or DPP") != std::string::npos, answer);
}

namespace {

TestWave numbered_wave() {
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(4, lane) = lane;
    wave.v(5, lane) = lane + 500;
    wave.v(6, lane) = lane;
    wave.v(2, lane) = 7;
    wave.v(3, lane) = 8;
  }
  return wave;
}

}  // namespace

TEST_CASE("DPP, worked by hand: a lane without a source keeps its register, or reads 0 with bound_ctrl") {
  TestWave wave = numbered_wave();
  Encoding move = plain_dpp(0x112);  // row_shr:2
  wave.run(encode_dpp(row_named("V_MOV_B32"), move));
  CHECK(wave.v(2, 1) == 7);
  CHECK(wave.v(2, 2) == 0);
  CHECK(wave.v(2, 63) == 61);
  move.bound_ctrl = true;
  wave.run(encode_dpp(row_named("V_MOV_B32"), move));
  CHECK(wave.v(2, 1) == 0);
}

TEST_CASE("DPP, worked by hand: the mask of a compare has 0 where a lane takes no part") {
  TestWave wave = numbered_wave();
  wave.run(encode_dpp(row_named("V_CMP_NE_U32"), plain_dpp(0x111)));
  CHECK(wave.state.vcc() == 0xfffefffefffefffeull);
}

TEST_CASE("DPP, worked by hand: row_newbcast of a register pair; accumulation") {
  TestWave wave = numbered_wave();
  wave.run(encode_dpp(row_named("V_MOV_B64"), plain_dpp(0x153)));
  CHECK(wave.v(2, 20) == 19);
  CHECK(wave.v(3, 20) == 519);
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(2, lane) = 0x3f800000;
    wave.v(4, lane) = wave.v(6, lane) = 0x40000000;
  }
  wave.run(encode_dpp(row_named("V_FMAC_F32"), plain_dpp(0xb1)));
  CHECK(wave.v(2, 33) == 0x40a00000);  // 2 * 2 + 1
}
