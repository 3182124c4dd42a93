// SPDX-License-Identifier: MIT
// Modifiers of the 64-bit encodings (guide 6.2, 6.5, 6.7, 13.3.4 to 13.3.6): abs, neg, omod, clamp and op_sel
// of VOP3; op_sel, op_sel_hi, neg_lo, neg_hi and clamp of VOP3P.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/core/error.h"
#include "tests/isa/valu/random_setup.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;
namespace ref = wavetwin::reference;

namespace {

// Every class of types; results that take omod and clamp, and ones that ignore them (integers, bf16) or take
// only one; VOP3B; lane masks.
constexpr const char* kVop3[] = {"V_ADD_F16",
                                 "V_MAX_F16",
                                 "V_FMA_F16",
                                 "V_MAD_F16",
                                 "V_MED3_F16",
                                 "V_LDEXP_F16",
                                 "V_CVT_F32_BF16",
                                 "V_CVT_PK_BF16_F32",
                                 "V_ADD_F32",
                                 "V_MUL_F32",
                                 "V_MIN_F32",
                                 "V_FMA_F32",
                                 "V_FMAC_F32",
                                 "V_LDEXP_F32",
                                 "V_DIV_SCALE_F32",
                                 "V_DIV_FMAS_F32",
                                 "V_CUBEMA_F32",
                                 "V_FREXP_MANT_F32",
                                 "V_ADD_F64",
                                 "V_FMA_F64",
                                 "V_FRACT_F64",
                                 "V_DIV_SCALE_F64",
                                 "V_ADD_I16",
                                 "V_MAD_I16",
                                 "V_SUB_U16",
                                 "V_MAD_U16",
                                 "V_SUB_I32",
                                 "V_MAD_I32_I24",
                                 "V_ADD_U32",
                                 "V_MAD_U32_U24",
                                 "V_SAD_U8",
                                 "V_MAD_I64_I32",
                                 "V_MAD_I32_I16",
                                 "V_SUBB_CO_U32",
                                 "V_CVT_F16_F32",
                                 "V_CVT_F32_F16",
                                 "V_CVT_I32_F32",
                                 "V_CVT_F64_F32",
                                 "V_CVT_PKRTZ_F16_F32",
                                 "V_CVT_PK_FP8_F32",
                                 "V_CVT_SR_BF8_F32",
                                 "V_CVT_SCALEF32_PK_FP8_F16",
                                 "V_CVT_SCALEF32_PK_F32_FP4",
                                 "V_DOT2C_F32_F16",
                                 "V_DOT2C_F32_BF16",
                                 "V_DOT4C_I32_I8",
                                 "V_CNDMASK_B32",
                                 "V_PACK_B32_F16",
                                 "V_BITOP3_B16",
                                 "V_CMP_LT_F64",
                                 "V_CMPX_CLASS_F32",
                                 "V_CMP_GE_I16"};
constexpr const char* kVop3p[] = {
    "V_PK_FMA_F16",     "V_PK_ADD_F16",    "V_PK_MAXIMUM3_F16", "V_PK_MAD_I16",
    "V_PK_LSHLREV_B16", "V_PK_ADD_U16",    "V_PK_FMA_F32",      "V_PK_MUL_F32",
    "V_PK_MOV_B32",     "V_MAD_MIX_F32",   "V_MAD_MIXLO_F16",   "V_MAD_MIXHI_F16",
    "V_DOT2_F32_F16",   "V_DOT2_F32_BF16", "V_DOT2_I32_I16",    "V_DOT4_I32_I8"};

// Default; omod acts, NaN clamped and not; IEEE off with subnormals kept; everything else than usual.
constexpr uint32_t kModes[] = {0x3f0, 0x100, 0x055, 0x1f0, 0x80020a};

// EXEC with a few lanes, others each time.
uint64_t few_lanes(unsigned n) { return 0x0000100010001001ull << n % 16 | uint64_t{1} << (n * 7 % 64); }

// Values 0 .. 7 that have only bits of `allowed`.
bool within(unsigned value, unsigned allowed) { return (value & ~allowed) == 0; }

uint64_t check_vop3(const Row& row, bool every_lane) {
  RowBench bench(row, seed_of(row));
  const unsigned signs = sign_bits_allowed(row, ref::Coding::vop3);
  const unsigned abs_signs = row.dst[1] == NONE ? signs : 0;  // VOP3B has no abs
  unsigned n = 0;
  for (unsigned abs = 0; abs < 8; ++abs)
    for (unsigned neg = 0; neg < 8; ++neg)
      for (unsigned omod = 0; omod < (row.has(OMOD) ? 4 : 1); ++omod)
        for (unsigned clamp = 0; clamp < (row.has(CLAMP) ? 2 : 1); ++clamp)
          for (uint32_t mode : kModes) {
            if (!within(abs, abs_signs) || !within(neg, signs)) continue;
            Setup s;
            s.coding = ref::Coding::vop3;
            s.abs = abs;
            s.neg = neg;
            s.omod = omod;
            s.clamp = clamp != 0;
            s.table = n % 256;
            s.mode = mode;
            s.exec = every_lane ? ~uint64_t{0} : few_lanes(n);
            ++n;
            if (!bench.check(s)) return n;
          }
  return n;
}

uint64_t check_vop3p(const Row& row, bool every_lane) {
  RowBench bench(row, seed_of(row));
  const unsigned present = (1u << source_count(row)) - 1;
  const unsigned selectable = operand_dwords(row.src[0]) == 1 && row.src[0] >= U8X4 ? 0 : present;
  unsigned n = 0;
  for (unsigned fields = 0; fields < 1u << 13; ++fields) {
    Setup s;
    s.coding = ref::Coding::vop3p;
    s.op_sel = fields & 7;
    s.op_sel_hi = fields >> 3 & 7;
    s.neg = fields >> 6 & 7;
    s.neg_hi = fields >> 9 & 7;
    s.clamp = fields >> 12;
    if (!within(s.op_sel, selectable) || !within(s.op_sel_hi, present) || !within(s.neg, present) ||
        !within(s.neg_hi, present))
      continue;
    s.mode = kModes[n % std::size(kModes)];
    s.exec = every_lane ? ~uint64_t{0} : few_lanes(n);
    ++n;
    if (!bench.check(s)) return n;
  }
  return n;
}

}  // namespace

