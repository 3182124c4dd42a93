// SPDX-License-Identifier: MIT
#include "tests/oracle/salu_memory/scalar_oracle.h"

#include <bitset>

namespace wavetwin::reference {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

bool starts(const std::string& text, const char* part) { return text.rfind(part, 0) == 0; }
bool ends(const std::string& text, const std::string& part) {
  return text.size() >= part.size() && text.compare(text.size() - part.size(), part.size(), part) == 0;
}

// The numeric type of the operands, from the last part of the name.
struct Kind {
  unsigned bits = 32;
  bool is_signed = false;
};

Kind kind_of(const std::string& name) {
  Kind kind;
  kind.bits = name.find("64") != std::string::npos ? 64 : 32;
  kind.is_signed = ends(name, "_I32") || ends(name, "_I64");
  return kind;
}

uint64_t cut(uint64_t v, unsigned bits) { return bits == 64 ? v : v & 0xffffffffu; }
bool bit(uint64_t v, unsigned i) { return v >> i & 1; }

Int128 number(uint64_t v, Kind kind) {
  if (!kind.is_signed) return static_cast<Int128>(cut(v, kind.bits));
  return kind.bits == 32 ? static_cast<Int128>(static_cast<int32_t>(v))
                         : static_cast<Int128>(static_cast<int64_t>(v));
}

// "12.1: D = S0 op S1" bit by bit for the logical operations.
std::optional<bool> logic(const std::string& op, bool a, bool b) {
  if (op == "AND") return a && b;
  if (op == "OR") return a || b;
  if (op == "XOR") return a != b;
  if (op == "NAND") return !(a && b);
  if (op == "NOR") return !(a || b);
  if (op == "XNOR") return a == b;
  if (op == "ANDN2") return a && !b;
  if (op == "ORN2") return a || !b;
  if (op == "ANDN1") return !a && b;
  if (op == "ORN1") return !a || b;
  return std::nullopt;
}

std::optional<uint64_t> logic_word(const std::string& op, uint64_t a, uint64_t b, unsigned bits) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    const auto one = logic(op, bit(a, i), bit(b, i));
    if (!one) return std::nullopt;
    result |= uint64_t{*one} << i;
  }
  return result;
}

std::optional<bool> compare(const std::string& op, Int128 a, Int128 b) {
  if (op == "EQ") return a == b;
  if (op == "LG") return a != b;
  if (op == "GT") return a > b;
  if (op == "GE") return a >= b;
  if (op == "LT") return a < b;
  if (op == "LE") return a <= b;
  return std::nullopt;
}

// Number of equal bits counted from the top or bottom; -1 where the guide says so.
int64_t find_bit(uint64_t v, unsigned bits, bool wanted, bool from_top) {
  for (unsigned i = 0; i < bits; ++i) {
    if (bit(v, from_top ? bits - 1 - i : i) == wanted) return i;
  }
  return -1;
}

uint64_t field(uint64_t v, unsigned bits, unsigned offset, unsigned width, bool sign) {
  uint64_t result = 0;
  bool top = false;
  unsigned filled = 0;
  for (unsigned i = 0; i < width && offset + i < bits; ++i, ++filled) {
    top = bit(v, offset + i);
    result |= uint64_t{top} << i;
  }
  // A field that reaches past the top is the shifted value, whose own sign fills the rest.
  for (unsigned i = filled; i < bits; ++i) result |= uint64_t{sign && top} << i;
  return result;
}

