// SPDX-License-Identifier: MIT
#include "golden/harness/inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/format/fnuz_hint.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

bool is_byte_code(DType dtype) {
  return dtype == DType::U8 || dtype == DType::F8_E4M3 || dtype == DType::F8_E5M2 || dtype == DType::F8_E8M0;
}

// What is wrong with `tensor` as this input, or "".
std::string complaint(const InputSpec& spec, const Tensor& tensor) {
  const bool same_type =
      tensor.dtype == spec.dtype || (is_byte_code(tensor.dtype) && is_byte_code(spec.dtype) &&
                                     (tensor.dtype == DType::U8 || spec.dtype == DType::U8));
  if (!same_type) {
    return fmt::format("input '{}' is {}, not {}", spec.name, to_string(spec.dtype), to_string(tensor.dtype));
  }
  Shape wanted = spec.shape;
  const bool rows = spec.any_rows && !tensor.shape.empty() && tensor.shape[0] != 0;
  if (rows) wanted[0] = tensor.shape[0];
  if (tensor.shape != wanted) {
    return fmt::format("input '{}' has shape {}{}, not {}", spec.name, to_string(spec.shape),
                       spec.any_rows ? " (or any other first dimension)" : "", to_string(tensor.shape));
  }
  return "";
}

void check_contract(const InputSpec& spec, const Tensor& tensor, std::string& wrong) {
  if (!wrong.empty() || !spec.contract) return;
  wrong = spec.contract(tensor);
  if (!wrong.empty()) wrong = fmt::format("input '{}': {}", spec.name, wrong);
}

Tensor load_replacement(const InputSpec& spec, const InputReplacement& replacement) {
  Tensor tensor = read_tensor(replacement.source);
  std::string wrong = complaint(spec, tensor);
  tensor.dtype = spec.dtype;
  check_contract(spec, tensor, wrong);
  if (!wrong.empty()) {
    throw FileError(replacement.source.path,
                    fmt::format("tensor '{}': {}", replacement.source.tensor, wrong));
  }
  return tensor;
}

// FNUZ codes (gfx942) in an OCP tensor are legal and mean other numbers.
void hint_at_fnuz(const InputReplacement& replacement, const Tensor& tensor,
                  std::vector<std::string>& hints) {
  if (tensor.dtype != DType::F8_E4M3 && tensor.dtype != DType::F8_E5M2) return;
  const FloatFormat& format = tensor.dtype == DType::F8_E4M3 ? E4M3::kFormat : E5M2::kFormat;
  const DialectEvidence evidence =
      dialect_evidence(format, tensor.view<uint8_t>().data(), tensor.data.size());
  if (evidence.verdict != Dialect::fnuz) return;
  hints.push_back(
      fmt::format("{}: tensor '{}' looks like FNUZ codes (gfx942), not OCP (gfx950): {} of {} are NaN or "
                  "infinity in OCP, none is -0",
                  replacement.source.path, replacement.source.tensor, evidence.only_fnuz, evidence.codes));
}

}  // namespace

NamedFile parse_named_file(const std::string& option, const std::string& text, const std::string& form) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error(fmt::format("{} {}: {} is expected", option, text, form));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

InputReplacement parse_replacement(const std::string& text) {
  const NamedFile named = parse_named_file("--input", text, "NAME=FILE.safetensors:TENSOR");
  return {named.name, parse_tensor_reference(named.file)};
}

CaseInputs make_inputs(const KernelCase& kernel_case, std::span<const InputReplacement> replacements) {
  const std::vector<InputSpec> specs = kernel_case.inputs();
  CaseInputs inputs{kernel_case.generate(), {}, {}, {}};
  for (const InputReplacement& replacement : replacements) {
    const auto spec = std::find_if(specs.begin(), specs.end(),
                                   [&](const InputSpec& s) { return s.name == replacement.name; });
    if (spec == specs.end()) {
      std::vector<std::string> names;
      for (const InputSpec& s : specs) names.push_back(s.name);
      throw Error(fmt::format("{} has no input '{}' (it has: {})", kernel_case.name(), replacement.name,
                              fmt::join(names, ", ")));
    }
    inputs.tensors[spec->name] = load_replacement(*spec, replacement);
    inputs.replaced.push_back(spec->name);
    hint_at_fnuz(replacement, inputs.tensors[spec->name], inputs.hints);
  }
  for (const InputSpec& spec : specs) {
    const auto found = inputs.tensors.find(spec.name);
    if (found == inputs.tensors.end()) {
      throw Error(fmt::format("{}: its generator makes no input '{}'", kernel_case.name(), spec.name));
    }
    std::string wrong = complaint(spec, found->second);
    check_contract(spec, found->second, wrong);
    if (!wrong.empty()) throw Error(fmt::format("{}: generated {}", kernel_case.name(), wrong));
  }
  inputs.hash = hash_tensors(inputs.tensors);
  return inputs;
}

}  // namespace wavetwin::golden
