// SPDX-License-Identifier: MIT
#include "sim/isa/load_hazards.h"

#include <algorithm>

#include "sim/isa/flow_graph.h"
#include "sim/isa/operand_overlap.h"
#include "sim/isa/rows.h"
#include "sim/isa/vgpr_indexing.h"

namespace wavetwin::isa {
namespace {

constexpr uint8_t kReturned = 255;               // not outstanding in this counter
constexpr uint8_t kMostVm = 63, kMostLgkm = 15;  // what the counters can hold: issue waits beyond

// A load that may be outstanding, and the fewest operations counted after it on any path that return after
// it.
struct Outstanding {
  uint32_t load;
  uint8_t vm, lgkm;

  bool done() const { return vm == kReturned && lgkm == kReturned; }
};
using State = std::vector<Outstanding>;  // by load

// Loads return in order, so a load may overwrite what another one still has to fill.
bool uses(const Instruction& in, bool counted, const Operand& loaded) {
  const auto reads = [&](const Operand& source) { return overlaps(source, loaded); };
  if (std::any_of(in.src.begin(), in.src.end(), reads)) return true;
  return !counted && (overlaps(in.dst, loaded) || overlaps(in.sdst, loaded));
}

class Analysis {
 public:
  explicit Analysis(const Program& program)
      : code_(program.instructions), flow_(program), indexed_(indexed_operands(program, flow_)) {}
  std::vector<uint32_t> run();

 private:
  void transfer(State& state, uint32_t index);

  const std::vector<Instruction>& code_;
  FlowGraph flow_;
  std::vector<uint8_t> indexed_;  // operands of each instruction, see vgpr_indexing.h
  std::vector<bool> unguarded_;
};

void Analysis::transfer(State& state, uint32_t index) {
  const Instruction& in = code_[index];
  const CounterUse use = counter_use(in);
  const bool counted = use.vm || use.lgkm;
  for (const Outstanding& o : state) {
    const Operand& loaded = code_[o.load].dst;
    unguarded_[o.load] = unguarded_[o.load] ||
                         (indexed_[index] != 0 ? uses(with_any_index(in, indexed_[index]), counted, loaded)
                                               : uses(in, counted, loaded));
  }
  if (id_of(in) == RowId::S_WAITCNT) {
    const WaitCounts most = wait_counts(in.simm16);
    for (Outstanding& o : state) {
      const bool unordered = counter_use(code_[o.load]).unordered;
      if (unordered ? most.vm == 0 : o.vm >= most.vm) o.vm = kReturned;
      if (unordered ? most.lgkm == 0 : o.lgkm >= most.lgkm) o.lgkm = kReturned;
    }
  }
  if (counted && !use.unordered) {
    for (Outstanding& o : state) {
      if (use.vm && o.vm != kReturned && ++o.vm > kMostVm) o.vm = kReturned;
      if (use.lgkm && o.lgkm != kReturned && o.lgkm < kMostLgkm + 1) ++o.lgkm;
    }
  }
  std::erase_if(state, [&](const Outstanding& o) { return o.done() || (use.load && o.load == index); });
  if (!use.load) return;
  const Outstanding issued{index, use.vm ? uint8_t{0} : kReturned, use.lgkm ? uint8_t{0} : kReturned};
  const auto place = std::lower_bound(state.begin(), state.end(), issued,
                                      [](const auto& a, const auto& b) { return a.load < b.load; });
  state.insert(place, issued);
}

// Joins a state into a block's entry: what may be outstanding on either path, the fewest operations after it.
// Whether the entry changed.
bool join(State& entry, const State& state, const FlowGraph::Successor&) {
  State joined;
  joined.reserve(entry.size() + state.size());
  bool changed = false;
  auto a = entry.begin();
  for (const Outstanding& b : state) {
    while (a != entry.end() && a->load < b.load) joined.push_back(*a++);
    if (a != entry.end() && a->load == b.load) {
      const Outstanding both{b.load, std::min(a->vm, b.vm), std::min(a->lgkm, b.lgkm)};
      changed |= both.vm != a->vm || both.lgkm != a->lgkm;
      joined.push_back(both);
      ++a;
    } else {
      changed = true;
      joined.push_back(b);
    }
  }
  joined.insert(joined.end(), a, entry.end());
  if (changed) entry = std::move(joined);
  return changed;
}

std::vector<uint32_t> Analysis::run() {
  std::vector<uint32_t> found;
  unguarded_.resize(code_.size());
  entry_states<State>(
      flow_, [&](State& state, uint32_t i) { transfer(state, i); }, join);
  for (uint32_t i = 0; i < code_.size(); ++i) {
    if (unguarded_[i]) found.push_back(i);
  }
  return found;
}

}  // namespace

CounterUse counter_use(const Instruction& in) {
  CounterUse use;
  if (!in.valid()) return use;
  const Row& row = row_of(in);
  switch (in.format) {
    case Format::flat:
      use.vm = true;
      use.lgkm = use.unordered = in.segment == Segment::flat;
      break;
    case Format::mubuf:
    case Format::mtbuf:
      use.vm = true;
      break;
    case Format::ds:
      use.lgkm = row.name != "DS_NOP";
      break;
    case Format::smem:
      use.lgkm = use.unordered = true;
      break;
    default:
      return use;
  }
  use.load = in.dst && !row.has(RETURNS);
  return use;
}

std::vector<uint32_t> unguarded_loads(const Program& program) { return Analysis(program).run(); }

}  // namespace wavetwin::isa