TEST_CASE(
    "VOP3: every abs, neg, omod and clamp, for each class of types, where omod acts and where it does not") {
  uint64_t count = 0;
  for (const char* name : kVop3) count += check_vop3(row_named(name), false);
  MESSAGE(count << " executions");
}

TEST_CASE("VOP3P: every op_sel, op_sel_hi, neg_lo, neg_hi and clamp, for each class of types") {
  uint64_t count = 0;
  for (const char* name : kVop3p) count += check_vop3p(row_named(name), false);
  MESSAGE(count << " executions");
}

TEST_CASE("VOP3: every op_sel of every row that has the field") {
  unsigned count = 0;
  for (const Row& row : rows()) {
    if (!is_lane_row(row) || !row.has(OPSEL) || row.format == Format::vop3p) continue;
    ++count;
    RowBench bench(row, seed_of(row) + 5);
    bool same = true;
    for (unsigned op_sel = 0; op_sel < 16 && same; ++op_sel) {
      if (source_count(row) < 3 && !row.has(FREE2) && (op_sel & 4)) continue;
      Setup s;
      s.coding = ref::Coding::vop3;
      s.op_sel = op_sel;
      s.table = 0x1b;
      s.exec = few_lanes(op_sel) | 0xff;
      same = bench.check(s);
      s.in_place = static_cast<int>(op_sel % source_count(row));
      same = same && bench.check(s);
    }
  }
  CHECK(count > 60);
}

