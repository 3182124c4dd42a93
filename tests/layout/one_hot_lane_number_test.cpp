// SPDX-License-Identifier: MIT
// v_readlane_b32, v_writelane_b32 and v_readfirstlane_b32 with every lane: by a constant, an SGPR and M0.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/isa/valu/wave_fixture.h"

namespace wavetwin::test {
namespace {

constexpr unsigned kVector = 3, kScalar = 20, kSelect = 5, kValue = 7, kConstant = 128, kM0Code = 124;

uint32_t number(unsigned lane) { return 3000 + lane; }

// The operand codes that name a lane, with the register behind the code set to `select`; a constant holds
// 0..63.
std::vector<unsigned> lane_operands(TestWave& wave, unsigned select) {
  wave.state.scalar[kSelect] = wave.state.scalar[isa::kM0] = select;
  std::vector<unsigned> codes{kSelect, kM0Code};
  if (select < 64) codes.push_back(kConstant + select);
  return codes;
}

// Lane numbers, also above 63 (taken modulo 64), with some EXEC, which neither instruction looks at.
template <class Body>
void for_each_lane_number(Body body) {
  for (unsigned select = 0; select < 256; ++select) {
    for (const uint64_t exec : {uint64_t{0}, ~uint64_t{0}, uint64_t{1} << (select % 64)}) {
      CAPTURE(select);
      CAPTURE(exec);
      TestWave wave;
      for (unsigned lane = 0; lane < 64; ++lane) wave.v(kVector, lane) = number(lane);
      wave.state.set_exec(exec);
      for (const unsigned code : lane_operands(wave, select)) body(wave, code, select % 64);
    }
  }
}

}  // namespace

TEST_CASE("one-hot lanes: v_readlane_b32 reads the lane of every number, whatever EXEC") {
  const std::string_view name = "V_READLANE_B32";
  for_each_lane_number([&](TestWave& wave, unsigned code, unsigned lane) {
    Encoding e;
    e.dst = kScalar;
    e.src[0] = vgpr_code(kVector);
    e.src[1] = code;
    wave.run(encode_vop3(row_named(name), e));
    CHECK(wave.state.scalar[kScalar] == number(lane));
  });
}

TEST_CASE("one-hot lanes: v_writelane_b32 writes the lane of every number and no other, whatever EXEC") {
  const std::string_view name = "V_WRITELANE_B32";
  for_each_lane_number([&](TestWave& wave, unsigned code, unsigned written) {
    Encoding e;
    e.dst = kVector;
    e.src[0] = kValue;
    e.src[1] = code;
    wave.state.scalar[kValue] = 0xabcd;
    wave.run(encode_vop3(row_named(name), e));
    unsigned wrong = 64;
    for (unsigned lane = 0; lane < 64; ++lane) {
      if (wave.v(kVector, lane) != (lane == written ? 0xabcd : number(lane))) wrong = lane;
    }
    CHECK_MESSAGE(wrong == 64, fmt::format("lane {} of {:#x}", wrong, code));
    wave.v(kVector, written) = number(written);
  });
}

TEST_CASE("one-hot lanes: v_readfirstlane_b32 reads the lowest lane that runs, each one") {
  TestWave wave;
  for (unsigned lane = 0; lane < 64; ++lane) wave.v(kVector, lane) = number(lane);
  Encoding e;
  e.dst = kScalar;
  e.src[0] = vgpr_code(kVector);
  for (unsigned first = 0; first < 64; ++first) {
    for (const uint64_t others : {uint64_t{0}, ~uint64_t{0}, uint64_t{0x8421084210842108}}) {
      CAPTURE(first);
      CAPTURE(others);
      wave.state.set_exec((others | 1) << first);
      wave.run(encode_short(row_named("V_READFIRSTLANE_B32"), e));
      CHECK(wave.state.scalar[kScalar] == number(first));
    }
  }
}

}  // namespace wavetwin::test
