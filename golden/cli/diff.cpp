// SPDX-License-Identifier: MIT
// `wavetwin diff`: two files of tensors, compared as `check` compares.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "golden/cli/command.h"
#include "golden/harness/compare.h"
#include "golden/harness/explain.h"
#include "golden/io/safetensors.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string left, right;
  std::vector<std::string> tensors;
  bool nan_bits = false;
};

// True when the tensor is equal in both files; otherwise says why not.
bool diff_tensor(const Options& options, const SafetensorsFile& left, const SafetensorsFile& right,
                 const std::string& name, uint64_t& compared) {
  for (const SafetensorsFile* file : {&left, &right}) {
    if (file->tensors().contains(name)) continue;
    fmt::print("{}: no tensor '{}'\n", file->path(), name);
    return false;
  }
  const TensorInfo &a = left.tensors().at(name), &b = right.tensors().at(name);
  if (a.dtype != b.dtype || a.shape != b.shape) {
    fmt::print("tensor '{}': {} {} in {}, {} {} in {}\n", name, to_string(a.dtype), to_string(a.shape),
               left.path(), to_string(b.dtype), to_string(b.shape), right.path());
    return false;
  }
  const Tensor x = left.read(name), y = right.read(name);
  const CompareResult result = compare(x, y, {Comparison::automatic, options.nan_bits, nullptr});
  compared += result.compared;
  if (!result.equal()) {
    fmt::print("{}", mismatch_report({"diff", name, left.path(), right.path()}, x, result, nullptr));
    fmt::print("{}", explain_result(name, x, y));
  } else if (result.nan_differences != 0) {
    fmt::print("tensor '{}': {} NaN pairs with another payload or sign\n", name, result.nan_differences);
  }
  return result.equal();
}

int diff(const Options& options) {
  const auto left = SafetensorsFile::open(options.left), right = SafetensorsFile::open(options.right);
  std::set<std::string> names(options.tensors.begin(), options.tensors.end());
  for (const std::string& name : names) {
    if (left.tensors().contains(name) || right.tensors().contains(name)) continue;
    throw FileError(options.left, fmt::format("no tensor '{}', nor in {}", name, options.right));
  }
  if (names.empty()) {
    for (const auto* file : {&left, &right}) {
      for (const auto& [name, info] : file->tensors()) names.insert(name);
    }
  }
  uint64_t compared = 0, different = 0;
  for (const std::string& name : names) different += !diff_tensor(options, left, right, name, compared);
  if (compared == 0 && different == 0) throw Error("nothing to compare: the files have no elements");
  fmt::print("{} tensors, {} elements compared: {}\n", names.size(), compared,
             different == 0 ? "equal" : fmt::format("{} tensors differ", different));
  return different == 0 ? kEqual : kDifferent;
}

}  // namespace

void add_diff(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("diff", "Compare two safetensors files element by element");
  command->add_option("left", options->left, "A.safetensors")->required();
  command->add_option("right", options->right, "B.safetensors")->required();
  command->add_option("--tensor", options->tensors, "Only these tensors; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--nan-bits", options->nan_bits, "NaNs with another payload or sign are differences");
  command->callback([options, &exit_code] { exit_code = diff(*options); });
}

}  // namespace wavetwin::golden
