// SPDX-License-Identifier: MIT
#include "golden/harness/explain.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "golden/harness/check.h"
#include "golden/harness/rearrangement.h"
#include "tests/unit/harness/fake_case.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

// y[i] = 10 x[i] + i: what moves in x moves in y, but y's own words at other places are others.
void scaled_and_numbered(std::vector<BufferImage>& images) {
  for (int i = 0; i < 8; ++i) y_of(images)[i] = 10 * x_of(images)[i] + static_cast<float>(i);
}

// The kernel that reads x[source(i)].
template <class Source>
std::function<void(std::vector<BufferImage>&)> reading(Source source) {
  return [source](std::vector<BufferImage>& images) {
    for (int i = 0; i < 8; ++i) y_of(images)[i] = 10 * x_of(images)[source(i)] + static_cast<float>(i);
  };
}

// The report of a case whose second backend runs `kernel`.
std::string report_of(const std::function<void(std::vector<BufferImage>&)>& kernel, double seconds = 10,
                      FakeCase fake = {}) {
  ScratchDirectory dir;
  GoldenStore store(dir.path());
  fake.oracle = [](const Tensors&) { return Reference{}; };
  std::vector<std::unique_ptr<Backend>> backends;
  for (const char* name : {"sim", "isa"}) {
    auto backend = std::make_unique<FakeBackend>();
    backend->backend_name = name;
    backend->kernel = name == std::string("sim") ? scaled_and_numbered : kernel;
    backends.push_back(std::move(backend));
  }
  CheckOptions options;
  options.explain_seconds = seconds;
  return check_case(fake, backends, store, options)[1].report;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("rearrangements are one to one, and none is the identity") {
  const Shape shapes[] = {{8}, {3}, {2, 4}, {16, 32}, {32, 64}, {5, 7}, {2, 3, 4}, {4, 1, 8, 64, 4}, {1, 1}};
  for (const Shape& shape : shapes) {
    for (const DType dtype : {DType::F32, DType::F8_E4M3, DType::F8_E8M0}) {
      std::vector<Rearrangement> maps = rearrangements(dtype, shape);
      for (Rearrangement& map : swizzles(dtype, shape)) maps.push_back(std::move(map));
      for (const Rearrangement& map : maps) {
        INFO(to_string(shape), " ", to_string(dtype), ": ", map.text);
        std::set<uint64_t> sources;
        bool moved = false;
        for (uint64_t i = 0; i < element_count(shape); ++i) {
          moved |= map.source(i) != i;
          sources.insert(map.source(i));
        }
        CHECK(moved);
        CHECK(sources.size() == element_count(shape));
        CHECK(*sources.rbegin() == element_count(shape) - 1);
      }
    }
  }
}

TEST_CASE("rearrangements: each map moves what its text says") {
  const auto source = [](DType dtype, const Shape& shape, const std::string& text, uint64_t index) {
    for (const Rearrangement& map : rearrangements(dtype, shape)) {
      if (has(map.text, text)) return map.source(index);
    }
    FAIL("no map '", text, "'");
    return uint64_t{0};
  };
  const Shape operand = {32, 128};
  const auto at = [](uint64_t row, uint64_t column) { return row * 128 + column; };
  CHECK(source(DType::F8_E4M3, operand, "columns c and c ^ 64", at(5, 70)) == at(5, 6));
  CHECK(source(DType::F8_E4M3, operand, "halves of each 32-element K block", at(5, 33)) == at(5, 49));
  CHECK(source(DType::F8_E4M3, operand, "the bytes of each word reversed", at(5, 33)) == at(5, 34));
  CHECK(source(DType::F8_E4M3, operand, "rows r and r ^ 4", at(5, 33)) == at(1, 33));
  CHECK(source(DType::F8_E4M3, operand, "rows r + 1 in place of r", at(31, 7)) == at(0, 7));
  CHECK(source(DType::F8_E4M3, operand, "columns c - 1 in place of c", at(2, 0)) == at(2, 127));
  CHECK(source(DType::F8_E4M3, operand, "each 16x16 tile transposed", at(17, 34)) == at(18, 33));
  CHECK(source(DType::F8_E8M0, {4, 8}, "the scale of the neighbouring K block", 9) == 8);
  CHECK(source(DType::F8_E8M0, {4, 8}, "byte (c + 1) % 4 of each word", 7) == 4);
  CHECK(source(DType::F8_E4M3, operand, "the 16-byte chunks of each 64 reversed", at(5, 33)) == at(5, 17));
  CHECK(source(DType::F8_E4M3, operand, "columns in the reverse order", at(5, 1)) == at(5, 126));
  CHECK(source(DType::F8_E4M3, operand, "split halves read as interleaved pairs", at(5, 1)) == at(5, 2));
  CHECK(source(DType::F8_E4M3, operand, "interleaved pairs read as split halves", at(5, 2)) == at(5, 1));
  // Lane 17 reads row 4, chunk 1 in place of row 1, chunk 1.
  CHECK(source(DType::F8_E4M3, operand, "row l / 4 and 16-byte chunk l % 4", at(1, 16)) == at(4, 16));
  CHECK(source(DType::F32, {2, 8, 4}, "indices of dimension 0 i and i ^ 1", 3) == 35);
}

TEST_CASE("swizzles: chunks move by their row") {
  const auto source = [](const std::string& text, uint64_t row, uint64_t column) {
    for (const Rearrangement& map : swizzles(DType::F8_E4M3, {32, 128})) {
      if (has(map.text, text)) return map.source(row * 128 + column) - row * 128;
    }
    FAIL("no map '", text, "'");
    return uint64_t{0};
  };
  CHECK(source("16-byte chunks k and k ^ (r % 8) of row r", 11, 5) == 3 * 16 + 5);
  CHECK(source("16-byte chunks k and k ^ (r / 2 % 8) of row r", 11, 5) == 5 * 16 + 5);
  CHECK(source("64-byte chunks k and k ^ (r / 4 % 2) of row r", 12, 5) == 64 + 5);
  CHECK(source("16-byte chunks k and k ^ (r % 8 ^ r / 2 % 8) of row r", 11, 5) == 6 * 16 + 5);
  CHECK(swizzles(DType::F8_E4M3, {128}).empty());
}

TEST_CASE("explain: an input read at other places is named") {
  const std::string report = report_of(reading([](int i) { return i ^ 1; }));
  CHECK(has(report, "would be explained by 'x' read with columns c and c ^ 1 exchanged:\n"));
  CHECK(has(report, "    8 of the 8 differing elements of 'y'\n"));
  CHECK(has(report_of(reading([](int i) { return i ^ 4; })), "'x' read with rows r and r ^ 1 exchanged"));
  CHECK(
      has(report_of(reading([](int i) { return (i & 4) | ((i + 1) & 3); })), "columns c + 1 in place of c"));
}

TEST_CASE("explain: a mistake of a part says how much it would change elsewhere") {
  const std::string report = report_of(reading([](int i) { return i < 4 ? i ^ 2 : i; }));
  CHECK(has(report, "'x' read with columns c and c ^ 2 exchanged"));
  CHECK(has(report, "4 of the 4 differing elements of 'y'; it would change 4 more that are right"));
}

TEST_CASE("explain: a result written to other places is named") {
  const std::string report = report_of([](std::vector<BufferImage>& images) {
    for (int i = 0; i < 8; ++i) y_of(images)[i ^ 4] = 10 * x_of(images)[i] + static_cast<float>(i);
  });
  CHECK(has(report, "would be explained by 'y' written with rows r and r ^ 1 exchanged:"));
}

TEST_CASE("explain: other values have no explanation, and the number of tries is given") {
  const std::string report = report_of([](std::vector<BufferImage>& images) {
    for (int i = 0; i < 8; ++i) y_of(images)[i] = 11 * x_of(images)[i];
  });
  CHECK(has(report, "  no single mistake of the "));
  CHECK_FALSE(has(report, "would be explained"));
}

TEST_CASE("explain: one equal word is chance") {
  // y[1] holds what x[0] in place of x[1] gives; nothing else differs.
  const std::string report = report_of([](std::vector<BufferImage>& images) {
    scaled_and_numbered(images);
    y_of(images)[1] = 10 * x_of(images)[0] + 1;
  });
  CHECK(has(report, "no single mistake of the "));
}

TEST_CASE("explain: a mistaken kernel keeps to no contract, no time means no words") {
  FakeCase fake;
  fake.input.contract = [](const Tensor& x) { return x.view<float>()[0] == 1 ? "" : "x[0] is not 1"; };
  CHECK(has(report_of(reading([](int i) { return i ^ 1; }), 10, fake), "columns c and c ^ 1 exchanged"));
  const std::string report = report_of(reading([](int i) { return i ^ 1; }), 0);
  CHECK(has(report, "8 of 8 elements differ"));
  CHECK_FALSE(has(report, "explain"));
}

TEST_CASE("explain: elements that were never written are said to be left out, and no mistake is looked for") {
  const auto last_row_left_out = [](std::vector<BufferImage>& images) {
    std::vector<float> before(y_of(images), y_of(images) + 8);
    scaled_and_numbered(images);
    std::copy(before.begin() + 4, before.end(), y_of(images) + 4);
  };
  const std::string report = report_of(last_row_left_out);
  CHECK(has(report, "4 elements of 'y' were never written"));
  CHECK(has(report,
            "what was written of 'y' is right: a mask, a loop bound or the grid leaves the rest out\n"));
  CHECK_FALSE(has(report, "were tried"));
}

TEST_CASE("explain: the rest of a region that is written in part is explained") {
  const std::string report = report_of([](std::vector<BufferImage>& images) {
    const float before = y_of(images)[7];
    for (int i = 0; i < 8; ++i) y_of(images)[i] = 10 * x_of(images)[i ^ 1] + static_cast<float>(i);
    y_of(images)[7] = before;
  });
  CHECK(has(report,
            "'x' read with columns c and c ^ 1 exchanged:\n    7 of the 7 differing elements of 'y'\n"));
}

TEST_CASE("explain: a part of an input, and all its other parts, are mistaken by themselves") {
  FakeCase fake;
  const auto pair = [](uint64_t first) { return [first](uint64_t i) { return i / 2 == first; }; };
  fake.input.parts = {{"first", pair(0)}, {"second", pair(1)}, {"rest", [](uint64_t i) { return i >= 4; }}};
  CHECK(has(report_of(reading([](int i) { return i < 2 ? i ^ 1 : i; }), 10, fake),
            "would be explained by 'x' (first) read with columns c and c ^ 1 exchanged:\n"));
  CHECK(has(report_of(reading([](int i) { return i < 4 ? i ^ 1 : i; }), 10, fake),
            "would be explained by 'x' (all but rest) read with columns c and c ^ 1 exchanged:\n"));
}

TEST_CASE("explain: results twice as large are a power of two, another input value is named") {
  const auto doubled = [](std::vector<BufferImage>& images) {
    scaled_and_numbered(images);
    for (int i = 0; i < 8; ++i) y_of(images)[i] *= 2;
  };
  CHECK(has(report_of(doubled), "'y' off by exactly 2^1"));
  const auto without = [](std::vector<BufferImage>& images) {
    for (int i = 0; i < 8; ++i) y_of(images)[i] = static_cast<float>(i);
  };
  CHECK(has(report_of(without), "would be explained by 'x' not added (0 everywhere):"));
}

TEST_CASE("explain: two mistakes at once are no single one") {
  // Input columns exchanged, and results twice as large.
  const std::string report = report_of([](std::vector<BufferImage>& images) {
    for (int i = 0; i < 8; ++i) y_of(images)[i] = 2 * (10 * x_of(images)[i ^ 1] + static_cast<float>(i));
  });
  CHECK(has(report, "no single mistake of the "));
  CHECK_FALSE(has(report, "would be explained"));
}

TEST_CASE("explain: noise of one ULP has no explanation") {
  const std::string report = report_of([](std::vector<BufferImage>& images) {
    scaled_and_numbered(images);
    for (int i = 0; i < 8; ++i) y_of(images)[i] = std::nextafter(y_of(images)[i], i % 3 == 0 ? 1e9f : -1e9f);
  });
  CHECK(has(report, "no single mistake of the "));
  CHECK_FALSE(has(report, "would be explained"));
  CHECK_FALSE(has(report, "rounding"));
}

TEST_CASE("explain: what the time did not allow is counted") {
  CHECK(has(report_of(reading([](int i) { return i ^ 1; }), 1e-9), "more were not tried for lack of time"));
}

TEST_CASE("explain_result: a lone tensor is explained by its own words") {
  RegionSpec region;
  region.name = "o";
  region.shape = {2, 4};
  region.dtype = DType::F32;
  const Tensor right = f32({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(explain_result("o", right, f32({2, 4}, {3, 4, 1, 2, 7, 8, 5, 6})) ==
        "  would be explained by 'o' written with columns c and c ^ 2 exchanged:\n"
        "    8 of the 8 differing elements of 'o'\n");
  CHECK(explain_result("o", right, f32({2, 4}, {9, 9, 9, 9, 9, 9, 9, 9})).empty());
}

}  // namespace wavetwin::golden
