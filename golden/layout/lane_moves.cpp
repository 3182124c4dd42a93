// SPDX-License-Identifier: MIT
#include "golden/layout/lane_moves.h"

#include <fmt/format.h>

#include "common/lane_map.h"
#include "golden/layout/lane_names.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kLanes = kMapLanes;
constexpr uint64_t kAll = ~uint64_t{0};

LaneSource from_lane(unsigned lane, unsigned element = 0, unsigned source = 0) {
  return {LaneSource::Kind::lane, static_cast<uint8_t>(source), static_cast<uint8_t>(lane),
          static_cast<uint8_t>(element)};
}
constexpr LaneSource kZero{LaneSource::Kind::zero, 0, 0, 0}, kKept{LaneSource::Kind::kept, 0, 0, 0};

// A map with one source and one result of one dword a lane; `source_of(lane)` for lanes that run.
template <class SourceOf>
LaneMoves dword_moves(std::string instruction, const char* source, uint64_t exec, SourceOf source_of) {
  LaneMoves moves;
  moves.instruction = std::move(instruction);
  moves.sources = {source};
  moves.results = {"vdst"};
  for (unsigned lane = 0; lane < kLanes; ++lane)
    moves.from.push_back(exec >> lane & 1 ? source_of(lane) : kKept);
  moves.facts.emplace_back("instruction", moves.instruction);
  return moves;
}

void finish(LaneMoves& moves, uint64_t exec, Evidence evidence, const char* source) {
  if (exec != kAll) moves.facts.emplace_back("EXEC", fmt::format("{:#018x}; other lanes keep vdst", exec));
  moves.evidence = evidence;
  moves.facts.emplace_back("evidence", wavetwin::to_string(evidence));
  moves.facts.emplace_back("source", source);
}

LaneMoves dpp_moves(unsigned control, const LaneFields& f) {
  const uint64_t exec = f.exec.value_or(kAll);
  const unsigned row_mask = f.row_mask.value_or(15), bank_mask = f.bank_mask.value_or(15);
  const LaneSource invalid = f.bound_ctrl ? kZero : kKept;
  LaneMoves moves = dword_moves(dpp_name(control), "src0", exec, [&](unsigned lane) {
    if (!dpp_writes(row_mask, bank_mask, lane)) return kKept;
    const int source = dpp_source(control, lane);
    return source >= 0 && (exec >> source & 1) ? from_lane(static_cast<unsigned>(source)) : invalid;
  });
  moves.facts.emplace_back("DPP_CTRL", fmt::format("{:#05x}", control));
  moves.facts.emplace_back("a source outside the row or not running",
                           f.bound_ctrl ? "reads as 0 (bound_ctrl)" : "the lane keeps vdst");
  if (row_mask != 15 || bank_mask != 15)
    moves.facts.emplace_back("row_mask, bank_mask", fmt::format("{:#x}, {:#x}", row_mask, bank_mask));
  const bool all = exec == kAll;
  finish(moves, exec, all ? Evidence::specified : Evidence::inferred,
         all ? "CDNA4 ISA guide, DPP_CTRL enumerations; LLVM"
             : "the controls: CDNA4 ISA guide; sources that do not run: LLVM's intrinsic and AMD's emulator "
               "(option dpp_disabled)");
  return moves;
}

LaneMoves swizzle_moves(const LaneFields& f) {
  const unsigned offset = f.offset.value_or(0);
  const uint64_t exec = f.exec.value_or(kAll);
  LaneMoves moves =
      dword_moves(fmt::format("ds_swizzle_b32 offset:{:#x}", offset), "vaddr", exec, [&](unsigned lane) {
        const unsigned source = swizzle_source(offset, lane);
        return exec >> source & 1 ? from_lane(source) : kZero;
      });
  moves.facts.emplace_back("mode", swizzle_mode(offset));
  finish(moves, exec, Evidence::specified, "CDNA4 ISA guide 12.12, DS_SWIZZLE_B32");
  return moves;
}

