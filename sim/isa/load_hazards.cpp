// SPDX-License-Identifier: MIT
#include "sim/isa/load_hazards.h"

#include <algorithm>

#include "sim/isa/operand_overlap.h"
#include "sim/isa/rows.h"

namespace wavetwin::isa {
namespace {

constexpr uint8_t kReturned = 255;  // not outstanding in this counter

// A load or an access to LDS that may be outstanding, and the fewest operations counted after it on any path
// that return after it: none where it is unordered.
struct Outstanding {
  uint32_t index;
  uint8_t vm, lgkm;

  bool done() const { return vm == kReturned && lgkm == kReturned; }
};
using State = std::vector<Outstanding>;  // by index

bool may_access_lds(const Instruction& in) {
  return in.lds || in.format == Format::ds || (in.format == Format::flat && in.segment == Segment::flat);
}

// What a load overwrites is safe if it returns after the one that still has to fill it.
bool uses(const Instruction& in, const Operand& loaded, bool returns_after) {
  const auto reads = [&](const Operand& source) { return overlaps(source, loaded); };
  if (std::any_of(in.src.begin(), in.src.end(), reads)) return true;
  return !returns_after && (overlaps(in.dst, loaded) || overlaps(in.sdst, loaded));
}

class Analysis {
 public:
  explicit Analysis(const ProgramPaths& paths) : code_(paths.code), paths_(paths) {
    for (const Instruction& in : code_) uses_.push_back(counter_use(in));
  }
  UnwaitedOperations run();

 private:
  void transfer(State& state, uint32_t index);
  void meet_registers(const State& state, uint32_t index);
  void meet_lds(const State& state, uint32_t index);
  void wait(State& state, const WaitCounts& most) const;
  void issue(State& state, uint32_t index) const;

  const std::vector<Instruction>& code_;
  const ProgramPaths& paths_;
  std::vector<CounterUse> uses_;
  std::vector<bool> early_, late_;  // loads, accesses to LDS
};

void Analysis::meet_registers(const State& state, uint32_t index) {
  if (state.empty()) return;
  const unsigned indexed = paths_.indexed[index];
  const Instruction moved = indexed != 0 ? with_any_index(code_[index], indexed) : Instruction{};
  const Instruction& in = indexed != 0 ? moved : code_[index];
  for (const Outstanding& o : state) {
    if (uses_[o.index].load && !early_[o.index])
      early_[o.index] = uses(in, code_[o.index].dst, returns_before(uses_[o.index], uses_[index]));
  }
}

void Analysis::meet_lds(const State& state, uint32_t index) {
  const Instruction& in = code_[index];
  const bool barrier = id_of(in) == RowId::S_BARRIER;
  const bool access = uses_[index].counted() && may_access_lds(in) && !in.lds;
  if (!barrier && !access) return;
  for (const Outstanding& o : state) {
    const Instruction& operation = code_[o.index];
    if (!may_access_lds(operation) || (operation.lds ? o.vm : o.lgkm) == kReturned) continue;
    if (barrier || operation.lds) late_[o.index] = true;
    if (access && operation.lds) late_[index] = true;
  }
}

void Analysis::wait(State& state, const WaitCounts& most) const {
  for (Outstanding& o : state) {
    if (o.vm >= most.vm) o.vm = kReturned;
    if (o.lgkm >= most.lgkm) o.lgkm = kReturned;
  }
}

void Analysis::issue(State& state, uint32_t index) const {
  const CounterUse& use = uses_[index];
  if (!use.unordered) {
    for (Outstanding& o : state) {
      if (uses_[o.index].unordered) continue;
      if (use.vm && o.vm != kReturned && ++o.vm > kMostVm) o.vm = kReturned;
      if (use.lgkm && o.lgkm != kReturned && ++o.lgkm > kMostLgkm) o.lgkm = kReturned;
    }
  }
  const bool followed = use.load || may_access_lds(code_[index]);
  std::erase_if(state, [&](const Outstanding& o) { return o.done() || (followed && o.index == index); });
  if (!followed) return;
  const Outstanding issued{index, use.vm ? uint8_t{0} : kReturned, use.lgkm ? uint8_t{0} : kReturned};
  const auto place = std::lower_bound(state.begin(), state.end(), issued,
                                      [](const auto& a, const auto& b) { return a.index < b.index; });
  state.insert(place, issued);
}

void Analysis::transfer(State& state, uint32_t index) {
  meet_registers(state, index);
  meet_lds(state, index);
  const Instruction& in = code_[index];
  if (id_of(in) == RowId::S_WAITCNT) {
    wait(state, wait_counts(in.simm16));
    std::erase_if(state, [](const Outstanding& o) { return o.done(); });
  }
  if (uses_[index].counted()) issue(state, index);
}

// Joins a state into a block's entry: what may be outstanding on either path, the fewest operations after it.
// Whether the entry changed.
bool join(State& entry, const State& state, const FlowGraph::Successor&) {
  State joined;
  joined.reserve(entry.size() + state.size());
  bool changed = false;
  auto a = entry.begin();
  for (const Outstanding& b : state) {
    while (a != entry.end() && a->index < b.index) joined.push_back(*a++);
    if (a != entry.end() && a->index == b.index) {
      const Outstanding both{b.index, std::min(a->vm, b.vm), std::min(a->lgkm, b.lgkm)};
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

std::vector<uint32_t> set_ones(const std::vector<bool>& set) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < set.size(); ++i) {
    if (set[i]) found.push_back(i);
  }
  return found;
}

UnwaitedOperations Analysis::run() {
  early_.resize(code_.size());
  late_.resize(code_.size());
  entry_states<State>(
      paths_.flow, [&](State& state, uint32_t i) { transfer(state, i); }, join);
  return {set_ones(early_), set_ones(late_)};
}

}  // namespace

CounterUse counter_use(const Instruction& in, bool threadgroup_split) {
  CounterUse use;
  if (!in.valid()) return use;
  const Row& row = row_of(in);
  switch (in.format) {
    case Format::flat:
      use.vm = true;
      use.lgkm = use.unordered = in.segment == Segment::flat && !threadgroup_split;
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

UnwaitedOperations unwaited_operations(const ProgramPaths& paths) { return Analysis(paths).run(); }

}  // namespace wavetwin::isa