std::optional<ScalarState> arithmetic(const std::string& name, uint64_t s0, uint64_t s1, ScalarState s) {
  const Uint128 a = cut(s0, 32), b = cut(s1, 32);
  const auto signed_range = [](Int128 v) { return v < INT32_MIN || v > INT32_MAX; };
  const Int128 ia = static_cast<int32_t>(s0), ib = static_cast<int32_t>(s1);
  const auto result = [&](Uint128 v, bool scc) {
    s.d = static_cast<uint32_t>(v);
    s.scc = scc;
    return s;
  };
  if (name == "S_ADD_U32") return result(a + b, (a + b) >> 32 != 0);
  if (name == "S_SUB_U32") return result(a - b, b > a);
  if (name == "S_ADD_I32") return result(a + b, signed_range(ia + ib));
  if (name == "S_SUB_I32") return result(a - b, signed_range(ia - ib));
  if (name == "S_ADDC_U32") return result(a + b + s.scc, (a + b + s.scc) >> 32 != 0);
  if (name == "S_SUBB_U32") return result(a - b - s.scc, b + s.scc > a);
  if (name == "S_MUL_I32") return result(a * b, s.scc);
  if (name == "S_MUL_HI_U32") return result(a * b >> 32, s.scc);
  if (name == "S_MUL_HI_I32") return result(static_cast<Uint128>(ia * ib >> 32), s.scc);
  if (name == "S_ABSDIFF_I32") {
    const Int128 difference = ia > ib ? ia - ib : ib - ia;
    return result(static_cast<Uint128>(difference), static_cast<uint32_t>(difference) != 0);
  }
  if (name == "S_ABS_I32") return result(static_cast<Uint128>(ia < 0 ? -ia : ia), ia != 0);
  for (unsigned k = 1; k <= 4; ++k) {
    const Uint128 sum = (a << k) + b;
    if (name == "S_LSHL" + std::to_string(k) + "_ADD_U32") return result(sum, sum >> 32 != 0);
  }
  if (name == "S_PACK_LL_B32_B16") return result((s0 & 0xffff) + (s1 & 0xffff) * 65536, s.scc);
  if (name == "S_PACK_LH_B32_B16") return result((s0 & 0xffff) + (s1 >> 16 & 0xffff) * 65536, s.scc);
  if (name == "S_PACK_HH_B32_B16") return result((s0 >> 16 & 0xffff) + (s1 >> 16 & 0xffff) * 65536, s.scc);
  return std::nullopt;
}

std::optional<ScalarState> shifts_and_fields(const std::string& name, uint64_t s0, uint64_t s1,
                                             ScalarState s) {
  const Kind kind = kind_of(name);
  const unsigned bits = kind.bits;
  const auto result = [&](uint64_t v) {
    s.d = cut(v, bits);
    s.scc = s.d != 0;
    return s;
  };
  const unsigned amount = s1 % bits;
  if (starts(name, "S_LSHL_B"))
    return result(amount == 0 ? s0 : field(s0, bits, 0, bits - amount, false) << amount);
  if (starts(name, "S_LSHR_B")) return result(field(s0, bits, amount, bits, false));
  if (starts(name, "S_ASHR_I")) return result(field(s0, bits, amount, bits, true));
  if (starts(name, "S_BFE_")) return result(field(s0, bits, amount, s1 >> 16 & 127, kind.is_signed));
  if (starts(name, "S_BFM_B")) {
    s.d = 0;
    for (unsigned i = 0; i < s0 % bits; ++i) {
      if (i + amount < bits) s.d |= uint64_t{1} << (i + amount);
    }
    return s;
  }
  return std::nullopt;
}

std::optional<ScalarState> one_source(const std::string& name, uint64_t s0, ScalarState s) {
  const unsigned in_bits = ends(name, "64") ? 64 : 32;
  const auto plain = [&](uint64_t v) {
    s.d = v;
    return s;
  };
  const auto with_scc = [&](uint64_t v) {
    s.d = v;
    s.scc = v != 0;
    return s;
  };
  const uint64_t v = cut(s0, in_bits);
  if (starts(name, "S_MOV_B")) return plain(v);
  if (starts(name, "S_CMOV_B")) return plain(s.scc ? v : s.d);
  if (starts(name, "S_NOT_B")) return with_scc(cut(~v, in_bits));
  if (starts(name, "S_BREV_B")) {
    uint64_t r = 0;
    for (unsigned i = 0; i < in_bits; ++i) r |= uint64_t{bit(v, i)} << (in_bits - 1 - i);
    return plain(r);
  }
  const uint64_t ones = std::bitset<64>(v).count();
  if (starts(name, "S_BCNT1_")) return with_scc(ones);
  if (starts(name, "S_BCNT0_")) return with_scc(in_bits - ones);
  if (starts(name, "S_FF0_")) return plain(static_cast<uint32_t>(find_bit(v, in_bits, false, false)));
  if (starts(name, "S_FF1_")) return plain(static_cast<uint32_t>(find_bit(v, in_bits, true, false)));
  if (starts(name, "S_FLBIT_I32_B")) return plain(static_cast<uint32_t>(find_bit(v, in_bits, true, true)));
  if (starts(name, "S_FLBIT_I32")) {
    return plain(static_cast<uint32_t>(find_bit(v, in_bits, !bit(v, in_bits - 1), true)));
  }
  if (name == "S_SEXT_I32_I8") return plain(field(v, 32, 0, 8, true));
  if (name == "S_SEXT_I32_I16") return plain(field(v, 32, 0, 16, true));
  uint64_t quads = 0, whole = 0, twice = 0;
  for (unsigned i = 0; i < in_bits; ++i) {
    if (bit(v, i)) {
      quads |= uint64_t{1} << i / 4;
      whole |= uint64_t{15} << i / 4 * 4;
      if (i < 32) twice |= uint64_t{3} << 2 * i;
    }
  }
  if (starts(name, "S_QUADMASK_B")) return with_scc(quads);
  if (starts(name, "S_WQM_B")) return with_scc(whole);
  if (name == "S_BITREPLICATE_B64_B32") return plain(twice);
  if (starts(name, "S_BITSET")) {
    const uint64_t mask = uint64_t{1} << s0 % in_bits;
    return plain(name[8] == '1' ? (s.d | mask) : (s.d & ~mask));
  }
  return std::nullopt;
}

