// SPDX-License-Identifier: MIT
// Constants and index functions of the device words: what both twins of every kernel here agree on.
//
// Index functions take a plain uint32_t on the device and in uniform code, and a Lane of them in a simulated
// kernel, so they are templates over the index type.
#pragma once

#include <cstdint>

#include "common/host_device.h"

// Index functions are forced inline on the device, so that a code object holds no calls at any -O level.
#if defined(__HIP__)
#define WAVETWIN_INDEX __host__ __device__ constexpr __attribute__((always_inline))
#else
#define WAVETWIN_INDEX constexpr
#endif

namespace wavetwin {

inline constexpr uint32_t kBlocks = 256;   // workgroups of a persistent launch: one per CU, all resident
inline constexpr uint32_t kThreads = 512;  // threads of a workgroup
inline constexpr uint32_t kLanes = 64;     // lanes of a wave
inline constexpr uint32_t kWaves = kThreads / kLanes;

// num_records of a buffer resource: every 32-bit offset is inside, or none (a masked-off workgroup).
inline constexpr uint32_t kAllRecords = 0xFFFFFFFFu;
inline constexpr uint32_t kNoRecords = 0;

// Cache policy bits of a buffer instruction (CDNA3 ISA guide, section 9.1.10: SC0, NT, SC1).
inline constexpr uint32_t kCmPlain = 0;
inline constexpr uint32_t kCmSc0 = 1;
inline constexpr uint32_t kCmNt = 2;
inline constexpr uint32_t kCmDev = 16;               // SC1: device scope, past the L2 of one XCD
inline constexpr uint32_t kCmSys = kCmSc0 | kCmDev;  // system scope

// cbsz / blgp codes of v_mfma_scale_f32_16x16x128_f8f6f4 (CDNA4 ISA guide, table "matrix formats").
inline constexpr uint32_t kFp8 = 0;
inline constexpr uint32_t kFp4 = 4;
inline constexpr uint32_t kUnitScale = 127;  // E8M0 code of 1.0

// f32 bit patterns of the MXFP8 arithmetic and of the software exp2 (kernels hold no float constants here).
inline constexpr uint32_t kSignBit = 0x80000000u;
inline constexpr uint32_t kFltMinBits = 0x00800000u;  // 2^-126
inline constexpr uint32_t kFp8MaxBits = 0x43E00000u;  // 448
inline constexpr uint32_t kR448Bits = 0x3B124925u;    // RN(1 / 448)
inline constexpr uint32_t kExp2C1 = 0x3F317218u, kExp2C2 = 0x3E75FDF0u, kExp2C3 = 0x3D6357B6u,
                          kExp2C4 = 0x3C1D952Au, kExp2C5 = 0x3AAF8448u, kExp2C6 = 0x392209C5u;

// Mailbox and polling.
inline constexpr uint32_t kPairBytes = 8;     // {value, tag}
inline constexpr uint32_t kPollMax = 12;      // loads in flight of one poll
inline constexpr uint32_t kLoadBatch = 4;     // rounds in flight of batched_rounds
inline constexpr uint32_t kEpochMarks = 4;    // word of workgroup 0's mark in the epoch buffer
inline constexpr uint32_t kEpochWords = 832;  // 320 of epoch and marks, 512 counters

template <class U>
struct TileAt {
  U row, col;
};

// 2^20 / width rounded up: (tid * m) >> 20 is tid / width for every tid < kThreads and the widths 10, 20, 80,
// 160 (and many more; a test checks the ones in use).
WAVETWIN_INDEX uint32_t tile_reciprocal(uint32_t width) { return ((1u << 20) + width - 1) / width; }

WAVETWIN_INDEX uint32_t log2_of(uint32_t power_of_two) {
  uint32_t shift = 0;
  while ((1u << shift) < power_of_two) ++shift;
  return shift;
}

// (tid / width, tid % width) for tid < kThreads without a division.
template <class U>
WAVETWIN_INDEX TileAt<U> tile_map(U tid, uint32_t width) {
  if ((width & (width - 1)) == 0) return {tid >> log2_of(width), tid & (width - 1)};
  const U row = (tid * tile_reciprocal(width)) >> 20u;
  return {row, tid - row * width};
}

// The first task of workgroup `bid` in a stage placed from workgroup `base`; its next ones are kBlocks
// further on.
WAVETWIN_INDEX uint32_t first_task(uint32_t bid, uint32_t base) {
  return (bid - base % kBlocks + kBlocks) % kBlocks;
}

}  // namespace wavetwin
