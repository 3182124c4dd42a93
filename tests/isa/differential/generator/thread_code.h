// SPDX-License-Identifier: MIT
// Random statements that one thread runs on its own: assignments, branches, loops, arrays, structs, calls,
// pointers, atomics. Lines of C++ that mean the same in both halves.
#pragma once

#include <string>
#include <vector>

#include "tests/isa/differential/generator/expressions.h"

namespace wavetwin::differential {

// A function of the kernel that is not inlined.
struct Function {
  std::string name;
  Type result;
  std::vector<Type> parameters;  // besides the Record and the buffers
};

class ThreadCode {
 public:
  ThreadCode(test::Random& random, const Profile& profile, Expressions& expressions)
      : random_(random), profile_(profile), expressions_(expressions) {}

  std::vector<Function> functions;  // that may be called
  std::string own, id, cells;       // how own bytes, the thread's number and the cells are called here
  std::string prefix;               // of the function names

  // `count` statements; names that they define are not in scope afterwards.
  std::vector<std::string> block(int count, int depth);
  // Lines that define a function, which can be called afterwards.
  std::vector<std::string> function();

 private:
  using Lines = std::vector<std::string>;
  void statement(Lines& lines, int depth);
  void body(Lines& lines, int depth);
  void assign(Lines& lines);
  void branch(Lines& lines, int depth);
  void choice(Lines& lines, int depth);
  void loop(Lines& lines, int depth);
  void countdown(Lines& lines, int depth);
  void array(Lines& lines);
  void record(Lines& lines);
  void call(Lines& lines);
  void pointer(Lines& lines);
  void own_bytes(Lines& lines);
  void atomic(Lines& lines);
  std::string fresh(const char* stem) { return stem + std::to_string(next_++); }
  std::string target(Type* type);
  std::string call_text(const Function& function);

  test::Random& random_;
  const Profile& profile_;
  Expressions& expressions_;
  unsigned next_ = 0;
};

}  // namespace wavetwin::differential
