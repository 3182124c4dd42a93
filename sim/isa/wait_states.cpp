// SPDX-License-Identifier: MIT
#include "sim/isa/wait_states.h"

#include <algorithm>

namespace wavetwin::isa {
namespace {

// Whether nobody can meet the result of `older` any more, since the matrix instruction `newer` has the
// register.
bool hides(const Instruction& newer, const Instruction& older) {
  return is_matrix(newer) && is_matrix(older) && newer.dst.kind == older.dst.kind &&
         newer.dst.index <= older.dst.index &&
         newer.dst.index + newer.dst.dwords >= older.dst.index + older.dst.dwords;
}

// An instruction that others may still follow too closely, and the fewest wait states since it on any path.
struct Recent {
  uint32_t index;
  uint8_t states;
  bool masked;  // with EXEC as it is now it did nothing if EXEC is 0
};
using State = std::vector<Recent>;  // by index

class Paths {
 public:
  Paths(const ProgramPaths& paths, std::span<const uint32_t> ignored);
  std::vector<CloseFollower> run();

 private:
  void transfer(State& state, uint32_t index) const;
  void report(const Recent& recent, uint32_t index);

  const std::vector<Instruction>& code_;
  const FlowGraph& flow_;
  const std::vector<uint8_t>& indexed_;
  std::vector<uint8_t> most_;    // wait states anybody may need after each instruction
  std::vector<uint8_t> states_;  // that each is worth
  std::vector<CloseFollower> found_;
};

Paths::Paths(const ProgramPaths& paths, std::span<const uint32_t> ignored)
    : code_(paths.code), flow_(paths.flow), indexed_(paths.indexed) {
  for (const Instruction& in : code_) {
    most_.push_back(static_cast<uint8_t>(most_wait_states_after(in)));
    states_.push_back(static_cast<uint8_t>(wait_states_of(in)));
  }
  for (const uint32_t index : ignored) states_[index] = 0;
}

// Whether the instruction at `index` is too close to `recent`.
void Paths::report(const Recent& recent, uint32_t index) {
  const Instruction &first = code_[recent.index], &second = code_[index];
  const unsigned first_indexed = indexed_[recent.index], second_indexed = indexed_[index];
  WaitNeed need;
  if (first_indexed == 0 && second_indexed == 0) {
    need = wait_need(first, second);
  } else {
    need = wait_need(without_indexed(first, first_indexed), without_indexed(second, second_indexed));
  }
  bool depends_on_index = false;
  if (need.states <= recent.states && (first_indexed != 0 || second_indexed != 0)) {
    need = wait_need(with_any_index(first, first_indexed), with_any_index(second, second_indexed));
    depends_on_index = true;
  }
  if (need.states > recent.states)
    found_.push_back({recent.index, index, need, recent.states, depends_on_index});
}

void Paths::transfer(State& state, uint32_t index) const {
  const Instruction& in = code_[index];
  const bool new_exec = writes_exec(in);
  for (Recent& recent : state) {
    recent.states = static_cast<uint8_t>(recent.states + states_[index]);
    recent.masked = recent.masked && !new_exec;
  }
  std::erase_if(state, [&](const Recent& recent) {
    return recent.states >= most_[recent.index] || recent.index == index || hides(in, code_[recent.index]);
  });
  if (most_[index] == 0) return;
  const auto place = std::lower_bound(state.begin(), state.end(), index,
                                      [](const Recent& recent, uint32_t i) { return recent.index < i; });
  state.insert(place, {index, 0, does_nothing_without_lanes(in)});
}

// Joins a state into a block's entry: what is recent on either path, with the fewest wait states. Whether the
// entry changed.
bool join(State& entry, const State& state, const FlowGraph::Successor& successor) {
  bool changed = false;
  for (const Recent& recent : state) {
    if (successor.no_lanes && recent.masked) continue;
    const auto place = std::lower_bound(entry.begin(), entry.end(), recent.index,
                                        [](const Recent& r, uint32_t i) { return r.index < i; });
    if (place == entry.end() || place->index != recent.index) {
      entry.insert(place, recent);
      changed = true;
    } else {
      const Recent both{recent.index, std::min(recent.states, place->states), recent.masked && place->masked};
      changed |= both.states != place->states || both.masked != place->masked;
      *place = both;
    }
  }
  return changed;
}

std::vector<CloseFollower> Paths::run() {
  const auto entry = entry_states<State>(
      flow_, [&](State& state, uint32_t i) { transfer(state, i); }, join);
  for (uint32_t block = 0; block < flow_.blocks(); ++block) {
    State state = entry[block];
    for (uint32_t i = flow_.first(block); i < flow_.end(block); ++i) {
      for (const Recent& recent : state) report(recent, i);
      transfer(state, i);
    }
  }
  return std::move(found_);
}

}  // namespace

std::vector<CloseFollower> close_followers(const ProgramPaths& paths, std::span<const uint32_t> ignored) {
  return Paths(paths, ignored).run();
}

WaitHistory::Violation WaitHistory::next(const Instruction& in, const Instruction* kept, uint64_t exec) {
  Violation worst;
  unsigned missing = 0, states = 0;
  const uint32_t held = std::min<uint32_t>(count_, kMostWaitStates);
  for (uint32_t n = 1; n <= held && states < kMostWaitStates; ++n) {
    const Instruction* const first = back(n);
    if (first == nullptr) {
      ++states;
      continue;
    }
    bool hidden = false;
    for (uint32_t newer = 1; newer < n && !hidden && is_matrix(*first); ++newer)
      hidden = back(newer) != nullptr && hides(*back(newer), *first);
    const WaitNeed need = hidden ? WaitNeed{} : wait_need(*first, in);
    if (need.states > states && need.states - states > missing) {
      missing = need.states - states;
      worst = {first, need, states};
    }
    states += wait_states_of(*first);
  }
  last_[count_++ % kMostWaitStates] = exec == 0 && does_nothing_without_lanes(in) ? nullptr : kept;
  return worst;
}

WaitHistory::Violation WaitHistory::next_indexed(const Instruction& in, uint64_t exec) {
  if (indexed_ == nullptr) indexed_ = std::make_unique<Ring<Instruction>>();
  Instruction& own = (*indexed_)[count_ % kMostWaitStates];  // the oldest may be there, so written last
  const Violation close = next(in, &own, exec);
  own = in;
  return close;
}

}  // namespace wavetwin::isa
