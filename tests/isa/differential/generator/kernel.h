// SPDX-License-Identifier: MIT
// A generated kernel before it is printed. It is printed twice: as a HIP kernel, one thread, and as host C++,
// in which every statement runs over all threads that are active.
//
// Text inside it stands for both: "$3" is thread variable 3 (v3 of the thread on the device, v3[t] on the
// host),
// "$id" the thread's number in the grid, t its number in the workgroup, s0, s1, ... the values that all
// threads of the workgroup share, a the Arguments.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wavetwin::differential {

enum class Type : uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, count };
inline constexpr std::array<const char*, static_cast<size_t>(Type::count)> kTypeNames = {
    "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"};
inline const char* name_of(Type type) { return kTypeNames[static_cast<size_t>(type)]; }

struct Statement {
  enum class Kind : uint8_t {
    threads,       // text: lines of C++, run by each active thread on its own
    uniform,       // text: one line of C++ on shared values
    barrier,       // of the workgroup
    cross,         // text: variable, word, operands: variable = word(operands...), across the lanes of a wave
    uniform_if,    // text: condition on shared values; body, otherwise
    uniform_loop,  // text: counter, trip count; body
    thread_if,     // text: condition on the thread's values; body, otherwise
    thread_loop    // text: counter, trip count of the thread (at most 7); body
  };
  Kind kind = Kind::threads;
  std::vector<std::string> text;
  std::vector<Statement> body, otherwise;
};

// An array in LDS.
struct SharedArray {
  Type type;
  std::string name;
  uint32_t size;
};

struct Kernel {
  std::string name;
  size_t group = 0;  // index into profiles()
  uint64_t seed = 0;
  uint32_t threads = 64;
  uint32_t n0 = 0, n1 = 0;
  std::vector<Type> variables;         // of a thread: v0, v1, ...
  std::vector<std::string> functions;  // lines of C++, the same on both sides
  std::vector<SharedArray> shared;
  std::vector<std::string> uniforms;  // definitions of s0, s1, ...
  std::vector<Statement> body;
};

}  // namespace wavetwin::differential
