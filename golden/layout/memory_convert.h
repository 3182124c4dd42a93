// SPDX-License-Identifier: MIT
// Buffers from one memory layout to another, and buffers that claim to be in one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "golden/layout/memory_layout.h"

namespace wavetwin::golden {

// Bytes of each buffer of a layout.
using BufferBytes = std::vector<std::vector<std::byte>>;

// Throws Error unless both layouts hold the same matrices: as many, of the same sizes and element widths, and
// of the same names when there is more than one.
void check_same_elements(const std::string& a_name, const MemoryLayout& a, const std::string& b_name,
                         const MemoryLayout& b);

// A byte that should be padding of value 0.
struct PaddingByte {
  unsigned buffer;
  uint64_t byte;
  std::byte value;
};
// The padding that is not 0, in order; at most `most` of them.
std::vector<PaddingByte> nonzero_padding(const MemoryLayout& layout, const BufferBytes& bytes, size_t most);

// Moves every element; everything else in the result is 0. The layouts hold the same elements, `bytes` has
// the sizes of from's buffers.
BufferBytes convert_memory(const MemoryLayout& from, const MemoryLayout& to, const BufferBytes& bytes);

// ---- what is wrong with a buffer ----

struct WrongByte {
  unsigned buffer;
  uint64_t byte;
  std::byte have, want;
  std::optional<MemoryElement> element;  // nothing: padding
};

// Lanes and VGPRs of one operand that get wrong data, over all of its MFMAs.
struct FedWrongly {
  const char* instruction;
  const char* operand;
  uint64_t lanes = 0;                   // bit l: lane l
  uint64_t vgprs = 0;                   // bit v: VGPR v
  uint64_t row_tiles = 0, k_steps = 0;  // how many different ones
};

// How much of a buffer is as another layout would have it.
struct Likeness {
  std::string name;
  uint64_t equal, total;  // bytes
};

struct MemoryCheck {
  uint64_t elements_bytes = 0;  // bytes that hold elements
  uint64_t wrong = 0;           // of these, and of the padding that must be 0
  std::vector<WrongByte> first;
  std::vector<FedWrongly> fed;
  std::vector<Likeness> looks_like;  // the best first; none when nothing fits better than the claimed layout
};

// `bytes` claims to be `layout` holding the elements that `reference` (row major, plain_layout) has.
// Candidates for what it looks like are all layouts that hold the same elements in as many bytes. Lists the
// first `list` wrong bytes.
MemoryCheck check_memory(const MemoryLayout& layout, const std::string& name, const MemoryShape& shape,
                         const BufferBytes& bytes, const BufferBytes& reference, size_t list);

}  // namespace wavetwin::golden
