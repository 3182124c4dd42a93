// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <initializer_list>

#include "sim/core/cross_lane.h"

using namespace wavetwin;

namespace {

const LaneU32 kId = LaneU32::iota();

}  // namespace

TEST_CASE("cross lane: gather reads lane src mod 64, and 0 from inactive lanes") {
  const LaneU32 r = lane_gather(kId + 100, kId + 63);
  CHECK(r[0] == 163);
  CHECK(r[1] == 100);
  const LaneU32 partial = lane_gather(kId + 100, kId ^ 1, ~LaneMask::lane(4));
  CHECK(partial[5] == 0);
  CHECK(partial[4] == 105);
}

TEST_CASE("cross lane: scatter keeps the highest sender and zeros elsewhere") {
  const LaneU32 r = lane_scatter(kId + 100, kId / 2);
  CHECK(r[0] == 101);
  CHECK(r[31] == 163);
  CHECK(r[32] == 0);
  CHECK(lane_scatter(kId, LaneU32(64u), kId < 3)[0] == 2);
}

TEST_CASE("cross lane: readlane, readfirstlane and writelane") {
  CHECK(read_lane(kId, 67) == 3);
  CHECK(read_first_lane(kId, kId >= 9) == 9);
  CHECK(read_first_lane(kId, LaneMask::none()) == 0);
  CHECK(write_lane(kId, 5, 77u)[5] == 77);
  CHECK(write_lane(kId, 5, 77u)[6] == 6);
}

TEST_CASE("cross lane: permlane32_swap exchanges the upper half of x with the lower half of y") {
  LaneU32 x = kId, y = kId + 100;
  permlane32_swap(x, y);
  for (unsigned l = 0; l < 64; ++l) {
    CAPTURE(l);
    CHECK(x[l] == (l < 32 ? l : l - 32 + 100));
    CHECK(y[l] == (l < 32 ? l + 32 : l + 100));
  }
}

TEST_CASE("cross lane: permlane16_swap exchanges the odd rows of x with the even rows of y") {
  LaneU32 x = kId, y = kId + 100;
  permlane16_swap(x, y);
  for (unsigned l = 0; l < 64; ++l) {
    CAPTURE(l);
    const bool odd = (l / 16) % 2 == 1;
    CHECK(x[l] == (odd ? l - 16 + 100 : l));
    CHECK(y[l] == (odd ? l + 100 : l + 16));
  }
}

TEST_CASE("cross lane: DPP sources stay in their row, wave or bank") {
  using namespace dpp_ctrl;
  CHECK(dpp_source(0xB1, 5) == 4);  // quad_perm 1,0,3,2
  CHECK(dpp_source(0x4E, 5) == 7);  // quad_perm 2,3,0,1
  CHECK(dpp_source(kRowShl + 8, 7) == 15);
  CHECK(dpp_source(kRowShl + 8, 8) == -1);
  CHECK(dpp_source(kRowShr + 8, 24) == 16);
  CHECK(dpp_source(kRowShr + 8, 23) == -1);
  CHECK(dpp_source(kRowRor + 1, 16) == 31);
  CHECK(dpp_source(kWaveShl1, 62) == 63);
  CHECK(dpp_source(kWaveShl1, 63) == -1);
  CHECK(dpp_source(kWaveRol1, 63) == 0);
  CHECK(dpp_source(kWaveShr1, 0) == -1);
  CHECK(dpp_source(kWaveRor1, 0) == 63);
  CHECK(dpp_source(kRowMirror, 17) == 30);
  CHECK(dpp_source(kRowHalfMirror, 25) == 30);
  CHECK(dpp_source(kRowBcast15, 15) == -1);
  CHECK(dpp_source(kRowBcast15, 40) == 31);
  CHECK(dpp_source(kRowBcast31, 33) == 31);
  CHECK(dpp_source(kRowNewBcast + 3, 60) == 51);
}

TEST_CASE("cross lane: exactly the DPP controls of the guide are valid") {
  unsigned valid = 0;
  for (uint32_t ctrl = 0; ctrl < 0x200; ++ctrl) valid += dpp_is_valid(ctrl);
  CHECK(valid == 256 + 3 * 15 + 4 + 4 + 16);
  for (const uint32_t bad : {0x100u, 0x110u, 0x120u, 0x131u, 0x144u, 0x160u}) CHECK_FALSE(dpp_is_valid(bad));
}

TEST_CASE("cross lane: a DPP move keeps old where it does not write, or zeros with bound_ctrl") {
  using namespace dpp_ctrl;
  const LaneU32 old = kId + 1000;
  const LaneU32 kept = dpp_move(old, kId, kRowShr + 1);
  CHECK(kept[16] == 1016);
  CHECK(kept[17] == 16);
  CHECK(dpp_move(old, kId, kRowShr + 1, 0xF, 0xF, true)[16] == 0);
  const LaneU32 masked = dpp_move(old, kId, kRowShr + 1, 0xA, 0xC);
  CHECK(masked[17] == 1017);                                                        // bank 0
  CHECK(masked[24] == 23);                                                          // row 1, bank 2
  CHECK(masked[40] == 1040);                                                        // row 2
  CHECK(dpp_move(old, kId, 0xB1, 0xF, 0xF, false, ~LaneMask::lane(5))[4] == 1004);  // source inactive
  CHECK(dpp_move(old, kId, 0xB1, 0xF, 0xF, false, ~LaneMask::lane(5))[5] == 1005);  // destination inactive
}

TEST_CASE("cross lane: the DPP pair of an xor by 8 equals lane_xor") {
  using namespace dpp_ctrl;
  LaneU32 r = dpp_move(LaneU32(0u), kId, kRowShr + 8, 0xF, 0xC);
  r = dpp_move(r, kId, kRowShl + 8, 0xF, 0x3);
  CHECK((r == lane_xor(kId, 8)).is_all());
}

TEST_CASE("cross lane: row_shr zeros the first lanes of each row") {
  const LaneU32 r = row_shr(kId + 100, 3);
  CHECK(r[18] == 0);
  CHECK(r[19] == 116);
}
