// SPDX-License-Identifier: MIT
// `wavetwin layout`: where elements are. Chooses the part that answers; the parts are in layout_*.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "golden/cli/layout_part.h"
#include "golden/io/file.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr AddLayoutPart kParts[] = {add_matrix_layout, add_lane_layout, add_memory_layout, add_bank_layout};
constexpr AddLayoutSubcommand kSubcommands[] = {add_layout_convert};

struct OutputOptions {
  bool csv = false, markdown = false, json = false;
  std::string svg, html;
};

LayoutOutput output_of(const OutputOptions& options) {
  const int tables = options.csv + options.markdown + options.json;
  if (tables > 1) throw Error("--csv, --markdown and --json exclude each other");
  LayoutOutput output{TableForm::text, options.svg, options.html};
  if (tables > 0 && output.draws())
    throw Error("--svg and --html draw; --csv, --markdown and --json print: ask for one of the two");
  if (options.csv) output.form = TableForm::csv;
  if (options.markdown) output.form = TableForm::markdown;
  if (options.json) output.form = TableForm::json;
  return output;
}

void add_output(CLI::App& command, OutputOptions& options) {
  command.add_option("--svg", options.svg, "Draw to a file");
  command.add_option("--html", options.html, "Write a self-contained page to explore in a browser");
  command.add_flag("--csv", options.csv, "Comma-separated values");
  command.add_flag("--markdown", options.markdown, "A Markdown table");
  command.add_flag("--json", options.json, "An array of objects");
}

// An option that the question does not look at is a misunderstanding, not noise.
void check_options(const CLI::App& command, const LayoutPart& part) {
  constexpr const char* kShared[] = {"--svg", "--html", "--csv", "--markdown", "--json"};
  if (part.reads.empty()) return;
  for (const CLI::Option* option : command.parse_order()) {
    const std::string name = option->get_name();
    const bool known = std::find(part.reads.begin(), part.reads.end(), name) != part.reads.end() ||
                       std::find(std::begin(kShared), std::end(kShared), name) != std::end(kShared);
    if (!known) throw Error("layout: " + name + " means nothing to this question");
  }
}

void layout(const CLI::App& command, const std::vector<LayoutPart>& parts, const OutputOptions& options) {
  const LayoutPart* asked = nullptr;
  for (const LayoutPart& part : parts) {
    if (!part.asked()) continue;
    if (asked != nullptr) throw Error("layout: the options ask for two different things");
    asked = &part;
  }
  if (asked == nullptr)
    throw Error(
        "layout: say what of: --instruction NAME, for example v_mfma_scale_f32_16x16x128_f8f6f4, --memory "
        "NAME or "
        "--banks NAME");
  check_options(command, *asked);
  asked->answer(output_of(options));
}

}  // namespace

void LayoutOutput::print(const TextTable& table) const { fmt::print("{}", render(table, form)); }

void LayoutOutput::write(const std::string& path, const std::string& text) {
  write_atomically(path, [&](std::ostream& out) { out << text; });
}

void add_layout(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "layout", "Which lane, VGPR, bits or byte hold an element, and back; which lane feeds which");
  auto parts = std::make_shared<std::vector<LayoutPart>>();
  for (const AddLayoutPart add : kParts) parts->push_back(add(*command));
  auto options = std::make_shared<OutputOptions>();
  add_output(*command, *options);
  for (const AddLayoutSubcommand add : kSubcommands) add(*command, exit_code);
  command->callback([command, parts, options] {
    if (command->get_subcommands().empty()) layout(*command, *parts, *options);
  });
}

}  // namespace wavetwin::golden
