// SPDX-License-Identifier: MIT
// The inputs of a case: generated, or a user's own tensors in their place.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "golden/harness/case.h"
#include "golden/io/hash.h"
#include "golden/io/safetensors.h"

namespace wavetwin::golden {

// NAME=FILE, as options take it. Throws Error naming option, text and the form that is expected.
struct NamedFile {
  std::string name, file;
};
NamedFile parse_named_file(const std::string& option, const std::string& text, const std::string& form);

// --input NAME=FILE.safetensors:TENSOR
struct InputReplacement {
  std::string name;
  TensorReference source;
};

// Throws Error when the text does not have that form.
InputReplacement parse_replacement(const std::string& text);

struct CaseInputs {
  Tensors tensors;
  Hash128 hash;
  std::vector<std::string> replaced;  // names, in the order given
  std::vector<std::string> hints;     // what looks wrong with a user's tensor, though it is legal
};

// Generates, replaces and checks: every tensor has the dtype and shape of its InputSpec and keeps the
// kernel's contract. A U8 spec also takes the 8-bit float types and the other way round (the bytes are the
// codes). Throws FileError naming file, tensor and reason for a user's tensor, Error for the case's own.
CaseInputs make_inputs(const KernelCase& kernel_case, std::span<const InputReplacement> replacements = {});

}  // namespace wavetwin::golden
