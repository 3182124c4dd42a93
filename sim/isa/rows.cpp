// SPDX-License-Identifier: MIT
#include "sim/isa/rows.h"

namespace wavetwin::isa {
namespace {

// Where each table starts: first_<format> has the value of the row that follows it.
#define TABLE(format) first_##format, before_##format = first_##format - 1,
#define ROW(opcode, name, dst, src, traits, evidence, source, ...) row_##name,
enum Position : int {
#include "sim/isa/tables/all.inc"
};
#undef ROW
#undef TABLE

#define TABLE(format) first_##format,
#define ROW(...)
constexpr int kFirstRow[] = {
#include "sim/isa/tables/all.inc"
};
#undef ROW
#undef TABLE

constexpr Format format_of(int row) {
  int format = 0;
  while (format + 1 < static_cast<int>(Format::count) && row >= kFirstRow[format + 1]) ++format;
  return static_cast<Format>(format);
}

constexpr bool is_missing(std::string_view expression) { return expression.starts_with("MISSING("); }

// The text between the quotes of MISSING("...").
constexpr std::string_view reason_of(std::string_view expression) {
  if (!is_missing(expression)) return {};
  const size_t first = expression.find('"') + 1;
  return expression.substr(first, expression.rfind('"') - first);
}

#define UNPACK(...) __VA_ARGS__
#define TABLE(format)
#define ROW(opcode, name, dst, src, traits, evidence, source, ...) \
  Row{format_of(row_##name),                                       \
      opcode,                                                      \
      #name,                                                       \
      {UNPACK dst},                                                \
      {UNPACK src},                                                \
      traits,                                                      \
      Evidence::evidence,                                          \
      source,                                                      \
      #__VA_ARGS__,                                                \
      !is_missing(#__VA_ARGS__),                                   \
      reason_of(#__VA_ARGS__)},
constexpr std::array<Row, kRowCount> kRows{{
#include "sim/isa/tables/all.inc"
}};
#undef ROW
#undef TABLE
#undef UNPACK

}  // namespace

std::span<const Row, kRowCount> rows() { return kRows; }

}  // namespace wavetwin::isa
