// SPDX-License-Identifier: MIT
// A second model of the MFMA sums, independent of sim/ and common/: elements are decoded with ldexp, every
// number is an exact big fixed-point number, and each rule is "the multiple of 2^(E - bits) below". Slow.
// Constants and rules are written down again from the published measurements of gfx942 and the stated
// extension to gfx950.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace wavetwin::reference {

// Options by their text names and values ("F" -> "24"), as `wavetwin mfma --set` spells them, and the rule:
// "steps", "fma-sequential" or "exact-rne".
struct MfmaOptions {
  std::string rule = "steps";
  std::map<std::string, std::string> values;
};

// One output. `datapath` is "f8f6f4", "f8" (legacy 8-bit), "bf16" or "f16"; `new_shape` tells whether gfx942
// lacks it.
struct MfmaDot {
  std::string datapath;
  bool new_shape = false;
  std::string a_format, b_format;
  std::vector<uint64_t> a, b;                // codes, one for each k
  std::vector<unsigned> a_scales, b_scales;  // E8M0 bytes, one for every 32 k; empty: unscaled
  uint32_t c = 0;
};

uint32_t mfma_dot(const MfmaOptions& options, const MfmaDot& dot);

// The f32, f64 and i8 shapes: fused multiply-adds one after the other; a wrapping integer sum.
uint32_t fma_chain_f32(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, uint32_t c,
                       bool flush_inputs, uint32_t nan_bits);
uint64_t fma_chain_f64(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b, uint64_t c);
uint32_t sum_i8(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b, uint32_t c);

}  // namespace wavetwin::reference
