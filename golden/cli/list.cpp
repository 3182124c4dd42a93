// SPDX-License-Identifier: MIT
// `wavetwin list`: kernels, the cases of one, MFMA instructions.
#include <fmt/format.h>

#include "golden/cases/registry.h"
#include "golden/cli/code_object_listing.h"
#include "golden/cli/command.h"
#include "golden/cli/instruction_listing.h"
#include "golden/harness/model.h"
#include "golden/harness/registry.h"
#include "golden/harness/table.h"
#include "sim/core/error.h"
#include "sim/isa/code_object.h"
#include "sim/numerics/mfma.h"

namespace wavetwin::golden {
namespace {

struct ListOptions {
  std::string pattern;
  bool mfma = false;
  bool instructions = false;
  bool models = false;
};

std::string plural(size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

void print_kernels() {
  std::vector<std::vector<std::string>> cells = {{"kernel", "cases", "what it is"}};
  for (const KernelEntry& kernel : kernels()) {
    cells.push_back({kernel.name, std::to_string(kernel.cases().size()), kernel.summary});
  }
  fmt::print("{}\n", aligned(cells));
}

void print_cases(const std::string& pattern) {
  std::vector<std::vector<std::string>> cells = {{"case", "evidence", "labels", "inputs"}};
  const CaseList cases = select_cases(kernels(), pattern);
  for (const auto& kernel_case : cases) {
    std::string inputs;
    for (const InputSpec& input : kernel_case->inputs()) {
      inputs += fmt::format("{}{} {}{}", inputs.empty() ? "" : ", ", input.name, to_string(input.dtype),
                            to_string(input.shape));
    }
    cells.push_back({kernel_case->name(), wavetwin::to_string(kernel_case->evidence()),
                     fmt::format("{}", fmt::join(kernel_case->labels(), " ")), inputs});
  }
  fmt::print("{}{}\n", aligned(cells), plural(cases.size(), "case"));
  for (const KernelEntry& kernel : kernels()) {
    if (pattern == kernel.name && kernel.about != nullptr) fmt::print("\n{}", kernel.about());
  }
}

void print_mfma() {
  const mfma::MfmaModel model;
  std::vector<std::vector<std::string>> cells = {
      {"MFMA instruction", "m", "n", "k", "blocks", "a", "b", "scaled", "bits", "layout"}};
  for (const mfma::Shape& shape : mfma::kShapes) {
    const bool any_format = shape.input == mfma::InputClass::f8f6f4;
    cells.push_back({shape.name, std::to_string(shape.m), std::to_string(shape.n), std::to_string(shape.k),
                     std::to_string(shape.blocks), any_format ? "f8f6f4" : to_string(shape.a),
                     any_format ? "f8f6f4" : to_string(shape.b), shape.scaled ? "yes" : "",
                     wavetwin::to_string(mfma::arithmetic_evidence(shape, model)),
                     wavetwin::to_string(mfma::layout_evidence(shape))});
  }
  fmt::print("{}", aligned(cells));
  fmt::print(
      "bits, layout: the evidence behind the arithmetic (model {}) and behind the register layout.\n"
      "specified: a document fixes it; measured: recorded from the part; inferred: measured on a sibling "
      "part or\n"
      "the only reading that fits; unknown: not published, a named option. f8f6f4: e4m3, e5m2, e2m3, e3m2, "
      "e2m1.\n",
      model.preset);
}

// A path, there or not, is no pattern of cases: what is wrong with the file is then said.
bool names_file(const std::string& pattern) {
  return isa::CodeObject::is_file(pattern) || pattern.starts_with('/') || pattern.starts_with("./") ||
         pattern.starts_with("../") || pattern.ends_with(".co") || pattern.ends_with(".hsaco");
}

void list(const ListOptions& options) {
  if (options.models + options.instructions + options.mfma + !options.pattern.empty() > 1)
    throw Error("list: ask for one: a pattern, --mfma, --instructions or --models");
  if (options.models) {
    fmt::print("{}", model_listing());
    return;
  }
  if (options.instructions) {
    fmt::print("{}", instruction_listing());
    return;
  }
  if (names_file(options.pattern)) {
    fmt::print("{}", code_object_listing(options.pattern));
    return;
  }
  if (!options.pattern.empty()) return print_cases(options.pattern);
  if (!options.mfma) print_kernels();
  print_mfma();
}

}  // namespace

void add_list(CLI::App& app, int&) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "Show kernels and instructions, or the cases of a kernel");
  command->add_option("pattern", options->pattern,
                      "Cases to show: gemv, 'gemv/wqkv-*', 'gemv/*/1'; or a code object FILE.co, an offload "
                      "bundle or a host program (FILE#2: the second gfx950 object in it)");
  command->add_flag("--mfma", options->mfma, "Show only the MFMA instructions");
  command->add_flag("--instructions", options->instructions,
                    "Show every gfx950 instruction: executed or missing, evidence");
  command->add_flag("--models", options->models,
                    "Show the presets and options of the arithmetic that no document fixes");
  command->callback([options] { list(*options); });
}

}  // namespace wavetwin::golden
