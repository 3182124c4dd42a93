// SPDX-License-Identifier: MIT
// `wavetwin layout --instruction` of an MFMA or SMFMAC: which lane, VGPR and bits hold an element of an
// operand, and back.
#include <fmt/format.h>

#include "golden/cli/layout_part.h"
#include "golden/layout/lane_moves.h"
#include "golden/layout/map_pictures.h"
#include "golden/layout/mfma_map.h"
#include "golden/layout/nearest_name.h"
#include "golden/layout/numbers.h"
#include "golden/layout/register_tables.h"
#include "sim/core/error.h"
#include "sim/numerics/mfma.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string instruction, a_format, b_format, matrix = "A", register_name;
  unsigned i = 0, j = 0, k = 0, block = 0, lane = 0;
  MatrixFields fields;
  bool detail = false, get_register = false, matrix_entry = false, register_layout = false,
       matrix_layout = false;
};

std::optional<mfma::Format> format_named(const std::string& option, const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto format = parse_format(name);
  if (!format) throw Error(option + " " + name + ": no such format");
  return *format;
}

RegisterMap map_of(const Options& options) {
  MatrixFields fields = options.fields;
  fields.a_format = format_named("--a-format", options.a_format);
  fields.b_format = format_named("--b-format", options.b_format);
  if (const mfma::Shape* shape = mfma::find_shape(options.instruction)) return mfma_map(*shape, fields);
  if (const mfma::SparseShape* shape = mfma::find_sparse_shape(options.instruction))
    return smfmac_map(*shape, fields);
  std::vector<std::string> names = lane_instruction_names();
  for (const mfma::Shape& shape : mfma::kShapes) names.push_back(shape.name);
  for (const mfma::SparseShape& shape : mfma::kSparseShapes) names.push_back(shape.name);
  throw Error(fmt::format("no layout of an instruction '{}'; the nearest name is {}", options.instruction,
                          nearest_name(options.instruction, names)));
}

unsigned vgpr_of(const std::string& name) {
  const bool prefixed = !name.empty() && (name[0] == 'v' || name[0] == 'a');
  const std::optional<uint64_t> value = parse_number(prefixed ? name.substr(1) : name);
  if (value && *value < 256) return static_cast<unsigned>(*value);
  throw Error("--register '" + name + "': write v0, v1, ... counted from the operand's first VGPR");
}

// --i and --j are row and column; --k stands for the one of them that runs along K.
MapElement chosen_element(const RegisterMap& map, const Options& options, const CLI::App& command) {
  const OperandMap& operand = map.operand(options.matrix);
  MapElement chosen{operand.name, options.i, options.j, options.block};
  const bool by_k = command.count("--k") != 0;
  const char* other = nullptr;  // the option that --k replaces
  switch (operand.along_k.axis) {
    case AlongK::Axis::column:
      if (by_k) chosen.column = options.k / operand.along_k.step * operand.along_k.divisor;
      other = "--j";
      break;
    case AlongK::Axis::row:
      if (by_k) chosen.row = options.k / operand.along_k.step * operand.along_k.divisor;
      other = "--i";
      break;
    case AlongK::Axis::none:
      if (by_k) throw Error("--k: C and D have no K; use --i and --j");
  }
  if (by_k && options.k >= map.k)
    throw Error(fmt::format("--k {} is outside {}: K is {}", options.k, map.instruction, map.k));
  if (by_k && command.count(other) != 0)
    throw Error(fmt::format("--k and {} both choose along K of {}; give one", other, operand.name));
  return chosen;
}

TextTable answer_register(const RegisterMap& map, const Options& options, const CLI::App& command) {
  const MapElement e = chosen_element(map, options, command);
  const bool compressed = map.sparse && (e.operand == "A" || e.operand == "index");
  if (compressed && command.count("--k") != 0) return get_register_of_k(map, options.i, options.k);
  return get_register(map, map.operand(e.operand), e.row, e.column, e.block);
}

TextTable answer(const RegisterMap& map, const Options& options, const CLI::App& command) {
  const int asked = options.detail + options.get_register + options.matrix_entry + options.register_layout +
                    options.matrix_layout;
  if (asked > 1)
    throw Error(
        "ask one thing: --detail, --get-register, --matrix-entry, --register-layout or --matrix-layout");
  if (options.get_register) return answer_register(map, options, command);
  if (options.matrix_entry)
    return matrix_entry(map, map.operand(options.matrix), vgpr_of(options.register_name), options.lane);
  if (options.register_layout) return register_layout(map, map.operand(options.matrix));
  if (options.matrix_layout) return matrix_layout(map, map.operand(options.matrix));
  return detail(map);
}

