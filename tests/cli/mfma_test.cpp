// SPDX-License-Identifier: MIT
// `wavetwin mfma` and `wavetwin quantize` on small files with known answers.
#include <doctest/doctest.h>

#include <cmath>

#include "golden/io/safetensors.h"
#include "tests/cli/program.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

Tensor filled(DType dtype, Shape shape, double value) {
  Tensor tensor(dtype, std::move(shape));
  const uint64_t bits = encode_element(dtype, value), bytes = size_of(dtype);
  for (uint64_t i = 0; i < tensor.elements(); ++i) std::memcpy(tensor.data.data() + i * bytes, &bits, bytes);
  return tensor;
}

struct Mfma {
  ScratchDirectory dir;
  Tensors in;
  Outcome run(std::vector<std::string> options) {
    write_safetensors(dir / "in", in);
    options.insert(options.begin(), "mfma");
    options.push_back((dir / "in").string());
    options.push_back((dir / "out").string());
    return run_wavetwin(options);
  }
  Tensor d() const { return SafetensorsFile::open(dir / "out").read("d"); }
};

constexpr const char* kScaled = "v_mfma_scale_f32_16x16x128_f8f6f4";

}  // namespace

TEST_CASE("mfma: scaled e4m3 x e4m3, a batch of two, with the E8M0 scales of each block") {
  Mfma mfma;
  mfma.in = {{"a", filled(DType::F8_E4M3, {2, 16, 128}, 1.5)},
             {"b", filled(DType::F8_E4M3, {2, 128, 16}, 2)},
             {"c", filled(DType::F32, {2, 16, 16}, 10)},
             {"scale_a", filled(DType::F8_E8M0, {2, 16, 4}, 2)},
             {"scale_b", filled(DType::U8, {2, 16, 4}, 126)}};
  mfma.in.at("scale_a").view<uint8_t>()[64] = 130;  // batch 1, row 0, block 0: 2^3 instead of 2^1
  const Outcome outcome = mfma.run({"--instruction", kScaled});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "evidence inferred"));
  const Tensor d = mfma.d();
  CHECK(d.dtype == DType::F32);
  CHECK(d.shape == Shape{2, 16, 16});
  CHECK(d.value(0) == 10 + 128 * 3);                // 2^1 * 2^-1
  CHECK(d.value(256) == 10 + 96 * 3 + 32 * 3 * 4);  // its first block four times as large
  CHECK(d.value(256 + 16) == 10 + 128 * 3);
}

TEST_CASE("mfma: formats without a native dtype are U8 codes, and mix with others") {
  Mfma mfma;
  mfma.in = {{"a", filled(DType::U8, {1, 16, 128}, 0x3)},   // e2m1 1.5
             {"b", filled(DType::U8, {1, 128, 16}, 0x10)},  // e2m3 2
             {"c", filled(DType::F32, {1, 16, 16}, 0)}};
  REQUIRE(mfma.run({"--instruction", "mfma_f32_16x16x128_f8f6f4", "--a-format", "e2m1", "--b-format", "e2m3"})
              .exit_code == 0);
  CHECK(mfma.d().value(0) == 128 * 3);
}

TEST_CASE("mfma: bf16, f64 and i8 shapes take and give their own types") {
  Mfma bf16;
  bf16.in = {{"a", filled(DType::BF16, {1, 16, 32}, 0.5)},
             {"b", filled(DType::BF16, {1, 32, 16}, 4)},
             {"c", filled(DType::F32, {1, 16, 16}, -1)}};
  REQUIRE(bf16.run({"--instruction", "v_mfma_f32_16x16x32_bf16"}).exit_code == 0);
  CHECK(bf16.d().value(255) == 63);
  Mfma f64;
  f64.in = {{"a", filled(DType::F64, {1, 16, 4}, 0.1)},
            {"b", filled(DType::F64, {1, 4, 16}, 10)},
            {"c", filled(DType::F64, {1, 16, 16}, 0)}};
  REQUIRE(f64.run({"--instruction", "v_mfma_f64_16x16x4_f64"}).exit_code == 0);
  CHECK(f64.d().dtype == DType::F64);
  CHECK(f64.d().value(0) == doctest::Approx(4));
  Mfma i8;
  i8.in = {{"a", filled(DType::I8, {1, 16, 64}, -3)},
           {"b", filled(DType::I8, {1, 64, 16}, 7)},
           {"c", filled(DType::I32, {1, 16, 16}, 5)}};
  REQUIRE(i8.run({"--instruction", "v_mfma_i32_16x16x64_i8"}).exit_code == 0);
  CHECK(i8.d().dtype == DType::I32);
  CHECK(i8.d().value(17) == 5 - 64 * 21);
}

