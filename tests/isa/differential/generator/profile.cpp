// SPDX-License-Identifier: MIT
#include "tests/isa/differential/generator/profile.h"

namespace wavetwin::differential {
namespace {

using Types = std::array<unsigned, static_cast<size_t>(Type::count)>;
//                            i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64
constexpr Types kAllTypes = {2, 2, 2, 2, 4, 4, 2, 2, 2, 2, 3, 2};
constexpr Types kWords = {0, 0, 0, 0, 5, 5, 0, 0, 0, 0, 0, 0};
constexpr Types kNarrow = {3, 3, 4, 4, 1, 1, 0, 0, 0, 0, 0, 0};
constexpr Types kWide = {0, 0, 0, 0, 1, 1, 5, 5, 0, 0, 0, 0};
constexpr Types kIntegers = {1, 1, 1, 1, 4, 6, 2, 3, 0, 0, 0, 0};
constexpr Types only(Type type) {
  Types types{};
  types[static_cast<size_t>(Type::i32)] = 1;
  types[static_cast<size_t>(Type::u32)] = 1;
  types[static_cast<size_t>(type)] = 8;
  return types;
}

Profile profile(std::string name, Types types) {
  Profile p;
  p.name = std::move(name);
  p.types = types;
  return p;
}

std::vector<Profile> arithmetic_profiles() {
  std::vector<Profile> list;
  list.push_back(profile("32-bit integers", kWords));
  list.back().division = 2;
  list.push_back(profile("8- and 16-bit integers", kNarrow));
  list.push_back(profile("64-bit integers", kWide));
  list.push_back(profile("bits", kIntegers));
  list.back().bits = 20;
  list.push_back(profile("f32", only(Type::f32)));
  list.push_back(profile("f64", only(Type::f64)));
  list.push_back(profile("f16", only(Type::f16)));
  list.push_back(profile("bf16", only(Type::bf16)));
  for (size_t i = 4; i < 8; ++i) list[i].division = 2;
  list.push_back(profile("conversions", kAllTypes));
  list.back().conversions = 12;
  list.push_back(profile("packed", kWords));
  list.back().pairs = 30;
  list.back().types[static_cast<size_t>(Type::u64)] = 3;
  return list;
}

std::vector<Profile> control_profiles() {
  std::vector<Profile> list;
  list.push_back(profile("branches", kAllTypes));
  list.back().branch = 12, list.back().choice = 6, list.back().thread_if = 6;
  list.push_back(profile("loops", kAllTypes));
  list.back().loop = 8, list.back().countdown = 6, list.back().thread_loop = 4, list.back().uniform_loop = 4;
  list.push_back(profile("calls", kAllTypes));
  list.back().call = 16;
  list.push_back(profile("scalar", kIntegers));
  list.back().uniform = 24, list.back().uniform_if = 4, list.back().uniform_loop = 3;
  return list;
}

std::vector<Profile> memory_profiles() {
  std::vector<Profile> list;
  list.push_back(profile("private arrays", kAllTypes));
  list.back().array = 10;
  list.push_back(profile("structs", kAllTypes));
  list.back().record = 10;
  list.push_back(profile("pointers", kAllTypes));
  list.back().pointer = 8, list.back().own = 8;
  list.push_back(profile("LDS", kAllTypes));
  list.back().exchange = 10, list.back().bins = 5;
  list.push_back(profile("cross-lane", kAllTypes));
  list.back().shuffle = 14, list.back().vote = 3, list.back().thread_if = 3;
  list.push_back(profile("atomics", kIntegers));
  list.back().atomic = 12, list.back().bins = 4;
  return list;
}

}  // namespace

std::span<const Profile> profiles() {
  static const std::vector<Profile> kProfiles = [] {
    std::vector<Profile> all = arithmetic_profiles();
    for (auto part : {control_profiles(), memory_profiles()}) all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return kProfiles;
}

}  // namespace wavetwin::differential
