// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "sim/isa/code_object.h"
#include "sim/isa/executable.h"
#include "tests/isa/bundle_writer.h"
#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

std::vector<uint8_t> file_bytes(const std::string& name) {
  std::ifstream in(ASM_DIR + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string error_of(std::vector<uint8_t> bytes) {
  try {
    CodeObject::parse(std::move(bytes), "test.co");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a code object lists its kernels with descriptors") {
  const CodeObject object = CodeObject::parse(file_bytes("memory.co"), "memory.co");
  CHECK(object.kernels().size() == 9);
  const KernelInfo& kernel = object.kernel("lds_transpose");
  CHECK(kernel.descriptor.group_segment_fixed_size == 512);
  CHECK(kernel.descriptor.unified_vgprs() == 32);
  CHECK(kernel.descriptor.accum_offset() == 32);
  CHECK(kernel.descriptor.user_sgprs() == 2);
  CHECK(kernel.code_size > 40);
  CHECK_THROWS_WITH_AS(object.kernel("nothing"),
                       doctest::Contains("no kernel 'nothing'; it has: buffer_bounds"), Error);
}

TEST_CASE("code object versions 4, 5 and 6 are read, others are named") {
  const auto good = file_bytes("memory.co");
  for (const uint8_t abi : {2, 3, 4}) {
    auto bytes = good;
    bytes[8] = abi;
    CHECK(CodeObject::parse(bytes, "x").version() == abi + 2u);
  }
  auto bytes = good;
  bytes[8] = 1;
  CHECK(contains(error_of(bytes), "version 2 or 3 is not supported"));
}

TEST_CASE("an object for another target is refused by name") {
  auto bytes = file_bytes("memory.co");
  for (const auto& [mach, name] :
       {std::pair<uint8_t, const char*>{0x4c, "gfx942"}, {0x3f, "gfx90a"}, {0x48, "gfx1200"}}) {
    bytes[48] = mach;
    const std::string text = error_of(bytes);
    CAPTURE(text);
    CHECK(contains(text, name));
    CHECK(contains(text, "gfx950"));
  }
}

TEST_CASE("offload bundles: the gfx950 entry is taken, plain or compressed") {
  const auto object = file_bytes("memory.co");
  for (const char* target : {"gfx950", "gfx950:sramecc+:xnack-"}) {
    const auto plain = bundle(target, object);
    CHECK(CodeObject::parse(plain, "x").kernels().size() == 9);
    for (const uint16_t version : {1, 2, 3}) {
      CAPTURE(version);
      CHECK(CodeObject::parse(compressed(plain, version), "x").kernels().size() == 9);
      CHECK(CodeObject::parse(compressed(plain, version, kZlibMethod), "x").kernels().size() == 9);
    }
  }
  CHECK(contains(error_of(bundle("gfx942", object)),
                 "no gfx950 entry; it holds: host-x86_64-unknown-linux-gnu-, "
                 "hipv4-amdgcn-amd-amdhsa--gfx942"));
  CHECK(contains(error_of({'n', 'o'}), "test.co"));
}

TEST_CASE("host files: the section .hip_fatbin is found by name, and its bundles one after the other") {
  const auto object = file_bytes("memory.co"), other = file_bytes("arguments.co");
  CHECK(CodeObject::parse(host_object(bundle("gfx950", object)), "x").kernels().size() == 9);
  CHECK(CodeObject::parse(host_object(compressed(bundle("gfx950", object), 2)), "x").kernels().size() == 9);
  // A second bundle for another target, as a program of two sources has it.
  for (const uint16_t version : {0, 1, 2, 3}) {
    CAPTURE(version);
    std::vector<uint8_t> two = bundle("gfx942", other);
    if (version != 0) two = compressed(two, version);
    two.resize((two.size() + 4095) / 4096 * 4096);
    const auto second = bundle("gfx950", object);
    two.insert(two.end(), second.begin(), second.end());
    CHECK(CodeObject::parse(host_object(two), "x").kernels().size() == 9);
    two.insert(two.end(), second.begin(), second.end());
    CHECK(contains(error_of(host_object(two)), "holds 2 gfx950 code objects: write test.co#1 to test.co#2"));
  }
  CHECK(contains(error_of(host_object({})), "it holds: nothing"));
  auto no_section = host_object(bundle("gfx950", object));
  no_section[no_section.size() - 3] = 'x';  // the last letters of the section's name
  CHECK(contains(error_of(no_section), "no section .hip_fatbin"));
  CHECK(contains(error_of(host_object(bundle("gfx942", object))), "hipv4-amdgcn-amd-amdhsa--gfx942"));
}

TEST_CASE("mutated code objects and bundles raise an Error or load; they never read outside") {
  const uint64_t seed = 20250731;
  MESSAGE("seed ", seed);
  std::mt19937_64 random(seed);
  const auto object = file_bytes("arguments.co");
  const std::vector<std::vector<uint8_t>> starts{
      object,
      bundle("gfx950", object),
      compressed(bundle("gfx950", object), 3),
      compressed(bundle("gfx950", object), 1, kZlibMethod),
      host_object(bundle("gfx950", object)),
      offload_binary(2, {{"amdgcn-amd-amdhsa", "gfx950", object}})};
  unsigned loaded = 0;
  for (unsigned run = 0; run < 9000; ++run) {
    auto bytes = starts[run % starts.size()];
    const unsigned changes = 1 + random() % 6;
    for (unsigned change = 0; change < changes; ++change) {
      // Half of the changes hit the headers, where the offsets are.
      const size_t range = random() % 2 ? std::min<size_t>(bytes.size(), 512) : bytes.size();
      const size_t at = random() % range;
      switch (random() % 3) {
        case 0:
          bytes[at] = static_cast<uint8_t>(random());
          break;
        case 1:
          bytes[at] ^= static_cast<uint8_t>(1u << random() % 8);
          break;
        default:
          for (size_t i = at; i < std::min(at + 8, bytes.size()); ++i) bytes[i] = random() % 2 ? 0xff : 0x7f;
      }
    }
    if (random() % 8 == 0) bytes.resize(random() % bytes.size());
    try {
      const Executable executable(CodeObject::parse(std::move(bytes), "mutant"));
      loaded += executable.object().kernels().size();
    } catch (const Error&) {
    }
  }
  CHECK(loaded > 100);  // the mutations are mild enough to reach the end of the loader
}

}  // namespace wavetwin::isa
