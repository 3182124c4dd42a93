// SPDX-License-Identifier: MIT
// What the kernel numeric_options (numeric.s) must write under every value of every named option: worked out
// by hand from what the option says, not by the simulator.
#pragma once

#include <cstdint>
#include <vector>

namespace wavetwin {

struct OptionWords {
  const char* option;
  std::vector<uint64_t> words;  // of each value, the default first
};

// In the order of the kernel's results.
inline const std::vector<OptionWords>& option_words() {
  static const std::vector<OptionWords> kWords = {
      // Both halves of a pack: S.11111.11 or S.11111.10, S = 0.
      {"bf8_nan", {0x7f7f, 0x7e7e}},
      // Two codes: 6.0 is S.11.1.
      {"nan_to_small", {0x77, 0x00}},
      // 15.75 steps of 1/8 and almost one more, cut: 2.0. By the guide the mantissa 0x7c0000 + 0xfffff wraps
      // to
      // 0x0bffff, 1.09375, and 1.125 is nearest.
      {"stochastic", {0x40, 0x39}},
      {"scaled_nan", {0x7fff, 0x7e00}},
      // The quiet NaN, or 0.5 * 2^128.
      {"scale_255", {0x7fc00000, 0x7f000000}},
      // 0x7f81.2345 cut to its high half; then with the quiet bit, or with bit 0 set, which it is.
      {"bf16_nan", {0x7fc17fc1, 0x7f817f81}},
      // 0.5 - 2^-25 + 0.5 is below 1; in f32 a tie between 1 - 2^-24 and 1, and 1 is the even one.
      {"cvt_rpi", {0, 1}},
      {"cvt_u8", {2, 3}},
      {"cvt_norm", {0x20002000, 0x1fff1fff}},
      // 0.625 + 2^24 is 2^24 (steps of 2), less 2^24 is 0; 0.625 - 2^24 is 1 - 2^24 (steps of 1), plus 2^24
      // is 1.
      {"dot2_sum", {0, 0x3f800000, 0x3f200000}},
      // 2^-133 in f32.
      {"dot2_denorm", {0, 0x00010000}},
      // sin(2 pi x) is 0x3dcd8a71 and 0.99 of a step; with x * 2 pi rounded it is nearest to 0x3dcd8a73 (both
      // from 60 digits).
      {"sin_cos", {0x3dcd8a72, 0x3dcd8a71, 0x3dcd8a73}},
      // A quarter turn, or none.
      {"sin_domain", {0x3f800000, 0}},
      // 1/3: the fraction is 0101... in binary; after 28 bits of it comes 01, after 23 bits 10.
      {"f64_approx", {0x3fd5555555555555, 0x3fd5555555000000, 0x3fd5555560000000}},
      {"sub_nan", {0x7fc00001, 0xffc00001}},
      // (1 - 2^-24) * 2^-126 rounds to 2^-126, which is normal, and is smaller than it.
      {"flush_test", {0x00800000, 0}},
      // 2^-24 in f32.
      {"mix_denorm", {0x33800000, 0}},
      {"mac_f16", {1, 0}},
      {"div_underflow", {0, 1}},
      // v4 of lane 40 (was 140) and v5 of lane 8, which takes the 140 either way; v5 of lane 8 was 208.
      {"permlane_exec", {140 | 140ull << 32, 208 | 140ull << 32}},
      // Lane 1 keeps its 7 or gets the 50 of lane 0; lane 2 gets the 51 of lane 1.
      {"dpp_disabled", {7 | 51ull << 32, 50 | 51ull << 32}},
      // Bytes 8 to 11 of a buffer of 8 are out of range, or count as 0 to 3: the result of nan_to_small.
      {"buffer_soffset", {0, 0x77}},
      // What lane 0 finds: 5, or 5 + 2 of lane 1. The sum: 1 + 2^24 is 2^24, less 2^24 is 0; from the other
      // end
      // 2^24 cancels first, and 1 is left.
      {"atomic_lanes", {5, 7 | uint64_t{0x3f800000} << 32}},
      // Rounds of 1024, 256, 4096 cycles, in units of 256.
      {"clock_round", {4, 1, 16}},
      {"format_float", {0x3c00, 0x3c01}},
      // 127.75 in the low ten bits, 0.5 in the top two.
      {"format_norm", {0x40000080, 0x00000080, 0x0000007f}},
      {"format_scaled", {2, 3}},
      // 3/255 and 3 * (1/255 in f32), both rounded once.
      {"format_norm_read", {0x3c40c0c1, 0x3c40c0c2}},
      // Published words of v_exp_f32 and v_log_f32 (gfx1100, gfx1201). 2^x is 0x3acecc1f less 0.49 of a step,
      // log2
      // 0x3f800013 less 0.24 (from 60 digits).
      {"exp_log_legacy", {0x3acecc1e | uint64_t{0x3f800012} << 32, 0x3acecc1f | uint64_t{0x3f800013} << 32}},
      // Block 0 reads A of block 1 of 0 and 1, from lane 4, or that of lane 32, the first of the upper half.
      {"mfma_broadcast", {4 | 5ull << 32, 32 | 33ull << 32}},
      // 2^31 - 1 + 1 and -2^31 - 1.
      {"mfma_i8", {0x7fffffff | 0x80000000ull << 32, 0x80000000 | 0x7fffffffull << 32}},
      // Of four lane groups: 1 * 3 + 2 * 3, or 2 * 3.
      {"smfmac_pair", {36 | 36ull << 32, 24 | 24ull << 32}},
      // 3 * 5 + 7 * 11, or -3 * 5 + 7 * 11.
      {"dot2c_abs", {0x42b80000, 0x42780000}},
  };
  return kWords;
}

}  // namespace wavetwin
