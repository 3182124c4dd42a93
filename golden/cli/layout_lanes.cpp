// SPDX-License-Identifier: MIT
// `wavetwin layout` of what moves between lanes: DPP controls, DS permutes and swizzles, permlane swaps and
// the transposing LDS reads.
#include "golden/cli/layout_part.h"
#include "golden/layout/lane_moves.h"
#include "golden/layout/numbers.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

struct Options {
  std::string dpp, offset, exec, row_mask, bank_mask, lanes;
  bool bound_ctrl = false;
};

std::optional<uint64_t> number_of(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::optional<uint64_t> value = parse_number(text);
  if (!value)
    throw Error(std::string(option) + " " + text + ": not a number (decimal, or hexadecimal after 0x)");
  return value;
}
std::optional<unsigned> small_number_of(const char* option, const std::string& text) {
  const std::optional<uint64_t> value = number_of(option, text);
  if (value && *value > 0xffffffffu) throw Error(std::string(option) + " " + text + ": too large");
  return value ? std::optional(static_cast<unsigned>(*value)) : std::nullopt;
}

// --dpp, alone or beside an instruction that ends in _dpp; or --instruction.
std::string name_of(const Options& options, const CLI::App& layout) {
  const std::string instruction = given<std::string>(layout, "--instruction").value_or("");
  if (options.dpp.empty()) return instruction;
  if (!instruction.empty() && !instruction.ends_with("_dpp"))
    throw Error("--dpp and --instruction " + instruction + " ask for two different things");
  if (!is_lane_instruction(options.dpp) || options.dpp.starts_with("ds_") || options.dpp.starts_with("v_"))
    parse_dpp(options.dpp);  // throws with the list of controls
  return options.dpp;
}

void answer_lanes(const Options& options, const LayoutOutput& output, const CLI::App& layout) {
  LaneFields fields;
  fields.offset = small_number_of("--offset", options.offset);
  fields.exec = number_of("--exec", options.exec);
  fields.row_mask = small_number_of("--row-mask", options.row_mask);
  fields.bank_mask = small_number_of("--bank-mask", options.bank_mask);
  if (!options.lanes.empty()) fields.lanes = options.lanes;
  fields.bound_ctrl = options.bound_ctrl;
  const LaneMoves moves = lane_moves(name_of(options, layout), fields);
  const std::optional<unsigned> lane = given<unsigned>(layout, "--lane");
  const bool detail = layout.count("--detail") != 0, by_source = layout.count("--register-layout") != 0;
  if (detail + by_source + static_cast<int>(layout.count("--matrix-layout") != 0) > 1)
    throw Error("ask one thing: --detail, --matrix-layout (by destination) or --register-layout (by source)");
  if (lane && *lane > 63) throw Error("--lane " + std::to_string(*lane) + " is not one of 0..63");
  if (output.draws() && (detail || by_source))
    throw Error("--svg and --html draw the whole map; ask for a table without them");
  if (!output.svg.empty()) output.write(output.svg, moves_picture(moves));
  if (!output.html.empty()) output.write(output.html, moves_page(moves, lane.value_or(0)));
  if (output.draws()) return;
  output.print(detail      ? moves_detail(moves)
               : by_source ? moves_by_source(moves, lane)
                           : moves_by_result(moves, lane));
}

}  // namespace

LayoutPart add_lane_layout(CLI::App& layout) {
  auto options = std::make_shared<Options>();
  layout.add_option("--dpp", options->dpp,
                    "A DPP control: quad_perm:[a,b,c,d], row_shl:N, row_shr:N, row_ror:N, wave_shl:1, "
                    "wave_rol:1, wave_shr:1, wave_ror:1, row_mirror, row_half_mirror, row_bcast:15, "
                    "row_bcast:31, row_newbcast:N");
  layout.add_option("--offset", options->offset, "Offset of ds_swizzle_b32 (its pattern) or of a DS permute");
  layout.add_option("--lanes", options->lanes,
                    "DS permutes: the lane that each lane's address names: xor:N, add:N or 64 numbers");
  layout.add_option("--exec", options->exec, "Lanes that run, as a 64-bit mask; without it all");
  layout.add_option("--row-mask", options->row_mask, "DPP: rows that are written, 0..15");
  layout.add_option("--bank-mask", options->bank_mask, "DPP: banks that are written, 0..15");
  layout.add_flag("--bound-ctrl", options->bound_ctrl, "DPP: a source outside reads as 0");
  return {[options, &layout] {
            const auto instruction = given<std::string>(layout, "--instruction");
            return !options->dpp.empty() || (instruction && is_lane_instruction(*instruction));
          },
          [options, &layout](const LayoutOutput& output) { answer_lanes(*options, output, layout); },
          {"--instruction", "--dpp", "--offset", "--lanes", "--exec", "--row-mask", "--bank-mask",
           "--bound-ctrl", "--detail", "--register-layout", "--matrix-layout", "--lane"}};
}

}  // namespace wavetwin::golden
