// SPDX-License-Identifier: MIT
// Mistakes that the right kernel can be made to make: it runs on changed inputs, or by other rules.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "golden/harness/backend.h"
#include "golden/harness/case.h"
#include "golden/harness/rearrangement.h"

namespace wavetwin::golden {

// What replaces an input.
struct InputChange {
  std::string input;
  std::function<Tensor(const Tensor&)> apply;
};

// The family of what doubles or halves results.
inline constexpr const char* kPowerFamily = "power of two";

struct Mistake {
  std::string text;  // "'x' read with columns c and c ^ 16 exchanged"
  // Mistakes of one family may give the same words, whichever input they are made in: "" for none.
  std::string family;
  // The inputs of one run; of several runs the result may hold the words of any, element by element.
  std::vector<std::vector<InputChange>> runs{{}};
  std::function<void(RunOptions&)> by_options;
};

// In each, the likelier mistakes come first, and those of all inputs in turn.

// An input at other places, or other values of it: scale codes one off or left out, a table or a count one
// off, an operand left out, the scales of another operand, another input of the same type and shape.
std::vector<Mistake> input_mistakes(const KernelCase& kernel_case, const Tensors& inputs);
// An input's columns exchanged by an XOR swizzle of its rows.
std::vector<Mistake> swizzle_mistakes(const KernelCase& kernel_case, const Tensors& inputs);
// Operands of one product changed together: codes and their scales, both sides differently, both alike (which
// leaves the scales behind), everything (another order of the sum).
std::vector<Mistake> operand_mistakes(const KernelCase& kernel_case, const Tensors& inputs);
// Conversions and matrix instructions that round, encode or add in another way; the twins of `sim` alone know
// the rules of conversions.
std::vector<Mistake> rule_mistakes(const RunOptions& options, const Backend& backend);

// One element of each list, then the next ones.
std::vector<Mistake> in_turn(std::vector<std::vector<Mistake>> lists);

}  // namespace wavetwin::golden
