// SPDX-License-Identifier: MIT
#include "golden/cli/memory_options.h"

#include <algorithm>

#include "golden/cli/command.h"
#include "golden/layout/numbers.h"
#include "sim/core/error.h"

namespace wavetwin::golden {

void MemoryOptions::add_to(CLI::App& command) {
  const auto number = [&](const char* name, uint64_t& value, const char* help) {
    command.add_option(name, value, help)->check(whole_number(1));
  };
  number("--rows", rows, "Rows of the matrix (tokens, slots, keys)");
  number("--columns,--cols", columns, "Columns of the matrix");
  command.add_option("--format", format, "Format of the elements: e4m3 (the default), e2m1, bf16, f32, ...");
  number("--pad-rows", pad_rows, "aiter_e8m0_shuffle: rows are padded to a multiple of this");
  number("--page-block", page_block, "fp8_ds_mla: slots of a page");
  number("--page-stride", page_stride, "fp8_ds_mla: bytes from page to page");
}

const std::vector<std::string>& MemoryOptions::names() {
  static const std::vector<std::string> kNames = {"--rows",     "--columns",    "--format",
                                                  "--pad-rows", "--page-block", "--page-stride"};
  return kNames;
}

bool MemoryOptions::given(const CLI::App& command) {
  return std::any_of(names().begin(), names().end(),
                     [&](const std::string& name) { return command.count(name) != 0; });
}

MemoryShape MemoryOptions::shape() const {
  MemoryShape shape{rows, columns, std::nullopt, pad_rows, page_block, page_stride};
  if (format.empty()) return shape;
  shape.format = parse_format(format);
  if (!shape.format) throw Error("--format " + format + ": not a known format");
  return shape;
}

uint64_t parse_number(const std::string& option, const std::string& text) {
  if (const std::optional<uint64_t> value = parse_number(text)) return *value;
  throw Error(option + " " + text + ": a number, decimal or 0x...");
}

}  // namespace wavetwin::golden
