// SPDX-License-Identifier: MIT
// What every builtin kernel reads: kInputWords words a lane, in sections by type. Compiled by both sides.
#pragma once

namespace wavetwin::isa::builtins {

// First word of each section of a lane's inputs. "Small" numbers are whole and between -3 and 3, so that sums
// of products of them are exact in every order.
enum Section : unsigned {
  kRandom = 0,          // 64 words of random bits
  kSparseIndex = 63,    // the last of them picks two different elements of each four
  kFloats = 64,         // 32 f32 in [-8, 8]
  kDoubles = 96,        // 16 f64 in [-8, 8]
  kHalves = 128,        // 32 f16 in [-8, 8]
  kCounts = 144,        // 16 words in 0..63
  kSmallFloats = 160,   // 64 f32
  kSmallDoubles = 224,  // 16 f64
  kSmallHalves = 256,   // 64 f16
  kSmallBf16 = 288,     // 64 bf16
  kSmallFp8 = 320,      // 64 e4m3
  kSmallBf8 = 336,      // 64 e5m2
  kInputWords = 352,
};

inline constexpr unsigned kLanesOfWave = 64;
inline constexpr unsigned kOutputWords = 32;  // a lane

}  // namespace wavetwin::isa::builtins
