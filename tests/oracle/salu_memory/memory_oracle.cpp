// SPDX-License-Identifier: MIT
#include "tests/oracle/salu_memory/memory_oracle.h"

#include <cmath>
#include <cstring>
#include <map>

namespace wavetwin::reference {
namespace {

bool starts(const std::string& text, const char* part) { return text.rfind(part, 0) == 0; }
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

unsigned dword_suffix(const std::string& name) {
  if (has(name, "DWORDX16")) return 64;
  if (has(name, "DWORDX2")) return 8;
  if (has(name, "DWORDX3")) return 12;
  if (has(name, "DWORDX4")) return 16;
  if (has(name, "DWORDX8")) return 32;
  return 4;
}

double value(uint64_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto field = static_cast<int>(bits >> fraction_bits & ((1u << exponent_bits) - 1));
  const double fraction =
      std::ldexp(static_cast<double>(bits & ((uint64_t{1} << fraction_bits) - 1)), -fraction_bits);
  const double magnitude =
      field == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, field - bias);
  return bits >> (exponent_bits + fraction_bits) & 1 ? -magnitude : magnitude;
}

// Bits of a number the format holds exactly.
uint64_t code(double v, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const uint64_t sign = uint64_t{std::signbit(v)} << (exponent_bits + fraction_bits);
  if (v == 0) return sign;
  int exponent = 0;
  const double mantissa = std::frexp(std::fabs(v), &exponent);  // [0.5, 1)
  const int field = exponent - 1 + bias;
  if (field <= 0) return sign | static_cast<uint64_t>(std::ldexp(std::fabs(v), bias - 1 + fraction_bits));
  const auto fraction = static_cast<uint64_t>(std::ldexp(mantissa * 2 - 1, fraction_bits));
  return sign | static_cast<uint64_t>(field) << fraction_bits | fraction;
}

struct Format {
  int exponent, fraction;
};
constexpr Format kF16{5, 10}, kBf16{8, 7}, kF32{8, 23}, kF64{11, 52};

uint64_t float_op(char which, uint64_t old, uint64_t data, uint64_t compare, Format f, bool flush) {
  const auto read = [&](uint64_t bits) {
    const double v = value(bits, f.exponent, f.fraction);
    return flush && std::fabs(v) < std::ldexp(1.0, 2 - (1 << (f.exponent - 1))) ? std::copysign(0.0, v) : v;
  };
  const double a = read(old), b = read(data);
  switch (which) {
    case '+': {
      const double sum = a + b;
      const bool tiny = flush && sum != 0 && std::fabs(sum) < std::ldexp(1.0, 2 - (1 << (f.exponent - 1)));
      return code(tiny ? std::copysign(0.0, sum) : sum, f.exponent, f.fraction);
    }
    case '<':
      return code(b < a ? b : a, f.exponent, f.fraction);
    case '>':
      return code(b > a ? b : a, f.exponent, f.fraction);
    default:
      return a == read(compare) ? data : old;
  }
}

uint64_t both_halves(uint64_t old, uint64_t data, Format f) {
  return float_op('+', old & 0xffff, data & 0xffff, 0, f, false) |
         float_op('+', old >> 16 & 0xffff, data >> 16 & 0xffff, 0, f, false) << 16;
}

}  // namespace

std::optional<Meaning> vector_memory_meaning(const std::string& name) {
  Meaning m;
  m.high_half = has(name, "D16_HI");
  m.low_half = has(name, "D16") && !m.high_half;
  if (starts(name, "LOAD_") || starts(name, "STORE_")) {
    if (has(name, "FORMAT") || has(name, "LDS")) return std::nullopt;
    m.access = starts(name, "LOAD_") ? Access::load : Access::store;
    m.sign = has(name, "SBYTE") || has(name, "SSHORT");
    m.bytes = has(name, "BYTE") ? 1 : has(name, "SHORT") ? 2 : dword_suffix(name);
    return m;
  }
  if (!starts(name, "ATOMIC_")) return std::nullopt;
  m.access = Access::atomic;
  m.bytes = has(name, "_X2") || has(name, "F64") ? 8 : 4;
  m.op = name.substr(7, has(name, "_X2") ? name.size() - 10 : std::string::npos);
  return m;
}

