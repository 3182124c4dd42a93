// SPDX-License-Identifier: MIT
// What no document fixes, executed: every option by the words that its values must give, and lanes, addresses
// and clocks under each value in full.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <set>

#include "tests/isa/asm/option_words.h"
#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

NumericModel model_of(const char* option, const char* value) {
  NumericModel model;
  model.set(option, value);
  return model;
}

// The results of numeric_options, eight bytes an option.
std::vector<uint64_t> executed_words(const NumericModel& model) {
  Machine machine("numeric");
  const size_t count = option_words().size();
  const uint64_t out = machine.zeroed("out", 8 * count);
  ExecuteOptions options;
  options.numeric_model = &model;
  machine.run("numeric_options", 1, 64, {out}, options);
  std::vector<uint64_t> words(count);
  machine.memory().read(out, words.data(), 8 * count);
  return words;
}

const uint64_t kMasks[] = {~uint64_t{0}, 0x00000000ffffffff, 0xffffffff00000000, 0x0000ffff0000ffff,
                           ~uint64_t{1}, 0x5555aaaa12345678, 0x8000000000000001, 0x0f0f0f0ff0f0f0f0};

bool enabled(uint64_t exec, unsigned lane) { return exec >> lane & 1; }

// Runs a kernel of options.s that writes eight words a lane under an EXEC mask.
std::vector<uint32_t> under_mask(const char* kernel, uint64_t exec, const NumericModel& model) {
  Machine machine("options");
  const uint64_t out = machine.poisoned("out", 64 * 32);
  ExecuteOptions options;
  options.numeric_model = &model;
  machine.run(kernel, 1, 64, {out, exec}, options);
  return machine.words(out, 64 * 8);
}

// `all`: lanes that EXEC disables take part.
void check_swap(const std::vector<uint32_t>& words, unsigned pair, unsigned distance, uint64_t exec,
                bool all) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint32_t d = 1000 + 2000 * pair + lane, s = d + 1000;  // before
    // The upper places of D change with the lower ones of S.
    const bool upper = lane & distance, written = all || enabled(exec, lane);
    CAPTURE(lane);
    CHECK(words[8 * lane + 2 * pair] == (upper && written ? s - distance : d));
    CHECK(words[8 * lane + 2 * pair + 1] == (!upper && written ? d + distance : s));
  }
}

// What a dpp control gives a lane: where it comes from (-1: nowhere).
struct Move {
  int from;
  bool bound_ctrl, sum;
};
std::array<Move, 8> moves_of(int lane) {
  const int row = lane / 16 * 16, mirror = row + 15 - lane % 16, swap = lane ^ 1;
  const int rotated = row + (lane + 16 - 5) % 16, left = lane % 16 == 0 ? -1 : lane - 1;
  return {{{swap, false, false},
           {rotated, false, false},
           {mirror, false, false},
           {left, false, false},
           {swap, true, false},
           {rotated, true, false},
           {mirror, true, true},
           {left, false, true}}};
}

}  // namespace

TEST_CASE("options: each decides an executed result, by every value as worked out, and no other result") {
  const std::vector<uint64_t> usual = executed_words({});
  for (const NumericOption& option : numeric_options()) {
    CAPTURE(option.name);
    const auto& cases = option_words();
    const auto found = std::find_if(cases.begin(), cases.end(), [&](const OptionWords& c) {
      return c.option == std::string_view(option.name);
    });
    if (found == cases.end()) {
      FAIL_CHECK("has no executed case: numeric.s needs an instruction, option_words.h its words");
      continue;
    }
    const auto slot = static_cast<size_t>(found - cases.begin());
    REQUIRE(found->words.size() == option.values.size());
    CHECK(std::set(found->words.begin(), found->words.end()).size() == option.values.size());
    for (size_t v = 0; v < option.values.size(); ++v) {
      const std::vector<uint64_t> words = executed_words(model_of(option.name, option.values[v]));
      for (size_t i = 0; i < words.size(); ++i) {
        const uint64_t want = i == slot ? found->words[v] : usual[i];
        if (words[i] == want) continue;
        FAIL_CHECK(fmt::format("{}={}: the result of {} is {:#x}, not {:#x}", option.name, option.values[v],
                               cases[i].option, words[i], want));
      }
    }
  }
  CHECK(option_words().size() == numeric_options().size());
}

