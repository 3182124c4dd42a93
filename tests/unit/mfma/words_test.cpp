// SPDX-License-Identifier: MIT
// The published MI300X words (data/README.md) under preset gfx942.
#include <cstdlib>
#include <fstream>

#include "tests/unit/mfma/one_dot.h"

namespace wavetwin::mfma {
namespace {

struct Line {
  unsigned k = 0;
  std::vector<Term> products;
  double c = 0, d = 0;
};

// Reads the one shape of object the file holds: numbers are read wherever a reader expects one.
Line parse(const std::string& text) {
  Line line;
  const char* at = text.c_str();
  const auto number_after = [&at](const char* key) {
    at = std::strstr(at, key) + std::strlen(key);
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    REQUIRE(end != at);
    at = end;
    return value;
  };
  line.k = static_cast<unsigned>(number_after("\"k\": "));
  at = std::strstr(at, "[");
  while (true) {
    at += std::strspn(at, "[, ");
    if (*at == ']' || *at == 0) break;
    char* end = nullptr;
    Term term{};
    term.k = static_cast<unsigned>(std::strtoul(at, &end, 10));
    at = end;
    term.a = number_after("\"");
    term.b = number_after(", \"");
    at = std::strstr(at, "]") + 1;
    line.products.push_back(term);
    if (*at == ']') break;
  }
  line.c = number_after("\"c\": \"");
  line.d = number_after("\"d\": \"");
  return line;
}

TEST_CASE("gfx942: every published MI300X FP8 word is reproduced") {
  const MfmaModel model = preset("gfx942");
  std::ifstream file(WAVETWIN_MFMA_DATA "/gfx942_fp8_words.jsonl");
  REQUIRE(file);
  unsigned lines = 0, products = 0;
  for (std::string text; std::getline(file, text); ++lines) {
    const Line line = parse(text);
    REQUIRE(line.k == 32);
    products += static_cast<unsigned>(line.products.size());
    OneDot dot(model, "v_mfma_f32_16x16x32_fp8_fp8");
    dot.terms(line.products).with_c(line.c);
    const uint32_t expected = std::bit_cast<uint32_t>(static_cast<float>(line.d));
    const uint32_t word = dot.bits(model);
    CHECK_MESSAGE(word == expected, "line ", lines + 1,
                  fmt::format(": {:#010x}, published {:#010x}", word, expected));
  }
  CHECK(lines == 1953);
  CHECK(products > 10000);
}

}  // namespace
}  // namespace wavetwin::mfma
