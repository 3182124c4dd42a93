// SPDX-License-Identifier: MIT
#include "tests/oracle/salu_memory/memory_oracle.h"

#include <algorithm>
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

struct Format {
  int exponent, fraction;

  uint64_t sign_bit() const { return uint64_t{1} << (exponent + fraction); }
  uint64_t infinity() const { return ((uint64_t{1} << exponent) - 1) << fraction; }
  uint64_t quiet_bit() const { return uint64_t{1} << (fraction - 1); }
  uint64_t magnitude(uint64_t x) const { return x & (sign_bit() - 1); }
  bool nan(uint64_t x) const { return magnitude(x) > infinity(); }
  bool signaling(uint64_t x) const { return nan(x) && (x & quiet_bit()) == 0; }
  bool denormal(uint64_t x) const { return magnitude(x) != 0 && magnitude(x) >> fraction == 0; }
  uint64_t flushed(uint64_t x, bool flush) const { return flush && denormal(x) ? x & sign_bit() : x; }
};
constexpr Format kF16{5, 10}, kBf16{8, 7}, kF32{8, 23}, kF64{11, 52};

// Numbers in order, -0 below +0.
int64_t rank(uint64_t x, const Format& f) {
  const auto m = static_cast<int64_t>(f.magnitude(x));
  return x & f.sign_bit() ? -m - 1 : m;
}

// The float nearest to the sum, on the host's own float and double; the sum of two 16-bit floats is exact or
// decided in a float.
uint64_t host_sum(uint64_t a, uint64_t b, const Format& f) {
  if (f.exponent == 11) {
    double x, y;
    std::memcpy(&x, &a, 8);
    std::memcpy(&y, &b, 8);
    const double sum = x + y;
    uint64_t bits;
    std::memcpy(&bits, &sum, 8);
    return bits;
  }
  const auto as_float = [&](uint64_t v) {
    const double magnitude =
        f.magnitude(v) >> f.fraction == 0
            ? std::ldexp(static_cast<double>(f.magnitude(v)), 2 - (1 << (f.exponent - 1)) - f.fraction)
            : std::ldexp(
                  static_cast<double>((f.magnitude(v) & ((uint64_t{1} << f.fraction) - 1)) |
                                      uint64_t{1} << f.fraction),
                  static_cast<int>(f.magnitude(v) >> f.fraction) - (1 << (f.exponent - 1)) + 1 - f.fraction);
    return static_cast<float>(v & f.sign_bit() ? -magnitude : magnitude);
  };
  const float sum = as_float(a) + as_float(b);
  uint32_t bits;
  std::memcpy(&bits, &sum, 4);
  if (f.fraction == 23) return bits;
  // To 16 bits: the place of the last bit, then nearest even by the division's remainder.
  const uint64_t sign = bits >> 31 ? f.sign_bit() : 0;
  const double m = std::fabs(static_cast<double>(sum));
  if (m == 0) return sign;
  const int bias = (1 << (f.exponent - 1)) - 1;
  const int exponent = std::max(std::ilogb(m), 1 - bias);
  const double units = std::ldexp(m, f.fraction - exponent);
  double whole = std::floor(units);
  const double rest = units - whole;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) == 1)) whole += 1;
  const uint64_t code =
      static_cast<uint64_t>(whole) + (static_cast<uint64_t>(exponent + bias - 1) << f.fraction);
  return sign | std::min(code, f.infinity());
}

// Guide 9.2.2 and 9.2.3. `denorm` as in MODE: bit 0 keeps denormal inputs, bit 1 results.
uint64_t float_op(char which, uint64_t old, uint64_t data, uint64_t compare, const Format& f,
                  unsigned denorm) {
  const bool flush_in = (denorm & 1) == 0, flush_out = (denorm & 2) == 0;
  const uint64_t a = f.flushed(old, flush_in), b = f.flushed(data, flush_in);
  if (which == '=') {
    const uint64_t c = f.flushed(compare, flush_in);
    const bool equal = !f.nan(a) && !f.nan(c) && (a == c || (f.magnitude(a) == 0 && f.magnitude(c) == 0));
    return equal ? b : old;
  }
  if (which == '+') {
    if (f.nan(a)) return a | f.quiet_bit();
    if (f.nan(b)) return b | f.quiet_bit();
    if (f.magnitude(a) == f.infinity() || f.magnitude(b) == f.infinity()) {
      if (f.magnitude(a) == f.magnitude(b) && a != b) return f.sign_bit() | f.infinity() | f.quiet_bit();
      return f.magnitude(a) == f.infinity() ? a : b;
    }
    return f.flushed(host_sum(a, b, f), flush_out);
  }
  if (f.signaling(a)) return a | f.quiet_bit();
  if (f.signaling(b)) return b | f.quiet_bit();
  if (f.nan(a)) return data;
  if (f.nan(b)) return old;
  const bool old_wins = which == '<' ? rank(a, f) < rank(b, f) : rank(a, f) > rank(b, f);
  return old_wins ? old : data;
}

uint64_t both_halves(uint64_t old, uint64_t data, const Format& f, unsigned denorm) {
  return float_op('+', old & 0xffff, data & 0xffff, 0, f, denorm) |
         float_op('+', old >> 16 & 0xffff, data >> 16 & 0xffff, 0, f, denorm) << 16;
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
                       unsigned denorm) {
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
  if (op == "PK_ADD_F16") return both_halves(old, data, kF16, denorm);
  if (op == "PK_ADD_BF16") return both_halves(old, data, kBf16, denorm);
  const Format format = op.find("F64") != std::string::npos ? kF64 : kF32;
  const char which = starts(op, "ADD") ? '+' : starts(op, "MIN") ? '<' : starts(op, "MAX") ? '>' : '=';
  return float_op(which, old, data, compare, format, denorm);
}

}  // namespace wavetwin::reference
