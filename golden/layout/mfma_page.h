// SPDX-License-Identifier: MIT
// Pictures of the layout of one MFMA.
#pragma once

#include <optional>
#include <string>

#include "golden/layout/mfma_query.h"

namespace wavetwin::golden {

// The element that a picture marks.
struct Chosen {
  Operand operand = Operand::a;
  unsigned i = 0, j = 0, block = 0;  // as in MfmaQuery::get_register
};

// One self-contained HTML page: the matrices and their registers, the element under the pointer shown in
// both. The fragment selects an element: page.html#A,3,70 or #D,1,2,5 (block 5). Throws Error for a `chosen`
// outside.
std::string mfma_page(const MfmaQuery& query, const Chosen& chosen);

// An SVG: B above D, A left of D, scales beside their matrix. Every cell has a title: element and register.
std::string mfma_picture(const MfmaQuery& query, const std::optional<Chosen>& chosen);

}  // namespace wavetwin::golden
