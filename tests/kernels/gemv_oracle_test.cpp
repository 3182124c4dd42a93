// SPDX-License-Identifier: MIT
// The fp64 GEMV oracle against sums written out by hand on sampled elements, and the generators' promises.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/kernels/gemv.h"
#include "golden/cases/gemv_inputs.h"
#include "golden/cases/random.h"
#include "golden/oracle/gemv.h"
#include "golden/oracle/mx.h"

namespace wavetwin {
namespace {

using golden::GemvData;
using golden::MxMatrix;

// 32 rows a group, K 512 in two windows, two groups; small enough to sum every element by hand.
constexpr GemvShape kTiny{64, 512, 0, false, 2, 2, 1};

struct Problem {
  MxMatrix w, x;
  uint32_t tokens;
  oracle::GemvData data() const { return {tokens, w.codes, w.scales, x.codes, x.scales}; }
};

Problem make(const GemvShape& shape, uint32_t tokens, GemvData data) {
  return {generate_mx(data, 1, "w", {shape.rows, shape.k, 32}),
          generate_mx(data, 1, "x", {tokens, shape.x_stride(), 1}), tokens};
}

// Spelled out from the format's definition, another way than the oracle's table.
double element(uint8_t code) {
  const int s = code >> 7, e = code >> 3 & 15, m = code & 7;
  if (e == 15 && m == 7) return NAN;
  return (s ? -1.0 : 1.0) * (e ? (1 + m / 8.0) * std::pow(2.0, e - 7) : m / 8.0 * std::pow(2.0, -6));
}

double term(const GemvShape& shape, const Problem& p, uint32_t row, uint32_t token, uint32_t k) {
  const uint32_t column = row / (shape.rows / shape.groups) * shape.k + k;
  const int ws = p.w.scales[row / 32 * (shape.k / 32) + k / 32];
  const int xs = p.x.scales[(token * shape.x_stride() + column) / 32];
  return element(p.w.codes[row * shape.k + k]) * element(p.x.codes[token * shape.x_stride() + column]) *
         std::pow(2.0, ws + xs - 254);
}

TEST_CASE("gemv oracle: an output is the sum of its window's scaled products") {
  for (const GemvData data : {GemvData::uniform, GemvData::model, GemvData::exact_pm1}) {
    const Problem p = make(kTiny, 3, data);
    const auto judged = oracle::gemv(kTiny, p.data());
    REQUIRE(judged.y.value.size() == 2 * 3 * 64);
    for (uint32_t window = 0; window < 2; ++window) {
      for (uint32_t token = 0; token < 3; ++token) {
        for (uint32_t row = 0; row < 64; ++row) {
          double sum = 0, magnitude = 0;
          for (uint32_t k = 256 * window; k < 256 * (window + 1); ++k) {
            sum += term(kTiny, p, row, token, k);
            magnitude += std::fabs(term(kTiny, p, row, token, k));
          }
          const uint64_t at = (window * 3 + token) * 64 + row;
          INFO(to_string(data), " window ", window, " token ", token, " row ", row);
          CHECK(std::fabs(judged.y.value[at] - sum) <= 0x1p-45 * magnitude);
          CHECK(judged.y.bound[at] == doctest::Approx(0x1p-19 * magnitude));
        }
      }
    }
  }
}

TEST_CASE(
    "gemv oracle: the waves' partials add up to the output, and padding columns repeat the last token") {
  for (const GemvShape shape :
       {kTiny, GemvShape{64, 512, 4, true, 1, 1, 0}, GemvShape{64, 512, 4, false, 1, 1, 0}}) {
    const Problem p = make(shape, 17, GemvData::exact_pm1);
    const auto judged = oracle::gemv(shape, p.data());
    const GemvForm form = shape.form();
    const uint32_t summed = form.tiled ? form.split : kWaves;
    for (uint32_t bid = 0; bid < shape.tasks(); ++bid) {
      const GemvTask task = gemv_task(shape, bid);
      for (uint32_t tile = 0; tile < 2; ++tile) {
        for (uint32_t r = 0; r < form.task_rows(); ++r) {
          for (uint32_t t = 0; t < 16; ++t) {
            double sum = 0;
            for (uint32_t w = 0; w < summed; ++w) {
              sum += judged.red.value[(bid * 2 + tile) * kRed + red_at(r % 16, t, r / 16 * summed + w)];
            }
            const uint32_t token = std::min(16 * tile + t, 16u);
            CHECK(sum == judged.y.value[(task.window * 17 + token) * shape.rows + task.row0 + r]);
          }
        }
      }
    }
  }
}

TEST_CASE("gemv oracle: masked-off workgroups and waves past an untiled split are exactly zero") {
  const GemvShape shape{64, 512, 2, false, 1, 1, 3};
  const auto judged = oracle::gemv(shape, make(shape, 1, GemvData::uniform).data());
  for (uint64_t i = 0; i < judged.red.value.size(); ++i) {
    const uint64_t bid = i / kRed, wave = i % kRed / 256;
    const bool zero = bid >= shape.tasks() || wave >= 2;
    if (zero) CHECK((judged.red.value[i] == 0 && judged.red.bound[i] == 0));
  }
}

TEST_CASE("gemv oracle: a NaN code reaches exactly the outputs of its row or token") {
  Problem p = make(kTiny, 2, GemvData::exact);
  p.w.codes[5 * 512 + 300] = 0x7F;        // row 5, second window
  p.x.codes[1 * 1024 + 512 + 10] = 0xFF;  // token 1, group 1 (rows 32 ..), first window
  const auto judged = oracle::gemv(kTiny, p.data());
  for (uint32_t window = 0; window < 2; ++window) {
    for (uint32_t token = 0; token < 2; ++token) {
      for (uint32_t row = 0; row < 64; ++row) {
        const bool expected = (row == 5 && window == 1) || (token == 1 && row >= 32 && window == 0);
        INFO("window ", window, " token ", token, " row ", row);
        CHECK(std::isnan(judged.y.value[(window * 2 + token) * 64 + row]) == expected);
      }
    }
  }
}

TEST_CASE("gemv inputs: the value tables of the oracle follow the OCP definitions") {
  for (int code = 0; code < 256; ++code) {
    INFO("code ", code);
    const double value = oracle::e4m3_values()[code];
    if (std::isnan(element(static_cast<uint8_t>(code)))) {
      CHECK(std::isnan(value));
    } else {
      CHECK(value == element(static_cast<uint8_t>(code)));
      CHECK(std::signbit(value) == (code >= 128));
    }
    if (code < 255) CHECK(oracle::e8m0_values()[code] == std::pow(2.0, code - 127));
  }
  CHECK(std::isnan(oracle::e8m0_values()[255]));
}

TEST_CASE("gemv inputs: only the nan generator makes NaN codes, and none makes NaN scales") {
  for (const GemvData data : golden::kGemvData) {
    const MxMatrix w = generate_mx(data, 0, "w", {256, 1280, 32});
    const MxMatrix x = generate_mx(data, 0, "x", {6, 1280, 1});
    for (const MxMatrix* m : {&w, &x}) {
      const auto nans =
          std::count_if(m->codes.begin(), m->codes.end(), [](uint8_t c) { return (c & 0x7F) == 0x7F; });
      INFO(to_string(data), ": ", nans, " NaN codes of ", m->codes.size());
      CHECK((nans > 0) == (data == GemvData::nan));
      CHECK(nans < static_cast<int64_t>(m->codes.size() / 100));
      CHECK(std::count(m->scales.begin(), m->scales.end(), 255) == 0);
    }
  }
}

TEST_CASE("gemv inputs: the exact generators keep their condition, the others do not have it") {
  for (const GemvData data : golden::kGemvData) {
    const MxMatrix w = generate_mx(data, 0, "w", {64, 1280, 32});
    CHECK(golden::is_exactness_conditioned(w.codes, w.scales) == golden::is_exact(data));
  }
  const MxMatrix varied = generate_mx(GemvData::exact_pm1, 0, "w", {64, 1280, 32});
  for (const uint8_t code : {126, 127, 128}) {
    CHECK(std::count(varied.scales.begin(), varied.scales.end(), code) > 0);
  }
}

TEST_CASE("gemv inputs: extremes hold subnormals, the largest value, both zeros and zero groups") {
  const MxMatrix x = generate_mx(GemvData::extremes, 0, "x", {17, 1280, 1});
  for (const uint8_t code : {0x00, 0x80, 0x01, 0x81, 0x07, 0x08, 0x7E, 0xFE}) {
    CHECK_MESSAGE(std::count(x.codes.begin(), x.codes.end(), code) > 20, "code ", static_cast<int>(code));
  }
  int zero_groups = 0;
  for (size_t g = 0; g < x.scales.size(); ++g) {
    zero_groups +=
        std::all_of(&x.codes[32 * g], &x.codes[32 * g] + 32, [](uint8_t c) { return (c & 0x7F) == 0; });
  }
  CHECK(zero_groups > 40);
  CHECK(std::count(x.scales.begin(), x.scales.end(), 0) > 0);
  CHECK(*std::max_element(x.scales.begin(), x.scales.end()) == 175);
}

TEST_CASE("gemv inputs: extreme sums stay finite and some are f32 subnormals") {
  const GemvShape shape{192, 1280, 0, false, 1, 1, 0};
  const auto judged = oracle::gemv(shape, make(shape, 6, GemvData::extremes).data());
  int subnormal = 0;
  for (const double value : judged.y.value) {
    CHECK(std::fabs(value) < 0x1p126);
    subnormal += value != 0 && std::fabs(value) < 0x1p-126 && std::fabs(value) > 0x1p-149;
  }
  CHECK(subnormal > 10);
}

TEST_CASE("gemv inputs: model values are close to normal") {
  const golden::Random random(3, "test");
  double sum = 0, squares = 0;
  int beyond = 0;  // two standard deviations
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    const double v = random.normal(i) / std::sqrt(8.0 / 12);
    sum += v;
    squares += v * v;
    beyond += std::fabs(v) > 2;
  }
  CHECK(std::fabs(sum / kCount) < 0.02);
  CHECK(std::fabs(squares / kCount - 1) < 0.02);
  CHECK(beyond == doctest::Approx(0.0455 * kCount).epsilon(0.1));
}

uint64_t fold(const MxMatrix& m) {
  uint64_t digest = 0;
  for (const uint8_t byte : m.codes) digest = golden::mix64(digest + byte + 1);
  for (const uint8_t byte : m.scales) digest = golden::mix64(digest + byte + 1);
  return digest;
}

// The same bytes on every machine and with every library: whoever changes one raises kGemvDataVersion.
TEST_CASE("gemv inputs: the generated bytes are pinned to their version") {
  REQUIRE(golden::kGemvDataVersion == 1);
  const std::map<GemvData, std::pair<uint64_t, uint64_t>> pinned{
      {GemvData::model, {0xE3538EE1978545E5u, 0x46AD2F186340D1FFu}},
      {GemvData::uniform, {0xE40639CD15F571B4u, 0x08CA60DCA100A27Fu}},
      {GemvData::extremes, {0x99F9F96DE6C971E2u, 0x62D86C4178EE519Fu}},
      {GemvData::exact, {0xC7B9D39BD671DF25u, 0xADDA59D7A53F5374u}},
      {GemvData::exact_pm1, {0xF200D35A10E66C2Bu, 0x2FD66523697228CBu}},
      {GemvData::nan, {0x4B4821DAA8BD6EACu, 0x313C992652EE4F68u}},
  };
  for (const GemvData data : golden::kGemvData) {
    INFO(to_string(data));
    CHECK(fold(generate_mx(data, 0, "w", {64, 256, 32})) == pinned.at(data).first);
    CHECK(fold(generate_mx(data, 0, "x", {3, 1280, 1})) == pinned.at(data).second);
  }
}

TEST_CASE("gemv inputs: seeds and stream names give different words") {
  const golden::Random random(0, "w");
  CHECK(random.word(0) == golden::Random(0, "w").word(0));
  CHECK(random.word(0) != golden::Random(0, "x").word(0));
  CHECK(random.word(0) != golden::Random(1, "w").word(0));
  CHECK(random.word(0) != random.word(1));
}

}  // namespace
}  // namespace wavetwin
