// SPDX-License-Identifier: MIT
#include "sim/isa/scalar_stores.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "sim/isa/rows.h"

namespace wavetwin::isa {
namespace {

using State = std::vector<uint32_t>;  // stores that are not written back, by index

void transfer(State& state, const Instruction& in, uint32_t index) {
  if (id_of(in) == RowId::S_DCACHE_WB) state.clear();
  if (!is_scalar_store(in)) return;
  const auto place = std::lower_bound(state.begin(), state.end(), index);
  if (place == state.end() || *place != index) state.insert(place, index);
}

bool join(State& entry, const State& state, const FlowGraph::Successor&) {
  State both;
  std::set_union(entry.begin(), entry.end(), state.begin(), state.end(), std::back_inserter(both));
  const bool changed = both.size() != entry.size();
  entry = std::move(both);
  return changed;
}

}  // namespace

bool is_scalar_store(const Instruction& in) {
  if (!in.valid() || in.format != Format::smem) return false;
  const std::string_view name = row_of(in).name;
  return name.starts_with("S_STORE_") || name.starts_with("S_BUFFER_STORE_") ||
         name.starts_with("S_SCRATCH_STORE_");
}

std::vector<UnwrittenStore> unwritten_scalar_stores(const ProgramPaths& paths) {
  const std::vector<Instruction>& code = paths.code;
  const FlowGraph& flow = paths.flow;
  if (std::none_of(code.begin(), code.end(), is_scalar_store)) return {};
  const auto entry = entry_states<State>(
      flow, [&](State& state, uint32_t i) { transfer(state, code[i], i); }, join);
  std::vector<UnwrittenStore> found;
  for (uint32_t block = 0; block < flow.blocks(); ++block) {
    if (!flow.successors(block).empty()) continue;
    State state = entry[block];
    for (uint32_t i = flow.first(block); i < flow.end(block); ++i) transfer(state, code[i], i);
    for (const uint32_t store : state)
      found.push_back({store, id_of(code[flow.end(block) - 1]) == RowId::S_ENDPGM});
  }
  const auto before = [](const auto& a, const auto& b) {
    return std::pair(a.store, !a.certain) < std::pair(b.store, !b.certain);
  };
  std::sort(found.begin(), found.end(), before);
  const auto same = [](const auto& a, const auto& b) { return a.store == b.store; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

std::vector<ScalarCache::Store> ScalarCache::next(uint32_t wave, const Instruction& in) {
  if (id_of(in) == RowId::S_DCACHE_WB) stores_.clear();
  if (is_scalar_store(in)) {
    const bool known = std::any_of(stores_.begin(), stores_.end(), [&](const Store& store) {
      return store.wave == wave && store.instruction == &in;
    });
    if (!known) stores_.push_back({wave, &in});
  }
  if (id_of(in) != RowId::S_ENDPGM || --live_ != 0) return {};
  return std::exchange(stores_, {});
}

}  // namespace wavetwin::isa
