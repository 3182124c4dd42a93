// SPDX-License-Identifier: MIT
// SDWA (guide 13.3.7, 13.3.8) on a representative of every form: selects, the treatment of the rest of the
// destination, sign extension or abs and neg, clamp, omod, scalar sources, EXEC.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/isa/valu/random_setup.h"
#include "tests/isa/valu/refusal.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

// VOP1, VOP2 and VOPC of each type; with a lane mask as a source or a result; the destination as a source;
// without dst_sel.
constexpr const char* kRepresentatives[] = {
    "V_MOV_B32",       "V_FLOOR_F32",   "V_FLOOR_F16",   "V_CVT_F32_I32",    "V_CVT_U32_F32",
    "V_CVT_F16_F32",   "V_CVT_F16_I16", "V_CVT_F32_FP8", "V_CVT_PK_F32_BF8", "V_SAT_PK_U8_I16",
    "V_ADD_F32",       "V_MAX_F16",     "V_ADD_U32",     "V_SUB_U16",        "V_MUL_I32_I24",
    "V_LSHLREV_B32",   "V_ASHRREV_I16", "V_LDEXP_F16",   "V_CNDMASK_B32",    "V_ADD_CO_U32",
    "V_SUBB_CO_U32",   "V_PK_FMAC_F16", "V_CMP_LT_F32",  "V_CMP_GT_I32",     "V_CMP_NLE_F16",
    "V_CMP_CLASS_F32", "V_CMPX_LE_F16", "V_CMPX_EQ_U16"};

// Omod acts with this one: IEEE off, subnormal results flushed.
constexpr uint32_t kFlushingMode = 0x150;

// The numbers of choices of each field of a row's SDWA dword.
struct Fields {
  unsigned dst_sels = 1, unused = 1, sels1 = 1, modifiers = 1, clamps = 1, omods = 1;
  explicit Fields(const Row& row) {
    if (row.format != Format::vopc) {
      if (!row.has(NO_DST_SEL)) dst_sels = 7, unused = 3;
      clamps = 2;
      if (is_float(row.dst[0])) omods = 4;
    }
    const unsigned sources = source_count(row);
    if (sources > 1) sels1 = 7;
    for (unsigned i = 0; i < sources && i < 2; ++i) modifiers *= row.has(MOD0 << i) ? 4 : 2;
  }
};

// The n-th way to set abs, neg and sext of the sources.
void set_modifiers(const Row& row, unsigned n, Setup& s) {
  for (unsigned i = 0; i < 2 && row.src[i] != NONE && row.src[i] != LANES; ++i) {
    if (row.has(MOD0 << i)) {
      s.neg |= (n & 1) << i;
      s.abs |= (n >> 1 & 1) << i;
      n /= 4;
    } else {
      s.sext |= (n & 1) << i;
      n /= 2;
    }
  }
}

Setup sdwa(const Row& row) {
  Setup s;
  s.coding = ref::Coding::sdwa;
  s.whole_result = row.has(NO_DST_SEL);
  return s;
}

constexpr uint64_t kExec[] = {~uint64_t{0}, 0x0f0f3c3c5555ff00ull, 0x8000000080000001ull};

// All selects and treatments of the rest; the other fields all as well, or cycling.
uint64_t check_selects(const Row& row, bool all_modifiers, uint64_t exec_mask) {
  RowBench bench(row, seed_of(row));
  const Fields fields(row);
  const unsigned others = fields.modifiers * fields.clamps * fields.omods;
  Random random(seed_of(row));
  uint64_t count = 0;
  for (unsigned dst_sel = 0; dst_sel < fields.dst_sels; ++dst_sel)
    for (unsigned unused = 0; unused < fields.unused; ++unused)
      for (unsigned sel0 = 0; sel0 < 7; ++sel0)
        for (unsigned sel1 = 0; sel1 < fields.sels1; ++sel1)
          for (unsigned k = 0; k < (all_modifiers ? others : 1); ++k) {
            const unsigned n = all_modifiers ? k : static_cast<unsigned>(random.below(others));
            Setup s = sdwa(row);
            if (fields.dst_sels > 1) s.dst_sel = dst_sel, s.dst_unused = unused;
            s.src_sel = {sel0, fields.sels1 > 1 ? sel1 : 6};
            set_modifiers(row, n % fields.modifiers, s);
            s.clamp = n / fields.modifiers % fields.clamps;
            s.omod = n / fields.modifiers / fields.clamps;
            s.named_mask = count % 2;
            s.mode = count % 3 == 0 ? kFlushingMode : count % 3 == 1 ? 0x3f0 : random_mode(random);
            s.exec = kExec[count % std::size(kExec)] & exec_mask;
            ++count;
            if (!bench.check(s)) return count;
          }
  return count;
}

