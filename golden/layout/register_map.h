// SPDX-License-Identifier: MIT
// Where every element of an instruction's operands is, as data: what tables, pictures and pages are made of.
//
// A place is written as AMD's matrix instruction calculator writes it: v5{3}.[23:16] is bits 23..16 of VGPR 5
// of the operand in lane 3; without bits it is the whole register.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/evidence.h"
#include "common/mfma/layout.h"

namespace wavetwin::golden {

// Which k an element stands for, from its coordinate along K (the column of A, the row of B): k_step *
// (coordinate / divisor), and k_step neighbours from there. A dense A: 1 of every coordinate; a scale: 32 of
// every coordinate; a compressed A: 4 of every second coordinate.
struct AlongK {
  enum class Axis : uint8_t { none, row, column } axis = Axis::none;
  unsigned divisor = 1, step = 1;
};

struct OperandMap {
  std::string name;  // "A", "B", "C", "D", "scale_a", "scale_b", "index"
  unsigned rows = 0, columns = 0, blocks = 1;
  unsigned bits = 0;                // of one element
  unsigned vgprs = 0;               // of the tuple
  std::vector<mfma::Place> places;  // [block][row][column]; several elements may share one
  AlongK along_k;
  bool negated = false;   // the instruction reads the element with its sign changed
  std::string companion;  // operand whose element goes with each of this one: a scale, index bits
  unsigned companion_row_divisor = 1, companion_column_divisor = 1;

  struct Element {
    unsigned block, row, column;
  };
  unsigned number(unsigned row, unsigned column, unsigned block) const {
    return (block * rows + row) * columns + column;
  }
  Element element(unsigned number) const {
    return {number / columns / rows, number / columns % rows, number % columns};
  }
  const mfma::Place& place(unsigned row, unsigned column, unsigned block) const {
    return places[number(row, column, block)];
  }
  // First k of an element, and nothing for C and D.
  std::optional<unsigned> first_k(const Element& element) const;
  // Slots of `bits` in a lane's registers.
  unsigned slots() const { return 32 * vgprs / bits; }
  // Numbers of the elements at each [lane][slot], in ascending order: more than one when a broadcast lets
  // several read one register, none when nobody reads it.
  std::vector<std::vector<unsigned>> elements_by_slot() const;
};

struct RegisterMap {
  std::string instruction, formula;
  unsigned m = 0, n = 0, k = 0, blocks = 1;
  unsigned k_block = 0;  // neighbouring k that belong together: what one scale covers, else all of K
  bool sparse = false;
  Evidence evidence = Evidence::unknown;
  std::vector<OperandMap> operands;                        // A, B, C, D, then what else there is
  std::vector<std::pair<std::string, std::string>> facts;  // what --detail prints

  const OperandMap* find(const std::string& name) const;
  // "a", "Scale_A" ...; throws Error naming the operands there are.
  const OperandMap& operand(const std::string& name) const;
};

// "v5{3}", "v5{3}.[23:16]", "v[0:1]{3}", or both registers of an element across two.
std::string place_text(unsigned lane, unsigned bit, unsigned bits);
// "A[3][70]", "-B[0][1].b2".
std::string element_text(const OperandMap& operand, unsigned number);

}  // namespace wavetwin::golden
