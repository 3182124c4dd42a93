// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "golden/io/safetensors.h"
#include "tests/cli/program.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

Tensor words(const std::vector<uint32_t>& bits) {
  return make_tensor<uint32_t>(DType::F32, {2, 2}, std::span(bits));
}

// Two files and `wavetwin diff` on them.
Outcome diff(const Tensors& left, const Tensors& right, std::vector<std::string> more = {}) {
  const ScratchDirectory dir;
  write_safetensors(dir / "a", left);
  write_safetensors(dir / "b", right);
  std::vector<std::string> arguments = {"diff", (dir / "a").string(), (dir / "b").string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_wavetwin(arguments);
}

constexpr uint32_t kOne = 0x3F800000, kNan = 0x7FC00000, kOtherNan = 0xFFC00001;

}  // namespace

TEST_CASE("diff: equal files exit 0") {
  const Outcome outcome = diff({{"x", words({kOne, 0, 0, 0})}}, {{"x", words({kOne, 0, 0, 0})}});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "1 tensors, 4 elements compared: equal"));
}

TEST_CASE("diff: a difference exits 1 with the mismatch report") {
  const Outcome outcome = diff({{"x", words({kOne, 0, 0, 0})}}, {{"x", words({kOne, 0, 2, 0})}});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "tensor 'x' F32 [2,2]: 1 of 4 elements differ"));
  CHECK(contains(outcome.out, "first at element 2 (row 1, column 0)"));
  CHECK(contains(outcome.out, "0x00000002"));
  CHECK(contains(outcome.out, "2 ULP apart"));
}

TEST_CASE("diff: elements at other places are explained") {
  const Outcome outcome = diff({{"x", words({1, 2, 3, 4})}}, {{"x", words({3, 4, 1, 2})}});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "would be explained by 'x' written with rows r and r ^ 1 exchanged"));
  CHECK(contains(outcome.out, "4 of the 4 differing elements of 'x'"));
}

TEST_CASE("diff: NaNs match unless their bits are asked for") {
  const Tensors left = {{"x", words({kNan, 0, 0, 0})}}, right = {{"x", words({kOtherNan, 0, 0, 0})}};
  CHECK(diff(left, right).exit_code == 0);
  CHECK(contains(diff(left, right).out, "1 NaN pairs"));
  CHECK(diff(left, right, {"--nan-bits"}).exit_code == 1);
}

TEST_CASE("diff: a tensor in one file only, or of another type, is a difference; --tensor narrows") {
  const Tensors left = {{"x", words({0, 0, 0, 0})}, {"y", words({0, 0, 0, 0})}};
  Tensors right = {{"x", words({0, 0, 0, 0})}};
  CHECK(diff(left, right).exit_code == 1);
  CHECK(contains(diff(left, right).out, "no tensor 'y'"));
  CHECK(diff(left, right, {"--tensor", "x"}).exit_code == 0);
  right.emplace("y", Tensor(DType::U32, {2, 2}));
  CHECK(contains(diff(left, right).out, "tensor 'y': F32 [2,2] in "));
  CHECK(diff(left, right, {"--tensor", "z"}).exit_code == 2);
}

TEST_CASE("diff: nothing to compare is an error") { CHECK(diff({}, {}).exit_code == 2); }

}  // namespace wavetwin::golden
