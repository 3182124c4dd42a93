// SPDX-License-Identifier: MIT
#include "tests/isa/differential/generator/expressions.h"

#include <numeric>

namespace wavetwin::differential {
namespace {

constexpr unsigned bit(Type type) { return 1u << static_cast<unsigned>(type); }
constexpr unsigned kI32 = bit(Type::i32), kU32 = bit(Type::u32), kU64 = bit(Type::u64);
constexpr unsigned kWords = kI32 | kU32;
constexpr unsigned kIntegers = 0xff;
constexpr unsigned kFloats = bit(Type::f16) | bit(Type::bf16) | bit(Type::f32) | bit(Type::f64);
constexpr unsigned kAll = kIntegers | kFloats;
constexpr unsigned kSaturating = bit(Type::u16) | bit(Type::i16) | kWords;

// What the profile weighs.
enum class Kind { arithmetic, division, bits, pairs, rounding, extremes };

// Operands: T of the same type, n a u32 (a count or an index), c a condition, F any floating-point type.
struct Operation {
  const char* word;
  const char* operands;
  unsigned types;
  Kind kind;
};

constexpr Operation kOperations[] = {
    {"add", "TT", kAll, Kind::arithmetic},
    {"add", "TT", kAll, Kind::arithmetic},
    {"sub", "TT", kAll, Kind::arithmetic},
    {"mul", "TT", kAll, Kind::arithmetic},
    {"negate", "T", kAll, Kind::arithmetic},
    {"multiply_add", "TTT", kAll, Kind::arithmetic},
    {"choose", "cTT", kAll, Kind::arithmetic},
    {"fused", "TTT", kFloats, Kind::arithmetic},
    {"absolute", "T", kAll, Kind::arithmetic},
    {"mul_high", "TT", kIntegers, Kind::arithmetic},
    {"shl_add", "TnT", kIntegers, Kind::arithmetic},
    {"add_shl", "TTn", kIntegers, Kind::arithmetic},
    {"mul24", "TT", kWords, Kind::arithmetic},
    {"add_saturated", "TT", kSaturating, Kind::arithmetic},
    {"sub_saturated", "TT", kSaturating, Kind::arithmetic},
    {"divide", "TT", kAll, Kind::division},
    {"remainder", "TT", kIntegers, Kind::division},
    {"root", "T", kFloats, Kind::division},
    {"bit_and", "TT", kIntegers, Kind::bits},
    {"bit_or", "TT", kIntegers, Kind::bits},
    {"bit_xor", "TT", kIntegers, Kind::bits},
    {"bit_not", "T", kIntegers, Kind::bits},
    {"bit_select", "TTT", kIntegers, Kind::bits},
    {"shl", "Tn", kIntegers, Kind::bits},
    {"shr", "Tn", kIntegers, Kind::bits},
    {"extract", "Tnn", kIntegers, Kind::bits},
    {"count_ones", "T", kIntegers, Kind::bits},
    {"leading_zeros", "T", kIntegers, Kind::bits},
    {"trailing_zeros", "T", kIntegers, Kind::bits},
    {"bit_reverse", "T", kIntegers, Kind::bits},
    {"byte_reverse", "T", kIntegers, Kind::bits},
    {"rotate", "Tn", kIntegers, Kind::bits},
    {"field", "Tnn", kWords, Kind::bits},
    {"align_bits", "TTn", kU32, Kind::bits},
    {"align_bytes", "TTn", kU32, Kind::bits},
    {"permute_bytes", "TTT", kU32, Kind::bits},
    {"sum_of_differences", "TTT", kU32, Kind::bits},
    {"average_bytes", "TTT", kU32, Kind::bits},
    {"dot2", "TTT", kWords, Kind::bits},
    {"dot4", "TTT", kWords, Kind::bits},
    {"dot8", "TTT", kWords, Kind::bits},
    {"copy_sign", "TT", kFloats, Kind::bits},
    {"mantissa", "T", kFloats, Kind::bits},
    {"exponent", "F", kI32, Kind::bits},
    {"scale", "Tn", kFloats, Kind::rounding},
    {"fraction", "T", kFloats, Kind::rounding},
    {"round_down", "T", kFloats, Kind::rounding},
    {"round_up", "T", kFloats, Kind::rounding},
    {"round_to_zero", "T", kFloats, Kind::rounding},
    {"round_to_even", "T", kFloats, Kind::rounding},
    {"smaller", "TT", kAll, Kind::extremes},
    {"larger", "TT", kAll, Kind::extremes},
    {"middle", "TTT", kAll, Kind::extremes},
    {"add_f16x2", "TT", kU32, Kind::pairs},
    {"mul_f16x2", "TT", kU32, Kind::pairs},
    {"fma_f16x2", "TTT", kU32, Kind::pairs},
    {"add_u16x2", "TT", kU32, Kind::pairs},
    {"sub_u16x2", "TT", kU32, Kind::pairs},
    {"mul_u16x2", "TT", kU32, Kind::pairs},
    {"max_u16x2", "TT", kU32, Kind::pairs},
    {"min_u16x2", "TT", kU32, Kind::pairs},
    {"max_i16x2", "TT", kU32, Kind::pairs},
    {"min_i16x2", "TT", kU32, Kind::pairs},
    {"shl_u16x2", "TT", kU32, Kind::pairs},
    {"shr_u16x2", "TT", kU32, Kind::pairs},
    {"shr_i16x2", "TT", kU32, Kind::pairs},
    {"add_f32x2", "TT", kU64, Kind::pairs},
    {"mul_f32x2", "TT", kU64, Kind::pairs},
    {"fma_f32x2", "TTT", kU64, Kind::pairs},
};

unsigned weight_of(const Profile& p, Kind kind) {
  switch (kind) {
    case Kind::arithmetic:
      return p.arithmetic;
    case Kind::division:
      return p.division;
    case Kind::bits:
      return p.bits;
    case Kind::pairs:
      return p.pairs;
    case Kind::rounding:
      return p.rounding;
    default:
      return p.extremes;
  }
}

std::string quoted_cast(Type type, const std::string& value) {
  return std::string(name_of(type)) + "(" + value + ")";
}

}  // namespace

size_t Expressions::weighted(const std::vector<unsigned>& weights) {
  uint64_t left = random_.below(std::accumulate(weights.begin(), weights.end(), 0u));
  size_t i = 0;
  while (left >= weights[i]) left -= weights[i++];
  return i;
}

Type Expressions::type() {
  return static_cast<Type>(weighted({profile_.types.begin(), profile_.types.end()}));
}

const Name* Expressions::any_writable() {
  std::vector<const Name*> names;
  for (const Name& name : scope) {
    if (name.writable) names.push_back(&name);
  }
  return names.empty() ? nullptr : names[random_.below(names.size())];
}

std::string Expressions::literal(Type type) {
  if (bit(type) & kFloats) {
    // Half of them are inline constants of the instruction set.
    static const char* const kValues[] = {"0.5f",    "-0.5f",      "1.0f",  "-1.0f", "2.0f",
                                          "-4.0f",   "0.0f",       "3.0f",  "0.1f",  "-7.25f",
                                          "1000.5f", "0x1.5p-20f", "0.75f", "33.0f"};
    return quoted_cast(type, kValues[random_.below(std::size(kValues))]);
  }
  switch (random_.below(4)) {
    case 0:
      return quoted_cast(type, std::to_string(static_cast<int>(random_.below(81)) - 16));
    case 1:
      return quoted_cast(type, "u64(1) << " + std::to_string(random_.below(64)));
    case 2:
      return quoted_cast(type, "~(u64(1) << " + std::to_string(random_.below(64)) + ")");
    default:
      return quoted_cast(type, std::to_string(random_()) + "ull");
  }
}

std::string Expressions::leaf(Type type) {
  std::vector<const Name*> names;
  for (const Name& name : scope) {
    if (name.type == type) names.push_back(&name);
  }
  const uint64_t draw = random_.below(10);
  if (!names.empty() && draw < 7) return names[random_.below(names.size())]->text;
  if (draw < 8 && !input.empty()) {
    return std::string("load<") + name_of(type) + ">(" + input + ", " + below(512, 0) + ")";
  }
  if (names.empty() && draw < 9 && !scope.empty()) {
    return std::string("convert<") + name_of(type) + ">(" + scope[random_.below(scope.size())].text + ")";
  }
  return literal(type);
}

std::string Expressions::below(unsigned n, int depth) {
  return "((" + of(Type::u32, depth) + ") & " + std::to_string(n - 1) + "u)";
}

std::string Expressions::converted(Type type, int depth) {
  const Type from = this->type();
  if (from == type) return operation(type, depth);
  return std::string("convert<") + name_of(type) + ">(" + of(from, depth - 1) + ")";
}

std::string Expressions::operation(Type type, int depth) {
  std::vector<unsigned> weights;
  for (const Operation& o : kOperations)
    weights.push_back(o.types & bit(type) ? weight_of(profile_, o.kind) : 0);
  const Operation& o = kOperations[weighted(weights)];
  std::string text = std::string(o.word) + "(";
  for (const char* operand = o.operands; *operand != 0; ++operand) {
    if (operand != o.operands) text += ", ";
    switch (*operand) {
      case 'n':
        text += chance(2) ? std::to_string(random_.below(32)) + "u" : of(Type::u32, depth - 2);
        break;
      case 'c':
        text += condition(depth - 1);
        break;
      case 'F': {
        static constexpr Type kFloatTypes[] = {Type::f16, Type::bf16, Type::f32, Type::f64};
        text += of(kFloatTypes[random_.below(4)], depth - 1);
        break;
      }
      default:
        text += of(type, depth - 1);
    }
  }
  return text + ")";
}

std::string Expressions::of(Type type, int depth) {
  if (depth <= 0 || chance(5)) return leaf(type);
  return weighted({10, profile_.conversions}) == 0 ? operation(type, depth) : converted(type, depth);
}

std::string Expressions::condition(int depth) {
  const Type type = this->type();
  if (depth > 1 && chance(4)) {
    static const char* const kJoins[] = {" && ", " || ", " != "};
    return "(" + condition(depth - 1) + kJoins[random_.below(3)] + condition(depth - 1) + ")";
  }
  if (bit(type) & kFloats && chance(4)) {
    return "is_class<" + std::to_string(random_.below(256) << 2 | random_.below(2) * 3) + ">(" +
           of(type, depth - 1) + ")";
  }
  if (!(bit(type) & kFloats) && chance(4)) {
    return "((" + of(type, depth - 1) + " & " + literal(type) + ") != 0)";
  }
  static const char* const kCompares[] = {" < ", " <= ", " == ", " != "};
  const std::string text =
      "(" + of(type, depth - 1) + kCompares[random_.below(4)] + of(type, depth - 1) + ")";
  return chance(3) ? "!" + text : text;
}

}  // namespace wavetwin::differential
