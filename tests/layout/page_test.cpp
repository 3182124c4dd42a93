// SPDX-License-Identifier: MIT
// The pictures: self-contained, every element once, the data the query's own. How the page behaves in a
// browser is in browser_test.sh.
#include <doctest/doctest.h>

#include "golden/layout/mfma_page.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

using mfma::Format;

MfmaQuery scaled() {
  return MfmaQuery(*mfma::find_exact("v_mfma_scale_f32_16x16x128_f8f6f4"), Format::e4m3, Format::e4m3, {});
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("layout page: one file that loads nothing") {
  const std::string page = mfma_page(scaled(), {Operand::a, 3, 70, 0});
  CHECK(count(page, "http") == 1);  // the SVG name space
  CHECK(count(page, "http://www.w3.org/2000/svg") == 1);
  for (const char* loader : {"src=", "@import", "url(", "fetch(", "import(", "XMLHttp"}) {
    CAPTURE(loader);
    CHECK(count(page, loader) == 0);
  }
  CHECK(count(page, "<script>") == 1);
  CHECK(page.find("\"start\":[\"A\",3,70,0]") != std::string::npos);
}

TEST_CASE("layout page: carries the places of A, B, D and of the scales, if there are any") {
  const std::string page = mfma_page(scaled(), {});
  for (const char* id : {"A", "B", "D", "scale_a", "scale_b"}) {
    CAPTURE(id);
    CHECK(count(page, "{\"id\":\"" + std::string(id) + "\"") == 1);
  }
  // Row 0 of D: lanes 0..15; row 15: lanes 48..63, VGPR 3.
  CHECK(
      count(page,
            "\"id\":\"D\",\"rows\":16,\"columns\":16,\"blocks\":1,\"bits\":32,\"vgprs\":4,\"lane\":[0,1,2") ==
      1);
  CHECK(count(page, "60,61,62,63]") >= 1);
  const MfmaQuery bf16(*mfma::find_exact("v_mfma_f32_16x16x32_bf16"), Format::bf16, Format::bf16, {});
  CHECK(count(mfma_page(bf16, {}), "\"id\":\"scale_a\"") == 0);
}

TEST_CASE("layout page and picture: an element outside is refused") {
  CHECK_THROWS_AS(mfma_page(scaled(), {Operand::a, 16, 0, 0}), Error);
  CHECK_THROWS_AS(mfma_picture(scaled(), Chosen{Operand::d, 0, 16, 0}), Error);
}

TEST_CASE("layout picture: one titled cell for each element of A, B, D and the scales of every instruction") {
  for (const mfma::Shape& shape : mfma::kShapes) {
    CAPTURE(shape.name);
    const MfmaQuery query(shape, shape.a, shape.b, {});
    const std::string picture = mfma_picture(query, std::nullopt);
    size_t cells = 0;
    for (const Operand operand : {Operand::a, Operand::b, Operand::d, Operand::scale_a, Operand::scale_b}) {
      if (!shape.scaled && (operand == Operand::scale_a || operand == Operand::scale_b)) continue;
      const MfmaQuery::Size size = query.size(operand);
      cells += size_t{size.rows} * size.columns * size.blocks;
    }
    CHECK(count(picture, "<title>") == cells);
    CHECK(count(picture, "class=\"hit\"") == 0);
  }
  const std::string picture = mfma_picture(scaled(), Chosen{Operand::a, 3, 70, 0});
  CHECK(count(picture, "<title>A[3][70] v5{3}.[23:16]</title>") == 1);
  CHECK(count(picture, "class=\"hit\"") == 1);
}

}  // namespace wavetwin::golden
