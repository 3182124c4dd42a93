// SPDX-License-Identifier: MIT
// Packed rows: an operation on each half or dword. guide 12.10.
#include "tests/oracle/isa/valu_oracle.h"

namespace wavetwin::reference {
namespace {

using In = const LaneInput&;
using Rows = std::map<std::string, LaneFunction>;

// The view of one element, as a scalar instruction would see it.
LaneInput half_view(In i, int n) {
  LaneInput v = i;
  for (auto& s : v.source) s[0] = s[0] >> (16 * n) & 0xffff;
  v.old[0] = i.old[0] >> (16 * n) & 0xffff;
  return v;
}
LaneInput dword_view(In i, int n) {
  LaneInput v = i;
  for (auto& s : v.source) s[0] = s[n];
  return v;
}

}  // namespace

void add_packed_rows(Rows& rows) {
  const std::pair<const char*, const char*> kByHalves[] = {
      {"V_PK_MAD_I16", "V_MAD_I16"},           {"V_PK_MAD_U16", "V_MAD_U16"},
      {"V_PK_MUL_LO_U16", "V_MUL_LO_U16"},     {"V_PK_ADD_I16", "V_ADD_I16"},
      {"V_PK_SUB_I16", "V_SUB_I16"},           {"V_PK_ADD_U16", "V_ADD_U16"},
      {"V_PK_SUB_U16", "V_SUB_U16"},           {"V_PK_LSHLREV_B16", "V_LSHLREV_B16"},
      {"V_PK_LSHRREV_B16", "V_LSHRREV_B16"},   {"V_PK_ASHRREV_I16", "V_ASHRREV_I16"},
      {"V_PK_MAX_I16", "V_MAX_I16"},           {"V_PK_MIN_I16", "V_MIN_I16"},
      {"V_PK_MAX_U16", "V_MAX_U16"},           {"V_PK_MIN_U16", "V_MIN_U16"},
      {"V_PK_FMA_F16", "V_FMA_F16"},           {"V_PK_ADD_F16", "V_ADD_F16"},
      {"V_PK_MUL_F16", "V_MUL_F16"},           {"V_PK_MIN_F16", "V_MIN_F16"},
      {"V_PK_MAX_F16", "V_MAX_F16"},           {"V_PK_MINIMUM3_F16", "V_MINIMUM3_F16"},
      {"V_PK_MAXIMUM3_F16", "V_MAXIMUM3_F16"}, {"V_PK_FMAC_F16", "V_FMAC_F16"},
  };
  for (const auto& [packed, scalar] : kByHalves) {
    const LaneFunction one = rows.at(scalar);
    rows[packed] = [one](In i) { return halves(one(half_view(i, 0)).d[0], one(half_view(i, 1)).d[0]); };
  }
  for (const auto& [packed, scalar] : {std::pair<const char*, const char*>{"V_PK_FMA_F32", "V_FMA_F32"},
                                       {"V_PK_MUL_F32", "V_MUL_F32"},
                                       {"V_PK_ADD_F32", "V_ADD_F32"}}) {
    const LaneFunction one = rows.at(scalar);
    rows[packed] = [one](In i) {
      return two_words(one(dword_view(i, 0)).d[0] | uint64_t{one(dword_view(i, 1)).d[0]} << 32);
    };
  }
  // v_mad_mix: an f32 fma; the f16 forms round its result once more. LLVM calls them v_fma_mix on gfx950.
  rows["V_MAD_MIX_F32"] = rows.at("V_FMA_F32");
  rows["V_MAD_MIXLO_F16"] =
      rows["V_MAD_MIXHI_F16"] = [fused = rows.at("V_FMA_F32"), narrow = rows.at("V_CVT_F16_F32")](In i) {
        LaneInput v = i;
        v.source[0][0] = fused(i).d[0];
        return narrow(v);
      };
  // Floating-point dot products: fused steps in the order of the guide's pseudo-code (or the high product
  // first, or the exact sum), nearest even. Subnormals of bf16 and f32 are flushed unless chosen otherwise,
  // those of f16 sources kept.
  const auto dot = [](In i, const Spec& s, uint32_t c, bool products_first) {
    ModeBits m;
    m.bits = i.mode.chosen("dot2_denorm", "keep") ? 0x2f0 : 0x200;  // nearest, IEEE
    const auto wide = [&](int operand, int n) -> uint64_t {
      const uint32_t x = i.element(operand, n, 16);
      if (s.exponent_bits == 8) return uint64_t{x} << 16;
      if (nan(kHalf, x)) return (x & 0x8000u) << 16 | 0x7f800000u | 0x400000u | (x & 0x3ffu) << 13;
      if (inf(kHalf, x)) return signed_code(kSingle, neg(kHalf, x), kSingle.infinity());
      if (zero(kHalf, x)) return signed_code(kSingle, neg(kHalf, x), 0);
      return rounded(kSingle, value(kHalf, x), kNearest);
    };
    const auto number = [&](uint64_t x) { return !nan(kSingle, x) && !inf(kSingle, x); };
    const uint64_t a0 = wide(0, 0), b0 = wide(1, 0), a1 = wide(0, 1), b1 = wide(1, 1);
    if (i.mode.chosen("dot2_sum", "exact") && number(a0) && number(b0) && number(a1) && number(b1) &&
        number(c)) {
      const auto term = [&](uint64_t x, uint64_t y) {
        const Parts p = parts(kSingle, take(kSingle, x, m)), q = parts(kSingle, take(kSingle, y, m));
        return exact_product(p.negative != q.negative, p.integer, q.integer, p.exponent + q.exponent);
      };
      const bool all_negative =
          neg(kSingle, a0) != neg(kSingle, b0) && neg(kSingle, a1) != neg(kSingle, b1) && neg(kSingle, c);
      const Exact sum = term(a0, b0) + term(a1, b1) + value(kSingle, take(kSingle, c, m));
      return word(finish(kSingle, sum, all_negative, m, kNearest));
    }
    const int first = i.mode.chosen("dot2_sum", "high_first") ? 1 : 0;
    uint64_t sum = c;
    for (const int n : {first, 1 - first}) {
      const uint64_t x = n == 0 ? a0 : a1, y = n == 0 ? b0 : b1;
      const bool opens = products_first && n == first;
      sum = opens ? mul(kSingle, x, y, m) : fma(kSingle, x, y, sum, 0, m);
    }
    return word(products_first ? add(kSingle, sum, c, m) : sum);
  };
  rows["V_DOT2_F32_BF16"] = [=](In i) { return dot(i, kBfloat, i.u32(2), true); };
  rows["V_DOT2_F32_F16"] = [=](In i) { return dot(i, kHalf, i.u32(2), false); };
  rows["V_DOT2C_F32_BF16"] = [=](In i) { return dot(i, kBfloat, i.old[0], false); };
  rows["V_DOT2C_F32_F16"] = [=](In i) { return dot(i, kHalf, i.old[0], false); };
}

const std::map<std::string, LaneFunction>& valu_oracle() {
  static const auto kRows = [] {
    std::map<std::string, LaneFunction> rows;
    add_integer_rows(rows);
    add_float_rows(rows);
    add_compare_rows(rows);
    add_convert_rows(rows);
    add_small_format_rows(rows);
    add_packed_rows(rows);
    return rows;
  }();
  return kRows;
}

}  // namespace wavetwin::reference
