// SPDX-License-Identifier: MIT
// Questions about one memory layout, as text tables, a picture and a page. The names are those of the
// questions about registers (register_tables.h): a register layout shows where the elements of a matrix are,
// a matrix layout what each place holds.
#pragma once

#include <optional>

#include "golden/layout/memory_layout.h"
#include "golden/layout/table.h"

namespace wavetwin::golden {

// Every known layout: name, what it holds, shape, evidence, source.
TextTable memory_layout_list();

class MemoryQuery {
 public:
  // Throws Error for a name or a shape that is not known.
  MemoryQuery(const std::string& name, const MemoryShape& shape);

  // Parts, buffers, evidence, source.
  TextTable detail() const;
  // Where element (row, column) of part `part` is, then what goes with it: the scale of an MX element, the
  // MFMA operand it reaches. Empty `part`: the first.
  TextTable get_address(const std::string& part, uint64_t row, uint64_t column) const;
  // What byte `byte` of buffer `buffer` holds: elements, or padding. Empty `buffer`: the first.
  TextTable at_address(const std::string& buffer, uint64_t byte) const;
  // A row a matrix row, a column a matrix column: the byte. At most 65536 elements.
  TextTable register_layout(const std::string& part) const;
  // A row 16 bytes of the buffer (or elements, where all have the same size), a column each: the elements,
  // "0" where padding must be 0, "-" where nobody reads. At most 65536 bytes.
  TextTable matrix_layout(const std::string& buffer) const;

  // The part as a matrix and its buffer as memory, 64 bytes a line, coloured alike; `chosen` marks an element
  // in both. Of a large layout the part around `chosen`.
  std::string picture(const std::string& part, std::optional<MemoryElement> chosen) const;
  // The same for all parts, to explore in a browser. `command` draws another part of a large layout.
  std::string page(const std::string& part, std::optional<MemoryElement> chosen,
                   const std::string& command) const;

  // Throws Error when there is no such part or element.
  MemoryElement element(const std::string& part, uint64_t row, uint64_t column) const;
  const MemoryLayout& layout() const { return *layout_; }

 private:
  unsigned part_index(const std::string& part) const;
  unsigned buffer_index(const std::string& buffer) const;
  // What bits [first, end) of a buffer hold.
  std::string cell_text(unsigned buffer, uint64_t first, uint64_t end) const;
  void add_place(TextTable& table, const MemoryElement& element) const;

  const MemoryLayoutInfo& info_;
  std::unique_ptr<MemoryLayout> layout_;
};

// "v_mfma_scale_f32_16x16x128_f8f6f4 A, row tile 0, K step 1: v5{3}.[23:16]"
std::string feed_text(const MfmaFeed& feed);

}  // namespace wavetwin::golden
