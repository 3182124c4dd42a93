// SPDX-License-Identifier: MIT
// Every builtin that clang has for gfx950, compiled and executed; the values against plain host arithmetic.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <random>
#include <set>

#include "tests/isa/exec/machine.h"
#include "tests/isa/foreign/builtins/matrices.h"

namespace wavetwin::isa::builtins {
namespace {

// --- what rows.inc says, on the host

#define IN(type, section) value_at<type>(in + (section))
#define U(k) in[kRandom + (k)]
#define U_OF(l, k) in_of[kInputWords * (l) + kRandom + (k)]
#define I(k) i32(U(k))
#define W(k) IN(u64, kRandom + 2 * (k))
#define W_OF(l, k) value_at<u64>(in_of + kInputWords * (l) + kRandom + 2 * (k))
#define F(k) IN(f32, kFloats + (k))
#define F_OF(l, k) value_at<f32>(in_of + kInputWords * (l) + kFloats + (k))
#define D(k) IN(f64, kDoubles + 2 * (k))
#define D_OF(l, k) value_at<f64>(in_of + kInputWords * (l) + kDoubles + 2 * (k))
#define H(k) f32(half_value(in[kHalves + (k)]))
#define S(k) in[kCounts + (k)]
#define FI(k) IN(f32, kSmallFloats + (k))
#define FI_OF(l, k) value_at<f32>(in_of + kInputWords * (l) + kSmallFloats + (k))
#define DI(k) IN(f64, kSmallDoubles + 2 * (k))
#define HI_AT(e) half_value(field_of(in + kSmallHalves, 16 * (e), 16))
#define BI_AT(e) bf16_value(field_of(in + kSmallBf16, 16 * (e), 16))
#define BYTE_VALUE(format, section, e) format.value(field_of(in + (section), 8 * (e), 8))
#define E4_AT(e) BYTE_VALUE(kE4, kSmallFp8, e)
#define E5_AT(e) BYTE_VALUE(kE5, kSmallBf8, e)
#define SIX_BITS(e) field_of(in, 6 * (e), 6)
#define FI_BITS(k) in[kSmallFloats + (k)]
#define HI_BITS2(k) in[kSmallHalves + (k)]
#define BI_BITS2(k) in[kSmallBf16 + (k)]
#define FLOAT_BITS(value) std::bit_cast<u32>(f32(value))
#define LANE lane
#define HOST_TYPE(type) type
#define HOST_IN(type, word) IN(type, word)
#define half_sums(a, b) \
  (half_bits(HI_AT(2 * (a)) + HI_AT(2 * (b))) | half_bits(HI_AT(2 * (a) + 1) + HI_AT(2 * (b) + 1)) << 16)
#define bf16_sums(a, b) \
  (bf16_bits(BI_AT(2 * (a)) + BI_AT(2 * (b))) | bf16_bits(BI_AT(2 * (a) + 1) + BI_AT(2 * (b) + 1)) << 16)

enum class RowKind { exact, near, runs, not_here };
using Compute = void (*)(const u32* in_of, const u32* in, u32 lane, u32* out);

struct Row {
  std::string name;
  RowKind kind;
  Compute compute = nullptr;  // near: an f64
  double tolerance = 0;
  unsigned bytes = 0;  // near: of the device's value
};

#define COMPUTE(...)                                                                               \
  []([[maybe_unused]] const u32* in_of, [[maybe_unused]] const u32* in, [[maybe_unused]] u32 lane, \
     u32* out) { __VA_ARGS__ }
#define EXACT(name, device, ...)                             \
  { #name, RowKind::exact, COMPUTE(put(out, __VA_ARGS__);) } \
  ,
#define EXACT_BODY(name, device, ...) {#name, RowKind::exact, COMPUTE(__VA_ARGS__)},
#define NEAR(name, type, tolerance, device, ...)                                          \
  { #name, RowKind::near, COMPUTE(put(out, f64(__VA_ARGS__));), tolerance, sizeof(type) } \
  ,
#define RUNS(name, ...)                        \
  { #name, RowKind::runs, COMPUTE(*out = 1;) } \
  ,
#define NOT_HERE(name, reason) {#name, RowKind::not_here},
#define MFMA(name, rows, blocks, per_lane, a, a_at, b_at, c, c_at)                                      \
  {                                                                                                     \
    "mfma_" #name, RowKind::exact,                                                                      \
        COMPUTE(Product{#name, rows, blocks, per_lane, {a_at}, {b_at}, c_at}.result(in_of, lane, out);) \
  }                                                                                                     \
  ,
#define MFMA_SCALE(name, rows, a_format, b_format, a_at, b_at)                                             \
  {                                                                                                        \
    "mfma_scale_" #name "_" #a_format #b_format, RowKind::exact,                                           \
        COMPUTE(Product{"f32", rows, 1, 32, {a_at, a_format}, {b_at, b_format}, kSmallFloats, 0.5}.result( \
            in_of, lane, out);)                                                                            \
  }                                                                                                        \
  ,
#define SMFMAC(name, rows, a, b, a_at, b_at, c, c_at)                                                 \
  {                                                                                                   \
    "smfmac_" #name, RowKind::exact,                                                                  \
        COMPUTE(Product{                                                                              \
            #name, rows, 1, kDwordsOf_##a * 32 / Operand{a_at}.bits(), {a_at}, {b_at}, c_at, 1, true} \
                    .result(in_of, lane, out);)                                                       \
  }                                                                                                   \
  ,
constexpr unsigned kDwordsOf_f16x4 = 2, kDwordsOf_i16x4 = 2, kDwordsOf_i32x2 = 2, kDwordsOf_f16x8 = 4,
                   kDwordsOf_bf16x8 = 4, kDwordsOf_i32x4 = 4;

const std::vector<Row> kRows = {
#include "tests/isa/foreign/builtins/rows.inc"
};

// --- inputs

std::vector<u32> make_inputs(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<u32> words(kInputWords * kLanesOfWave);
  const auto eighth = [&] { return std::uniform_real_distribution<>(-8, 8)(random); };
  const auto small = [&] { return static_cast<double>(random() % 7) - 3; };
  for (unsigned lane = 0; lane < kLanesOfWave; ++lane) {
    u32* in = words.data() + kInputWords * lane;
    for (unsigned i = 0; i < 64; ++i) in[kRandom + i] = static_cast<u32>(random());
    in[kSparseIndex] = 0;
    for (unsigned i = 0; i < 32; i += 4)
      in[kSparseIndex] |= std::array{4u, 8u, 12u, 9u, 13u, 14u}[random() % 6] << i;
    for (unsigned i = 0; i < 32; ++i) put(in + kFloats + i, static_cast<f32>(eighth()));
    for (unsigned i = 0; i < 16; ++i) put(in + kDoubles + 2 * i, eighth());
    for (unsigned i = 0; i < 16; ++i) in[kCounts + i] = random() % 64;
    for (unsigned i = 0; i < 64; ++i) put(in + kSmallFloats + i, static_cast<f32>(small()));
    for (unsigned i = 0; i < 16; ++i) put(in + kSmallDoubles + 2 * i, small());
    for (unsigned i = 0; i < 32; ++i) or_field(in + kHalves, 16 * i, 16, half_bits(eighth()));
    for (unsigned i = 0; i < 64; ++i) or_field(in + kSmallHalves, 16 * i, 16, half_bits(small()));
    for (unsigned i = 0; i < 64; ++i) or_field(in + kSmallBf16, 16 * i, 16, bf16_bits(small()));
    for (unsigned i = 0; i < 64; ++i) or_field(in + kSmallFp8, 8 * i, 8, kE4.code(small()));
    for (unsigned i = 0; i < 64; ++i) or_field(in + kSmallBf8, 8 * i, 8, kE5.code(small()));
  }
  return words;
}

double number_of(const u32* words, unsigned bytes) {
  if (bytes == 2) return half_value(*words);
  return bytes == 4 ? value_at<f32>(words) : value_at<f64>(words);
}

// Empty, or the first difference.
std::string difference(const Row& row, const std::vector<u32>& inputs, const std::vector<u32>& got) {
  for (u32 lane = 0; lane < kLanesOfWave; ++lane) {
    std::vector<u32> wanted(kOutputWords, 0x51515151);
    row.compute(inputs.data(), inputs.data() + kInputWords * lane, lane, wanted.data());
    const u32* words = got.data() + kOutputWords * lane;
    if (row.kind == RowKind::near) {
      const double want = value_at<f64>(wanted.data()), value = number_of(words, row.bytes);
      if (std::abs(value - want) <= row.tolerance * std::max(0.1, std::abs(want))) continue;
      return fmt::format("lane {}: {} where the host has {}", lane, value, want);
    }
    for (unsigned i = 0; i < kOutputWords; ++i) {
      if (words[i] == wanted[i]) continue;
      return fmt::format("lane {}, word {}: {:#010x} where the host has {:#010x}", lane, i, words[i],
                         wanted[i]);
    }
  }
  return {};
}

}  // namespace

TEST_CASE("every builtin gives the host's bits, at -O0, -O1 and -O3") {
  for (const char* level : {"O0", "O1", "O3"}) {
    Machine machine(FOREIGN_DIR + std::string("builtins.") + level + ".co");
    const std::vector<u32> inputs = make_inputs(20);
    const uint64_t bytes = 4 * inputs.size(), out_bytes = 4 * kOutputWords * kLanesOfWave;
    const uint64_t out = machine.zeroed("out", out_bytes), in = machine.zeroed("in", bytes),
                   memory = machine.zeroed("memory", bytes);
    machine.memory().write(in, inputs.data(), bytes);
    for (const Row& row : kRows) {
      if (row.kind == RowKind::not_here) continue;
      CAPTURE(std::string(level));
      CAPTURE(row.name);
      const std::vector<u32> untouched(kOutputWords * kLanesOfWave, 0x51515151);
      machine.memory().write(out, untouched.data(), out_bytes);
      machine.memory().write(memory, inputs.data(), bytes);
      try {
        const ExecuteReport report = machine.run("b_" + row.name, 1, kLanesOfWave, {out, in, memory});
        CHECK(report.dispatch.findings.total() == 0);
        if (!report.dispatch.findings.kept().empty()) MESSAGE(report.dispatch.findings.kept()[0].line());
      } catch (const Error& error) {
        FAIL_CHECK(std::string(error.what()));
        continue;
      }
      CHECK(difference(row, inputs, machine.words(out, kOutputWords * kLanesOfWave)) == "");
    }
  }
}

TEST_CASE("every builtin that clang has for gfx950 is tested, or it is said why not") {
  std::set<std::string> tested;
  for (const auto& row : kRows) {
    const bool scaled = row.name.starts_with("mfma_scale_");  // "..._01": of formats 0 and 1
    tested.insert(scaled ? "mfma_scale_f32_" + row.name.substr(11, row.name.size() - 14) : row.name);
  }
  std::ifstream list(BUILTIN_LIST);
  size_t count = 0;
  for (std::string name; std::getline(list, name);) {
    if (name.starts_with('#')) continue;
    CAPTURE(name);
    CHECK(tested.contains(name));
    ++count;
  }
  CHECK(count == tested.size());
}

}  // namespace wavetwin::isa::builtins
