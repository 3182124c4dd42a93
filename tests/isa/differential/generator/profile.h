// SPDX-License-Identifier: MIT
// What a group of kernels is about: how often each type, kind of operation and kind of statement is drawn.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "tests/isa/differential/generator/kernel.h"

namespace wavetwin::differential {

struct Profile {
  std::string name;
  std::array<unsigned, static_cast<size_t>(Type::count)> types{};
  // operations
  unsigned arithmetic = 6, division = 1, bits = 3, pairs = 0, rounding = 2, extremes = 2;
  unsigned conversions = 2;  // of an operand, against taking one of the wanted type
  // statements of one thread
  unsigned assign = 10, branch = 2, choice = 1, loop = 2, countdown = 1, array = 1, record = 0, call = 1,
           pointer = 1, own = 1, atomic = 0;
  // statements of the workgroup
  unsigned threads = 8, exchange = 1, bins = 0, shuffle = 1, vote = 0, uniform = 2, uniform_loop = 1,
           uniform_if = 1, thread_if = 1, thread_loop = 1;
};

std::span<const Profile> profiles();

}  // namespace wavetwin::differential
