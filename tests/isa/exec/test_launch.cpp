// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

template <typename T>
std::vector<uint8_t> bytes(T value) {
  std::vector<uint8_t> result(sizeof value);
  std::memcpy(result.data(), &value, sizeof value);
  return result;
}

template <typename T>
T at(const std::vector<uint8_t>& block, size_t offset) {
  T value;
  std::memcpy(&value, block.data() + offset, sizeof value);
  return value;
}

LaunchShape shape_of(std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block, uint32_t lds = 0) {
  LaunchShape shape;
  shape.grid = grid;
  shape.block = block;
  shape.dynamic_lds = lds;
  return shape;
}

std::string error_of(const KernelInfo& kernel, const LaunchShape& shape,
                     const std::vector<std::vector<uint8_t>>& arguments) {
  try {
    check_shape(kernel, shape);
    build_kernarg(kernel, shape, arguments, kQueueAddress);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE(
    "kernarg: explicit arguments by offset, hidden ones from the shape; size 0 in the descriptor is legal") {
  Machine machine("arguments");
  const KernelInfo& kernel = machine.executable().object().kernel("copy_arguments");
  CHECK(kernel.descriptor.kernarg_size == 0);
  CHECK(kernel.kernarg_size() == 280);
  const auto shape = shape_of({5, 6, 7}, {32, 4, 2}, 1000);
  const auto block = build_kernarg(
      kernel, shape, std::vector{bytes<uint64_t>(0x1234567890), bytes<uint32_t>(77), bytes<uint16_t>(9)},
      kQueueAddress);
  REQUIRE(block.size() == 280);
  CHECK(at<uint64_t>(block, 0) == 0x1234567890);
  CHECK(at<uint32_t>(block, 8) == 77);
  CHECK(at<uint16_t>(block, 12) == 9);
  for (unsigned axis = 0; axis < 3; ++axis) {
    CHECK(at<uint32_t>(block, 24 + 4 * axis) == 5 + axis);
    CHECK(at<uint16_t>(block, 36 + 2 * axis) == shape.block[axis]);
    CHECK(at<uint16_t>(block, 42 + 2 * axis) == 0);
  }
  CHECK(at<uint16_t>(block, 88) == 3);
  CHECK(at<uint32_t>(block, 144) == 1000);
  CHECK(at<uint32_t>(block, 216) == 0x00020000);
  CHECK(at<uint32_t>(block, 220) == 0x00010000);
  CHECK(at<uint64_t>(block, 224) == kQueueAddress);
}

TEST_CASE("the kernel reads the block at the kernarg pointer") {
  Machine machine("arguments");
  const uint64_t out = machine.poisoned("out", 256);
  machine.run("copy_arguments", 3, 64, {out, 42});
  const auto words = machine.words(out, 64);
  CHECK(words[2] == 42);
  CHECK(words[6] == 3);  // hidden_block_count_x
  CHECK(words[9] == (64 | 1u << 16));
}

TEST_CASE("launches that do not fit say what is wrong") {
  Machine machine("arguments");
  const KernelInfo& kernel = machine.executable().object().kernel("copy_arguments");
  const std::vector<std::vector<uint8_t>> good{bytes<uint64_t>(0), bytes<uint32_t>(0), bytes<uint16_t>(0)};
  const auto one = shape_of({1, 1, 1}, {64, 1, 1});
  CHECK(error_of(kernel, one, good).empty());
  CHECK(contains(error_of(kernel, one, {good[0], good[1]}), "argument 2 'h' is missing"));
  CHECK(contains(error_of(kernel, one, {good[0], good[0], good[2]}),
                 "argument 1 'n' has 4 bytes, the value given has 8"));
  CHECK(contains(error_of(kernel, one, {good[0], good[1], good[2], good[2]}),
                 "takes 3 arguments, 4 were given"));
  CHECK(contains(error_of(kernel, shape_of({0, 1, 1}, {64, 1, 1}), good), "is empty"));
  CHECK(contains(error_of(kernel, shape_of({1, 1, 1}, {64, 5, 1}), good), "256 work-items"));
  CHECK(contains(error_of(kernel, shape_of({1, 1, 1}, {0x10000, 0x10000, 1}), good), "more than 1024"));
  CHECK(contains(error_of(kernel, shape_of({1, 1, 1}, {64, 1, 1}, 163840), good), "163856 bytes of LDS"));
  CHECK(error_of(kernel, shape_of({1, 0x3ffffff, 1}, {1, 64, 1}), good).empty());
  CHECK(contains(error_of(kernel, shape_of({1, 0x4000000, 1}, {1, 64, 1}), good),
                 "more than 4294967295 work-items along an axis"));
  CHECK(error_of(kernel, LaunchShape::of_items({1, 0xffffffff, 1}, {1, 4, 1}), good).empty());
  CHECK(contains(error_of(kernel, LaunchShape::of_items({5, 1, 1}, {0, 1, 1}), good),
                 "block 0 x 1 x 1 is empty"));
  CHECK(contains(error_of(kernel, LaunchShape::of_items({0, 1, 1}, {4, 1, 1}), good),
                 "grid 0 x 1 x 1 is empty"));
}

TEST_CASE("kernarg: hidden counts are of whole workgroups, remainders of the partial ones, dims as stated") {
  Machine machine("arguments");
  const KernelInfo& kernel = machine.executable().object().kernel("copy_arguments");
  LaunchShape shape = LaunchShape::of_items({133, 8, 3}, {32, 4, 5});
  shape.dimensions = 2;
  const auto block = pad_kernarg(kernel, shape, {}, kQueueAddress);
  const uint32_t counts[] = {4, 2, 0}, sizes[] = {32, 4, 5}, remainders[] = {5, 0, 3};
  for (unsigned axis = 0; axis < 3; ++axis) {
    CHECK(at<uint32_t>(block, 24 + 4 * axis) == counts[axis]);
    CHECK(at<uint16_t>(block, 36 + 2 * axis) == sizes[axis]);
    CHECK(at<uint16_t>(block, 42 + 2 * axis) == remainders[axis]);
  }
  CHECK(at<uint16_t>(block, 88) == 2);
}

TEST_CASE("shapes in work-items: the last workgroup of an axis has what is left, the grid counts it") {
  const LaunchShape shape = LaunchShape::of_items({133, 8, 3}, {32, 4, 5});
  CHECK(shape.grid == std::array<uint32_t, 3>{5, 2, 1});
  CHECK(shape.remainder == std::array<uint32_t, 3>{5, 0, 3});
  CHECK(shape.partial());
  CHECK(shape.block_of(0) == std::array<uint32_t, 3>{32, 4, 3});
  CHECK(shape.waves_of(0) == 6);
  CHECK(shape.block_of(9) == std::array<uint32_t, 3>{5, 4, 3});
  CHECK(shape.waves_of(9) == 1);
  CHECK(!LaunchShape::of_items({64, 8, 15}, {32, 4, 5}).partial());
}

TEST_CASE("a partial workgroup is refused where the metadata says .uniform_work_group_size") {
  Machine uniform(HIP_DIR "language.co");
  const KernelInfo& whole = uniform.executable().object().kernel("language");
  check_shape(whole, LaunchShape::of_items({128, 1, 1}, {64, 1, 1}));
  const std::string error = error_of(whole, LaunchShape::of_items({100, 1, 1}, {64, 1, 1}), {});
  CHECK(contains(error, "100 x 1 x 1 work-items is no multiple of the block 64 x 1 x 1"));
  CHECK(contains(error, "kernel 'language'"));
  CHECK(contains(error, ".uniform_work_group_size"));
  Machine any(HIP_DIR "partial.co");
  check_shape(any.executable().object().kernel("partial"), LaunchShape::of_items({100, 1, 1}, {64, 1, 1}));
}

TEST_CASE("work-item ids: x only where the kernel asks for one axis; EXEC covers the items that exist") {
  Machine machine("registers");
  const uint64_t out = machine.zeroed("out", 768);
  machine.run("sdwa_selects", 1, 10, {out});
  const auto words = machine.words(out, 192);
  CHECK(words[27] == 0xffff90ffu);
  CHECK(words[30] == 0);  // lane 10 does not exist
}

}  // namespace wavetwin::isa