std::vector<uint32_t> with_control(const Row& row, uint32_t control) {
  Encoding e;
  e.dst = 2;
  e.src[1] = vgpr_code(6);
  auto code = encode_short(row, e, kSdwaCode);
  code.push_back(control);
  return code;
}

constexpr uint32_t kPlain = 4u | 6u << 8 | 6u << 16 | 6u << 24;

}  // namespace

TEST_CASE("SDWA: every dst_sel, dst_unused, src0_sel and src1_sel, in every form, under partial EXEC") {
  uint64_t count = 0;
  for (const char* name : kRepresentatives) count += check_selects(row_named(name), false, ~uint64_t{0});
  MESSAGE(count << " executions");
  CHECK(count > 13'000);
}

TEST_SUITE("slow") {
  TEST_CASE("SDWA: every select with every sext, abs, neg, clamp and omod, in every form") {
    uint64_t count = 0;
    for (const char* name : kRepresentatives)
      count += check_selects(row_named(name), true, 0x8421c3a518244281ull);
    MESSAGE(count << " executions");
    CHECK(count > 300'000);
  }
}

TEST_CASE("SDWA: every sext, abs, neg, clamp and omod, in every form, with omod acting and not") {
  for (const char* name : kRepresentatives) {
    const Row& row = row_named(name);
    const Fields fields(row);
    Random random(seed_of(row) + 2);
    RowBench bench(row, random());
    bool same = true;
    for (unsigned n = 0; n < fields.modifiers * fields.clamps * fields.omods && same; ++n)
      for (uint32_t mode : {0x3f0u, kFlushingMode, 0x2f0u, 0x80005fu}) {
        Setup s = sdwa(row);
        set_modifiers(row, n % fields.modifiers, s);
        s.clamp = n / fields.modifiers % fields.clamps;
        s.omod = n / fields.modifiers / fields.clamps;
        s.mode = mode;
        s.src_sel = {4 + static_cast<unsigned>(random.below(3)), 6};
        same = same && bench.check(s);
      }
  }
}

TEST_CASE("SDWA: scalar registers and inline constants in place of either source") {
  for (const char* name : kRepresentatives) {
    const Row& row = row_named(name);
    RowBench bench(row, seed_of(row) + 3);
    bool same = true;
    for (unsigned i = 0; i < 2 && row.src[i] != NONE && row.src[i] != LANES; ++i)
      for (unsigned code : {RowBench::kScalar, 128u, 140u, 192u, 193u, 208u, 240u, 243u, 247u, 248u})
        for (unsigned select = 0; select < 7 && same; ++select) {
          Setup s = sdwa(row);
          s.scalar[i] = code;
          s.src_sel[i] = select;
          if (!row.has(MOD0 << i)) s.sext = select % 2 << i;
          same = bench.check(s);
        }
  }
}

TEST_CASE("SDWA: the destination in place of either source") {
  for (const char* name : kRepresentatives) {
    const Row& row = row_named(name);
    if (row.dst[0] == LANES) continue;
    RowBench bench(row, seed_of(row) + 4);
    bool same = true;
    for (int source = 0; source < 2 && row.src[static_cast<size_t>(source)] != NONE; ++source) {
      if (row.src[static_cast<size_t>(source)] == LANES) continue;
      for (unsigned n = 0; n < 63 && same; ++n) {
        Setup s = sdwa(row);
        s.in_place = source;
        if (!s.whole_result) s.dst_sel = n % 7, s.dst_unused = n / 7 % 3;
        s.src_sel = {(n + 3) % 7, n / 9};
        same = bench.check(s);
      }
    }
  }
}

TEST_CASE("SDWA: reserved fields and rows without the form are refused by name") {
  const auto refused = [](const char* name, uint32_t control, const char* why) {
    const std::string answer = refusal(with_control(row_named(name), control));
    CHECK_MESSAGE(answer.find(why) != std::string::npos, fmt::format("{} {:08x}: {}", name, control, answer));
  };
  refused("V_ADD_F32", kPlain, "accepted");
  refused("V_ADD_F32", kPlain | 7u << 16, "SDWA select 7 is reserved");
  refused("V_ADD_F32", kPlain | 7u << 24, "SDWA select 7 is reserved");
  refused("V_ADD_F32", kPlain | 7u << 8, "SDWA select 7 is reserved");
  refused("V_ADD_F32", kPlain | 3u << 11, "SDWA dst_unused 3 is reserved");
  refused("V_ADD_F32", kPlain | 1u << 19, "field sext must be 0");
  refused("V_ADD_U32", kPlain | 1u << 20, "field abs / neg must be 0");
  refused("V_ADD_U32", kPlain | 1u << 14, "field omod must be 0");
  refused("V_CVT_F32_FP8", 4u | 5u << 8, "dst_sel must be DWORD");
  refused("V_ADD_F32", (kPlain & ~255u) | 255u | 1u << 23, "SDWA takes no literal");
  const auto without = rows_without(SDWA);
  CHECK(without.size() > 20);
  for (const Row* row : without) {
    const std::string answer = refusal(with_control(*row, kPlain));
    CHECK_MESSAGE(answer.ends_with(": the instruction has no SDWA form"),
                  fmt::format("{}: {}", row->name, answer));
  }
}

namespace {

// v[2] = op(v[4], v[6]) with a written-out dword.
TestWave run_by_hand(const char* name, uint32_t a, uint32_t b, uint32_t control, uint32_t old = 0) {
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(4, lane) = a;
    wave.v(6, lane) = b;
    wave.v(2, lane) = old;
  }
  wave.state.scalar[9] = 0x00ff00ff;
  Encoding e;
  e.dst = 2;
  e.src[1] = vgpr_code(6);
  auto code = encode_short(row_named(name), e, kSdwaCode);
  code.push_back(control);
  wave.run(code);
  return wave;
}

}  // namespace

TEST_CASE("SDWA, worked by hand: halves of f16 with abs, neg and clamp; a scalar source") {
  // |-2.0| + -3.0: src0 WORD_1 abs, src1 WORD_0 neg
  const uint32_t control = 4u | 6u << 8 | 5u << 16 | 1u << 21 | 4u << 24 | 1u << 28;
  CHECK(run_by_hand("V_ADD_F16", 0xc000bc00, 0x45004200, control).v(2, 0) == 0xbc00);
  CHECK(run_by_hand("V_ADD_F16", 0xc000bc00, 0x45004200, control | 1u << 13).v(2, 0) == 0);
  // byte 1 of s9 (0) | byte 1 of v6
  CHECK(run_by_hand("V_OR_B32", 0, 0x45004200, 9u | 6u << 8 | 1u << 16 | 1u << 23 | 1u << 24).v(2, 0) ==
        0x42);
}

TEST_CASE("SDWA, worked by hand: a result's byte with zeros, its sign and the old bits around it") {
  const auto shifted_by_0 = [](unsigned unused) {  // dst_sel BYTE_2
    return run_by_hand("V_LSHLREV_B32", 0, 0x1234f6f8, 4u | 2u << 8 | unused << 11 | 6u << 16 | 6u << 24,
                       0xa1b2c3d4)
        .v(2, 5);
  };
  CHECK(shifted_by_0(0) == 0x00f80000);
  CHECK(shifted_by_0(1) == 0xfff80000);
  CHECK(shifted_by_0(2) == 0xa1f8c3d4);
}

TEST_CASE("SDWA, worked by hand: fp8 conversions take the selected byte or half") {
  const uint32_t kWant[] = {0x3f800000, 0x40000000, 0x40400000, 0x40800000};
  for (unsigned select = 0; select < 4; ++select)
    CHECK(run_by_hand("V_CVT_F32_FP8", 0x48444038, 0, 4u | 6u << 8 | select << 16).v(2, 0) == kWant[select]);
  TestWave pair = run_by_hand("V_CVT_PK_F32_FP8", 0x48444038, 0, 4u | 6u << 8 | 5u << 16);
  CHECK(pair.v(2, 0) == 0x40400000);
  CHECK(pair.v(3, 0) == 0x40800000);
}

TEST_CASE("SDWA, worked by hand: compares write VCC or the named pair") {
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) {
    wave.v(4, lane) = lane << 8;
    wave.v(6, lane) = 0x20;
  }
  wave.state.set_exec(0xffffffff0000ffff);
  Encoding e;
  e.src[1] = vgpr_code(6);
  // SDST 14:8, SD 15; byte 1 of src0, byte 0 of src1.
  const auto run = [&](const char* name, uint32_t destination) {
    auto code = encode_short(row_named(name), e, kSdwaCode);
    code.push_back(4u | 1u << 16 | destination);
    wave.run(code);
  };
  run("V_CMP_LT_U32", 0);
  CHECK(wave.state.vcc() == 0x000000000000ffff);
  wave.state.set_vcc(5);
  run("V_CMP_GE_U32", 24u << 8 | 1u << 15);
  CHECK(wave.state.pair(24) == 0xffffffff00000000);
  CHECK(wave.state.vcc() == 5);
}
