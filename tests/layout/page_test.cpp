// SPDX-License-Identifier: MIT
// The pictures: self-contained, every element once, the data the query's own. How the page behaves in a
// browser is in browser_test.sh.
#include <doctest/doctest.h>

#include "golden/layout/lane_moves.h"
#include "golden/layout/map_pictures.h"
#include "golden/layout/mfma_map.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

RegisterMap scaled() { return mfma_map(*mfma::find_exact("v_mfma_scale_f32_16x16x128_f8f6f4"), {}); }

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("layout page: one file that loads nothing") {
  const std::string page = map_page(scaled(), {"A", 3, 70, 0});
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
  const std::string page = map_page(scaled(), {});
  for (const char* id : {"A", "B", "D", "scale_a", "scale_b"}) {
    CAPTURE(id);
    CHECK(count(page, "{\"id\":\"" + std::string(id) + "\"") == 1);
  }
  CHECK(count(page, "\"id\":\"D\",\"rows\":16,\"columns\":16,\"blocks\":1,\"bits\":32,\"vgprs\":4") == 1);
  CHECK(count(page, "\"lane\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0,1,") >= 1);  // rows of D
  CHECK(count(page, "60,61,62,63]") >= 1);
  const RegisterMap bf16 = mfma_map(*mfma::find_exact("v_mfma_f32_16x16x32_bf16"), {});
  CHECK(count(map_page(bf16, {}), "\"id\":\"scale_a\"") == 0);
  const std::string sparse = map_page(smfmac_map(mfma::kSparseShapes[0], {}), {"index", 3, 5, 0});
  CHECK(count(sparse, "\"id\":\"index\"") == 1);
  CHECK(count(sparse, "\"start\":[\"index\",3,5,0]") == 1);
}

TEST_CASE("layout page: a lane map is one file that loads nothing, too") {
  LaneFields fields;
  const std::string page = moves_page(lane_moves("ds_read_b64_tr_b8", fields), 5);
  CHECK(count(page, "http") == 1);
  for (const char* loader : {"src=", "@import", "url(", "fetch(", "import(", "XMLHttp"})
    CHECK(count(page, loader) == 0);
  CHECK(count(page, "\"start\":5") == 1);
}

TEST_CASE("layout page and picture: an element outside is refused") {
  CHECK_THROWS_AS(map_page(scaled(), {"A", 16, 0, 0}), Error);
  CHECK_THROWS_AS(map_picture(scaled(), MapElement{"D", 0, 16, 0}), Error);
  CHECK_THROWS_AS(map_page(scaled(), {"index", 0, 0, 0}), Error);
}

TEST_CASE("layout picture: one titled cell for each element that the matrices, scales and index bits have") {
  const auto check = [](const RegisterMap& map) {
    CAPTURE(map.instruction);
    const std::string picture = map_picture(map, std::nullopt);
    size_t cells = 0;
    for (const OperandMap& o : map.operands)
      if (o.name != "C") cells += o.places.size();  // drawn as D
    CHECK(count(picture, "<title>") == cells);
    CHECK(count(picture, "class=\"hit\"") == 0);
  };
  for (const mfma::Shape& shape : mfma::kShapes) check(mfma_map(shape, {}));
  for (const mfma::SparseShape& shape : mfma::kSparseShapes) check(smfmac_map(shape, {}));
  const std::string picture = map_picture(scaled(), MapElement{"A", 3, 70, 0});
  CHECK(count(picture, "<title>A[3][70] v5{3}.[23:16]</title>") == 1);
  CHECK(count(picture, "class=\"hit\"") == 1);
}

TEST_CASE("layout picture: a lane map has one titled cell for each element of its results") {
  for (const std::string& name : lane_instruction_names()) {
    CAPTURE(name);
    LaneFields fields;
    if (name == "ds_swizzle_b32") fields.offset = 0x401f;
    const LaneMoves moves = lane_moves(name, fields);
    CHECK(count(moves_picture(moves), "<title>") == moves.from.size());
  }
}

}  // namespace wavetwin::golden
