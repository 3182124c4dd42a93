// SPDX-License-Identifier: MIT
// Layouts of memory by name: where a buffer keeps each element of the matrices it holds, and back.
//
// A layout holds one or more parts (matrices: codes, scales, K, V) in one or more buffers. Offsets count bits
// from the start of a buffer, so that packed 4- and 6-bit elements have places too. The index functions
// themselves are those that the kernels use (common/layout, common/kernels, common/mfma).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/evidence.h"
#include "common/format/format_id.h"
#include "common/mfma/layout.h"
#include "golden/layout/bank_model.h"

namespace wavetwin::golden {

// One matrix of a layout.
struct MemoryPart {
  std::string name;  // "data", "scale", "k" ...
  uint64_t rows, columns;
  unsigned bits;                   // of one element
  std::optional<FormatId> format;  // what the elements are, where the layout fixes it
  unsigned buffer;                 // index into buffers()
};

// One piece of memory. `shape` counts units of `unit_bits` and is what a file keeps.
struct MemoryBuffer {
  std::string name;
  std::vector<uint64_t> shape;
  unsigned unit_bits;

  uint64_t bits() const;
  uint64_t bytes() const { return bits() / 8; }
};

struct MemoryElement {
  unsigned part;
  uint64_t row, column;
  friend bool operator==(const MemoryElement&, const MemoryElement&) = default;
};

// What a byte is that holds no element.
enum class Padding : uint8_t {
  zero,  // must be 0
  any    // never read
};

// Where an element is in an MFMA operand when a wave loads it as its kernels do: of the MFMA for tile
// `row_tile` along M (for B along N) and step `k_step` along K.
struct MfmaFeed {
  const char* instruction;
  const char* operand;  // "A", "B", "scale_a", "scale_b"
  uint64_t row_tile, k_step;
  mfma::Place place;
  unsigned bits;
};

// Which scale belongs to a code: element (row, column) of part `codes` has (row / rows, column / columns) of
// part `scales`.
struct MemoryScales {
  unsigned codes, scales;
  uint64_t rows, columns;

  MemoryElement of(const MemoryElement& code) const {
    return {scales, code.row / rows, code.column / columns};
  }
};

// An LDS access that a kernel makes, by one instruction or more.
struct LdsAccess {
  std::string name;         // what is accessed
  std::string instruction;  // as the bank model names it
  std::vector<LaneAddresses> issued;
};

class MemoryLayout {
 public:
  MemoryLayout(std::vector<MemoryPart> parts, std::vector<MemoryBuffer> buffers)
      : parts_(std::move(parts)), buffers_(std::move(buffers)) {}
  virtual ~MemoryLayout() = default;

  const std::vector<MemoryPart>& parts() const { return parts_; }
  const std::vector<MemoryBuffer>& buffers() const { return buffers_; }
  // Nothing where the layout holds no scales beside their codes.
  std::optional<MemoryScales> scales() const;

  // matrix -> memory: first bit of an element (which must be inside) in the buffer of its part.
  virtual uint64_t bit(const MemoryElement& element) const = 0;
  // memory -> matrix: the element that holds this bit (which must be inside the buffer); nothing: padding.
  virtual std::optional<MemoryElement> element(unsigned buffer, uint64_t bit) const = 0;
  // Of a byte without an element.
  virtual Padding padding(unsigned, uint64_t) const { return Padding::any; }
  // The operands that the element reaches; empty where no kernel here loads it into an MFMA as it is.
  virtual std::vector<MfmaFeed> feeds(const MemoryElement&) const { return {}; }
  // What kernels do with it in LDS; empty for layouts of global memory.
  virtual std::vector<LdsAccess> accesses() const { return {}; }

 private:
  std::vector<MemoryPart> parts_;
  std::vector<MemoryBuffer> buffers_;
};

// What a user says of a buffer; 0 leaves it to the layout.
struct MemoryShape {
  uint64_t rows = 0, columns = 0;
  std::optional<FormatId> format = std::nullopt;  // where the layout takes any elements; default e4m3
  uint64_t pad_rows = 0;     // aiter_e8m0_shuffle: rows are padded to a multiple of this (32)
  uint64_t page_block = 0;   // fp8_ds_mla: slots of a page (64),
  uint64_t page_stride = 0;  // bytes from page to page
};

// One named layout.
struct MemoryLayoutInfo {
  const char* name;
  const char* what;     // which matrices, in which memory
  const char* shape;    // what --rows, --columns and the others mean
  Evidence evidence;    // of the map
  const char* source;   // a document, or the code that uses it
  const char* defined;  // where the index function is stated
  std::unique_ptr<MemoryLayout> (*make)(const MemoryShape&);
  MemoryShape smallest;  // one that it takes: how many parts and buffers it has is the same for all
};
const std::vector<MemoryLayoutInfo>& memory_layouts();

// Throws Error naming the nearest known name.
const MemoryLayoutInfo& find_memory_layout(const std::string& name);
// Throws Error (which starts with the layout's name) for a shape that the layout does not take.
std::unique_ptr<MemoryLayout> make_memory_layout(const MemoryLayoutInfo& info, const MemoryShape& shape);
std::unique_ptr<MemoryLayout> make_memory_layout(const std::string& name, const MemoryShape& shape);

// The same parts, each in a row-major buffer of its own that carries the part's name.
std::unique_ptr<MemoryLayout> plain_layout(const MemoryLayout& layout);

// "scale[3][2]"
std::string to_string(const MemoryLayout& layout, const MemoryElement& element);
// "data 256 x 512 of 8 bits, scale 8 x 16 of 8 bits (e8m0)"
std::string parts_text(const MemoryLayout& layout);

}  // namespace wavetwin::golden
