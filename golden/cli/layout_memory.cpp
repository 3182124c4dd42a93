// SPDX-License-Identifier: MIT
// `wavetwin layout --memory`: where a named memory layout keeps an element, and back.
#include "golden/cli/layout_part.h"
#include "golden/cli/memory_options.h"
#include "golden/layout/memory_query.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string name, part, buffer, address;
  bool get_address = false;
  MemoryOptions shape;
};

// --i is the row; --k or --j the column.
MemoryElement chosen_element(const MemoryQuery& query, const Options& options, const CLI::App& layout) {
  const auto k = given<uint64_t>(layout, "--k"), j = given<uint64_t>(layout, "--j");
  if (k && j) throw Error("--k and --j both name the column");
  return query.element(options.part, given<uint64_t>(layout, "--i").value_or(0), k ? *k : j.value_or(0));
}

bool names_element(const CLI::App& layout) {
  return layout.count("--i") + layout.count("--j") + layout.count("--k") != 0;
}

TextTable answer(const MemoryQuery& query, const Options& options, const CLI::App& layout) {
  const bool at_address = !options.address.empty(), whole = layout.count("--matrix-layout") != 0;
  if (options.get_address + at_address + whole + (layout.count("--detail") != 0) > 1)
    throw Error("ask one thing: --detail, --get-address, --address or --matrix-layout");
  if (names_element(layout) && !options.get_address)
    throw Error("--i, --j and --k belong to --get-address and --svg");
  if (options.get_address) {
    const MemoryElement e = chosen_element(query, options, layout);
    return query.get_address(options.part, e.row, e.column);
  }
  if (at_address) return query.at_address(options.buffer, parse_number("--address", options.address));
  return whole ? query.matrix_layout(options.part) : query.detail();
}

void answer_memory(const Options& options, const LayoutOutput& output, const CLI::App& layout) {
  if (!output.html.empty())
    throw Error("--html: pages are of --instruction; draw a memory layout with --svg");
  if (options.name.empty()) {
    if (output.draws()) throw Error("--svg: which memory layout? (`wavetwin layout --memory` lists them)");
    return output.print(memory_layout_list());
  }
  const MemoryQuery query(options.name, options.shape.shape());
  if (output.svg.empty()) return output.print(answer(query, options, layout));
  const bool asks = options.get_address || !options.address.empty() ||
                    layout.count("--matrix-layout") + layout.count("--detail") != 0;
  if (asks) throw Error("--svg draws the whole layout; ask for a table without it");
  std::optional<MemoryElement> chosen;
  if (names_element(layout)) chosen = chosen_element(query, options, layout);
  output.write(output.svg, query.picture(options.part, chosen));
}

}  // namespace

LayoutPart add_memory_layout(CLI::App& layout) {
  auto options = std::make_shared<Options>();
  layout
      .add_option("--memory", options->name,
                  "A memory layout, for example aiter_preshuffle_16x16; without a name: lists them")
      ->expected(0, 1)
      ->type_name("[NAME]");
  options->shape.add_to(layout);
  layout.add_option("--part", options->part, "Matrix of the memory layout: data, scale, k, ...");
  layout.add_option("--buffer", options->buffer, "Buffer that --address is in, where there is more than one");
  layout.add_flag("--get-address", options->get_address, "Where an element is: --part, --i, --k or --j");
  layout.add_option("--address", options->address, "What a byte holds")->type_name("BYTE");
  LayoutPart part{[&layout] { return layout.count("--memory") != 0 && layout.count("--banks") == 0; },
                  [options, &layout](const LayoutOutput& output) { answer_memory(*options, output, layout); },
                  {"--memory", "--part", "--buffer", "--get-address", "--address", "--i", "--j", "--k",
                   "--matrix-layout", "--detail"}};
  part.reads.insert(part.reads.end(), MemoryOptions::names().begin(), MemoryOptions::names().end());
  return part;
}

}  // namespace wavetwin::golden
