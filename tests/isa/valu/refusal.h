// SPDX-License-Identifier: MIT
// Encodings that must not be taken for instructions.
#pragma once

#include <string>
#include <vector>

#include "sim/isa/decode.h"

namespace wavetwin::test {

// Why the decoder refuses `code`, or "accepted".
inline std::string refusal(const std::vector<uint32_t>& code) {
  std::string why;
  return isa::try_decode(code, 0, &why).valid() ? "accepted" : why;
}

// Rows with a short form that have not the one of `trait` (SDWA or DPP), where it would have a source.
inline std::vector<const isa::Row*> rows_without(isa::Trait trait) {
  using namespace isa;
  std::vector<const Row*> found;
  for (const Row& row : rows()) {
    if (row.format != Format::vop1 && row.format != Format::vop2 && row.format != Format::vopc) continue;
    const bool has_constant = row.format == Format::vop2 && row.src[2] != NONE && row.src[2] != LANES;
    if (!row.has(trait) && !has_constant && row.src[0] != NONE) found.push_back(&row);
  }
  return found;
}

}  // namespace wavetwin::test
