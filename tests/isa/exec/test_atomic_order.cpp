// SPDX-License-Identifier: MIT
// The order of lanes that meet at one address: the option atomic_lanes reaches exactly the instructions whose
// memory or returned values depend on it.
#include <doctest/doctest.h>

#include <random>

#include "tests/isa/memory/memory_fixture.h"

namespace wavetwin::isa {
namespace {

constexpr unsigned kMeeting = 4;  // lanes
constexpr uint32_t kPlace = 64;   // where they meet, from the start of the memory

// What the lanes bring; every dword of the memory is `memory`.
struct Scene {
  uint32_t memory = 0;
  std::array<std::array<uint32_t, kMeeting>, 4> data{}, data2{};
};

// Numbers of one format with few exponents, so that sums round; NaNs; small numbers; any bits.
uint32_t word_of(unsigned kind, std::mt19937_64& random) {
  const uint64_t r = random();
  const auto bits = static_cast<uint32_t>(r >> 16);
  const uint32_t sign = bits & 0x80000000u;
  switch (kind) {
    case 0:  // f32, the high dword of f64, bf16
      return sign | (0x3f800000 + (bits & 0x07ffffff));
    case 1:  // f16
      return (bits & 0x80008000u) | (0x3c003c00 + (bits & 0x0fff0fff));
    case 2:  // NaNs of every float
      return sign | 0x7fff0000 | (bits & 0xffff) | 0x7c01;
    case 3:
      return bits % 5;
    default:
      return bits;
  }
}

// The even ones of scenes let compares succeed, of either order of operands.
Scene make_scene(uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto kind = static_cast<unsigned>(seed / 4 % 5);
  Scene scene;
  scene.memory = word_of(kind, random);
  for (auto* registers : {&scene.data, &scene.data2}) {
    for (auto& dword : *registers) {
      for (uint32_t& word : dword) word = word_of(kind, random);
    }
  }
  if (seed % 4 == 0) scene.data[0].fill(scene.memory), scene.data[1].fill(scene.memory);  // DS
  if (seed % 4 == 1) {
    for (unsigned d = 1; d < 4; ++d) scene.data[d].fill(scene.memory);  // memory
  }
  return scene;
}

std::vector<uint32_t> encode(const Row& row) {
  if (row.format == Format::ds) {
    const auto used = [](OperandType type, unsigned index) { return type == NONE ? 0 : index; };
    return encode_ds(row, 0, used(row.src[0], kAddress), used(row.src[1], kData), used(row.dst[0], kDst),
                     used(row.src[2], kData2));
  }
  if (row.format == Format::mubuf) return encode_mubuf(row, kAddress, kData, {.returns = true});
  return {0xdc000000u | uint32_t{row.opcode} << 18 | 1u << 16 | 2u << 14,
          kAddress | kData << 8 | 0x7fu << 16 | kDst << 24};
}

// The memory around the place and all registers after the instruction ran in either order.
std::vector<uint32_t> outcome(const Row& row, const Scene& scene, bool down) {
  NumericModel model;
  model.set("atomic_lanes", down ? "descending" : "ascending");
  GlobalMemory memory;
  const std::vector<uint32_t> before(64, scene.memory);
  const uint64_t base = memory.allocate("tested", 256);
  memory.write(base, before.data(), 256);
  std::vector<uint32_t> seen;
  const auto start = [&](WaveState& state, Environment& env) {
    env.numeric_model = &model;
    fill_lds(env, [&](uint32_t) { return scene.memory; });
    state.set_pair(kResource, base);
    state.scalar[kResource + 2] = 256;
    state.scalar[kResource + 3] = 0x00027000;
    const bool global = row.format == Format::flat;
    set_row(state, kAddress, [&](unsigned) { return (global ? static_cast<uint32_t>(base) : 0) + kPlace; });
    if (global) set_row(state, kAddress + 1, [&](unsigned) { return static_cast<uint32_t>(base >> 32); });
    for (unsigned d = 0; d < 4; ++d) {
      set_row(state, kData + d, [&](unsigned lane) { return scene.data[d][lane % kMeeting]; });
      set_row(state, kData2 + d, [&](unsigned lane) { return scene.data2[d][lane % kMeeting]; });
      set_row(state, kDst + d, [](unsigned) { return 0; });
    }
    state.set_exec((uint64_t{1} << kMeeting) - 1);
    const Instruction in = decode(encode(row), 0);
    execute_function(in)(state, in);
  };
  const auto look = [&](WaveState& state, Environment& env) {
    for (const unsigned first : {kData, kDst}) {
      for (unsigned d = 0; d < 4; ++d) {
        for (unsigned lane = 0; lane < kMeeting; ++lane) seen.push_back(at(state, first + d, lane));
      }
    }
    for (uint32_t i = 0; i < 32; i += 4) seen.push_back(lds_word(env, kPlace + i));
  };
  probe(memory, start, look);
  std::vector<uint32_t> after(64);
  memory.read(base, after.data(), 256);
  seen.insert(seen.end(), after.begin(), after.end());
  return seen;
}

}  // namespace

TEST_CASE("atomic_lanes: reaches every instruction that depends on the order of lanes, and no other") {
  const auto& options = numeric_options();
  const auto option = std::find_if(options.begin(), options.end(), [](const NumericOption& o) {
    return o.name == std::string_view("atomic_lanes");
  });
  REQUIRE(option != options.end());
  unsigned dependent_rows = 0, others = 0;
  for (const Row& row : rows()) {
    const bool atomic = row.name.find("_ATOMIC_") != std::string_view::npos && row.format != Format::smem;
    if (!row.implemented || (!atomic && row.format != Format::ds)) continue;
    CAPTURE(std::string(row.name));
    bool dependent = false;
    for (uint64_t seed = 0; seed < 40 && !dependent; ++seed) {
      const Scene scene = make_scene(seed);
      dependent = outcome(row, scene, false) != outcome(row, scene, true);
    }
    CHECK(dependent == option->covers(row.name));
    ++(dependent ? dependent_rows : others);
    CHECK((row.source.find("option atomic_lanes") != std::string_view::npos) == dependent);
    // A float sum depends on it however the lanes share the data: nothing of it is specified.
    const bool sum = row.name.find("_ADD_F") != std::string_view::npos ||
                     row.name.find("_ADD_RTN_F") != std::string_view::npos ||
                     row.name.find("_PK_ADD_") != std::string_view::npos;
    if (sum) CHECK(row.evidence == Evidence::unknown);
  }
  CHECK(dependent_rows > 100);
  CHECK(others > 40);
  // Scalar atomics have no lanes.
  CHECK_FALSE(option->covers("S_ATOMIC_ADD"));
  CHECK_FALSE(option->covers("S_BUFFER_ATOMIC_SWAP"));
}

}  // namespace wavetwin::isa