TEST_CASE("permlane_exec: disabled lanes of a swap keep their values or take part; with fi they always do") {
  for (const char* value : {"keep", "swap"}) {
    for (const uint64_t exec : kMasks) {
      INFO(fmt::format("permlane_exec={} EXEC {:#x}", value, exec));
      const auto words = under_mask("permlane_swaps", exec, model_of("permlane_exec", value));
      const bool all = value == std::string_view("swap");
      check_swap(words, 0, 16, exec, all);
      check_swap(words, 1, 32, exec, all);
      check_swap(words, 2, 16, exec, true);
      check_swap(words, 3, 32, exec, true);
    }
  }
}

TEST_CASE("dpp_disabled: a disabled source lane is as one outside of the row, or gives what it holds") {
  for (const char* value : {"invalid", "read"}) {
    const NumericModel model = model_of("dpp_disabled", value);
    const bool read = value == std::string_view("read");
    for (const uint64_t exec : kMasks) {
      INFO(fmt::format("dpp_disabled={} EXEC {:#x}", value, exec));
      const auto words = under_mask("dpp_controls", exec, model);
      for (unsigned lane = 0; lane < 64; ++lane) {
        const auto moves = moves_of(static_cast<int>(lane));
        for (unsigned m = 0; m < moves.size(); ++m) {
          const Move& move = moves[m];
          const bool valid = move.from >= 0 && (read || enabled(exec, static_cast<unsigned>(move.from)));
          uint32_t want = 7;  // a lane that is not written
          if (enabled(exec, lane) && (valid || move.bound_ctrl)) {
            want = (valid ? 1000 + static_cast<uint32_t>(move.from) : 0) + (move.sum ? 1000 + lane : 0);
          }
          CAPTURE(lane);
          CAPTURE(m);
          CHECK(words[8 * lane + m] == want);
        }
      }
    }
  }
}

TEST_CASE("buffer_soffset: raw buffers count it in the range or not; structures never do") {
  constexpr uint32_t kWords = 256;
  for (const char* value : {"checked", "free"}) {
    const NumericModel model = model_of("buffer_soffset", value);
    ExecuteOptions options;
    options.numeric_model = &model;
    for (const uint32_t soffset : {0u, 4u, 64u, 400u}) {
      for (const auto& [records, stride] :
           {std::pair{100u, 0u}, {256u, 0u}, {255u, 0u}, {0u, 0u}, {40u, 4u}}) {
        INFO(fmt::format("{}: soffset {} records {} stride {}", value, soffset, records, stride));
        Machine machine("options");
        const uint64_t out = machine.poisoned("out", 256);
        std::array<uint64_t, 3> regions;  // loads, stores, additions
        std::vector<uint32_t> before(kWords);
        std::iota(before.begin(), before.end(), 5000u);
        for (size_t i = 0; i < regions.size(); ++i) {
          regions[i] = machine.poisoned("region " + std::to_string(i), 4 * kWords);
          machine.memory().write(regions[i], before.data(), 4 * kWords);
        }
        machine.run("buffer_ranges", 1, 64,
                    {out, regions[0], regions[1], regions[2], soffset | uint64_t{records} << 32,
                     uint64_t{stride} << 16},
                    options);
        const auto loaded = machine.words(out, 64);
        std::vector<uint32_t> stored = before, added = before;
        for (uint32_t lane = 0; lane < 64; ++lane) {
          const uint32_t counted = value == std::string_view("checked") ? soffset : 0;
          const bool in = stride != 0 ? lane < records : 4 * lane + counted + 4 <= records;
          const uint32_t word = soffset / 4 + lane;
          CAPTURE(lane);
          CHECK(loaded[lane] == (in ? before[word] : 0));
          if (in) stored[word] = lane + 1;
          if (in) added[word] += 100;
        }
        CHECK(machine.words(regions[1], kWords) == stored);
        CHECK(machine.words(regions[2], kWords) == added);
      }
    }
  }
}

