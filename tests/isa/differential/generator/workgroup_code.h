// SPDX-License-Identifier: MIT
// Random statements of a whole workgroup: threads on their own, LDS between barriers, operations across
// lanes, shared values, and the control flow around them. Barriers stand only where all threads come by.
#pragma once

#include <string>
#include <vector>

#include "tests/isa/differential/generator/thread_code.h"

namespace wavetwin::differential {

class WorkgroupCode {
 public:
  WorkgroupCode(test::Random& random, const Profile& profile, Kernel& kernel);

  // Fills the kernel: variables, functions, and a body of `count` statements.
  void generate(int count);

 private:
  using Statements = std::vector<Statement>;
  void define_variables();
  void define_uniforms();
  void define_functions();
  // `together`: all threads of the workgroup come by.
  void statement(Statements& to, int depth, bool together);
  Statements block(int count, int depth, bool together);
  void threads(Statements& to, int count);
  void exchange(Statements& to);
  void bins(Statements& to);
  void shuffle(Statements& to, bool together);
  void shuffle_words(Statements& to, bool together);
  void vote(Statements& to);
  void uniform(Statements& to);
  void uniform_if(Statements& to, int depth);
  void uniform_loop(Statements& to, int depth);
  void thread_if(Statements& to, int depth);
  void thread_loop(Statements& to, int depth);
  std::string variable(Type type);
  std::string uniform_expression(Type type, int depth);
  std::string shared_array(Type type, uint32_t size);
  void lines(Statements& to, std::vector<std::string> text) {
    to.push_back({Statement::Kind::threads, std::move(text), {}, {}});
  }
  void cross(Statements& to, std::vector<std::string> text) {
    to.push_back({Statement::Kind::cross, std::move(text), {}, {}});
  }

  test::Random& random_;
  const Profile& profile_;
  Kernel& kernel_;
  Expressions expressions_;
  ThreadCode code_;
  std::vector<Name> uniforms_;  // s0, s1, ... and the counters of the loops that all threads run together
  unsigned next_ = 0;
};

}  // namespace wavetwin::differential
