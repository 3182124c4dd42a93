// SPDX-License-Identifier: MIT
// Moves between the lanes of a wave. They move bits and compute nothing, so they work on any Lane<T>. Which
// lane feeds which is in common/lane_map.h.
#pragma once

#include <cstdint>

#include "common/lane_map.h"
#include "sim/core/lane.h"

namespace wavetwin {

// v of lane src mod 64 (ds_bpermute_b32 with byte address 4*src). A source lane outside `active` gives 0.
template <class T>
inline Lane<T> lane_gather(const Lane<T>& v, const LaneU32& src, LaneMask active = kAllLanes) {
  Lane<T> r;
  for (unsigned l = 0; l < kWaveSize; ++l) {
    const unsigned s = src.v[l] % kWaveSize;
    r.v[l] = active[s] ? v.v[s] : T{0};
  }
  return r;
}

// Active lane l sends v to lane dst mod 64 (ds_permute_b32): the highest sender wins, lanes nobody sent to
// get 0.
template <class T>
inline Lane<T> lane_scatter(const Lane<T>& v, const LaneU32& dst, LaneMask active = kAllLanes) {
  Lane<T> r(T{0});
  active.for_each([&](unsigned l) { r.v[dst.v[l] % kWaveSize] = v.v[l]; });
  return r;
}

// v of lane l ^ off.
template <class T>
inline Lane<T> lane_xor(const Lane<T>& v, unsigned off) {
  Lane<T> r;
  for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = v.v[(l ^ off) % kWaveSize];
  return r;
}

// v of one lane, wave-uniform (v_readlane_b32: lane mod 64).
template <class T>
inline T read_lane(const Lane<T>& v, unsigned lane) {
  return v.v[lane % kWaveSize];
}

// v of the lowest active lane, of lane 0 when none is (v_readfirstlane_b32).
template <class T>
inline T read_first_lane(const Lane<T>& v, LaneMask active = kAllLanes) {
  return active.any() ? v.v[active.first_set()] : v.v[0];
}

// v with one lane replaced (v_writelane_b32).
template <class T>
inline Lane<T> write_lane(Lane<T> v, unsigned lane, T value) {
  v.v[lane % kWaveSize] = value;
  return v;
}

// Swaps x's lanes 32..63 with y's lanes 0..31 (v_permlane32_swap_b32, all lanes active).
template <class T>
inline void permlane32_swap(Lane<T>& x, Lane<T>& y) {
  for (unsigned i = 0; i < 32; ++i) {
    const T t = x.v[32 + i];
    x.v[32 + i] = y.v[i];
    y.v[i] = t;
  }
}

// Swaps x's odd rows with y's even rows: rows 1 and 0, rows 3 and 2 (v_permlane16_swap_b32, all lanes
// active).
template <class T>
inline void permlane16_swap(Lane<T>& x, Lane<T>& y) {
  for (unsigned pair = 0; pair < 2; ++pair) {
    for (unsigned i = 0; i < 16; ++i) {
      const T t = x.v[32 * pair + 16 + i];
      x.v[32 * pair + 16 + i] = y.v[32 * pair + i];
      y.v[32 * pair + i] = t;
    }
  }
}

// ---- DPP ----

// Destination lanes that row_mask (bit r: row r) and bank_mask (bit b: lanes with (l / 4) % 4 == b) let
// through.
constexpr LaneMask dpp_write_mask(uint32_t row_mask, uint32_t bank_mask) {
  LaneMask m;
  for (unsigned l = 0; l < kWaveSize; ++l) {
    if (dpp_writes(row_mask, bank_mask, l)) m |= LaneMask::lane(l);
  }
  return m;
}

// v_mov_b32 with DPP: a lane that the masks gate off, or whose source is invalid or inactive while bound_ctrl
// is false, keeps `old`; with bound_ctrl such a source gives 0.
template <class T>
inline Lane<T> dpp_move(const Lane<T>& old, const Lane<T>& v, uint32_t ctrl, uint32_t row_mask = 0xF,
                        uint32_t bank_mask = 0xF, bool bound_ctrl = false, LaneMask active = kAllLanes) {
  const LaneMask writes = dpp_write_mask(row_mask, bank_mask) & active;
  Lane<T> r = old;
  writes.for_each([&](unsigned l) {
    const int s = dpp_source(ctrl, l);
    if (s >= 0 && active[static_cast<unsigned>(s)]) {
      r.v[l] = v.v[s];
    } else if (bound_ctrl) {
      r.v[l] = T{0};
    }
  });
  return r;
}

// Lanes with lane % 16 >= k get lane-k's value, the others +0.
template <class T>
inline Lane<T> row_shr(const Lane<T>& v, unsigned k) {
  Lane<T> r;
  for (unsigned l = 0; l < kWaveSize; ++l) r.v[l] = l % 16 >= k ? v.v[l - k] : T{0};
  return r;
}

}  // namespace wavetwin
