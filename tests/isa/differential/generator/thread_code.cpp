// SPDX-License-Identifier: MIT
#include "tests/isa/differential/generator/thread_code.h"

namespace wavetwin::differential {
namespace {

bool is_float(Type type) { return type >= Type::f16; }

// The lines of a braced body, in the right order: head, body, "}".
void braced(std::vector<std::string>& lines, const std::string& head, const std::vector<std::string>& body) {
  lines.push_back(head + " {");
  lines.insert(lines.end(), body.begin(), body.end());
  lines.push_back("}");
}

}  // namespace

std::vector<std::string> ThreadCode::block(int count, int depth) {
  const size_t names = expressions_.scope.size();
  Lines lines;
  for (int i = 0; i < count; ++i) statement(lines, depth);
  expressions_.scope.resize(names);
  return lines;
}

void ThreadCode::statement(Lines& lines, int depth) {
  const Profile& p = profile_;
  const bool nest = depth > 0;
  switch (expressions_.weighted({p.assign, nest ? p.branch : 0, nest ? p.choice : 0, nest ? p.loop : 0,
                                 nest ? p.countdown : 0, p.array, p.record, functions.empty() ? 0 : p.call,
                                 p.pointer, p.own, cells.empty() ? 0 : p.atomic})) {
    case 0:
      return assign(lines);
    case 1:
      return branch(lines, depth - 1);
    case 2:
      return choice(lines, depth - 1);
    case 3:
      return loop(lines, depth - 1);
    case 4:
      return countdown(lines, depth - 1);
    case 5:
      return array(lines);
    case 6:
      return record(lines);
    case 7:
      return call(lines);
    case 8:
      return pointer(lines);
    case 9:
      return own_bytes(lines);
    default:
      return atomic(lines);
  }
}

// A writable name and its type; the first statements of a function make one where there is none.
std::string ThreadCode::target(Type* type) {
  const Name* name = expressions_.any_writable();
  *type = name->type;
  return name->text;
}

void ThreadCode::assign(Lines& lines) {
  Type type;
  const std::string name = target(&type);
  std::string value = expressions_.of(type, 3);
  if (is_float(type)) value = "keep_finite(" + value + ", " + name + ")";
  lines.push_back(name + " = " + value + ";");
}

void ThreadCode::body(Lines& lines, int depth) {
  const Lines inner = block(1 + static_cast<int>(random_.below(4) == 0), depth);
  lines.insert(lines.end(), inner.begin(), inner.end());
}

void ThreadCode::branch(Lines& lines, int depth) {
  lines.push_back("if (" + expressions_.condition(2) + ") {");
  body(lines, depth);
  if (expressions_.chance(2)) {
    lines.push_back("} else {");
    body(lines, depth);
  }
  lines.push_back("}");
}

void ThreadCode::choice(Lines& lines, int depth) {
  lines.push_back("switch (" + expressions_.below(8, 2) + ") {");
  const uint64_t cases = 2 + random_.below(4);
  for (uint64_t i = 0; i < cases; ++i) {
    lines.push_back("case " + std::to_string(i * (1 + cases % 2)) + ": {");
    body(lines, depth);
    lines.push_back("}");
    lines.push_back(expressions_.chance(4) ? "[[fallthrough]];" : "break;");
  }
  lines.push_back("default: {");
  if (expressions_.chance(2)) body(lines, depth);
  lines.push_back("}");
  lines.push_back("}");
}

void ThreadCode::loop(Lines& lines, int depth) {
  const std::string i = fresh("index");
  const std::string trips =
      expressions_.chance(2) ? std::to_string(2 + random_.below(5)) + "u" : expressions_.below(8, 2);
  lines.push_back("for (u32 " + i + " = 0, end_" + i + " = " + trips + "; " + i + " < end_" + i + "; ++" + i +
                  ") {");
  expressions_.scope.push_back({i, Type::u32});
  if (expressions_.chance(3)) lines.push_back("if (" + expressions_.condition(2) + ") continue;");
  body(lines, depth);
  if (expressions_.chance(3)) {
    lines.push_back("if (" + expressions_.condition(2) + ") break;");
    body(lines, depth);
  }
  expressions_.scope.pop_back();
  lines.push_back("}");
}

// Loops whose trip count is that of a thread's bits: as many as are set, or up to the highest.
void ThreadCode::countdown(Lines& lines, int depth) {
  const std::string n = fresh("count");
  const std::string start = expressions_.below(64, 2);
  const std::string step = expressions_.chance(2) ? n + " & (" + n + " - 1)" : n + " >> 1";
  const bool test_last = expressions_.chance(3);
  lines.push_back("u32 " + n + " = " + start + ";");
  lines.push_back(test_last ? "do {" : "while (" + n + " != 0) {");
  expressions_.scope.push_back({n, Type::u32});
  body(lines, depth);
  lines.push_back(n + " = " + step + ";");
  expressions_.scope.pop_back();
  lines.push_back(test_last ? "} while (" + n + " != 0);" : "}");
}

// A private array, filled in a loop, then changed and read at places known only at run time.
void ThreadCode::array(Lines& lines) {
  const Type type = expressions_.type();
  const unsigned size = 4u << random_.below(3);
  const std::string a = fresh("array"), i = fresh("index"), type_name = name_of(type);
  lines.push_back(type_name + " " + a + "[" + std::to_string(size) + "];");
  expressions_.scope.push_back({i, Type::u32});
  const std::string value = expressions_.of(type, 2);
  expressions_.scope.pop_back();
  lines.push_back("for (u32 " + i + " = 0; " + i + " < " + std::to_string(size) + "; ++" + i + ") " + a +
                  "[" + i + "] = " + value + ";");
  for (uint64_t n = 1 + random_.below(3); n != 0; --n) {
    lines.push_back(a + "[" + expressions_.below(size, 2) + "] = " + expressions_.of(type, 2) + ";");
  }
  expressions_.scope.push_back({a + "[" + expressions_.below(size, 2) + "]", type});
  assign(lines);
  expressions_.scope.push_back({a + "[" + std::to_string(random_.below(size)) + "]", type});
}

void ThreadCode::record(Lines& lines) {
  const std::string r = fresh("record"), copy = fresh("record");
  static constexpr std::pair<const char*, Type> kMembers[] = {
      {"real", Type::f64}, {"wide", Type::i64},  {"single", Type::f32},
      {"word", Type::u32}, {"small", Type::f16}, {"brain", Type::bf16},
      {"half", Type::i16}, {"byte", Type::u8},   {"other", Type::u8}};
  lines.push_back("Record " + r + "{};");
  for (const auto& [member, type] : kMembers)
    lines.push_back(r + "." + member + " = " + expressions_.of(type, 1) + ";");
  lines.push_back(r + ".list[" + expressions_.below(4, 1) + "] = " + expressions_.of(Type::u32, 1) + ";");
  const auto& [member, type] = kMembers[random_.below(std::size(kMembers))];
  if (expressions_.chance(2)) {
    lines.push_back("Record " + copy + " = " + r + ";");
    lines.push_back(copy + "." + member + " = " + expressions_.of(type, 2) + ";");
    lines.push_back("if (" + expressions_.condition(2) + ") " + r + " = " + copy + ";");
  } else {
    lines.push_back("Record " + copy + "[4] = {" + r + ", " + r + ", " + r + ", " + r + "};");
    lines.push_back(copy + "[" + expressions_.below(4, 2) + "]." + member + " = " + expressions_.of(type, 2) +
                    ";");
    lines.push_back(copy + "[" + expressions_.below(4, 2) + "].list[" + expressions_.below(4, 1) +
                    "] = " + expressions_.of(Type::u32, 2) + ";");
    lines.push_back(r + " = " + copy + "[" + expressions_.below(4, 2) + "];");
  }
  for (const auto& [name, member_type] : kMembers)
    expressions_.scope.push_back({r + "." + name, member_type, true});
  expressions_.scope.push_back({r + ".list[" + expressions_.below(4, 1) + "]", Type::u32, true});
  assign(lines);
}

std::string ThreadCode::call_text(const Function& function) {
  std::string text = function.name + "(" + expressions_.input + ", " + own;
  for (const Type type : function.parameters) text += ", " + expressions_.of(type, 2);
  return text + ")";
}

void ThreadCode::call(Lines& lines) {
  const Function& function = functions[random_.below(functions.size())];
  const std::string result = fresh("called");
  lines.push_back(std::string("const ") + name_of(function.result) + " " + result + " = " +
                  call_text(function) + ";");
  expressions_.scope.push_back({result, function.result});
  assign(lines);
}

// Walks over the operands in the input buffer. A pointer starts in the first half of its pool and moves by at
// most 8 * 7 elements.
void ThreadCode::pointer(Lines& lines) {
  const Type type = expressions_.type();
  const std::string p = fresh("p"), sum = fresh("sum"), i = fresh("index"), type_name = name_of(type);
  lines.push_back("const " + type_name + "* " + p + " = pool<" + type_name + ">(" + expressions_.input +
                  ") + " + expressions_.below(256, 2) + ";");
  lines.push_back(type_name + " " + sum + " = quiet(" + p + "[" + std::to_string(random_.below(200)) + "]);");
  std::vector<std::string> inner;
  const std::string value = "quiet(*" + p + ")";
  const std::string next =
      expressions_.chance(2) ? "add(" + sum + ", " + value + ")" : "larger(" + sum + ", " + value + ")";
  inner.push_back(sum + " = " + (is_float(type) ? "keep_finite(" + next + ", " + sum + ")" : next) + ";");
  inner.push_back(p + " += " + std::to_string(1 + random_.below(8)) + ";");
  braced(lines, "for (u32 " + i + " = 0; " + i + " < " + expressions_.below(8, 1) + "; ++" + i + ")", inner);
  expressions_.scope.push_back({sum, type, true});
  assign(lines);
}

// Stores to the thread's own bytes and loads of another width.
void ThreadCode::own_bytes(Lines& lines) {
  const Type stored = expressions_.type(), loaded = expressions_.type();
  lines.push_back(std::string("store_own<") + name_of(stored) + ">(" + own + ", " +
                  expressions_.of(Type::u32, 2) + ", " + expressions_.of(stored, 2) + ");");
  const std::string name = fresh("own");
  lines.push_back(std::string("const ") + name_of(loaded) + " " + name + " = load_own<" + name_of(loaded) +
                  ">(" + own + ", " + expressions_.of(Type::u32, 2) + ");");
  expressions_.scope.push_back({name, loaded});
  assign(lines);
}

void ThreadCode::atomic(Lines& lines) {
  // An operation on a shared array; what it returns depends on the order and is not used.
  struct Shared {
    const char* word;
    const char* array;
    Type type;
  };
  static constexpr Shared kShared[] = {
      {"atomic_add", "sum", Type::u32},      {"atomic_or", "either", Type::u32},
      {"atomic_and", "both", Type::u32},     {"atomic_xor", "differ", Type::u32},
      {"atomic_max", "most", Type::u32},     {"atomic_min", "least", Type::i32},
      {"atomic_add", "wide_sum", Type::u64}, {"atomic_max", "wide_most", Type::u64}};
  if (expressions_.chance(6)) {
    const bool wide = expressions_.chance(2);
    lines.push_back("atomic_add(&" + cells + "->" + (wide ? "double" : "float") + "_sum[" +
                    expressions_.below(16, 2) + "], " + (wide ? "f64" : "f32") + "(" +
                    expressions_.below(256, 2) + "));");
    return;
  }
  if (expressions_.chance(2)) {
    const Shared& s = kShared[random_.below(std::size(kShared))];
    lines.push_back(std::string(s.word) + "(&" + cells + "->" + s.array + "[" + expressions_.below(16, 2) +
                    "], " + expressions_.of(s.type, 2) + ");");
    return;
  }
  static const char* const kOwn[] = {
      "atomic_add", "atomic_or",  "atomic_and",      "atomic_xor",
      "atomic_max", "atomic_min", "atomic_exchange", "atomic_compare_exchange"};
  const char* const word = kOwn[random_.below(std::size(kOwn))];
  const Type type = expressions_.chance(2) ? Type::u32 : Type::u64;
  const std::string old = fresh("old");
  std::string operands = expressions_.of(type, 2);
  if (word == kOwn[7]) operands += ", " + expressions_.of(type, 2);
  lines.push_back(std::string("const ") + name_of(type) + " " + old + " = " + word + "(&" + cells + "->" +
                  (type == Type::u32 ? "own[" : "wide_own[") + id + "], " + operands + ");");
  expressions_.scope.push_back({old, type});
  assign(lines);
}

std::vector<std::string> ThreadCode::function() {
  Function f{prefix + "_f" + std::to_string(functions.size()), expressions_.type(), {}};
  std::string head = std::string("CALLED ") + name_of(f.result) + " " + f.name + "(const u8* in, u8* own";
  std::vector<Name> scope;
  for (uint64_t n = 1 + random_.below(4); n != 0; --n) {
    f.parameters.push_back(expressions_.type());
    const std::string name = "x" + std::to_string(f.parameters.size());
    head += std::string(", ") + name_of(f.parameters.back()) + " " + name;
    scope.push_back({name, f.parameters.back(), true});
  }
  scope.push_back({"result", f.result, true});
  // Inside, only the parameters are in scope.
  const std::string places[] = {expressions_.input, own, cells};
  std::swap(expressions_.scope, scope);
  expressions_.input = "in", own = "own", cells.clear();
  Lines lines;
  lines.push_back(head + ") {");
  // The initialiser must not name what it initialises.
  expressions_.scope.pop_back();
  lines.push_back(std::string(name_of(f.result)) + " result = " + expressions_.of(f.result, 1) + ";");
  expressions_.scope.push_back({"result", f.result, true});
  if (expressions_.chance(2)) lines.push_back("if (" + expressions_.condition(2) + ") return result;");
  body(lines, 2);
  body(lines, 1);
  lines.push_back("return result;");
  lines.push_back("}");
  std::swap(expressions_.scope, scope);
  expressions_.input = places[0], own = places[1], cells = places[2];
  functions.push_back(f);
  return lines;
}

}  // namespace wavetwin::differential
