// SPDX-License-Identifier: MIT
// `wavetwin layout`: where elements are. Chooses the part that answers; the parts are in layout_*.cpp.
#include <algorithm>

#include "golden/cli/layout_part.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr AddLayoutPart kParts[] = {add_matrix_layout, add_lane_layout, add_memory_layout, add_bank_layout};
constexpr AddLayoutSubcommand kSubcommands[] = {add_layout_convert};

// An option that the question does not look at is a misunderstanding, not noise.
void check_options(const CLI::App& command, const LayoutPart& part) {
  const std::vector<std::string>& shared = LayoutOutputOptions::names();
  if (part.reads.empty()) return;
  for (const CLI::Option* option : command.parse_order()) {
    const std::string name = option->get_name();
    const bool known = std::find(part.reads.begin(), part.reads.end(), name) != part.reads.end() ||
                       std::find(shared.begin(), shared.end(), name) != shared.end();
    if (!known) throw Error("layout: " + name + " means nothing to this question");
  }
}

void layout(const CLI::App& command, const std::vector<LayoutPart>& parts,
            const LayoutOutputOptions& options) {
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
  asked->answer(options.output());
}

}  // namespace

void add_layout(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "layout", "Which lane, VGPR, bits or byte hold an element, and back; which lane feeds which");
  auto parts = std::make_shared<std::vector<LayoutPart>>();
  for (const AddLayoutPart add : kParts) parts->push_back(add(*command));
  auto options = std::make_shared<LayoutOutputOptions>();
  options->add_to(*command);
  for (const AddLayoutSubcommand add : kSubcommands) add(*command, exit_code);
  command->callback([command, parts, options] {
    if (command->get_subcommands().empty()) layout(*command, *parts, *options);
  });
}

}  // namespace wavetwin::golden
