// SPDX-License-Identifier: MIT
#include "tests/oracle/isa/valu_matrix.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <map>

namespace wavetwin::reference {
namespace {

constexpr const char* kSmallFormats[] = {"FP8", "BF8", "FP6", "BF6", "FP4"};

bool small_shape(const MatrixShape& s) { return s.k * s.m == 2048; }  // F8F6F4

// A or B: `line` is a row of A or a column of B, `lines` their number. The 8-bit formats of F8F6F4 hold k in
// two runs of 16 (tables of 7.1.5.1), everything else in one run of K_L (7.1.4.1).
MatrixPlace input_place(const MatrixShape& s, unsigned lines, unsigned block, unsigned line, unsigned k,
                        const std::string& format) {
  const unsigned per_lane = s.k / (64 / (lines * s.blocks));
  if (small_shape(s) && format_width(format) == 8) {
    const unsigned half = s.k / 2;
    return {line + lines * (k % half / 16), k / half * 16 + k % 16};
  }
  return {line + lines * (block + s.blocks * (k / per_lane)), k % per_lane};
}

}  // namespace

std::optional<MatrixShape> matrix_shape(const std::string& name, unsigned cbsz, unsigned blgp) {
  MatrixShape s;
  char result[4], rest[32];
  if (std::sscanf(name.c_str(), "V_MFMA_%3[A-Z0-9]_%uX%uX%u_%31s", result, &s.m, &s.n, &s.k, rest) != 5)
    return std::nullopt;
  s.result = result;
  std::string formats = rest;
  if (const size_t b = formats.find("B_"); b != std::string::npos && b <= 2) {
    s.blocks = static_cast<unsigned>(std::stoul(formats));
    formats = formats.substr(b + 2);
  }
  if (formats == "F8F6F4") {
    if (cbsz > 4 || blgp > 4) return std::nullopt;
    s.a = kSmallFormats[cbsz];
    s.b = kSmallFormats[blgp];
    return s;
  }
  const size_t between = formats.find('_');
  s.a = formats.substr(0, between);
  s.b = between == std::string::npos ? s.a : formats.substr(between + 1);
  return s;
}

unsigned format_width(const std::string& format) {
  static const std::map<std::string, unsigned> kWidths{{"F16", 16}, {"BF16", 16}, {"F32", 32}, {"I32", 32},
                                                       {"F64", 64}, {"I8", 8},    {"FP8", 8},  {"BF8", 8},
                                                       {"FP6", 6},  {"BF6", 6},   {"FP4", 4}};
  return kWidths.at(format);
}

uint64_t integer_code(const std::string& format, int value) {
  const unsigned width = format_width(format);
  if (format == "I8" || format == "I32") return static_cast<uint32_t>(value) & (width == 8 ? 0xffu : ~0u);
  const float f = static_cast<float>(value);
  const double d = value;
  uint32_t single;
  uint64_t twofold;
  std::memcpy(&single, &f, 4);
  std::memcpy(&twofold, &d, 8);
  if (format == "F64") return twofold;
  if (format == "F32") return single;
  if (format == "BF16") return single >> 16;
  // Magnitudes 0 to 3, then the sign on top.
  static const std::map<std::string, std::array<uint32_t, 4>> kCodes{
      {"F16", {0, 0x3c00, 0x4000, 0x4200}}, {"FP8", {0, 0x38, 0x40, 0x44}}, {"BF8", {0, 0x3c, 0x40, 0x42}},
      {"FP6", {0, 0x08, 0x10, 0x14}},       {"BF6", {0, 0x0c, 0x10, 0x12}}, {"FP4", {0, 0x2, 0x4, 0x5}}};
  const unsigned magnitude = static_cast<unsigned>(value < 0 ? -value : value);
  return kCodes.at(format)[magnitude] | (value < 0 ? 1u << (width - 1) : 0u);
}

MatrixPlace a_place(const MatrixShape& s, unsigned block, unsigned i, unsigned k) {
  return input_place(s, s.m, block, i, k, s.a);
}

MatrixPlace b_place(const MatrixShape& s, unsigned block, unsigned k, unsigned j) {
  return input_place(s, s.n, block, j, k, s.b);
}

// 7.1.4.2, in its letters, but for f64 4x4x4: users who probed it on gfx90a found rows 16 lanes apart.
MatrixPlace d_place(const MatrixShape& s, unsigned block, unsigned i, unsigned j) {
  if (s.result == "F64" && s.m == 4) return {16 * i + 4 * block + j, 0};
  const unsigned h = s.result == "F64" ? 1 : 4;
  const unsigned area = s.n * s.m / h;
  const unsigned b_i = (64 + area - 1) / area;
  const unsigned m_i = 64 / b_i / s.n;
  const unsigned g = s.m / (h * m_i);
  return {j + s.n * (i / h % m_i + m_i * (block % b_i)), i % h + h * (i / (h * m_i) + g * (block / b_i))};
}

}  // namespace wavetwin::reference