// Pull (ds_bpermute_b32) and push (ds_permute_b32).
LaneMoves permute_moves(bool push, const LaneFields& f) {
  const std::array<uint8_t, kLanes> lanes = parse_lanes(f.lanes.value_or("add:0"));
  const unsigned offset = f.offset.value_or(0);
  const uint64_t exec = f.exec.value_or(kAll);
  const auto named = [&](unsigned lane) { return permute_lane(4u * lanes[lane] + offset); };
  const std::string name = fmt::format("{} offset:{}", push ? "ds_permute_b32" : "ds_bpermute_b32", offset);
  LaneMoves moves = dword_moves(name, "data0", exec, [&](unsigned lane) {
    if (!push) return exec >> named(lane) & 1 ? from_lane(named(lane)) : kZero;
    for (unsigned sender = kLanes; sender-- > 0;) {  // the highest sender wins
      if ((exec >> sender & 1) && named(sender) == lane) return from_lane(sender);
    }
    return kZero;
  });
  moves.facts.emplace_back("each lane's address", "4 * (" + f.lanes.value_or("add:0") + ")");
  moves.facts.emplace_back("rule", push ? "a lane sends to the lane that its address names; the highest "
                                          "sender wins; 0 where nobody sends"
                                        : "a lane reads the lane that its address names; 0 from a lane that "
                                          "does not run");
  finish(moves, exec, Evidence::specified, "CDNA4 ISA guide 12.12");
  return moves;
}

LaneMoves swap_moves(unsigned distance, const LaneFields& f) {
  const uint64_t exec = f.exec.value_or(kAll);
  LaneMoves moves;
  moves.instruction = fmt::format("v_permlane{}_swap_b32", distance);
  moves.sources = moves.results = {"vdst", "src0"};
  for (unsigned result = 0; result < 2; ++result) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      // vdst takes part with the lanes whose bit is on, src0 with the others.
      const bool moves_lane = (lane & distance) != 0 ? result == 0 : result == 1;
      const bool writes = moves_lane && (exec >> lane & 1);
      moves.from.push_back(writes ? from_lane(permlane_partner(distance, lane), 0, 1 - result) : kKept);
    }
  }
  moves.facts.emplace_back("instruction", moves.instruction);
  moves.facts.emplace_back("rule", distance == 16 ? "odd rows of vdst and even rows of src0 change places"
                                                  : "lanes 32..63 of vdst and lanes 0..31 of src0 change "
                                                    "places");
  const bool all = exec == kAll;
  finish(moves, exec, all ? Evidence::specified : Evidence::unknown,
         all ? "CDNA4 ISA guide 12.8"
             : "option permlane_exec: a lane that does not run keeps its value by default");
  return moves;
}

LaneMoves transpose_moves(const TransposingRead& read, const LaneFields& f) {
  if (f.exec.value_or(kAll) != kAll)
    throw Error(std::string(read.name) + ": --exec: all lanes must run, else the result is undefined");
  LaneMoves moves;
  moves.instruction = read.name;
  moves.sources = {"lds"};
  moves.results = {"vdst"};
  moves.bits = read.bits;
  moves.elements = read.elements;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned n = 0; n < read.elements; ++n) {
      const ChunkElement source = transposed_source(read.elements, lane, n);
      moves.from.push_back(from_lane(source.lane, source.index));
    }
  }
  moves.facts.emplace_back("instruction", moves.instruction);
  moves.facts.emplace_back("lds{l}[e]", fmt::format("element e of the {} bytes at the address of lane l",
                                                    read.bits * read.elements / 8));
  moves.facts.emplace_back("rule", "inside each group of 16 lanes, elements and lanes change places");
  finish(moves, kAll, read.evidence, read.source);
  return moves;
}

}  // namespace

LaneMoves lane_moves(const std::string& name, const LaneFields& fields) {
  check_lane_fields(name, fields);
  if (is_dpp_name(name)) return dpp_moves(parse_dpp(name), fields);
  if (const TransposingRead* read = find_transposing_read(name)) return transpose_moves(*read, fields);
  if (name == "ds_swizzle_b32") return swizzle_moves(fields);
  if (name == "ds_bpermute_b32" || name == "ds_permute_b32")
    return permute_moves(name == "ds_permute_b32", fields);
  return swap_moves(name == "v_permlane16_swap_b32" ? 16 : 32, fields);
}

}  // namespace wavetwin::golden