TEST_CASE("VOP3: fields that a row does not have are refused by name") {
  unsigned refused = 0;
  for (const Row& row : rows()) {
    const bool e64 = row.format == Format::vop3 || row.has(E64);
    if (!is_lane_row(row) || !e64 || row.format == Format::vop3p || row.has(BITOP3)) continue;
    const auto look = [&](const char* field, bool allowed, const Encoding& e) {
      if (allowed) return;
      ++refused;
      std::string answer = "accepted";
      try {
        isa::decode(encode_vop3(row, e), 0);
      } catch (const Error& error) {
        answer = error.what();
      }
      CHECK_MESSAGE(answer.find(fmt::format("field {} must be 0", field)) != std::string::npos,
                    fmt::format("{}: {}", row.name, answer));
    };
    Encoding plain;
    for (unsigned i = 0; i < source_count(row); ++i)
      plain.src[i] = row.src[i] == LANES ? RowBench::kMaskSource : vgpr_code(RowBench::kSrc[i]);
    Encoding e = plain;
    e.omod = 1;
    look("omod", row.has(OMOD), e);
    e = plain;
    e.clamp = true;
    look("clamp", row.has(CLAMP), e);
    for (unsigned i = 0; i < source_count(row); ++i) {
      e = plain;
      e.neg = 1u << i;
      look("abs / neg", sign_bits_allowed(row, ref::Coding::vop3) >> i & 1, e);
    }
  }
  CHECK(refused > 400);
}

TEST_SUITE("slow") {
  TEST_CASE("VOP3 and VOP3P: every combination of modifiers in every lane") {
    uint64_t count = 0;
    for (const char* name : kVop3) count += check_vop3(row_named(name), true);
    for (const char* name : kVop3p) count += check_vop3p(row_named(name), true);
    MESSAGE(count << " executions");
  }
}

TEST_CASE("ABS of other pairs takes the signs of both halves") {
  // -3 and -7 in bf16 and f16, scale 1; e4m3 codes of 3 and 7.
  for (const auto& [name, words] :
       {std::pair{"V_CVT_SCALEF32_PK_FP8_BF16", 0xc0e0c040u}, {"V_CVT_SCALEF32_PK_FP8_F16", 0xc700c200u}}) {
    CAPTURE(std::string(name));
    const std::string wanted = name;
    const Row& row =
        *std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return r.name == wanted; });
    for (unsigned abs = 0; abs < 2; ++abs) {
      TestWave wave;
      wave.v(0, 0) = 0;
      wave.v(32, 0) = words;
      Encoding e;
      e.dst = 0;
      e.src[0] = vgpr_code(32);
      e.src[1] = 242;  // 1.0
      e.abs = abs;
      wave.run(encode_vop3(row, e));
      CHECK(wave.v(0, 0) == (abs ? 0x4e44u : 0xcec4u));
    }
  }
}

TEST_CASE("v_dot2c_f32_bf16: NEG changes the sign of a source's low half, ABS that of its high half") {
  // guide 12.7: "ABS[1:0] are used as NEG_HI[1:0]". 100 + 3 * 5 - 7 * 11 without them.
  const Row& row =
      *std::find_if(rows().begin(), rows().end(), [](const Row& r) { return r.name == "V_DOT2C_F32_BF16"; });
  for (unsigned neg = 0; neg < 4; ++neg) {
    for (unsigned abs = 0; abs < 4; ++abs) {
      CAPTURE(neg);
      CAPTURE(abs);
      TestWave wave;
      wave.v(0, 0) = 0x42c80000;   // 100
      wave.v(32, 0) = 0xc0e04040;  // 3, -7
      wave.v(64, 0) = 0x413040a0;  // 5, 11
      Encoding e;
      e.dst = 0;
      e.src[0] = vgpr_code(32);
      e.src[1] = vgpr_code(64);
      e.neg = neg;
      e.abs = abs;
      wave.run(encode_vop3(row, e));
      const float low = (neg == 1 || neg == 2) ? -15.0f : 15.0f;
      const float high = (abs == 1 || abs == 2) ? 77.0f : -77.0f;
      CHECK(std::bit_cast<float>(wave.v(0, 0)) == 100.0f + low + high);
    }
  }
}
