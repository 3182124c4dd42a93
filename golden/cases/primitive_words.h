// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace wavetwin::golden {

// One line a device word: the case that proves it and the evidence behind its bits, for `wavetwin list
// primitives`.
std::string primitive_words_text();

}  // namespace wavetwin::golden