// D = EXEC, EXEC = op(S0, EXEC), SCC = EXEC != 0; the WREXEC forms give the new EXEC.
std::optional<ScalarState> exec_masks(const std::string& name, uint64_t s0, ScalarState s) {
  const bool save = ends(name, "_SAVEEXEC_B64"), write = ends(name, "_WREXEC_B64");
  if (!save && !write) return std::nullopt;
  const std::string op = name.substr(2, name.find('_', 2) - 2);
  const uint64_t old = s.exec;
  s.exec = *logic_word(op, s0, old, 64);
  s.d = save ? old : s.exec;
  s.scc = s.exec != 0;
  return s;
}

std::optional<ScalarState> immediate_forms(const std::string& name, uint64_t s0, uint16_t simm16,
                                           ScalarState s) {
  const Int128 k = static_cast<int16_t>(simm16);
  if (name == "S_MOVK_I32" || (name == "S_CMOVK_I32" && s.scc)) {
    s.d = static_cast<uint32_t>(k);
    return s;
  }
  if (name == "S_CMOVK_I32") return s;
  if (name == "S_ADDK_I32") {
    const Int128 sum = static_cast<int32_t>(s.d) + k;
    s.d = static_cast<uint32_t>(sum);
    s.scc = sum < INT32_MIN || sum > INT32_MAX;
    return s;
  }
  if (name == "S_MULK_I32") {
    s.d = static_cast<uint32_t>(static_cast<int32_t>(s.d) * k);
    return s;
  }
  if (!starts(name, "S_CMPK_")) return std::nullopt;
  const bool is_signed = ends(name, "_I32");
  const auto holds = compare(name.substr(7, 2), number(s0, {32, is_signed}), is_signed ? k : Int128{simm16});
  s.scc = *holds;
  return s;
}

std::optional<ScalarState> two_sources(const std::string& name, uint64_t s0, uint64_t s1, ScalarState s) {
  const Kind kind = kind_of(name);
  if (starts(name, "S_CMP_")) {
    s.scc = *compare(name.substr(6, 2), number(s0, kind), number(s1, kind));
    return s;
  }
  if (starts(name, "S_BITCMP")) {
    s.scc = bit(s0, static_cast<unsigned>(s1 % kind.bits)) == (name[8] == '1');
    return s;
  }
  const bool is_min = starts(name, "S_MIN_"), is_max = starts(name, "S_MAX_");
  if (is_min || is_max) {
    const Int128 a = number(s0, kind), b = number(s1, kind);
    s.scc = is_min ? a < b : a >= b;
    s.d = cut(s.scc ? s0 : s1, 32);
    return s;
  }
  if (starts(name, "S_CSELECT_B")) {
    s.d = cut(s.scc ? s0 : s1, kind.bits);
    return s;
  }
  const size_t end = name.find("_B", 2);
  if (end == std::string::npos) return std::nullopt;
  const auto word = logic_word(name.substr(2, end - 2), s0, s1, kind.bits);
  if (!word) return std::nullopt;
  s.d = *word;
  s.scc = *word != 0;
  return s;
}

}  // namespace

std::optional<ScalarState> scalar_oracle(const std::string& name, uint64_t s0, uint64_t s1, uint16_t simm16,
                                         ScalarState before) {
  if (const auto s = exec_masks(name, s0, before)) return s;
  if (const auto s = immediate_forms(name, s0, simm16, before)) return s;
  if (const auto s = arithmetic(name, s0, s1, before)) return s;
  if (const auto s = shifts_and_fields(name, s0, s1, before)) return s;
  if (const auto s = two_sources(name, s0, s1, before)) return s;
  return one_source(name, s0, before);
}

}  // namespace wavetwin::reference