TEST_CASE("atomic_lanes: lanes that meet in LDS, global, flat and buffer memory go up or down") {
  constexpr unsigned kMemories = 4;  // LDS, global, flat, buffer
  std::vector<float> added(64);      // in turn 2^24, 1, -2^24, 1 times the number of the cell + 1
  for (unsigned lane = 0; lane < 64; ++lane) {
    const unsigned turn = lane / 4 % 4;
    const float value = turn % 2 == 1 ? 1.0f : turn == 0 ? 0x1p24f : -0x1p24f;
    added[lane] = value * static_cast<float>(lane % 4 + 1);
  }
  std::array<std::array<uint32_t, 4>, 2> sums{};  // of each order and cell
  for (const bool down : {false, true}) {
    CAPTURE(down);
    const NumericModel model = model_of("atomic_lanes", down ? "descending" : "ascending");
    ExecuteOptions options;
    options.numeric_model = &model;
    Machine machine("options");
    const uint64_t out = machine.poisoned("out", 64 * 16), cells = machine.zeroed("cells", 96);
    const uint64_t lds = machine.poisoned("lds", 32), floats = machine.poisoned("floats", 256);
    machine.memory().write(floats, added.data(), 256);
    machine.run("atomic_order", 1, 64, {out, cells, lds, floats}, options);
    const auto returned = machine.words(out, 64 * kMemories);
    std::array<std::vector<uint32_t>, kMemories> last = {machine.words(lds, 8)};
    for (unsigned m = 1; m < kMemories; ++m) last[m] = machine.words(cells + 32 * (m - 1), 8);
    for (unsigned cell = 0; cell < 4; ++cell) {
      uint32_t count = 0;
      float sum = 0;
      for (unsigned i = 0; i < 16; ++i) {
        const unsigned lane = 4 * (down ? 15 - i : i) + cell;
        CAPTURE(lane);
        for (unsigned m = 0; m < kMemories; ++m) CHECK(returned[kMemories * lane + m] == count);
        count += lane + 1;
        sum += added[lane];
      }
      sums[down][cell] = std::bit_cast<uint32_t>(sum);
      CAPTURE(cell);
      for (unsigned m = 0; m < kMemories; ++m) {
        CAPTURE(m);
        CHECK(last[m][cell] == count);
        CHECK(last[m][4 + cell] == sums[down][cell]);
      }
    }
  }
  for (unsigned cell = 0; cell < 4; ++cell) CHECK(sums[0][cell] != sums[1][cell]);
}

TEST_CASE(
    "clock_round: both clocks go on by the option's cycles a turn, the real-time clock a 24th of them") {
  constexpr uint32_t kInstructions = 6;  // at most, a turn and around the loop
  for (const uint32_t cycles : {1024u, 256u, 4096u}) {
    for (const uint32_t turns : {1u, 7u, 100u}) {
      CAPTURE(cycles);
      CAPTURE(turns);
      const NumericModel model = model_of("clock_round", std::to_string(cycles).c_str());
      ExecuteOptions options;
      options.numeric_model = &model;
      Machine machine("options");
      const uint64_t out = machine.poisoned("out", 16);
      machine.run("clocks", 1, 64, {out, turns}, options);
      const auto words = machine.words(out, 4);
      const uint32_t core = words[2] - words[0], real = words[3] - words[1];
      CHECK(core > cycles * turns);
      CHECK(core <= cycles * turns + kInstructions * (turns + 1));
      CHECK(real >= cycles * turns / 24);
      CHECK(real <= (cycles * turns + kInstructions * (turns + 1)) / 24 + 1);
    }
  }
}

}  // namespace wavetwin::isa
