// SPDX-License-Identifier: MIT
#include "tests/isa/differential/generator/workgroup_code.h"

namespace wavetwin::differential {

WorkgroupCode::WorkgroupCode(test::Random& random, const Profile& profile, Kernel& kernel)
    : random_(random),
      profile_(profile),
      kernel_(kernel),
      expressions_(random, profile),
      code_(random, profile, expressions_) {
  code_.own = "(a.own + $id * kOwnBytes)";
  code_.id = "$id";
  code_.cells = "a.cells";
  code_.prefix = kernel.name;
}

void WorkgroupCode::generate(int count) {
  define_uniforms();
  define_variables();
  define_functions();
  kernel_.body = block(count, 2, true);
  std::vector<std::string> first;
  for (size_t v = 0; v < kernel_.variables.size(); ++v) {
    first.push_back("$" + std::to_string(v) + " = load<" + name_of(kernel_.variables[v]) + ">(a.in, $id * " +
                    std::to_string(2 * random_.below(8) + 1) + " + " + std::to_string(random_.below(512)) +
                    ");");
  }
  kernel_.body.insert(kernel_.body.begin(), {Statement::Kind::threads, first, {}, {}});
}

void WorkgroupCode::define_variables() {
  // Some of the types that operations across lanes need, the rest as the profile says.
  kernel_.variables = {Type::u32, Type::u32, Type::u64, Type::i32};
  for (int i = 0; i < 7; ++i) kernel_.variables.push_back(expressions_.type());
  for (size_t v = 0; v < kernel_.variables.size(); ++v) {
    expressions_.scope.push_back({"$" + std::to_string(v), kernel_.variables[v], true});
  }
  expressions_.scope.push_back({"t", Type::u32});
  for (const Name& name : uniforms_) expressions_.scope.push_back({name.text, name.type});
}

void WorkgroupCode::define_uniforms() {
  kernel_.uniforms = {"u32 s0 = a.n0 + group;", "i32 s1 = i32(a.n1);", "u64 s2 = u64(a.n1) << 32 | a.n0;",
                      "i64 s3 = i64(s2 * 0x9e3779b97f4a7c15ull);"};
  uniforms_ = {
      {"s0", Type::u32, true}, {"s1", Type::i32, true}, {"s2", Type::u64, true}, {"s3", Type::i64, true}};
}

void WorkgroupCode::define_functions() {
  for (uint64_t n = profile_.call > 4 ? 4 : random_.below(3); n != 0; --n) {
    const auto text = code_.function();
    kernel_.functions.insert(kernel_.functions.end(), text.begin(), text.end());
  }
}

WorkgroupCode::Statements WorkgroupCode::block(int count, int depth, bool together) {
  Statements statements;
  for (int i = 0; i < count; ++i) statement(statements, depth, together);
  return statements;
}

void WorkgroupCode::statement(Statements& to, int depth, bool together) {
  const Profile& p = profile_;
  const bool nest = depth > 0;
  const auto when = [](bool allowed, unsigned weight) { return allowed ? weight : 0; };
  switch (expressions_.weighted({p.threads, when(together, p.exchange), when(together, p.bins), p.shuffle,
                                 p.vote, when(together, p.uniform), when(together && nest, p.uniform_loop),
                                 when(together && nest, p.uniform_if), when(nest, p.thread_if),
                                 when(nest, p.thread_loop)})) {
    case 0:
      return threads(to, 1 + static_cast<int>(random_.below(3)));
    case 1:
      return exchange(to);
    case 2:
      return bins(to);
    case 3:
      return shuffle(to, together);
    case 4:
      return vote(to);
    case 5:
      return uniform(to);
    case 6:
      return uniform_loop(to, depth - 1);
    case 7:
      return uniform_if(to, depth - 1);
    case 8:
      return thread_if(to, depth - 1);
    default:
      return thread_loop(to, depth - 1);
  }
}

void WorkgroupCode::threads(Statements& to, int count) { lines(to, code_.block(count, 2)); }

// A thread variable of this type, or a u32 when there is none.
std::string WorkgroupCode::variable(Type type) {
  std::vector<size_t> found;
  for (size_t v = 0; v < kernel_.variables.size(); ++v) {
    if (kernel_.variables[v] == type) found.push_back(v);
  }
  return "$" + std::to_string(found.at(random_.below(found.size())));
}

std::string WorkgroupCode::shared_array(Type type, uint32_t size) {
  kernel_.shared.push_back({type, "lds" + std::to_string(kernel_.shared.size()), size});
  return kernel_.shared.back().name;
}

// Every thread writes elements of its own; behind the barrier it reads those of others.
void WorkgroupCode::exchange(Statements& to) {
  const size_t v = random_.below(kernel_.variables.size());
  const Type type = kernel_.variables[v];
  const uint32_t each = 1u << random_.below(3);
  const std::string size = std::to_string(each * kernel_.threads) + "u";
  const std::string array = shared_array(type, each * kernel_.threads);
  std::vector<std::string> write;
  for (uint32_t i = 0; i < each; ++i) {
    const std::string place = expressions_.chance(2)
                                  ? "t * " + std::to_string(each) + "u + " + std::to_string(i) + "u"
                                  : "t + " + std::to_string(i * kernel_.threads) + "u";
    // One way of placing for all elements of this array.
    write.push_back(array + "[" +
                    (each > 1 ? "t * " + std::to_string(each) + "u + " + std::to_string(i) + "u" : place) +
                    "] = " + expressions_.of(type, 2) + ";");
  }
  if (expressions_.chance(2)) {
    write.push_back("if (" + expressions_.condition(2) + ") " + array + "[t * " + std::to_string(each) +
                    "u] = " + expressions_.of(type, 1) + ";");
  }
  lines(to, write);
  to.push_back({Statement::Kind::barrier, {}, {}, {}});
  const std::string at = array + "[(" + expressions_.of(Type::u32, 2) + ") % " + size + "]";
  std::vector<std::string> read = {"$" + std::to_string(v) + " = " + at + ";"};
  if (each > 1) {
    const std::string first =
        array + "[(t ^ 1u) % " + std::to_string(kernel_.threads) + "u * " + std::to_string(each) + "u";
    std::string sum = first + "]";
    for (uint32_t i = 1; i < each; ++i)
      sum = "larger(" + sum + ", " + first + " + " + std::to_string(i) + "u])";
    read.push_back("$" + std::to_string(v) + " = add($" + std::to_string(v) + ", " + sum + ");");
  }
  lines(to, read);
  to.push_back({Statement::Kind::barrier, {}, {}, {}});
}

// LDS atomics; everybody reads the sums behind the barrier.
void WorkgroupCode::bins(Statements& to) {
  struct Bin {
    const char* word;
    Type type;
    const char* start;
  };
  static constexpr Bin kBins[] = {{"atomic_add", Type::u32, "0"},    {"atomic_or", Type::u32, "0"},
                                  {"atomic_and", Type::u32, "~0u"},  {"atomic_xor", Type::u32, "5"},
                                  {"atomic_max", Type::i32, "-100"}, {"atomic_min", Type::u32, "~0u"},
                                  {"atomic_add", Type::u64, "0"},    {"atomic_max", Type::u64, "0"},
                                  {"atomic_add", Type::f32, "0"},    {"atomic_add", Type::f64, "0"}};
  const Bin& bin = kBins[random_.below(std::size(kBins))];
  const bool real = bin.type >= Type::f16;
  const std::string array = shared_array(bin.type, 16), type = name_of(bin.type);
  lines(to, {"if (t < 16) " + array + "[t] = " + type + "(" + bin.start + ");"});
  to.push_back({Statement::Kind::barrier, {}, {}, {}});
  // A float sum stays exact: it adds small integers.
  const std::string value =
      real ? type + "(" + expressions_.below(256, 2) + ")" : expressions_.of(bin.type, 2);
  const std::string update =
      std::string(bin.word) + "(&" + array + "[" + expressions_.below(16, 2) + "], " + value + ");";
  lines(to, {expressions_.chance(2) ? "if (" + expressions_.condition(2) + ") " + update : update});
  to.push_back({Statement::Kind::barrier, {}, {}, {}});
  const std::string read = array + "[" + expressions_.below(16, 2) + "]";
  lines(to, {real ? "$0 = add($0, u32(" + read + "));" : variable(bin.type) + " = " + read + ";"});
  to.push_back({Statement::Kind::barrier, {}, {}, {}});
}

void WorkgroupCode::shuffle(Statements& to, bool together) {
  if (expressions_.chance(2)) return shuffle_words(to, together);
  const size_t v = random_.below(kernel_.variables.size());
  const std::string variable = "$" + std::to_string(v), value = expressions_.of(kernel_.variables[v], 1);
  const std::string lane = expressions_.of(Type::u32, 2);
  const bool whole_waves = together && kernel_.threads % 64 == 0;
  switch (random_.below(together ? 5 : 4)) {
    case 0:
    case 1:
      return cross(to, {variable, whole_waves ? "bpermute" : "bpermute_active", value, lane});
    case 2:
      return cross(to,
                   {variable, "permute", value, "t * " + std::to_string(2 * random_.below(32) + 1) + " + 5"});
    case 3:
      return cross(to, {variable, "read_first_lane", value});
    default:
      // A wave of less than 64 lanes has at least 32.
      return cross(to, {variable, "read_lane", value, "(" + uniform_expression(Type::u32, 1) + ") & 31u"});
  }
}

// What exists for words only, with its pattern in the instruction.
void WorkgroupCode::shuffle_words(Statements& to, bool together) {
  if (together && kernel_.threads % 64 == 0 && expressions_.chance(6)) {
    return cross(to, {this->variable(Type::u64), expressions_.chance(2) ? "swap_halves" : "swap_rows_of_16",
                      expressions_.of(Type::u32, 2), expressions_.of(Type::u32, 1)});
  }
  const std::string variable = this->variable(Type::u32), value = expressions_.of(Type::u32, 1);
  static constexpr uint32_t kControls[] = {0x1b,  0xb1,  0x4e,  0x00,  0x101, 0x104, 0x10f, 0x111,
                                           0x112, 0x118, 0x121, 0x128, 0x12f, 0x130, 0x134, 0x138,
                                           0x13c, 0x140, 0x141, 0x142, 0x143, 0x150, 0x15a};
  static constexpr uint32_t kPatterns[] = {0x041f, 0x081f, 0x401f, 0x7c1f, 0x0018, 0x03e0,
                                           0x801b, 0x80b1, 0xc020, 0xc4a7, 0xc060, 0x1f};
  if (expressions_.chance(3)) {
    const uint32_t pattern = kPatterns[random_.below(std::size(kPatterns))];
    return cross(to, {variable, "swizzle<" + std::to_string(pattern) + ">", value});
  }
  const uint32_t control = kControls[random_.below(std::size(kControls))];
  const bool all = expressions_.chance(2);
  const std::string masks =
      all ? "15, 15" : std::to_string(1 + random_.below(15)) + ", " + std::to_string(1 + random_.below(15));
  cross(to, {variable,
             "dpp<" + std::to_string(control) + ", " + masks + ", " +
                 (expressions_.chance(2) ? "true" : "false") + ">",
             value, expressions_.of(Type::u32, 1)});
}

void WorkgroupCode::vote(Statements& to) {
  const std::string mask = variable(Type::u64);
  cross(to, {mask, "ballot", expressions_.condition(2)});
  cross(to, {variable(Type::u32), "count_below", mask});
}

std::string WorkgroupCode::uniform_expression(Type type, int depth) {
  std::swap(expressions_.scope, uniforms_);
  const std::string text = expressions_.of(type, depth);
  std::swap(expressions_.scope, uniforms_);
  return text;
}

void WorkgroupCode::uniform(Statements& to) {
  const Name& name = uniforms_[random_.below(4)];
  const std::string text = name.text;
  to.push_back({Statement::Kind::uniform, {text + " = " + uniform_expression(name.type, 3) + ";"}, {}, {}});
}

void WorkgroupCode::uniform_if(Statements& to, int depth) {
  std::swap(expressions_.scope, uniforms_);
  const std::string condition = expressions_.condition(2);
  std::swap(expressions_.scope, uniforms_);
  Statement s{Statement::Kind::uniform_if, {condition}, {}, {}};
  s.body = block(1 + static_cast<int>(random_.below(2)), depth, true);
  if (expressions_.chance(2)) s.otherwise = block(1 + static_cast<int>(random_.below(2)), depth, true);
  to.push_back(s);
}

void WorkgroupCode::uniform_loop(Statements& to, int depth) {
  const std::string i = "k" + std::to_string(next_++);
  Statement s{Statement::Kind::uniform_loop, {i, "(" + uniform_expression(Type::u32, 2) + ") & 3u"}, {}, {}};
  uniforms_.push_back({i, Type::u32});
  expressions_.scope.push_back({i, Type::u32});
  s.body = block(1 + static_cast<int>(random_.below(2)), depth, true);
  expressions_.scope.pop_back();
  uniforms_.pop_back();
  to.push_back(s);
}

void WorkgroupCode::thread_if(Statements& to, int depth) {
  Statement s{Statement::Kind::thread_if, {expressions_.condition(2)}, {}, {}};
  s.body = block(1 + static_cast<int>(random_.below(2)), depth, false);
  if (expressions_.chance(2)) s.otherwise = block(1 + static_cast<int>(random_.below(2)), depth, false);
  to.push_back(s);
}

void WorkgroupCode::thread_loop(Statements& to, int depth) {
  const std::string i = "k" + std::to_string(next_++);
  Statement s{Statement::Kind::thread_loop, {i, expressions_.below(8, 2)}, {}, {}};
  expressions_.scope.push_back({i, Type::u32});
  s.body = block(1 + static_cast<int>(random_.below(2)), depth, false);
  expressions_.scope.pop_back();
  to.push_back(s);
}

}  // namespace wavetwin::differential
