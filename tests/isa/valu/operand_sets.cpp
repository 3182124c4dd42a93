// SPDX-License-Identifier: MIT
#include "tests/isa/valu/operand_sets.h"

#include "tests/oracle/isa/ieee.h"

namespace wavetwin::test {

using namespace isa;
namespace ref = reference;

namespace {

bool is_half(OperandType t) { return t == B16 || t == U16 || t == I16 || t == F16 || t == BF16; }
bool is_half_pair(OperandType t) {
  return t == B16X2 || t == U16X2 || t == I16X2 || t == F16X2 || t == BF16X2;
}

struct Pools {
  std::vector<uint64_t> f16 = interesting_floats(5, 10), f32 = interesting_floats(8, 23),
                        f64 = interesting_floats(11, 52), bf16 = interesting_floats(8, 7);
  Pools() {
    // Inputs of the published spot values of the approximations.
    for (uint64_t x : {0x3fc00000, 0x00800000, 0x40400000, 0x40000000, 0x01000000, 0x42ffffff, 0x3f0567ec,
                       0x7f5ff71c, 0x0080c013, 0x7f7fffff, 0x00ffffff, 0x4000000d})
      f32.push_back(x);
  }
};
const Pools& pools() {
  static const Pools kPools;
  return kPools;
}

uint64_t pick(Random& random, const std::vector<uint64_t>& pool, int e, int f) {
  return random.below(2) ? pool[random.below(pool.size())] : random_float(random, e, f);
}
uint32_t pick_half(Random& random, OperandType type) {
  if (type == F16 || type == F16X2) return static_cast<uint32_t>(pick(random, pools().f16, 5, 10));
  if (type == BF16 || type == BF16X2) return static_cast<uint32_t>(pick(random, pools().bf16, 8, 7));
  return static_cast<uint32_t>(random_integer(random, 16));
}

}  // namespace

void fill_operand(Random& random, OperandType type, uint32_t* words, unsigned dwords) {
  for (unsigned r = 0; r < dwords; ++r) {
    if (is_half(type)) {
      words[r] = pick_half(random, type) | static_cast<uint32_t>(random()) << 16;
    } else if (is_half_pair(type)) {
      words[r] = pick_half(random, type) | pick_half(random, type) << 16;
    } else if (type == F32 || type == F32X2) {
      words[r] = static_cast<uint32_t>(pick(random, pools().f32, 8, 23));
    } else if (type == F64 || type == B64 || type == U64 || type == I64) {
      const uint64_t v = type == F64 ? pick(random, pools().f64, 11, 52) : random_integer(random, 64);
      words[r] = static_cast<uint32_t>(v);
      words[r + 1] = static_cast<uint32_t>(v >> 32);
      ++r;
    } else if (dwords > 2) {
      words[r] = random.below(2) ? static_cast<uint32_t>(pick(random, pools().f32, 8, 23))
                                 : static_cast<uint32_t>(random());
    } else {
      words[r] = static_cast<uint32_t>(random_integer(random, 32));
    }
  }
}

namespace {

const char* const kFloatClasses[] = {"snan",          "qnan",         "+inf",
                                     "-inf",          "+0",           "-0",
                                     "+subnormal",    "-subnormal",   "least subnormal",
                                     "top subnormal", "least normal", "greatest",
                                     "+one",          "-one",         "odd last bit",
                                     "integer",       "above 1",      "below 1",
                                     "+normal",       "-normal"};

std::vector<const char*> float_classes(const ref::Spec& s, uint64_t c) {
  std::vector<const char*> in;
  const bool negative = ref::neg(s, c);
  const uint64_t m = ref::mag(s, c);
  if (ref::nan(s, c)) return {ref::snan(s, c) ? "snan" : "qnan"};
  if (ref::inf(s, c)) return {negative ? "-inf" : "+inf"};
  if (m == 0) return {negative ? "-0" : "+0"};
  const uint64_t least_normal = uint64_t{1} << s.fraction_bits;
  if (ref::denormal(s, c)) in.push_back(negative ? "-subnormal" : "+subnormal");
  if (m == 1) in.push_back("least subnormal");
  if (m == least_normal - 1) in.push_back("top subnormal");
  if (m == least_normal) in.push_back("least normal");
  if (m == s.infinity() - 1) in.push_back("greatest");
  if (m == s.one()) in.push_back(negative ? "-one" : "+one");
  if (m >= least_normal) in.push_back(negative ? "-normal" : "+normal");
  if (m % 2 == 1) in.push_back("odd last bit");
  const ref::Parts p = ref::parts(s, c);
  if (p.exponent < 0 && p.exponent > -64 && p.integer % (uint64_t{1} << -p.exponent) == 0)
    in.push_back("integer");
  in.push_back(m > s.one() ? "above 1" : "below 1");
  return in;
}

const char* const kIntegerClasses[] = {
    "0", "1", "all ones", "greatest signed", "least signed", "power of 2", "small", "top bit", "odd", "even"};

std::vector<const char*> integer_classes(int width, uint64_t v) {
  const uint64_t all = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1, half = all / 2 + 1;
  std::vector<const char*> in{v % 2 == 1 ? "odd" : "even"};
  if (v == 0) in.push_back("0");
  if (v == 1) in.push_back("1");
  if (v == all) in.push_back("all ones");
  if (v == half - 1) in.push_back("greatest signed");
  if (v == half) in.push_back("least signed");
  if (v != 0 && (v & (v - 1)) == 0) in.push_back("power of 2");
  if (v < 70) in.push_back("small");
  if (v >= half) in.push_back("top bit");
  return in;
}

struct Kind {
  const char* name = nullptr;  // null: no elements
  bool floating = false;
  ref::Spec spec{0, 0};
  int width = 0;
};
Kind kind_of(OperandType type) {
  switch (type) {
    case F16:
    case F16X2:
      return {"f16", true, ref::kHalf, 16};
    case BF16:
    case BF16X2:
      return {"bf16", true, ref::kBfloat, 16};
    case F32:
    case F32X2:
      return {"f32", true, ref::kSingle, 32};
    case F64:
      return {"f64", true, ref::kDouble, 64};
    case B16:
    case U16:
    case I16:
    case B16X2:
    case U16X2:
    case I16X2:
      return {"i16", false, {}, 16};
    case B32:
    case U32:
    case I32:
    case B32X2:
      return {"i32", false, {}, 32};
    case B64:
    case U64:
    case I64:
      return {"i64", false, {}, 64};
    default:
      return {};
  }
}

}  // namespace

namespace {

std::vector<uint64_t> elements_of(OperandType type, const uint32_t* words) {
  const Kind kind = kind_of(type);
  if (kind.name == nullptr) return {};
  if (kind.width == 64) return {words[0] | uint64_t{words[1]} << 32};
  if (kind.width == 32 && operand_dwords(type) == 2) return {words[0], words[1]};
  if (kind.width == 32) return {words[0]};
  if (is_half_pair(type)) return {words[0] & 0xffff, words[0] >> 16};
  return {words[0] & 0xffff};
}

}  // namespace

bool has_special(OperandType type, const uint32_t* words) {
  const Kind kind = kind_of(type);
  for (uint64_t v : elements_of(type, words))
    if (kind.floating && (ref::nan(kind.spec, v) || ref::inf(kind.spec, v))) return true;
  return false;
}

void OperandTally::add(OperandType type, const uint32_t* words) {
  const Kind kind = kind_of(type);
  if (kind.name == nullptr) return;
  auto& counts = counts_[kind.name];
  for (uint64_t v : elements_of(type, words)) {
    for (const char* name : kind.floating ? float_classes(kind.spec, v) : integer_classes(kind.width, v))
      ++counts[name];
    ++counts["all"];
  }
}

std::string OperandTally::missing(OperandType type) const {
  const Kind kind = kind_of(type);
  if (kind.name == nullptr) return "";
  const auto counts = counts_.find(kind.name);
  std::string text;
  const auto look = [&](const char* name) {
    if (counts == counts_.end() || counts->second.count(name) == 0) text += std::string(name) + ", ";
  };
  if (kind.floating) {
    for (const char* name : kFloatClasses) look(name);
  } else {
    for (const char* name : kIntegerClasses) look(name);
  }
  return text;
}

void OperandTally::merge(const OperandTally& other) {
  for (const auto& [type, classes] : other.counts_)
    for (const auto& [name, count] : classes) counts_[type][name] += count;
}

std::string OperandTally::text() const {
  std::string out;
  for (const auto& [type, classes] : counts_) {
    out += type + ":";
    for (const auto& [name, count] : classes) out += " " + name + " " + std::to_string(count) + ",";
    out.back() = '\n';
  }
  return out;
}

}  // namespace wavetwin::test
