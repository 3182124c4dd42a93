// SPDX-License-Identifier: MIT
// Which registers and constants a matrix instruction takes for A, B, C and D, and that of MODE only what the
// guide names reaches it (CDNA4 ISA guide 7.1, 7.1.2, 7.1.5, 7.4, 7.5).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "tests/isa/valu/matrix_bench.h"
#include "tests/isa/valu/refusal.h"

using namespace wavetwin;
using namespace wavetwin::isa;
using namespace wavetwin::test;

namespace {

bool is_sparse(const Row& row) { return row.format == Format::mai && row.name.starts_with("V_SMFMAC"); }
bool is_matrix(const Row& row) {
  return is_sparse(row) || (row.format == Format::mai && row.expression.starts_with("exec_mfma"));
}

// Fields of an instruction of MAI: register numbers or, below 256 for `c`, operand codes; `acc`: bit 0 for A,
// 1 for B, 2 for C and D.
struct MaiFields {
  unsigned d = kD, a = kA, b = kB, c = vgpr_code(kC), acc = 0;
};
std::vector<uint32_t> encode_fields(const Row& row, const MaiFields& f) {
  return {0xd3800000u | uint32_t{row.opcode} << 16 | (f.acc >> 2 & 1) << 15 | f.d,
          vgpr_code(f.a) | vgpr_code(f.b) << 9 | f.c << 18 | (f.acc & 3) << 27};
}

std::vector<uint32_t> registers_of(TestWave& wave, bool accumulation, unsigned first, unsigned count) {
  std::vector<uint32_t> words;
  for (unsigned r = first; r < first + count; ++r)
    for (unsigned lane = 0; lane < 64; ++lane)
      words.push_back(accumulation ? wave.a(r, lane) : wave.v(r, lane));
  return words;
}

// Random bits in all registers of both files, other ones in each.
void fill_random(TestWave& wave, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (unsigned r = 0; r < kVgprs; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) {
      wave.v(r, lane) = static_cast<uint32_t>(random());
      wave.a(r, lane) = static_cast<uint32_t>(random());
    }
}
void copy_to_agprs(TestWave& wave, unsigned first, unsigned count) {
  for (unsigned r = first; r < first + count; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) wave.a(r, lane) = wave.v(r, lane);
}

}  // namespace

TEST_CASE(
    "matrix rows: ACC chooses the file of A and of B, ACC_CD that of C and D; SMFMAC's indices stay in "
    "VGPRs") {
  for (const Row& row : rows()) {
    if (!is_matrix(row)) continue;
    CAPTURE(std::string(row.name));
    const unsigned dwords = operand_dwords(row.dst[0]);
    std::vector<uint32_t> usual;
    for (unsigned acc = 0; acc < 8; ++acc) {
      CAPTURE(acc);
      TestWave wave;
      fill_random(wave, row.opcode);
      // What is in the file that is read; the other file has other bits.
      if (acc & 1) copy_to_agprs(wave, kA, 16);
      if (acc & 2) copy_to_agprs(wave, kB, 16);
      if (acc & 4) copy_to_agprs(wave, is_sparse(row) ? kD : kC, 32);
      const bool in_agprs = acc & 4;
      const auto other = registers_of(wave, !in_agprs, kD, dwords);
      wave.run(encode_fields(row, {.acc = acc}));
      CHECK(registers_of(wave, !in_agprs, kD, dwords) == other);
      const auto d = registers_of(wave, in_agprs, kD, dwords);
      if (acc == 0) usual = d;
      CHECK(d == usual);
    }
  }
}

TEST_CASE(
    "matrix rows: tuples begin at even registers, A and B are no constants; C may be one, but for SMFMAC") {
  const std::string even = "register tuples must start at an even register";
  const std::string vector = "matrix operands must be vector registers";
  // The reason after the name of the instruction, if that is there.
  const auto why = [](const std::vector<uint32_t>& code) {
    const std::string text = refusal(code);
    const size_t colon = text.find(": ");
    return colon == std::string::npos ? text : text.substr(colon + 2);
  };
  for (const Row& row : rows()) {
    if (!is_matrix(row)) continue;
    CAPTURE(std::string(row.name));
    const bool wide_inputs = operand_dwords(row.src[0]) > 1;
    CHECK(why(encode_fields(row, {})) == "accepted");
    CHECK(why(encode_fields(row, {.d = kD + 1})) == even);
    CHECK(why(encode_fields(row, {.a = kA + 1})) == (wide_inputs ? even : "accepted"));
    CHECK(why(encode_fields(row, {.b = kB + 1})) == (wide_inputs ? even : "accepted"));
    // "Src2 can only be VGPR (No even alignment req)".
    CHECK(why(encode_fields(row, {.c = vgpr_code(kC + 1)})) == (is_sparse(row) ? "accepted" : even));
    // 4 registers from 2 on: an even register is enough (7.1.2; LLVM 22), where 7.1 asks for a multiple of 4.
    CHECK(why(encode_fields(row, {.d = kD + 2, .a = kA + 2, .b = kB + 2})) == "accepted");
    for (const unsigned constant : {128u, 193u, 242u}) {
      CHECK(why(encode_fields(row, {.c = constant})) == (is_sparse(row) ? vector : "accepted"));
      auto code = encode_fields(row, {});
      code[1] = (code[1] & ~0x1ffu) | constant;
      CHECK(why(code) == vector);
      code = encode_fields(row, {});
      code[1] = (code[1] & ~(0x1ffu << 9)) | constant << 9;
      CHECK(why(code) == vector);
    }
    for (const unsigned scalar : {4u, 106u, 124u, 126u}) {
      CAPTURE(scalar);
      CHECK(why(encode_fields(row, {.c = scalar})) != "accepted");
    }
    CHECK(why(encode_fields(row, {.c = 255})) != "accepted");  // a literal
  }
}