TEST_CASE("mfma: --model and --set change the bits") {
  // C = 2^24 and products of exactly 1 at k = 0 and k = 40: they meet only where both blocks share a step.
  Mfma mfma;
  mfma.in = {{"a", filled(DType::F8_E4M3, {1, 16, 128}, 0)},
             {"b", filled(DType::F8_E4M3, {1, 128, 16}, 1)},
             {"c", filled(DType::F32, {1, 16, 16}, 16777216)}};
  for (const uint64_t k : {0, 40}) mfma.in.at("a").view<uint8_t>()[k] = 0x38;
  REQUIRE(mfma.run({"--instruction", kScaled}).exit_code == 0);
  CHECK(mfma.d().value(0) == 16777216);
  REQUIRE(mfma.run({"--instruction", kScaled, "--model", "exact-rne"}).exit_code == 0);
  CHECK(mfma.d().value(0) == 16777218);
}

TEST_CASE("quantize: MXFP4 with the floor rule, known scales and ties") {
  const ScratchDirectory dir;
  std::vector<float> values(96, 0.0f);
  values[0] = 2.7f, values[32] = 5.5f, values[64] = 1.2f;
  values[33] = 0.25f, values[34] = 1.25f, values[35] = 2.5f, values[36] = 5.0f;
  values[37] = 0.75f, values[38] = 1.75f, values[39] = 3.5f;
  write_safetensors(dir / "in",
                    {{"x", make_tensor<float>(DType::F32, {3, 32}, std::span<const float>(values))},
                     {"ids", Tensor(DType::I64, {2})}});
  const Outcome outcome = run_wavetwin({"quantize", "--format", "e2m1", "--scale-rule", "floor", "--block",
                                        "32", (dir / "in").string(), (dir / "out").string()});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const auto file = SafetensorsFile::open(dir / "out");
  const Tensor scale = file.read("x_scale"), codes = file.read("x");
  CHECK(scale.dtype == DType::F8_E8M0);
  CHECK(scale.shape == Shape{3, 1});
  CHECK(scale.view<uint8_t>()[0] == 126);
  CHECK(scale.view<uint8_t>()[1] == 127);
  CHECK(scale.view<uint8_t>()[2] == 125);
  CHECK(codes.dtype == DType::U8);
  const uint8_t expected[] = {0, 2, 4, 6, 2, 4, 6};  // codes of 0, 1, 2, 4, 1, 2, 4
  for (int i = 0; i < 7; ++i) {
    CAPTURE(i);
    CHECK(codes.view<uint8_t>()[33 + i] == expected[i]);
  }
  CHECK(contains(outcome.out, "ids: I64 left out"));
}

TEST_CASE("quantize: vllm_rocm e4m3 from bf16 gives native dtypes and code 1 for a zero group") {
  const ScratchDirectory dir;
  Tensor x = filled(DType::BF16, {2, 64}, 1);
  std::fill_n(x.data.begin(), 64, std::byte{0});  // row 0, group 0
  write_safetensors(dir / "in", {{"x", x}});
  REQUIRE(run_wavetwin({"quantize", "--format", "e4m3", "--scale-rule", "vllm_rocm", "--block", "32",
                        (dir / "in").string(), (dir / "out").string()})
              .exit_code == 0);
  const auto file = SafetensorsFile::open(dir / "out");
  const Tensor codes = file.read("x"), scale = file.read("x_scale");
  CHECK(codes.dtype == DType::F8_E4M3);
  CHECK(scale.view<uint8_t>()[0] == 1);
  CHECK(codes.view<uint8_t>()[0] == 0);
  // 1 = code * 2^(scale - 127) exactly.
  CHECK(codes.value(127) * std::ldexp(1.0, scale.view<uint8_t>()[3] - 127) == 1);
}

}  // namespace wavetwin::golden
