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

// How many questions the command line asks.
size_t asks(const Options& options, const CLI::App& layout) {
  size_t questions = options.get_address + layout.count("--address");
  for (const char* option : {"--detail", "--register-layout", "--matrix-layout"})
    questions += layout.count(option) != 0;
  return questions;
}

// Options without the question they belong to would be ignored in silence.
void check_question(const Options& options, const LayoutOutput& output, const CLI::App& layout) {
  const bool by_element = options.get_address || output.draws();
  const bool by_part = by_element || layout.count("--register-layout") != 0;
  const bool by_byte = layout.count("--address") != 0 || layout.count("--matrix-layout") != 0;
  if (names_element(layout) && !by_element)
    throw Error("--i, --j and --k belong to --get-address, or to the element that --svg and --html show");
  if (layout.count("--part") != 0 && !by_part)
    throw Error("--part belongs to --get-address, --register-layout, --svg and --html");
  if (layout.count("--buffer") != 0 && !by_byte)
    throw Error("--buffer belongs to --address and --matrix-layout");
}

TextTable answer(const MemoryQuery& query, const Options& options, const CLI::App& layout) {
  if (options.get_address) {
    const MemoryElement e = chosen_element(query, options, layout);
    return query.get_address(options.part, e.row, e.column);
  }
  if (layout.count("--address") != 0)
    return query.at_address(options.buffer, parse_number("--address", options.address));
  if (layout.count("--register-layout") != 0) return query.register_layout(options.part);
  return layout.count("--matrix-layout") != 0 ? query.matrix_layout(options.buffer) : query.detail();
}

// What draws another part of a large layout, to be completed.
std::string command_of(const Options& options, const std::string& html) {
  std::string command = "wavetwin layout --memory " + options.name;
  const auto add = [&](const char* option, uint64_t value) {
    if (value != 0) command += std::string(" ") + option + " " + std::to_string(value);
  };
  add("--rows", options.shape.rows);
  add("--columns", options.shape.columns);
  add("--pad-rows", options.shape.pad_rows);
  add("--page-block", options.shape.page_block);
  add("--page-stride", options.shape.page_stride);
  if (!options.shape.format.empty()) command += " --format " + options.shape.format;
  return command + " --part PART --i ROW --k COLUMN --html " + html;
}

void draw(const MemoryQuery& query, const Options& options, const LayoutOutput& output,
          const CLI::App& layout) {
  std::optional<MemoryElement> chosen;
  if (names_element(layout)) chosen = chosen_element(query, options, layout);
  if (!output.svg.empty()) output.write(output.svg, query.picture(options.part, chosen));
  if (!output.html.empty())
    output.write(output.html, query.page(options.part, chosen, command_of(options, output.html)));
}

void answer_memory(const Options& options, const LayoutOutput& output, const CLI::App& layout) {
  if (options.name.empty()) {
    if (output.draws())
      throw Error("--svg, --html: which memory layout? (`wavetwin layout --memory` lists them)");
    if (asks(options, layout) != 0 || MemoryOptions::given(layout) || names_element(layout))
      throw Error("--memory: of which layout? (`wavetwin layout --memory` lists them)");
    return output.print(memory_layout_list());
  }
  const MemoryQuery query(options.name, options.shape.shape());
  if (asks(options, layout) > 1)
    throw Error("ask one thing: --detail, --get-address, --address, --register-layout or --matrix-layout");
  if (output.draws() && asks(options, layout) != 0)
    throw Error("--svg and --html draw the matrices and the memory; ask for a table without them");
  check_question(options, output, layout);
  if (output.draws()) return draw(query, options, output, layout);
  output.print(answer(query, options, layout));
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
  layout.add_flag("--get-address", options->get_address,
                  "Where an element is in memory: --part, --i, --k or --j");
  layout.add_option("--address", options->address, "What a byte holds")->type_name("BYTE");
  LayoutPart part{[&layout] { return layout.count("--memory") != 0 && layout.count("--banks") == 0; },
                  [options, &layout](const LayoutOutput& output) { answer_memory(*options, output, layout); },
                  {"--memory", "--part", "--buffer", "--get-address", "--address", "--i", "--j", "--k",
                   "--register-layout", "--matrix-layout", "--detail"}};
  part.reads.insert(part.reads.end(), MemoryOptions::names().begin(), MemoryOptions::names().end());
  return part;
}

}  // namespace wavetwin::golden