TEST_CASE("matrix rows: a constant C is in every element: integers as integers, floats in the width of D") {
  const auto first = [](const char* name, unsigned constant) {
    TestWave wave;
    for (unsigned r = 0; r < 32; ++r)
      for (unsigned lane = 0; lane < 64; ++lane) wave.v(r, lane) = 0xdeadbeef;
    const Row& row = row_named(name);
    wave.run(encode_fields(row, {.c = constant}));
    const unsigned dwords = operand_dwords(row.dst[0]);
    const bool wide = row.dst[0] == F64X4 || row.dst[0] == F64;
    const auto words = registers_of(wave, false, kD, dwords);
    for (size_t i = 0; i < words.size(); ++i) CHECK(words[i] == words[wide ? i / 64 % 2 * 64 : 0]);
    return wide ? words[0] | uint64_t{words[64]} << 32 : words[0];
  };
  for (const char* f32 :
       {"V_MFMA_F32_32X32X8_F16", "V_MFMA_F32_4X4X1_16B_F32", "V_MFMA_F32_16X16X128_F8F6F4"}) {
    CAPTURE(f32);
    CHECK(first(f32, 242) == 0x3f800000);
    CHECK(first(f32, 248) == 0x3e22f983);
    CHECK(first(f32, 128 + 5) == 5);  // a subnormal
  }
  for (const char* f64 : {"V_MFMA_F64_16X16X4_F64", "V_MFMA_F64_4X4X4_4B_F64"}) {
    CAPTURE(f64);
    CHECK(first(f64, 242) == 0x3ff0000000000000);
    CHECK(first(f64, 245) == 0xc000000000000000);
    CHECK(first(f64, 248) == 0x3fc45f306dc9c882);
  }
  CHECK(first("V_MFMA_I32_16X16X64_I8", 192 + 3) == 0xfffffffd);
  CHECK(first("V_MFMA_I32_4X4X4_16B_I8", 128 + 64) == 64);
}

TEST_CASE(
    "matrix rows: no rounding, denormal, clamp or exception bit of MODE changes a result, nor EXEC; but f32 "
    "A and B are flushed") {
  constexpr uint32_t kAllKept = 0xf0;
  for (const Row& row : rows()) {
    if (!is_matrix(row)) continue;
    CAPTURE(std::string(row.name));
    const bool f32 = row.name.ends_with("_F32") && !is_sparse(row);
    const auto run = [&](uint32_t mode, uint64_t exec, bool flushed_by_hand) {
      TestWave wave;
      fill_random(wave, row.opcode);
      // Half of the elements of A, B and C of every format small: subnormal ones are among them.
      for (unsigned r = kC; r < kB + 16; ++r)
        for (unsigned lane = 0; lane < 64; lane += 2) {
          wave.v(r, lane) &= f32 ? 0x807fffffu : 0x83838383u;
          if (flushed_by_hand && r >= kA) wave.v(r, lane) &= 0x80000000u;
        }
      wave.state.mode.bits = mode;
      wave.state.set_exec(exec);
      wave.run(encode_fields(row, {}));
      CHECK(wave.state.mode.bits == mode);
      return registers_of(wave, false, kD, operand_dwords(row.dst[0]));
    };
    const auto usual = run(kAllKept, ~uint64_t{0}, false);
    for (const uint32_t round : {0x5u, 0xau, 0xfu})
      CHECK(run(kAllKept | round, ~uint64_t{0}, false) == usual);
    CHECK(run(0xd0, ~uint64_t{0}, false) == usual);                // f32 results alone would be flushed
    CHECK(run(0x30, ~uint64_t{0}, false) == usual);                // f16 and f64
    CHECK(run(kAllKept | 0x300, ~uint64_t{0}, false) == usual);    // DX10_CLAMP, IEEE
    CHECK(run(kAllKept | 0x7f000, ~uint64_t{0}, false) == usual);  // EXCP_EN
    CHECK(run(kAllKept, 0, false) == usual);
    CHECK(run(kAllKept, 0x5555, false) == usual);
    for (const uint32_t flushing : {0x0u, 0xe0u}) {
      const auto flushed = run(flushing, ~uint64_t{0}, false);
      CHECK((flushed == usual) == !f32);
      if (f32) CHECK(flushed == run(kAllKept, ~uint64_t{0}, true));
    }
  }
}
