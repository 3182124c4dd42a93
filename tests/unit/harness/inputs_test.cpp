// SPDX-License-Identifier: MIT
#include "golden/harness/inputs.h"

#include <doctest/doctest.h>

#include "sim/core/error.h"
#include "tests/unit/harness/fake_case.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

// A file with the tensors a user might offer.
struct UserFile {
  ScratchDirectory dir;
  std::string path = (dir / "my.safetensors").string();
  UserFile() {
    write_safetensors(path, {{"good", f32({2, 4}, {8, 7, 6, 5, 4, 3, 2, 1})},
                             {"flat", f32({8}, {8, 7, 6, 5, 4, 3, 2, 1})},
                             {"words", Tensor(DType::U32, {2, 4})},
                             {"bytes", Tensor(DType::U8, {4})},
                             {"codes", Tensor(DType::F8_E4M3, {4})}});
  }
  CaseInputs use(const FakeCase& fake, const std::string& tensor, const std::string& input = "x") const {
    const InputReplacement replacement = parse_replacement(input + "=" + path + ":" + tensor);
    return make_inputs(fake, std::span(&replacement, 1));
  }
};

}  // namespace

TEST_CASE("inputs: generated ones are hashed by content") {
  FakeCase fake;
  const CaseInputs one = make_inputs(fake);
  CHECK(one.replaced.empty());
  CHECK(one.hash == make_inputs(fake).hash);
  fake.x[7] = 9;
  CHECK(one.hash != make_inputs(fake).hash);
}

TEST_CASE("inputs: a user's tensor takes the place of a generated one") {
  const UserFile file;
  const CaseInputs inputs = file.use({}, "good");
  CHECK(inputs.tensors.at("x").view<float>()[0] == 8);
  CHECK(inputs.replaced == std::vector<std::string>{"x"});
}

TEST_CASE("inputs: wrong dtype, shape, tensor and name say file, tensor and reason") {
  const UserFile file;
  CHECK_THROWS_WITH_AS(file.use({}, "words"),
                       doctest::Contains("my.safetensors: tensor 'words': input 'x' is F32, not U32"),
                       FileError);
  CHECK_THROWS_WITH_AS(file.use({}, "flat"),
                       doctest::Contains("tensor 'flat': input 'x' has shape [2,4], not [8]"), FileError);
  CHECK_THROWS_WITH_AS(file.use({}, "none"), doctest::Contains("no tensor 'none'"), FileError);
  CHECK_THROWS_WITH_AS(file.use({}, "good", "q"), doctest::Contains("has no input 'q' (it has: x)"), Error);
  CHECK_THROWS_AS(parse_replacement("x"), Error);
  CHECK_THROWS_AS(parse_replacement("=a:b"), Error);
}

TEST_CASE("inputs: byte codes and U8 stand for each other, two 8-bit float types do not") {
  const UserFile file;
  FakeCase fake;
  fake.input = {"x", DType::F8_E4M3, {4}, nullptr};
  CHECK(file.use(fake, "bytes").tensors.at("x").dtype == DType::F8_E4M3);
  CHECK(file.use(fake, "codes").tensors.at("x").dtype == DType::F8_E4M3);
  fake.input.dtype = DType::F8_E5M2;
  CHECK_THROWS_AS(file.use(fake, "codes"), FileError);
}

TEST_CASE("inputs: codes that only make sense as FNUZ are hinted at, not refused") {
  const UserFile file;
  FakeCase fake;
  fake.input = {"x", DType::F8_E4M3, {4}, nullptr};
  CHECK(file.use(fake, "codes").hints.empty());
  Tensor codes(DType::F8_E4M3, {4});
  codes.view<uint8_t>()[2] = 0x7F;
  write_safetensors(file.path, {{"codes", codes}});
  const auto hints = file.use(fake, "codes").hints;
  REQUIRE(hints.size() == 1);
  CHECK(hints[0].find("looks like FNUZ") != std::string::npos);
}

TEST_CASE("inputs: the kernel's contract is checked on both kinds") {
  const UserFile file;
  FakeCase fake;
  fake.input.contract = [](const Tensor& tensor) {
    return tensor.view<float>()[0] == 8 ? std::string("has an 8 at [0,0]") : "";
  };
  CHECK_NOTHROW(make_inputs(fake));
  CHECK_THROWS_WITH_AS(file.use(fake, "good"),
                       doctest::Contains("my.safetensors: tensor 'good': input 'x': has an 8 at [0,0]"),
                       FileError);
  fake.x[0] = 8;
  CHECK_THROWS_WITH_AS(make_inputs(fake), doctest::Contains("fake/double/1: generated input 'x': has an 8"),
                       Error);
}

TEST_CASE("inputs: a generator that forgets an input or makes another type is an error") {
  FakeCase fake;
  fake.input = {"z", DType::F32, {2, 4}, nullptr};
  CHECK_THROWS_WITH_AS(make_inputs(fake), doctest::Contains("makes no input 'z'"), Error);
  fake.input = {"x", DType::F64, {2, 4}, nullptr};
  CHECK_THROWS_WITH_AS(make_inputs(fake), doctest::Contains("input 'x' is F64, not F32"), Error);
}

}  // namespace wavetwin::golden
