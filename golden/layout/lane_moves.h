// SPDX-License-Identifier: MIT
// Which lane feeds which, as data: DPP controls, the DS operations between lanes, the permlane swaps and the
// LDS reads that transpose. The maps are those of common/lane_map.h, which the executor runs.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/evidence.h"
#include "golden/layout/table.h"

namespace wavetwin::golden {

// Where one element of a result comes from: element `element` of `lane` of source number `source`; or it is
// zero; or the result's register keeps what it held.
struct LaneSource {
  enum class Kind : uint8_t { lane, zero, kept } kind = Kind::kept;
  uint8_t source = 0, lane = 0, element = 0;
  friend bool operator==(const LaneSource&, const LaneSource&) = default;
};

struct LaneMoves {
  std::string instruction;
  std::vector<std::string> sources, results;  // "src0", "lds"; "vdst"
  unsigned bits = 32, elements = 1;           // of one element; elements a lane
  std::vector<LaneSource> from;               // [result][lane][element]
  Evidence evidence = Evidence::unknown;
  std::vector<std::pair<std::string, std::string>> facts;

  const LaneSource& at(unsigned result, unsigned lane, unsigned element) const {
    return from[(result * 64 + lane) * elements + element];
  }
};

// Everything beside the name that changes a map; what is not given is what an assembler leaves out.
struct LaneFields {
  std::optional<unsigned> offset;    // DS: the 16-bit offset
  std::optional<std::string> lanes;  // ds_permute, ds_bpermute: lane that each lane's address names
  std::optional<uint64_t> exec;      // lanes that run
  std::optional<unsigned> row_mask, bank_mask;  // DPP
  bool bound_ctrl = false;                      // DPP
};

// Whether the name (of an instruction, or of a DPP control such as row_shr:4) is one of these.
bool is_lane_instruction(const std::string& name);
// Every instruction and one of every DPP control: what a suggestion is chosen from.
const std::vector<std::string>& lane_instruction_names();

// Throws Error for an unknown name or control and for fields that mean nothing to it or are out of range.
LaneMoves lane_moves(const std::string& name, const LaneFields& fields);

// The lane that each lane's address names: "xor:16", "add:4" (modulo 64), or 64 numbers separated by commas.
std::array<uint8_t, 64> parse_lanes(const std::string& text);

// The DPP_CTRL code of "row_shr:4", "quad_perm:[0,1,2,3]", "row_mirror" ...; throws Error.
unsigned parse_dpp(const std::string& text);

// A row a lane: where each element of its results comes from, and where what it holds goes.
TextTable moves_by_result(const LaneMoves& moves, const std::optional<unsigned>& only_lane);
// A row a lane: where each element that it holds goes.
TextTable moves_by_source(const LaneMoves& moves, const std::optional<unsigned>& only_lane);
TextTable moves_detail(const LaneMoves& moves);

// Text of one source, and of one place of a result.
std::string source_text(const LaneMoves& moves, const LaneSource& source);
std::string result_text(const LaneMoves& moves, unsigned result, unsigned lane, unsigned element);

// An SVG: a cell for each element of each result, coloured by the row of lanes that it comes from.
std::string moves_picture(const LaneMoves& moves);
// A self-contained page: results and sources side by side, the partners of the cell under the pointer marked.
std::string moves_page(const LaneMoves& moves, unsigned lane);

}  // namespace wavetwin::golden
