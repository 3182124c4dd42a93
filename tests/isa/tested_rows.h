// SPDX-License-Identifier: MIT
// Decoding for the tests of rows, with two services around it:
// - WAVETWIN_SWAP_ROWS exchanges rows with a neighbour of the same format and operand types, so that
// an
//   instruction decoded as one row is executed as the other: every such row must make a test fail that names
//   it. Values: "even" or "odd" (pairs of neighbours of the whole table), "random SEED COUNT".
// - WAVETWIN_TESTED_ROWS names a file to which the decoded rows are appended at the end.
// - WAVETWIN_TEST_COUNTS names one to which each of them is appended with how often it was decoded, that is,
//   executed beside an oracle: what `wavetwin list --instructions` shows (sim/isa/tested_rows.inc).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/isa/decode.h"
#include "sim/isa/rows.h"

namespace wavetwin::isa {

class TestedRows {
 public:
  static TestedRows& instance() {
    static TestedRows rows;
    return rows;
  }
  Instruction decode(std::span<const uint32_t> dwords) { return executed(isa::decode(dwords, 0)); }
  // What is executed in place of a decoded instruction.
  Instruction executed(Instruction in) {
    if (!in.valid()) return in;
    seen_.insert(in.row);
    ++counts_[in.row];
    in.row = executed_[in.row];
    return in;
  }

 private:
  TestedRows() : executed_(kRowCount) {
    std::iota(executed_.begin(), executed_.end(), uint16_t{0});
    if (const char* how = std::getenv("WAVETWIN_SWAP_ROWS")) exchange(how);
  }
  ~TestedRows() {
    if (const char* counts = std::getenv("WAVETWIN_TEST_COUNTS")) {
      std::ofstream file(counts, std::ios::app);
      for (const auto& [row, count] : counts_) file << rows()[row].name << " " << count << "\n";
    }
    const char* path = std::getenv("WAVETWIN_TESTED_ROWS");
    if (path == nullptr) return;
    std::ofstream file(path, std::ios::app);
    for (const uint16_t row : seen_) file << rows()[row].name << "\n";
  }

  // Rows between which an exchange keeps the form of the instruction, in table order.
  static std::vector<std::vector<uint16_t>> groups() {
    std::map<std::string, std::vector<uint16_t>> alike;
    for (size_t i = 0; i < kRowCount; ++i) {
      const Row& row = rows()[i];
      if (!row.implemented) continue;
      std::ostringstream key;
      // Which other encodings and modifiers exist concerns the decoder only.
      constexpr uint32_t kDecoded = ALLFORMS | MOD0 | MOD1 | MOD2 | FREE0 | FREE1 | FREE2 | CLAMP | OMOD |
                                    OPSEL_HIDDEN | NO_DST_SEL | SEG_FLAT | SEG_GLOBAL | SEG_SCRATCH;
      key << static_cast<int>(row.format) << ' ' << (row.traits & ~kDecoded);
      // A memory operation has its own width; the other expressions are made of the operand types.
      const bool memory = row.format == Format::smem || row.format >= Format::ds;
      const auto type_key = [&](OperandType t) { return memory ? int{t != NONE} : static_cast<int>(t); };
      for (const OperandType t : row.dst) key << ' ' << type_key(t);
      for (const OperandType t : row.src) key << ' ' << type_key(t);
      alike[key.str()].push_back(static_cast<uint16_t>(i));
    }
    std::vector<std::vector<uint16_t>> result;
    for (auto& [key, group] : alike) result.push_back(std::move(group));
    return result;
  }

  // The same expression is the same meaning, except where it looks at the row's name.
  static bool differ(const Row& a, const Row& b) {
    return a.expression != b.expression || a.expression.starts_with("exec_mfma") ||
           a.expression.starts_with("exec_smfmac");
  }

  void exchange(const std::string& how) {
    std::vector<std::pair<uint16_t, uint16_t>> pairs;
    for (const auto& group : groups()) {
      for (size_t i = how == "odd" ? 1 : 0; i + 1 < group.size(); i += how[0] == 'r' ? 1 : 2) {
        if (differ(rows()[group[i]], rows()[group[i + 1]])) pairs.emplace_back(group[i], group[i + 1]);
      }
    }
    size_t wanted = pairs.size();
    if (std::istringstream words(how); how[0] == 'r') {
      std::string random;
      uint64_t seed = 0;
      words >> random >> seed >> wanted;
      std::shuffle(pairs.begin(), pairs.end(), std::mt19937_64(seed));
    }
    std::set<uint16_t> used;
    for (const auto& [a, b] : pairs) {
      if (used.size() >= 2 * wanted || used.count(a) || used.count(b)) continue;
      used.insert({a, b});
      std::swap(executed_[a], executed_[b]);
      std::cout << "exchanged: " << rows()[a].name << " " << rows()[b].name << "\n";
    }
  }

  std::vector<uint16_t> executed_;  // by decoded row
  std::set<uint16_t> seen_;
  std::map<uint16_t, uint64_t> counts_;
};

inline Instruction decode_tested(std::span<const uint32_t> dwords) {
  return TestedRows::instance().decode(dwords);
}

}  // namespace wavetwin::isa
