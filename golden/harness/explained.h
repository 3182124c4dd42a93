// SPDX-License-Identifier: MIT
// How much of a difference a mistake explains, and when that is worth saying.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "golden/harness/case.h"

namespace wavetwin::golden {

// How much of the difference of one region a mistake explains.
struct Explained {
  std::string region;
  uint64_t bits_each = 32;  // of an element
  uint64_t different = 0;   // elements that differ between the two runs
  uint64_t matched = 0;     // of these: the mistake gives exactly the words found
  uint64_t elsewhere = 0;   // elements that are right although the mistake would change them
  uint64_t words = 0;       // different words among the matched ones

  bool whole() const { return matched == different && elsewhere == 0; }
};

struct Explanation {
  std::string text;                // "'w_scale' read with columns c and c ^ 1 exchanged"
  std::vector<Explained> regions;  // those that differ

  // Every differing element of every region, and nothing that is right.
  bool explains_all() const;
};

// What a mistake gives at element i: one word, or several when it may be any of them (the lanes of another
// operand's row, say); nothing where it cannot tell.
using WouldBe = std::function<void(uint64_t i, std::vector<uint64_t>& words)>;
Explained count_explained(const RegionSpec& region, const Tensor& right, const Tensor& found,
                          const WouldBe& would_be);

// Whether the words found bear the explanation, which must explain
//   - every differing element of some region and change nothing else in it, or
//   - every differing element of some region (a few waves or steps made the mistake), or half of them and
//     change nothing else in it, both by words that are not all alike.
// Fewer equal words than 64 bits are chance: among some hundred mistakes one meets a byte or two anyway.
bool is_credible(const Explanation& explanation);

// More regions whole, then a larger share, then the one that changes least of what is right.
bool is_better(const Explanation& a, const Explanation& b);

// Lines for the report, each ended by a newline.
std::string text_of(const Explanation& explanation);

// Equal as the comparison of the region has it: a NaN of a float type matches a NaN.
bool same_element(const RegionSpec& region, uint64_t a, uint64_t b);

}  // namespace wavetwin::golden