std::optional<Meaning> ds_meaning(const std::string& name) {
  static const std::map<std::string, unsigned> kWidths{{"B8", 1},   {"U8", 1},   {"I8", 1},  {"B16", 2},
                                                       {"U16", 2},  {"I16", 2},  {"B32", 4}, {"B64", 8},
                                                       {"B96", 12}, {"B128", 16}};
  Meaning m;
  m.high_half = has(name, "D16_HI");
  m.low_half = has(name, "D16") && !m.high_half;
  if (starts(name, "READ_") || starts(name, "WRITE_")) {
    m.access = starts(name, "READ_") ? Access::load : Access::store;
    const size_t at = name.find('_') + 1;
    const auto width = kWidths.find(name.substr(at, name.find('_', at) - at));
    if (width == kWidths.end() || has(name, "_TR_")) return std::nullopt;
    m.bytes = width->second;
    m.sign = has(name, "_I8") || has(name, "_I16");
    return m;
  }
  m.access = Access::atomic;
  std::string op = name;
  if (const size_t rtn = op.find("_RTN"); rtn != std::string::npos) op.erase(rtn, 4);
  m.bytes = has(op, "64") ? 8 : 4;
  static const std::map<std::string, std::string> kOps{
      {"ADD_U", "ADD"},     {"SUB_U", "SUB"},       {"RSUB_U", "RSUB"},   {"INC_U", "INC"},
      {"DEC_U", "DEC"},     {"MIN_I", "SMIN"},      {"MAX_I", "SMAX"},    {"MIN_U", "UMIN"},
      {"MAX_U", "UMAX"},    {"AND_B", "AND"},       {"OR_B", "OR"},       {"XOR_B", "XOR"},
      {"MSKOR_B", "MSKOR"}, {"CMPST_B", "CMPSWAP"}, {"WRXCHG_B", "SWAP"}, {"WRAP_B", "WRAP"}};
  if (op.size() > 2) {
    if (const auto it = kOps.find(op.substr(0, op.size() - 2)); it != kOps.end()) {
      m.op = it->second;
      return m;
    }
  }
  static const std::map<std::string, std::string> kFloats{{"CMPST_F32", "CMPSWAP_F32"},
                                                          {"CMPST_F64", "CMPSWAP_F64"}};
  if (const auto it = kFloats.find(op); it != kFloats.end()) {
    m.op = it->second;
    return m;
  }
  if (has(op, "_F32") || has(op, "_F64") || starts(op, "PK_ADD_")) {
    m.op = op;
    return m;
  }
  return std::nullopt;
}

uint64_t atomic_oracle(const std::string& op, unsigned bytes, uint64_t old, uint64_t data, uint64_t compare,
                       bool flush) {
  const uint64_t all = bytes == 8 ? ~uint64_t{0} : 0xffffffffu;
  const auto as_signed = [&](uint64_t v) {
    return bytes == 8 ? static_cast<int64_t>(v) : int64_t{static_cast<int32_t>(static_cast<uint32_t>(v))};
  };
  old &= all;
  data &= all;
  compare &= all;
  if (op == "SWAP") return data;
  if (op == "CMPSWAP") return old == compare ? data : old;
  if (op == "ADD") return (old + data) & all;
  if (op == "SUB") return (old - data) & all;
  if (op == "RSUB") return (data - old) & all;
  if (op == "SMIN") return as_signed(data) < as_signed(old) ? data : old;
  if (op == "SMAX") return as_signed(data) > as_signed(old) ? data : old;
  if (op == "UMIN") return data < old ? data : old;
  if (op == "UMAX") return data > old ? data : old;
  if (op == "AND") return old & data;
  if (op == "OR") return old | data;
  if (op == "XOR") return old ^ data;
  if (op == "INC") return old >= data ? 0 : old + 1;
  if (op == "DEC") return old == 0 || old > data ? data : old - 1;
  if (op == "MSKOR") return (old & ~compare) | data;
  if (op == "WRAP") return old >= compare ? old - compare : (old + data) & all;
  if (op == "PK_ADD_F16") return both_halves(old, data, kF16);
  if (op == "PK_ADD_BF16") return both_halves(old, data, kBf16);
  const Format format = op.find("F64") != std::string::npos ? kF64 : kF32;
  const char which = starts(op, "ADD") ? '+' : starts(op, "MIN") ? '<' : starts(op, "MAX") ? '>' : '=';
  return float_op(which, old, data, compare, format, flush);
}

}  // namespace wavetwin::reference