// Coordinates without the question they belong to would be ignored in silence.
void check_question(const Options& options, const LayoutOutput& output, const CLI::App& command) {
  const bool element = options.get_register || output.draws();
  for (const char* option : {"--i", "--j", "--k", "--block"}) {
    if (command.count(option) != 0 && !element)
      throw Error(std::string(option) + " belongs to --get-register (or to the element a picture marks)");
  }
  const bool of_matrix = element || options.matrix_entry || options.register_layout || options.matrix_layout;
  if (command.count("--matrix") != 0 && !of_matrix)
    throw Error("--matrix belongs to a question about one matrix, such as --get-register");
  for (const char* option : {"--register", "--lane"}) {
    if (command.count(option) != 0 && !options.matrix_entry)
      throw Error(std::string(option) + " belongs to --matrix-entry");
  }
  if (options.matrix_entry && command.count("--register") == 0)
    throw Error("--matrix-entry: which register: --register v0, and --lane");
}

// The pictures mark the element that --matrix, --i, --j and --k name.
void draw(const RegisterMap& map, const Options& options, const LayoutOutput& output,
          const CLI::App& command) {
  if (options.matrix_entry || options.register_layout || options.matrix_layout || options.detail)
    throw Error("--svg and --html draw all matrices; ask for a table without them");
  const MapElement chosen = chosen_element(map, options, command);
  if (!output.svg.empty()) {
    const bool named = command.count("--i") + command.count("--j") + command.count("--k") != 0;
    output.write(output.svg, map_picture(map, named ? std::optional(chosen) : std::nullopt));
  }
  if (!output.html.empty()) output.write(output.html, map_page(map, chosen));
}

void answer_matrix(const Options& options, const LayoutOutput& output, const CLI::App& command) {
  const RegisterMap map = map_of(options);
  check_question(options, output, command);
  if (output.draws()) return draw(map, options, output, command);
  output.print(answer(map, options, command));
}

void add_fields(CLI::App& layout, Options& options) {
  layout.add_option("--a-format", options.a_format,
                    "Element format of A (f8f6f4): e4m3, e5m2, e2m3, e3m2, e2m1");
  layout.add_option("--b-format", options.b_format, "Element format of B (f8f6f4)");
  const auto add = [&](const char* name, std::optional<unsigned>& value, const char* help) {
    layout.add_option(name, value, help)->check(whole_number());
  };
  add("--cbsz", options.fields.cbsz, "Broadcast size of A; f8f6f4: format code of A");
  add("--abid", options.fields.abid, "Block of A that is broadcast; SMFMAC: set of index bits");
  add("--blgp", options.fields.blgp, "Lane pattern of B; f64: signs; f8f6f4: format code of B");
  add("--opsel-a", options.fields.opsel_a, "Byte of the scale VGPR of A, 0..3");
  add("--opsel-b", options.fields.opsel_b, "Byte of the scale VGPR of B, 0..3");
}

void add_questions(CLI::App& layout, Options& options) {
  layout.add_flag("--detail", options.detail, "Sizes, registers, formats and evidence (the default)");
  layout.add_flag("--get-register", options.get_register,
                  "The register of an element: --matrix, --i, --j or --k");
  layout.add_flag("--matrix-entry", options.matrix_entry,
                  "The elements of a register: --matrix, --register, --lane");
  layout.add_flag("--register-layout", options.register_layout,
                  "Where every element is: the register of each entry of --matrix, the byte of each entry of "
                  "--memory, the lanes that each source lane goes to");
  layout.add_flag("--matrix-layout", options.matrix_layout,
                  "What every place holds: the entries in each lane and VGPR of --matrix, in each byte of "
                  "--memory, the source of each result lane");
  layout.add_option("--matrix", options.matrix, "A, B, C, D; scale_a, scale_b; SMFMAC: index")
      ->capture_default_str();
  const auto add = [&](const char* name, unsigned& value, const char* help) {
    layout.add_option(name, value, help)->check(whole_number());
  };
  add("--i", options.i, "Row");
  add("--j", options.j, "Column; of the A and index of an SMFMAC: which compressed element");
  add("--k", options.k, "Index along K: the column of A, the row of B");
  add("--block", options.block, "Block of a multi-block instruction");
  layout.add_option("--register", options.register_name, "VGPR of the operand: v0, v1, ...");
  add("--lane", options.lane, "Lane 0..63");
}

}  // namespace

LayoutPart add_matrix_layout(CLI::App& layout) {
  auto options = std::make_shared<Options>();
  layout.add_option("--instruction", options->instruction,
                    "For example v_mfma_scale_f32_16x16x128_f8f6f4, ds_read_b64_tr_b8, row_shr:4");
  add_fields(layout, *options);
  add_questions(layout, *options);
  return {[options, &layout] {
            return layout.count("--instruction") != 0 && !is_lane_instruction(options->instruction) &&
                   layout.count("--dpp") == 0;
          },
          [options, &layout](const LayoutOutput& output) { answer_matrix(*options, output, layout); },
          {"--instruction",
           "--a-format",
           "--b-format",
           "--cbsz",
           "--abid",
           "--blgp",
           "--opsel-a",
           "--opsel-b",
           "--detail",
           "--get-register",
           "--matrix-entry",
           "--register-layout",
           "--matrix-layout",
           "--matrix",
           "--i",
           "--j",
           "--k",
           "--block",
           "--register",
           "--lane"}};
}

}  // namespace wavetwin::golden
