// SPDX-License-Identifier: MIT
#include "golden/cli/unchecked_note.h"

#include <fmt/format.h>

#include <cstdio>

namespace wavetwin::golden {

void note_unchecked(const isa::CodeObject& object) {
  if (!object.xnack_on()) return;
  fmt::print(
      stderr,
      "note: {} is for xnack+: whether its groups of memory instructions can be replayed is not checked\n",
      object.file());
}

}  // namespace wavetwin::golden
