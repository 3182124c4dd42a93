// SPDX-License-Identifier: MIT
#include "sim/isa/wait_states.h"

#include <algorithm>

#include "sim/isa/flow_graph.h"

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
};
using State = std::vector<Recent>;  // by index

class Paths {
 public:
  Paths(const Program& program, std::span<const uint32_t> ignored);
  std::vector<CloseFollower> run();

 private:
  void transfer(State& state, uint32_t index, bool report);

  const std::vector<Instruction>& code_;
  FlowGraph flow_;
  std::vector<uint8_t> most_;    // wait states anybody may need after each instruction
  std::vector<uint8_t> states_;  // that each is worth
  std::vector<CloseFollower> found_;
};

Paths::Paths(const Program& program, std::span<const uint32_t> ignored)
    : code_(program.instructions), flow_(program) {
  for (const Instruction& in : code_) {
    most_.push_back(static_cast<uint8_t>(most_wait_states_after(in)));
    states_.push_back(static_cast<uint8_t>(wait_states_of(in)));
  }
  for (const uint32_t index : ignored) states_[index] = 0;
}

void Paths::transfer(State& state, uint32_t index, bool report) {
  const Instruction& in = code_[index];
  if (report) {
    for (const Recent& recent : state) {
      const WaitNeed need = wait_need(code_[recent.index], in);
      if (need.states > recent.states) found_.push_back({recent.index, index, need, recent.states});
    }
  }
  for (Recent& recent : state) recent.states = static_cast<uint8_t>(recent.states + states_[index]);
  std::erase_if(state, [&](const Recent& recent) {
    return recent.states >= most_[recent.index] || recent.index == index || hides(in, code_[recent.index]);
  });
  if (most_[index] == 0) return;
  const auto place = std::lower_bound(state.begin(), state.end(), index,
                                      [](const Recent& recent, uint32_t i) { return recent.index < i; });
  state.insert(place, {index, 0});
}

// Joins a state into a block's entry: what is recent on either path, with the fewest wait states. Whether the
// entry changed.
bool join(State& entry, const State& state) {
  bool changed = false;
  for (const Recent& recent : state) {
    const auto place = std::lower_bound(entry.begin(), entry.end(), recent.index,
                                        [](const Recent& r, uint32_t i) { return r.index < i; });
    if (place == entry.end() || place->index != recent.index) {
      entry.insert(place, recent);
      changed = true;
    } else if (recent.states < place->states) {
      place->states = recent.states;
      changed = true;
    }
  }
  return changed;
}

std::vector<CloseFollower> Paths::run() {
  const auto entry = entry_states<State>(
      flow_, [&](State& state, uint32_t i) { transfer(state, i, false); }, join);
  for (uint32_t block = 0; block < flow_.blocks(); ++block) {
    State state = entry[block];
    for (uint32_t i = flow_.first(block); i < flow_.end(block); ++i) transfer(state, i, true);
  }
  return std::move(found_);
}

}  // namespace

std::vector<CloseFollower> close_followers(const Program& program, std::span<const uint32_t> ignored) {
  return Paths(program, ignored).run();
}

WaitHistory::Violation WaitHistory::next(const Instruction& in) {
  Violation worst;
  unsigned missing = 0, states = 0;
  const uint32_t kept = std::min<uint32_t>(count_, kMostWaitStates);
  for (uint32_t back = 1; back <= kept && states < kMostWaitStates; ++back) {
    const Instruction& first = *last_[(count_ - back) % kMostWaitStates];
    bool hidden = false;
    for (uint32_t newer = 1; newer < back && !hidden && is_matrix(first); ++newer)
      hidden = hides(*last_[(count_ - newer) % kMostWaitStates], first);
    const WaitNeed need = hidden ? WaitNeed{} : wait_need(first, in);
    if (need.states > states && need.states - states > missing) {
      missing = need.states - states;
      worst = {&first, need, states};
    }
    states += wait_states_of(first);
  }
  last_[count_++ % kMostWaitStates] = &in;
  return worst;
}

}  // namespace wavetwin::isa
