// SPDX-License-Identifier: MIT
// The words by which workgroups wait for each other, in one persistent launch. Everyone posts single pairs in
// its part of a region and polls the next workgroup's, does the same with double pairs, publishes a flag,
// awaits its neighbours' flags and loads plainly what they posted. The region is never cleared; the tag moves
// with the epoch.
#pragma once

#include <cstdint>

#include "common/device_ptr.h"
#include "common/kernels/device.h"

namespace wavetwin {

inline constexpr uint32_t kMailboxWidth = kLanes;  // threads that post, at most
inline constexpr uint32_t kMailboxSingles = 14;    // one-pair specs of a poll: two batches
inline constexpr uint32_t kMailboxDoubles = 3;     // two-pair specs
inline constexpr uint32_t kMailboxPoints = 4;      // stamps of a timeline build
inline constexpr uint32_t kMailboxNeighbours = 8;  // flags awaited
inline constexpr uint32_t kMailboxPolled = kMailboxSingles + 4 * kMailboxDoubles;  // words a thread polls
// What a thread reports: those, and one word by a plain load, which only the neighbour's flag makes safe.
inline constexpr uint32_t kMailboxWords = kMailboxPolled + 1;

// A workgroup's part, in pairs: `width` by put, 2 width by put_words, 2 width by put_bf. Another width is
// another layout of the same memory: what it left behind must never match a tag.
WAVETWIN_INDEX uint32_t mailbox_part(uint32_t bid, uint32_t width) { return 5 * width * bid; }
WAVETWIN_INDEX uint32_t mailbox_words_at(uint32_t width) { return width; }
WAVETWIN_INDEX uint32_t mailbox_bf_at(uint32_t width) { return 3 * width; }

struct MailboxArgs {
  DevicePtr<uint32_t> region;  // pairs of kBlocks parts
  DevicePtr<uint32_t> flags;   // kBlocks pairs
  DevicePtr<uint32_t> epoch;   // kEpochWords words
  DevicePtr<uint32_t> seen;    // [kBlocks][kMailboxWords][kMailboxWidth], threads below width
  DevicePtr<uint32_t> digest;  // [kBlocks][kMailboxWidth], grows by the words of each launch
  DevicePtr<uint32_t> tl;      // timeline builds: [kBlocks][kMailboxPoints] i64; or null
  uint32_t width;              // 1 .. kMailboxWidth
  uint32_t layer;              // below 63; part of the tag
};
static_assert(sizeof(MailboxArgs) == 56);

inline constexpr char kMailboxSymbol[] = "_ZN5aiter18primitives_mailboxE";

}  // namespace wavetwin
