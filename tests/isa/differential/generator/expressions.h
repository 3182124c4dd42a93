// SPDX-License-Identifier: MIT
// Random expressions of a wanted type over the names in scope.
#pragma once

#include <string>
#include <vector>

#include "tests/isa/differential/generator/profile.h"
#include "tests/isa/valu/operands.h"

namespace wavetwin::differential {

struct Name {
  std::string text;
  Type type;
  bool writable = false;
};

class Expressions {
 public:
  Expressions(test::Random& random, const Profile& profile) : random_(random), profile_(profile) {}

  std::vector<Name> scope;     // innermost last
  std::string input = "a.in";  // how the input buffer is called here

  std::string of(Type type, int depth);
  std::string condition(int depth);
  // An expression that is one of 0 .. n-1, n a power of two.
  std::string below(unsigned n, int depth);

  Type type();                 // one of the profile's
  const Name* any_writable();  // null if there is none
  bool chance(unsigned in) { return random_.below(in) == 0; }
  // Index of an entry, as often as its weight says.
  size_t weighted(const std::vector<unsigned>& weights);

 private:
  std::string leaf(Type type);
  std::string literal(Type type);
  std::string operation(Type type, int depth);
  std::string converted(Type type, int depth);

  test::Random& random_;
  const Profile& profile_;
};

}  // namespace wavetwin::differential
