// SPDX-License-Identifier: MIT
// `wavetwin layout --instruction`: which lane, VGPR and bits hold an element of an MFMA operand, and back.
#include <fmt/format.h>

#include "golden/cli/layout_part.h"
#include "golden/layout/mfma_page.h"
#include "golden/layout/mfma_query.h"
#include "sim/core/error.h"
#include "sim/numerics/mfma.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string instruction, a_format, b_format, matrix = "A", register_name;
  unsigned i = 0, j = 0, k = 0, block = 0, lane = 0;
  MfmaQuery::Modifiers modifiers;
  bool detail = false, get_register = false, matrix_entry = false, register_layout = false,
       matrix_layout = false;
};

mfma::Format format_of(const mfma::Shape& shape, const std::string& name, unsigned code, mfma::Format fixed) {
  const bool f8f6f4 = shape.input == mfma::InputClass::f8f6f4;
  if (name.empty()) {
    if (!f8f6f4) return fixed;
    if (code >= mfma::kF8F6F4Formats) throw Error(fmt::format("format code {} is not one of 0..4", code));
    return static_cast<mfma::Format>(code);
  }
  const auto format = parse_format(name);
  if (!format) throw Error("unknown format '" + name + "'");
  const bool legal = f8f6f4 ? static_cast<unsigned>(*format) < mfma::kF8F6F4Formats : *format == fixed;
  if (!legal) throw Error(fmt::format("{} does not take {} elements here", shape.name, name));
  return *format;
}

unsigned vgpr_of(const std::string& name) {
  size_t digits = 0;
  const std::string number = name.empty() || (name[0] != 'v' && name[0] != 'a') ? name : name.substr(1);
  try {
    const unsigned long value = std::stoul(number, &digits);
    if (digits == number.size() && value < 256) return static_cast<unsigned>(value);
  } catch (const std::exception&) {
  }
  throw Error("--register " + name + ": write v0, v1, ... counted from the operand's first VGPR");
}

// --i and --j are row and column; --k stands for the one of them that runs along K.
Chosen chosen_element(const Options& options, const CLI::App& command) {
  const Operand operand = parse_operand(options.matrix);
  unsigned i = options.i, j = options.j;
  if (command.count("--k") != 0) {
    if (operand == Operand::a) j = options.k;
    if (operand == Operand::b) i = options.k;
    if (operand == Operand::scale_a) j = options.k / mfma::kScaleBlock;
    if (operand == Operand::scale_b) i = options.k / mfma::kScaleBlock;
    if (operand == Operand::c || operand == Operand::d)
      throw Error("--k: C and D have no K; use --i and --j");
  }
  return {operand, i, j, options.block};
}

TextTable element_register(const MfmaQuery& query, const Chosen& chosen) {
  return query.get_register(chosen.operand, chosen.i, chosen.j, chosen.block);
}

TextTable answer(const MfmaQuery& query, const Options& options, const CLI::App& command) {
  const int asked = options.detail + options.get_register + options.matrix_entry + options.register_layout +
                    options.matrix_layout;
  if (asked > 1)
    throw Error(
        "ask one thing: --detail, --get-register, --matrix-entry, --register-layout or --matrix-layout");
  if (options.get_register) return element_register(query, chosen_element(options, command));
  if (options.matrix_entry) {
    return query.matrix_entry(parse_operand(options.matrix), vgpr_of(options.register_name), options.lane);
  }
  if (options.register_layout) return query.register_layout(parse_operand(options.matrix));
  if (options.matrix_layout) return query.matrix_layout(parse_operand(options.matrix));
  return query.detail();
}

// The pictures mark the element that --matrix, --i, --j and --k name.
void draw(const MfmaQuery& query, const Options& options, const LayoutOutput& output,
          const CLI::App& command) {
  if (options.matrix_entry || options.register_layout || options.matrix_layout || options.detail)
    throw Error("--svg and --html draw all matrices; ask for a table without them");
  const Chosen chosen = chosen_element(options, command);
  if (!output.svg.empty()) {
    const bool named = command.count("--i") + command.count("--j") + command.count("--k") != 0;
    output.write(output.svg, mfma_picture(query, named ? std::optional(chosen) : std::nullopt));
  }
  if (!output.html.empty()) output.write(output.html, mfma_page(query, chosen));
}

void answer_matrix(const Options& options, const LayoutOutput& output, const CLI::App& command) {
  const mfma::Shape* shape = mfma::find_shape(options.instruction);
  if (shape == nullptr) {
    throw Error("unknown MFMA instruction '" + options.instruction +
                "'; `wavetwin list --mfma` shows the known ones");
  }
  const MfmaQuery query(*shape, format_of(*shape, options.a_format, options.modifiers.cbsz, shape->a),
                        format_of(*shape, options.b_format, options.modifiers.blgp, shape->b),
                        options.modifiers);
  if (output.draws()) return draw(query, options, output, command);
  output.print(answer(query, options, command));
}

void add_questions(CLI::App& command, Options& options) {
  command.add_flag("--detail", options.detail, "Sizes, registers, formats and evidence (the default)");
  command.add_flag("--get-register", options.get_register,
                   "The register of an element: --matrix, --i, --j or --k");
  command.add_flag("--matrix-entry", options.matrix_entry,
                   "The elements of a register: --matrix, --register, --lane");
  command.add_flag("--register-layout", options.register_layout,
                   "What every lane and VGPR of --matrix holds");
  command.add_flag("--matrix-layout", options.matrix_layout, "Where every element of --matrix is");
  command.add_option("--matrix", options.matrix, "A, B, C, D, scale_a or scale_b")->capture_default_str();
  command.add_option("--i", options.i, "Row");
  command.add_option("--j", options.j, "Column");
  command.add_option("--k", options.k, "Index along K: the column of A, the row of B");
  command.add_option("--block", options.block, "Block of a multi-block instruction");
  command.add_option("--register", options.register_name, "VGPR of the operand: v0, v1, ...");
  command.add_option("--lane", options.lane, "Lane 0..63");
}

}  // namespace

LayoutPart add_matrix_layout(CLI::App& layout) {
  auto options = std::make_shared<Options>();
  layout.add_option("--instruction", options->instruction, "For example v_mfma_scale_f32_16x16x128_f8f6f4");
  layout.add_option("--a-format", options->a_format,
                    "Element format of A (f8f6f4): e4m3, e5m2, e2m3, e3m2, e2m1");
  layout.add_option("--b-format", options->b_format, "Element format of B (f8f6f4)");
  layout.add_option("--cbsz", options->modifiers.cbsz,
                    "Broadcast size of A; for f8f6f4 the format code of A");
  layout.add_option("--abid", options->modifiers.abid, "Block of A that is broadcast");
  layout.add_option("--blgp", options->modifiers.blgp, "Lane pattern of B; for f8f6f4 the format code of B");
  layout.add_option("--opsel-a", options->modifiers.opsel_a, "Byte of the scale VGPR of A, 0..3");
  layout.add_option("--opsel-b", options->modifiers.opsel_b, "Byte of the scale VGPR of B, 0..3");
  add_questions(layout, *options);
  return {[&layout] { return layout.count("--instruction") != 0; },
          [options, &layout](const LayoutOutput& output) { answer_matrix(*options, output, layout); }};
}

}  // namespace wavetwin::golden
