// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>

#include "tests/oracle/isa/valu_oracle.h"

namespace wavetwin::reference {
namespace {

using In = const LaneInput&;
using Rows = std::map<std::string, LaneFunction>;

uint32_t fit_u32(__int128 v, bool clamp) { return static_cast<uint32_t>(fit(v, 0, kU32, clamp)); }
uint32_t fit_i32(__int128 v, bool clamp) { return static_cast<uint32_t>(fit(v, kI32Low, kI32High, clamp)); }
uint32_t fit_u16(__int128 v, bool clamp) { return static_cast<uint16_t>(fit(v, 0, 0xffff, clamp)); }
uint32_t fit_i16(__int128 v, bool clamp) { return static_cast<uint16_t>(fit(v, -32768, 32767, clamp)); }
int32_t signed24(uint32_t v) { return static_cast<int32_t>((v & 0xffffff) ^ 0x800000) - 0x800000; }

// |x - y| summed over bytes; guide, V_SAD_U8 and V_MSAD_U8.
uint64_t byte_differences(uint64_t x, uint32_t y, bool skip_zero) {
  uint64_t sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int p = static_cast<int>(x >> (8 * i) & 255), q = static_cast<int>(y >> (8 * i) & 255);
    if (!(skip_zero && q == 0)) sum += static_cast<uint64_t>(std::abs(p - q));
  }
  return sum;
}

void add_moves(Rows& rows) {
  rows["V_MOV_B32"] = [](In i) { return word(i.u32(0)); };
  rows["V_MOV_B64"] = [](In i) { return two_words(i.u64(0)); };
  rows["V_CNDMASK_B32"] = [](In i) { return word(i.mask_source ? i.u32(1) : i.u32(0)); };
  rows["V_PACK_B32_F16"] = [](In i) { return halves(i.u16(0), i.u16(1)); };
  rows["V_PK_MOV_B32"] = [](In i) { return two_words(i.u32(0) | uint64_t{i.u32(1)} << 32); };
}

void add_bit_rows(Rows& rows) {
  rows["V_NOT_B32"] = [](In i) { return word(i.u32(0) ^ 0xffffffffu); };
  rows["V_AND_B32"] = [](In i) { return word(i.u32(0) & i.u32(1)); };
  rows["V_OR_B32"] = [](In i) { return word(i.u32(0) | i.u32(1)); };
  rows["V_XOR_B32"] = [](In i) { return word(i.u32(0) ^ i.u32(1)); };
  rows["V_XNOR_B32"] = [](In i) { return word(~i.u32(0) ^ i.u32(1)); };
  rows["V_AND_OR_B32"] = [](In i) { return word((i.u32(0) & i.u32(1)) | i.u32(2)); };
  rows["V_OR3_B32"] = [](In i) { return word(i.u32(0) | i.u32(1) | i.u32(2)); };
  rows["V_BFI_B32"] = [](In i) {
    uint32_t d = 0;
    for (int b = 0; b < 32; ++b) d |= (i.u32(0) >> b & 1 ? i.u32(1) >> b & 1 : i.u32(2) >> b & 1) << b;
    return word(d);
  };
  rows["V_BFREV_B32"] = [](In i) {
    uint32_t d = 0;
    for (int b = 0; b < 32; ++b) d |= (i.u32(0) >> b & 1) << (31 - b);
    return word(d);
  };
  rows["V_FFBH_U32"] = [](In i) {
    for (int b = 0; b < 32; ++b)
      if (i.u32(0) >> (31 - b) & 1) return word(b);
    return word(0xffffffffu);
  };
  rows["V_FFBL_B32"] = [](In i) {
    for (int b = 0; b < 32; ++b)
      if (i.u32(0) >> b & 1) return word(b);
    return word(0xffffffffu);
  };
  rows["V_FFBH_I32"] = [](In i) {
    for (int b = 1; b < 32; ++b)
      if ((i.u32(0) >> (31 - b) & 1) != i.u32(0) >> 31) return word(b);
    return word(0xffffffffu);
  };
  rows["V_BCNT_U32_B32"] = [](In i) { return word(i.u32(1) + __builtin_popcount(i.u32(0))); };
  rows["V_MBCNT_LO_U32_B32"] = [](In i) {
    uint32_t n = i.u32(1);
    for (unsigned b = 0; b < 32 && b < i.lane; ++b) n += i.u32(0) >> b & 1;
    return word(n);
  };
  rows["V_MBCNT_HI_U32_B32"] = [](In i) {
    uint32_t n = i.u32(1);
    for (unsigned b = 32; b < i.lane; ++b) n += i.u32(0) >> (b - 32) & 1;
    return word(n);
  };
  rows["V_BFM_B32"] = [](In i) { return word(((uint64_t{1} << (i.u32(0) % 32)) - 1) << (i.u32(1) % 32)); };
  rows["V_BFE_U32"] = [](In i) {
    uint32_t d = 0;
    const unsigned from = i.u32(1) % 32, width = i.u32(2) % 32;
    for (unsigned b = 0; b < width && from + b < 32; ++b) d |= (i.u32(0) >> (from + b) & 1) << b;
    return word(d);
  };
  rows["V_BFE_I32"] = [](In i) {  // bits above the source are copies of its sign
    const unsigned from = i.u32(1) % 32, width = i.u32(2) % 32;
    if (width == 0) return word(0);
    uint32_t d = 0;
    for (unsigned b = 0; b < 32; ++b) {
      const unsigned at = std::min(31u, from + std::min(b, width - 1));
      d |= (i.u32(0) >> at & 1) << b;
    }
    return word(d);
  };
  const auto truth_table = [](In i) {
    uint32_t d = 0;
    for (int b = 0; b < 32; ++b) {
      const unsigned index = (i.u32(0) >> b & 1) * 4 + (i.u32(1) >> b & 1) * 2 + (i.u32(2) >> b & 1);
      d |= (i.truth_table >> index & 1) << b;
    }
    return d;
  };
  rows["V_BITOP3_B32"] = [truth_table](In i) { return word(truth_table(i)); };
  rows["V_BITOP3_B16"] = [truth_table](In i) { return word(truth_table(i) & 0xffff); };
  rows["V_PERM_B32"] = [](In i) {
    uint32_t d = 0;
    for (int b = 0; b < 4; ++b) {
      const unsigned s = i.element(2, b, 8);
      const auto data = [&](unsigned n) { return n < 4 ? i.element(1, n, 8) : i.element(0, n - 4, 8); };
      const uint32_t byte = s >= 13   ? 0xff
                            : s == 12 ? 0
                            : s >= 8  ? (data(2 * (s - 8) + 1) >= 128 ? 0xff : 0)
                                      : data(s);
      d |= byte << (8 * b);
    }
    return word(d);
  };
  rows["V_ALIGNBIT_B32"] = [](In i) { return word((i.u32(1) | uint64_t{i.u32(0)} << 32) >> i.u32(2) % 32); };
  rows["V_ALIGNBYTE_B32"] = [](In i) {
    return word((i.u32(1) | uint64_t{i.u32(0)} << 32) >> (i.u32(2) % 4) * 8);
  };
  // Vega ISA guide: the 32-pixel tiles of a rectangle, by its corners {x_min, y_min, x_max, y_max}[6:5]; a
  // pixel belongs to shader engine {x[5] ^ y[6], y[5] ^ x[6]}. Tiles count modulo 4.
  rows["V_SCREEN_PARTITION_4SE_B32"] = [](In i) {
    uint32_t engines = 0;
    const uint32_t corners = i.u32(0);
    for (uint32_t x = corners / 64 % 4 * 32;; x = (x + 32) % 128) {
      for (uint32_t y = corners / 16 % 4 * 32;; y = (y + 32) % 128) {
        const bool high = (x / 32 + y / 64) % 2, low = (y / 32 + x / 64) % 2;
        engines |= high ? (low ? 8 : 4) : (low ? 2 : 1);
        if (y / 32 == corners % 4) break;
      }
      if (x / 32 == corners / 4 % 4) break;
    }
    return word(engines);
  };
  rows["V_PRNG_B32"] = [](In i) { return word(i.u32(0) * 2 ^ (i.i32(0) < 0 ? 197 : 0)); };
}

void add_shift_rows(Rows& rows) {
  rows["V_LSHRREV_B32"] = [](In i) { return word(i.u32(1) >> i.u32(0) % 32); };
  rows["V_LSHLREV_B32"] = [](In i) { return word(uint64_t{i.u32(1)} << i.u32(0) % 32); };
  rows["V_ASHRREV_I32"] = [](In i) {
    return word(static_cast<uint64_t>(int64_t{i.i32(1)} >> i.u32(0) % 32));
  };
  rows["V_LSHLREV_B16"] = [](In i) { return word(i.u16(1) << i.u16(0) % 16 & 0xffff); };
  rows["V_LSHRREV_B16"] = [](In i) { return word(i.u16(1) >> i.u16(0) % 16); };
  rows["V_ASHRREV_I16"] = [](In i) { return word(i.i16(1) >> i.u16(0) % 16 & 0xffff); };
  rows["V_LSHLREV_B64"] = [](In i) { return two_words(i.u64(1) << i.u32(0) % 64); };
  rows["V_LSHRREV_B64"] = [](In i) { return two_words(i.u64(1) >> i.u32(0) % 64); };
  rows["V_ASHRREV_I64"] = [](In i) { return two_words(static_cast<uint64_t>(i.i64(1) >> i.u32(0) % 64)); };
  rows["V_LSHL_ADD_U32"] = [](In i) { return word((uint64_t{i.u32(0)} << i.u32(1) % 32) + i.u32(2)); };
  rows["V_ADD_LSHL_U32"] = [](In i) { return word((uint64_t{i.u32(0)} + i.u32(1)) << i.u32(2) % 32); };
  rows["V_LSHL_OR_B32"] = [](In i) { return word(uint64_t{i.u32(0)} << i.u32(1) % 32 | i.u32(2)); };
  rows["V_LSHL_ADD_U64"] = [](In i) {  // counts above 4 are no shift
    const uint32_t count = i.u32(1) % 8;
    return two_words((i.u64(0) << (count > 4 ? 0 : count)) + i.u64(2));
  };
  const auto shifted_pair = [](In i, int32_t low, int32_t high) {
    const int64_t a = i.i32(0) >> i.u32(2) % 32, b = i.i32(1) >> i.u32(2) % 32;
    return word((std::clamp<int64_t>(a, low, high) & 255) | (std::clamp<int64_t>(b, low, high) & 255) << 8);
  };
  rows["V_ASHR_PK_I8_I32"] = [=](In i) { return shifted_pair(i, -128, 127); };
  rows["V_ASHR_PK_U8_I32"] = [=](In i) { return shifted_pair(i, 0, 255); };
}

void add_sum_rows(Rows& rows) {
  using W = __int128;
  rows["V_ADD_U32"] = [](In i) { return word(fit_u32(W{i.u32(0)} + i.u32(1), i.clamp)); };
  rows["V_SUB_U32"] = [](In i) { return word(fit_u32(W{i.u32(0)} - i.u32(1), i.clamp)); };
  rows["V_SUBREV_U32"] = [](In i) { return word(fit_u32(W{i.u32(1)} - i.u32(0), i.clamp)); };
  rows["V_ADD_I32"] = [](In i) { return word(fit_i32(W{i.i32(0)} + i.i32(1), i.clamp)); };
  rows["V_SUB_I32"] = [](In i) { return word(fit_i32(W{i.i32(0)} - i.i32(1), i.clamp)); };
  rows["V_ADD_U16"] = [](In i) { return word(fit_u16(W{i.u16(0)} + i.u16(1), i.clamp)); };
  rows["V_SUB_U16"] = [](In i) { return word(fit_u16(W{i.u16(0)} - i.u16(1), i.clamp)); };
  rows["V_SUBREV_U16"] = [](In i) { return word(fit_u16(W{i.u16(1)} - i.u16(0), i.clamp)); };
  rows["V_ADD_I16"] = [](In i) { return word(fit_i16(W{i.i16(0)} + i.i16(1), i.clamp)); };
  rows["V_SUB_I16"] = [](In i) { return word(fit_i16(W{i.i16(0)} - i.i16(1), i.clamp)); };
  rows["V_ADD3_U32"] = [](In i) { return word(uint64_t{i.u32(0)} + i.u32(1) + i.u32(2)); };
  rows["V_XAD_U32"] = [](In i) { return word(uint64_t{i.u32(0) ^ i.u32(1)} + i.u32(2)); };
  // Carry and borrow out of the unsaturated operation.
  const auto with_carry = [&rows](const char* name, auto exact) {
    rows[name] = [exact](In i) {
      const W v = exact(i);
      return word(fit_u32(v, i.clamp), v < 0 || v > kU32);
    };
  };
  with_carry("V_ADD_CO_U32", [](In i) { return W{i.u32(0)} + i.u32(1); });
  with_carry("V_SUB_CO_U32", [](In i) { return W{i.u32(0)} - i.u32(1); });
  with_carry("V_SUBREV_CO_U32", [](In i) { return W{i.u32(1)} - i.u32(0); });
  with_carry("V_ADDC_CO_U32", [](In i) { return W{i.u32(0)} + i.u32(1) + i.mask_source; });
  with_carry("V_SUBB_CO_U32", [](In i) { return W{i.u32(0)} - i.u32(1) - i.mask_source; });
  with_carry("V_SUBBREV_CO_U32", [](In i) { return W{i.u32(1)} - i.u32(0) - i.mask_source; });
}

void add_product_rows(Rows& rows) {
  using W = __int128;
  rows["V_MUL_I32_I24"] = [](In i) {
    return word(fit_i32(W{signed24(i.u32(0))} * signed24(i.u32(1)), i.clamp));
  };
  rows["V_MUL_HI_I32_I24"] = [](In i) {
    return word(static_cast<uint64_t>(int64_t{signed24(i.u32(0))} * signed24(i.u32(1)) >> 32));
  };
  rows["V_MUL_U32_U24"] = [](In i) {
    return word(fit_u32(W{i.u32(0) % (1 << 24)} * (i.u32(1) % (1 << 24)), i.clamp));
  };
  rows["V_MUL_HI_U32_U24"] = [](In i) {
    return word(uint64_t{i.u32(0) % (1 << 24)} * (i.u32(1) % (1 << 24)) >> 32);
  };
  rows["V_MAD_I32_I24"] = [](In i) {
    return word(fit_i32(W{signed24(i.u32(0))} * signed24(i.u32(1)) + i.i32(2), i.clamp));
  };
  rows["V_MAD_U32_U24"] = [](In i) {
    return word(fit_u32(W{i.u32(0) % (1 << 24)} * (i.u32(1) % (1 << 24)) + i.u32(2), i.clamp));
  };
  rows["V_MUL_LO_U32"] = [](In i) { return word(uint64_t{i.u32(0)} * i.u32(1)); };
  rows["V_MUL_HI_U32"] = [](In i) { return word(uint64_t{i.u32(0)} * i.u32(1) >> 32); };
  rows["V_MUL_HI_I32"] = [](In i) { return word(static_cast<uint64_t>(int64_t{i.i32(0)} * i.i32(1) >> 32)); };
  rows["V_MUL_LO_U16"] = [](In i) { return word(uint64_t{i.u16(0)} * i.u16(1) & 0xffff); };
  rows["V_MAD_U32_U16"] = [](In i) { return word(fit_u32(W{i.u16(0)} * i.u16(1) + i.u32(2), i.clamp)); };
  rows["V_MAD_I32_I16"] = [](In i) { return word(fit_i32(W{i.i16(0)} * i.i16(1) + i.i32(2), i.clamp)); };
  rows["V_MAD_U16"] = rows["V_MAD_LEGACY_U16"] = [](In i) {
    return word(fit_u16(W{i.u16(0)} * i.u16(1) + i.u16(2), i.clamp));
  };
  rows["V_MAD_I16"] = rows["V_MAD_LEGACY_I16"] = [](In i) {
    return word(fit_i16(W{i.i16(0)} * i.i16(1) + i.i16(2), i.clamp));
  };
  rows["V_MAD_U64_U32"] = [](In i) {  // {D1, D} is the 65-bit result
    const unsigned __int128 v = static_cast<unsigned __int128>(i.u32(0)) * i.u32(1) + i.u64(2);
    const bool top = v >> 64 & 1;
    return two_words(i.clamp && top ? ~uint64_t{0} : static_cast<uint64_t>(v), top);
  };
  rows["V_MAD_I64_I32"] = [](In i) {
    const W v = W{i.i32(0)} * i.i32(1) + i.i64(2);
    const W high = (W{1} << 63) - 1;
    return two_words(static_cast<uint64_t>(fit(v, -high - 1, high, i.clamp)), v >> 64 & 1);
  };
}

void add_order_rows(Rows& rows) {
  const auto family = [&rows](const std::string& type, auto get) {
    rows["V_MIN_" + type] = [get](In i) {
      return word(static_cast<uint64_t>(std::min(get(i, 0), get(i, 1))));
    };
    rows["V_MAX_" + type] = [get](In i) {
      return word(static_cast<uint64_t>(std::max(get(i, 0), get(i, 1))));
    };
    const auto sorted = [get](In i, int rank) {
      std::array<int64_t, 3> v{get(i, 0), get(i, 1), get(i, 2)};
      std::sort(v.begin(), v.end());
      return word(static_cast<uint64_t>(v[rank]));
    };
    rows["V_MIN3_" + type] = [sorted](In i) { return sorted(i, 0); };
    rows["V_MED3_" + type] = [sorted](In i) { return sorted(i, 1); };
    rows["V_MAX3_" + type] = [sorted](In i) { return sorted(i, 2); };
  };
  family("I32", [](In i, int n) { return int64_t{i.i32(n)}; });
  family("U32", [](In i, int n) { return int64_t{i.u32(n)}; });
  family("I16", [](In i, int n) { return int64_t{i.i16(n)}; });
  family("U16", [](In i, int n) { return int64_t{i.u16(n)}; });
  for (const char* name : {"V_MIN_I16", "V_MAX_I16", "V_MIN3_I16", "V_MED3_I16", "V_MAX3_I16"}) {
    rows[name] = [inner = rows[name]](In i) { return word(inner(i).d[0] & 0xffff); };
  }
}

void add_sad_rows(Rows& rows) {
  using W = __int128;
  rows["V_SAD_U8"] = [](In i) {
    return word(fit_u32(W{byte_differences(i.u32(0), i.u32(1), false)} + i.u32(2), i.clamp));
  };
  rows["V_MSAD_U8"] = [](In i) {
    return word(fit_u32(W{byte_differences(i.u32(0), i.u32(1), true)} + i.u32(2), i.clamp));
  };
  rows["V_SAD_HI_U8"] = [](In i) {
    return word(fit_u32(W{byte_differences(i.u32(0), i.u32(1), false) * 65536} + i.u32(2), i.clamp));
  };
  rows["V_SAD_U16"] = [](In i) {
    W sum = i.u32(2);
    for (int n = 0; n < 2; ++n) sum += std::abs(int(i.element(0, n, 16)) - int(i.element(1, n, 16)));
    return word(fit_u32(sum, i.clamp));
  };
  rows["V_SAD_U32"] = [](In i) {
    return word(fit_u32(W{std::max(i.u32(0), i.u32(1)) - std::min(i.u32(0), i.u32(1))} + i.u32(2), i.clamp));
  };
  const auto windows = [](In i, bool masked, int width) {
    LaneResult r;
    for (int n = 0; n < 4; ++n) {
      const uint64_t sum = byte_differences(i.u64(0) >> (8 * n), i.u32(1), masked) + i.element(2, n, width);
      if (width == 32)
        r.d[n] = static_cast<uint32_t>(sum);
      else
        r.d[n / 2] |= static_cast<uint32_t>(sum & 0xffff) << (16 * (n % 2));
    }
    return r;
  };
  rows["V_QSAD_PK_U16_U8"] = [=](In i) { return windows(i, false, 16); };
  rows["V_MQSAD_PK_U16_U8"] = [=](In i) { return windows(i, true, 16); };
  rows["V_MQSAD_U32_U8"] = [=](In i) { return windows(i, true, 32); };
  rows["V_LERP_U8"] = [](In i) {
    uint32_t d = 0;
    for (int n = 0; n < 4; ++n)
      d |= ((i.element(0, n, 8) + i.element(1, n, 8) + i.element(2, n, 8) % 2) / 2) << (8 * n);
    return word(d);
  };
  rows["V_SAT_PK_U8_I16"] = [](In i) {
    const auto sat = [&](int n) { return std::clamp(i.signed_element(0, n, 16), 0, 255); };
    return word(sat(0) | sat(1) << 8);
  };
}

// Integer dot products: exact sum, then CLAMP or wrap. guide, V_DOT4_I32_I8 and its kin; the C forms add to
// D.
void add_dot_rows(Rows& rows) {
  const auto dot = [&rows](const char* name, int width, bool is_signed, bool accumulates) {
    rows[name] = [=](In i) {
      const uint32_t c = accumulates ? i.old[0] : i.u32(2);
      __int128 sum = is_signed ? __int128{static_cast<int32_t>(c)} : __int128{c};
      for (int n = 0; n < 32 / width; ++n) {
        sum += is_signed ? __int128{i.signed_element(0, n, width)} * i.signed_element(1, n, width)
                         : __int128{i.element(0, n, width)} * i.element(1, n, width);
      }
      return word(is_signed ? fit_i32(sum, i.clamp) : fit_u32(sum, i.clamp));
    };
  };
  dot("V_DOT2C_I32_I16", 16, true, true);
  dot("V_DOT4C_I32_I8", 8, true, true);
  dot("V_DOT8C_I32_I4", 4, true, true);
  dot("V_DOT2_I32_I16", 16, true, false);
  dot("V_DOT2_U32_U16", 16, false, false);
  dot("V_DOT4_I32_I8", 8, true, false);
  dot("V_DOT4_U32_U8", 8, false, false);
  dot("V_DOT8_I32_I4", 4, true, false);
  dot("V_DOT8_U32_U4", 4, false, false);
}

}  // namespace

void add_integer_rows(Rows& rows) {
  add_moves(rows);
  add_bit_rows(rows);
  add_shift_rows(rows);
  add_sum_rows(rows);
  add_product_rows(rows);
  add_order_rows(rows);
  add_sad_rows(rows);
  add_dot_rows(rows);
}

}  // namespace wavetwin::reference
