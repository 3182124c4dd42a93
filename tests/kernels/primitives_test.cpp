// SPDX-License-Identifier: MIT
#include "common/kernels/primitives.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "common/kernels/mailbox_words.h"
#include "common/kernels/matrix_words.h"
#include "common/kernels/memory_words.h"
#include "golden/cases/primitives_inputs.h"
#include "golden/oracle/primitives.h"

namespace wavetwin {
namespace {

// "_ZN5aiter" + the length of the name + the name + "E": aiter::<name> for a profiler.
void check_symbol(const std::string& symbol) {
  INFO(symbol);
  const std::string prefix = "_ZN5aiter";
  REQUIRE(symbol.compare(0, prefix.size(), prefix) == 0);
  size_t digits = 0;
  const size_t length = std::stoul(symbol.substr(prefix.size()), &digits);
  CHECK(symbol.size() == prefix.size() + digits + length + 1);
  CHECK(symbol.back() == 'E');
}

TEST_CASE("primitives: kernel symbols demangle to aiter::<name>") {
  for (const Primitive& word : kPrimitives) {
    check_symbol(word.symbol);
    CHECK(std::string(word.symbol).find(std::string("primitives_") + word.name + "E") != std::string::npos);
  }
  for (const MatrixKernel& kernel : kMatrixKernels) check_symbol(kernel.symbol);
  check_symbol(kMemorySymbol);
  check_symbol(kMailboxSymbol);
}

TEST_CASE("primitives: the operands of float words hold every exponent, both zeros, infinities and NaNs") {
  for (const Primitive& word : kPrimitives) {
    if (word.input != PrimitiveInput::f32) continue;
    const auto in = golden::primitive_operands(word, 0);
    bool exponents[2][256] = {};
    for (uint32_t i = 0; i < golden::kPrimitiveElements; ++i)
      exponents[in[i] >> 31][in[i] >> 23 & 255] = true;
    for (int sign = 0; sign < 2; ++sign)
      for (int field = 0; field < 256; ++field)
        CHECK_MESSAGE(exponents[sign][field], word.name, " field ", field);
  }
}

const Primitive& word_named(const std::string& name) {
  for (const Primitive& word : kPrimitives) {
    if (word.name == name) return word;
  }
  throw std::logic_error("no word " + name);
}

// Published values of the scale code (vLLM's ROCm kernels): the oracle itself must have them.
TEST_CASE("primitives: the oracle gives the checked scale codes") {
  const uint32_t amax[] = {0, 0x3F800000u, 0x43E00000u, 0x43E00001u, 0x7F61B1E6u /* 3e38 */};
  const uint32_t codes[] = {1, 119, 127, 128, 247};
  std::vector<uint32_t> in(64);
  std::copy(std::begin(amax), std::end(amax), in.begin());
  const auto judged = oracle::primitive(word_named("mx_code"), in, 64);
  for (size_t i = 0; i < std::size(codes); ++i) CHECK(judged.bits[i] == codes[i]);
}

}  // namespace
}  // namespace wavetwin
