// SPDX-License-Identifier: MIT
// v_cmp and v_cmpx: guide 12.9. The predicates come in the opcode order f, lt, eq, le, gt, lg, ge, o, u and
// the negations.
#include "tests/oracle/isa/valu_oracle.h"

namespace wavetwin::reference {
namespace {

using In = const LaneInput&;
using Rows = std::map<std::string, LaneFunction>;

void put(Rows& rows, const std::string& predicate, const std::string& type, LaneFunction f) {
  rows["V_CMP_" + predicate + "_" + type] = f;
  rows["V_CMPX_" + predicate + "_" + type] = f;
}

uint64_t operand(In i, int n, const Spec& s) {
  return s.fraction_bits == 10 ? i.u16(n) : s.fraction_bits == 23 ? i.u32(n) : i.u64(n);
}

// The relation of two numbers as one of four outcomes, each predicate a set of them.
enum Outcome { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };
int outcome(In i, const Spec& s) {
  const uint64_t a = take(s, operand(i, 0, s), i.mode), b = take(s, operand(i, 1, s), i.mode);
  if (nan(s, a) || nan(s, b)) return kUnordered;
  const int o = order(s, a, b);
  return o < 0 ? kLess : o == 0 ? kEqual : kGreater;
}

void add_float(Rows& rows, const std::string& type, const Spec& s) {
  const std::pair<const char*, int> kSets[] = {
      {"F", 0},
      {"LT", kLess},
      {"EQ", kEqual},
      {"LE", kLess | kEqual},
      {"GT", kGreater},
      {"LG", kLess | kGreater},
      {"GE", kGreater | kEqual},
      {"O", kLess | kEqual | kGreater},
      {"U", kUnordered},
      {"NGE", kLess | kUnordered},
      {"NLG", kEqual | kUnordered},
      {"NGT", kLess | kEqual | kUnordered},
      {"NLE", kGreater | kUnordered},
      {"NEQ", kLess | kGreater | kUnordered},
      {"NLT", kEqual | kGreater | kUnordered},
      {"TRU", kLess | kEqual | kGreater | kUnordered},
  };
  for (const auto& [name, set] : kSets) {
    put(rows, name, type, [=, set = set](In i) { return mask_only((outcome(i, s) & set) != 0); });
  }
  // Class bits: 0 sNaN, 1 qNaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +inf.
  put(rows, "CLASS", type, [=](In i) {
    const uint64_t x = operand(i, 0, s);
    int bit;
    if (nan(s, x))
      bit = snan(s, x) ? 0 : 1;
    else if (inf(s, x))
      bit = neg(s, x) ? 2 : 9;
    else if (zero(s, x))
      bit = neg(s, x) ? 5 : 6;
    else if (denormal(s, x))
      bit = neg(s, x) ? 4 : 7;
    else
      bit = neg(s, x) ? 3 : 8;
    return mask_only(i.u32(1) >> bit & 1);
  });
}

template <class Get>
void add_integer(Rows& rows, const std::string& type, Get get) {
  put(rows, "F", type, [](In) { return mask_only(false); });
  put(rows, "LT", type, [=](In i) { return mask_only(get(i, 0) < get(i, 1)); });
  put(rows, "EQ", type, [=](In i) { return mask_only(get(i, 0) == get(i, 1)); });
  put(rows, "LE", type, [=](In i) { return mask_only(get(i, 0) <= get(i, 1)); });
  put(rows, "GT", type, [=](In i) { return mask_only(get(i, 0) > get(i, 1)); });
  put(rows, "NE", type, [=](In i) { return mask_only(get(i, 0) != get(i, 1)); });
  put(rows, "GE", type, [=](In i) { return mask_only(get(i, 0) >= get(i, 1)); });
  put(rows, "T", type, [](In) { return mask_only(true); });
}

}  // namespace

void add_compare_rows(Rows& rows) {
  add_float(rows, "F16", kHalf);
  add_float(rows, "F32", kSingle);
  add_float(rows, "F64", kDouble);
  add_integer(rows, "I16", [](In i, int n) { return i.i16(n); });
  add_integer(rows, "U16", [](In i, int n) { return i.u16(n); });
  add_integer(rows, "I32", [](In i, int n) { return i.i32(n); });
  add_integer(rows, "U32", [](In i, int n) { return i.u32(n); });
  add_integer(rows, "I64", [](In i, int n) { return i.i64(n); });
  add_integer(rows, "U64", [](In i, int n) { return i.u64(n); });
}

}  // namespace wavetwin::reference
