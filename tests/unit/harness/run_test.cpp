// SPDX-License-Identifier: MIT
#include "golden/harness/run.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "golden/harness/compare.h"
#include "sim/core/error.h"
#include "tests/unit/harness/fake_case.h"

namespace wavetwin::golden {
namespace {

RunResult run(const FakeCase& fake, FakeBackend& backend) {
  return run_case(fake, fake.generate(), backend, {});
}

std::string only_finding(const RunResult& result) {
  REQUIRE(result.findings.size() == 1);
  return result.findings.front();
}

}  // namespace

TEST_CASE("poison: signalling NaNs in f32 and bf16, NaN in e4m3, and its two variants differ in every byte") {
  for (uint64_t offset = 0; offset < 4096; offset += 4) {
    for (const bool second : {false, true}) {
      uint32_t word = 0;
      for (unsigned b = 0; b < 4; ++b)
        word |= static_cast<uint32_t>(poison_byte(offset + b, second)) << (8 * b);
      CAPTURE(word);
      CHECK((is_nan(DType::F32, word) && (word & 0x00400000) == 0));
      CHECK((is_nan(DType::BF16, word >> 16) && (word & 0x00400000) == 0));
      CHECK(is_nan(DType::F8_E4M3, word >> 24));
    }
    for (unsigned b = 0; b < 4; ++b) CHECK(poison_byte(offset + b, false) != poison_byte(offset + b, true));
  }
}

TEST_CASE("run: the regions of a right kernel come back without findings") {
  const FakeCase fake;
  FakeBackend backend;
  const RunResult result = run(fake, backend);
  CHECK(result.findings.empty());
  CHECK(result.regions.at("y") == f32({2, 4}, {2, 4, 6, 8, 10, 12, 14, 16}));
  CHECK(backend.executions == 1);
}

TEST_CASE("run: outputs are poisoned and inputs are what the case says") {
  const FakeCase fake;
  FakeBackend backend;
  backend.kernel = [](std::vector<BufferImage>& images) {
    CHECK(x_of(images)[3] == 4);
    for (int i = 0; i < 8; ++i) {
      CHECK(std::isnan(y_of(images)[i]));
      y_of(images)[i] = 0;
    }
    CHECK(images[0].read_only);
    CHECK_FALSE(images[1].read_only);
    CHECK(images[0].initialised == std::vector<uint8_t>(32, 1));
    CHECK(images[1].initialised == std::vector<uint8_t>(32, 0));
  };
  run(fake, backend);
}

TEST_CASE("run: an element that was never written is reported with its place") {
  FakeCase fake;
  fake.y.locate = [](std::span<const uint64_t> index) { return "lane " + std::to_string(index[1]); };
  FakeBackend backend;
  backend.kernel = [](std::vector<BufferImage>& images) {
    for (int i = 0; i < 6; ++i) y_of(images)[i] = 1;
  };
  CHECK(only_finding(run(fake, backend)) ==
        "2 elements of 'y' were never written, first 6 (row 1, column 2), lane 2");
  CHECK(backend.executions == 2);  // the second poison decides
}

TEST_CASE("run: a byte that happens to equal the poison is not reported") {
  FakeCase fake;
  fake.y.dtype = DType::U8;
  fake.y.shape = {32};
  FakeBackend backend;
  backend.kernel = [](std::vector<BufferImage>& images) {
    for (uint64_t i = 0; i < 32; ++i) images[1].bytes[i] = poison_byte(i, false);
  };
  CHECK(run(fake, backend).findings.empty());
}

TEST_CASE("run: a backend that tracks writes is believed without a second run") {
  const FakeCase fake;
  FakeBackend backend;
  backend.kernel = [](std::vector<BufferImage>& images) {
    images[1].written.assign(32, 1);
    std::fill_n(images[1].written.begin() + 4, 4, 0);
  };
  CHECK(only_finding(run(fake, backend)) ==
        "1 elements of 'y' were never written, first 1 (row 0, column 1)");
  CHECK(backend.executions == 1);
}

TEST_CASE("run: writes outside the regions are reported, in outputs and in inputs") {
  FakeCase fake;
  fake.y_buffer.bytes = 40;
  FakeBackend backend;
  const auto right = backend.kernel;
  backend.kernel = [&](std::vector<BufferImage>& images) {
    right(images);
    images[1].bytes[33] ^= std::byte{1};
  };
  CHECK(only_finding(run(fake, backend)) ==
        "1 bytes of buffer 'y' outside its regions were written, first at offset 33");
  backend.kernel = [&](std::vector<BufferImage>& images) {
    right(images);
    images[0].bytes[5] ^= std::byte{1};
  };
  CHECK(only_finding(run(fake, backend)).find("buffer 'x'") != std::string::npos);
  fake.y_buffer.guard = Guard::scratch;
  backend.kernel = [&](std::vector<BufferImage>& images) {
    right(images);
    images[1].bytes[33] ^= std::byte{1};
  };
  CHECK(run(fake, backend).findings.empty());
}

TEST_CASE("run: elements outside the expected set must stay untouched") {
  FakeCase fake;
  fake.y.written = [](uint64_t index) { return index != 5; };
  FakeBackend backend;
  const auto right = backend.kernel;
  CHECK(only_finding(run(fake, backend)).find("first at offset 20") != std::string::npos);
  backend.kernel = [](std::vector<BufferImage>& images) {
    for (int i = 0; i < 8; ++i) {
      if (i != 5) y_of(images)[i] = 1;
    }
  };
  CHECK(run(fake, backend).findings.empty());
}

TEST_CASE("run: a strided region is cut out of its buffer, and the gaps are guarded") {
  FakeCase fake;
  fake.y.shape = {2, 3};
  fake.y.strides = {16, 4};
  FakeBackend backend;
  backend.kernel = [](std::vector<BufferImage>& images) {
    for (const int i : {0, 1, 2, 4, 5, 6}) y_of(images)[i] = static_cast<float>(i);
  };
  const RunResult result = run(fake, backend);
  CHECK(result.findings.empty());
  CHECK(result.regions.at("y") == f32({2, 3}, {0, 1, 2, 4, 5, 6}));
  backend.kernel = [](std::vector<BufferImage>& images) {
    for (int i = 0; i < 8; ++i) y_of(images)[i] = static_cast<float>(i);
  };
  CHECK(only_finding(run(fake, backend)).find("8 bytes of buffer 'y' outside its regions") !=
        std::string::npos);
}

TEST_CASE("run: regions and data that do not fit their buffer are errors") {
  FakeBackend backend;
  FakeCase fake;
  fake.y.offset = 4;
  CHECK_THROWS_WITH_AS(run(fake, backend), doctest::Contains("region 'y': leaves buffer 'y'"), Error);
  fake = FakeCase();
  fake.y.buffer = "z";
  CHECK_THROWS_WITH_AS(run(fake, backend), doctest::Contains("no buffer 'z'"), Error);
  fake = FakeCase();
  fake.y_buffer.initial.push_back({30, std::vector<std::byte>(3)});
  CHECK_THROWS_WITH_AS(run(fake, backend), doctest::Contains("initial data leave buffer 'y'"), Error);
}

TEST_CASE("run: what the machine observed is a finding") {
  const FakeCase fake;
  FakeBackend backend;
  backend.findings = {"race: workgroup 3"};
  CHECK(only_finding(run(fake, backend)) == "race: workgroup 3");
}

}  // namespace wavetwin::golden
