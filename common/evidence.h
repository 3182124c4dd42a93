// SPDX-License-Identifier: MIT
// What stands behind the bits of a result.
#pragma once

#include <cstdint>

namespace wavetwin {

// Ordered from the strongest to the weakest; a result is as good as its weakest part.
enum class Evidence : uint8_t {
  specified,  // a public document fixes the bits
  measured,   // recorded words from the part itself
  inferred,   // measured on a sibling part, or the only reading that fits the documents
  unknown     // nobody has published it: a named option with a default
};

constexpr Evidence weaker(Evidence a, Evidence b) { return a > b ? a : b; }

constexpr const char* to_string(Evidence level) {
  constexpr const char* kNames[] = {"specified", "measured", "inferred", "unknown"};
  return kNames[static_cast<uint8_t>(level)];
}

}  // namespace wavetwin
