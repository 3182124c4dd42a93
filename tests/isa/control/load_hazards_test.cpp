// SPDX-License-Identifier: MIT
// Which loads may be used before their wait, and which accesses to LDS may be under way across a barrier,
// against a walk along every path of random short programs that keeps every issued operation (CDNA4 ISA guide
// 4.4: instructions of one type return in order, those of different types out of order, scalar loads always
// out of order; 10.2.1: so do FLAT instructions).
#include "sim/isa/load_hazards.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace wavetwin::isa {
namespace {

// Types of instructions that return in order among themselves; the others have to be waited for with 0.
enum Type : uint8_t { kNotCounted, kVectorMemory, kLds, kUnordered };

// An operation that was issued, and whether a wait has shown each of its counters that it is over.
struct Issued {
  size_t index;
  bool vm, lgkm;  // may be outstanding in
};

struct Range {
  char file = ' ';  // 'v' or 's'
  unsigned first = 0, count = 0;
  bool overlaps(const Range& other) const {
    return file == other.file && first < other.first + other.count && other.first < first + count;
  }
};

struct Code {
  std::vector<uint32_t> dwords;
  std::string text;
  Type type = kNotCounted;
  bool vm = false, lgkm = false;  // counted in
  Range loads = {};               // filled later
  std::vector<Range> reads = {}, writes = {};
  // An access to LDS: whether it may be under way is the counter's.
  bool Issued::*lds = nullptr;
  bool is_barrier = false;
  bool is_wait = false;
  unsigned most_vm = 63, most_lgkm = 15;
  int target = -1;  // of a conditional branch, as an index
};

Range v(unsigned first, unsigned count = 1) { return {'v', first, count}; }
Range s(unsigned first, unsigned count = 1) { return {'s', first, count}; }
constexpr unsigned kAddress = 50;  // v[50:51], which nothing fills

Code flat(bool is_flat, unsigned d, unsigned dwords) {
  Code c{{0xdc000000u | (dwords == 1 ? 20u : 21u) << 18 | (is_flat ? 0u : 2u << 14),
          kAddress | (is_flat ? 0u : 0x7fu) << 16 | d << 24},
         fmt::format("{}_load x{} v{}", is_flat ? "flat" : "global", dwords, d),
         is_flat ? kUnordered : kVectorMemory,
         true,
         is_flat};
  c.loads = v(d, dwords);
  c.reads = {v(kAddress, 2)};
  if (is_flat) c.lds = &Issued::lgkm;
  return c;
}
Code load_to_lds() {
  Code c{{0xdca88000u, kAddress | 0x7fu << 16}, "global_load_lds", kVectorMemory, true};
  c.reads = {v(kAddress, 2)};
  c.lds = &Issued::vm;
  return c;
}
Code global_store(unsigned d) {
  Code c{{0xdc708000u, kAddress | d << 8 | 0x7fu << 16},
         fmt::format("global_store v{}", d),
         kVectorMemory,
         true};
  c.reads = {v(d), v(kAddress, 2)};
  return c;
}
Code buffer(bool typed, unsigned d) {
  Code c{{typed ? 0xea200000u : 0xe0500000u, d << 8 | 2u << 16 | 0x80u << 24},
         fmt::format("{}buffer_load v{}", typed ? "t" : "", d),
         kVectorMemory,
         true};
  c.loads = v(d);
  return c;
}
Code ds_read(unsigned d) {
  Code c{{0xd86c0000u, kAddress | d << 24}, fmt::format("ds_read v{}", d), kLds, false, true};
  c.lds = &Issued::lgkm;
  c.loads = v(d);
  c.reads = {v(kAddress)};
  return c;
}
Code ds_write(unsigned d) {
  Code c{{0xd81a0000u, kAddress | d << 8}, fmt::format("ds_write v{}", d), kLds, false, true};
  c.lds = &Issued::lgkm;
  c.reads = {v(d), v(kAddress)};
  return c;
}
Code ds_nop() { return {{0xd8280000u, 0}, "ds_nop"}; }
Code s_load(unsigned d) {
  Code c{{0xc0020000u | d << 6, 0}, fmt::format("s_load s{}", d), kUnordered, false, true};
  c.loads = s(d);
  return c;
}
Code v_mov(unsigned d, Range from) {
  Code c{{0x7e000200u | d << 17 | (from.file == 'v' ? 256 + from.first : from.first)},
         fmt::format("v{} = {}{}", d, from.file, from.first)};
  c.reads = {from};
  c.writes = {v(d)};
  return c;
}
Code shift_pair(unsigned d, unsigned from) {  // v_lshlrev_b64
  Code c{{0xd28f0000u | d, 0x80u | (256 + from) << 9}, fmt::format("v[{}:] = v[{}:]", d, from)};
  c.reads = {v(from, 2)};
  c.writes = {v(d, 2)};
  return c;
}
Code add_carry(unsigned carry) {  // v_add_co_u32
  Code c{{0xd1190000u | carry << 8 | 40, 0x129u | 0x129u << 9}, fmt::format("s[{}:] = carry", carry)};
  c.reads = {v(41)};
  c.writes = {v(40), s(carry, 2)};
  return c;
}
Code wait(unsigned vm, unsigned lgkm) {
  Code c{{0xbf8c0070u | (vm & 15) | vm >> 4 << 14 | lgkm << 8}, fmt::format("wait vm {} lgkm {}", vm, lgkm)};
  c.is_wait = true;
  c.most_vm = vm;
  c.most_lgkm = lgkm;
  return c;
}
Code barrier() {
  Code c{{0xbf8a0000u}, "s_barrier"};
  c.is_barrier = true;
  return c;
}
Code branch(int target) {
  Code c{{0xbf840000u}, fmt::format("branch to {}", target)};  // s_cbranch_scc0
  c.target = target;
  return c;
}

class Walk {
 public:
  explicit Walk(const std::vector<Code>& code)
      : code_(code), visits_(code.size()), early_(code.size()), late_(code.size()) {}
  UnwaitedOperations run() {
    go(0, {});
    UnwaitedOperations found;
    for (uint32_t i = 0; i < code_.size(); ++i) {
      if (early_[i]) found.loads.push_back(i);
      if (late_[i]) found.lds.push_back(i);
    }
    return found;
  }

 private:
  static constexpr unsigned kMostVisits = 3;

  void go(size_t at, std::vector<Issued> issued) {
    std::vector<size_t> passed;
    for (; at < code_.size() && visits_[at] < kMostVisits; ++at) {
      passed.push_back(at);
      ++visits_[at];
      step(at, issued);
      if (code_[at].target >= 0) go(static_cast<size_t>(code_[at].target), issued);
    }
    for (const size_t index : passed) --visits_[index];
  }

  void step(size_t at, std::vector<Issued>& issued) {
    const Code& code = code_[at];
    for (const Issued& i : issued) {
      const Range& loaded = code_[i.index].loads;
      const auto touched = [&](const Range& r) { return r.overlaps(loaded); };
      const bool in_order = code.type == code_[i.index].type && code.type != kUnordered;
      if ((i.vm || i.lgkm) && (std::any_of(code.reads.begin(), code.reads.end(), touched) ||
                               std::any_of(code.writes.begin(), code.writes.end(), touched) ||
                               (!in_order && touched(code.loads))))
        early_[i.index] = true;
    }
    for (const Issued& i : issued) meet_lds(i, at);
    if (code.is_wait) {
      finish(issued, &Issued::vm, code.most_vm);
      finish(issued, &Issued::lgkm, code.most_lgkm);
    }
    if (code.vm || code.lgkm) issued.push_back({at, code.vm, code.lgkm});
  }

  // Barriers leave accesses unordered; the wave's own pass only its loads to LDS.
  void meet_lds(const Issued& earlier, size_t at) {
    const Code &first = code_[earlier.index], &second = code_[at];
    if (first.lds == nullptr || !(earlier.*first.lds)) return;
    const bool loads = first.lds == &Issued::vm, access = second.lds == &Issued::lgkm;
    if (second.is_barrier || (loads && access)) late_[earlier.index] = true;
    if (loads && access) late_[at] = true;
  }

  // If an operation were outstanding, those of its type after it would be, too: it cannot be if these were
  // more than the wait allows.
  void finish(std::vector<Issued>& issued, bool Issued::*counter, unsigned most) const {
    for (size_t i = 0; i < issued.size(); ++i) {
      const Type type = code_[issued[i].index].type;
      unsigned with_it = 1;
      for (size_t later = i + 1; later < issued.size() && type != kUnordered; ++later)
        with_it += issued[later].*counter && code_[issued[later].index].type == type;
      if (with_it > most) issued[i].*counter = false;
    }
  }

  const std::vector<Code>& code_;
  std::vector<unsigned> visits_;
  std::vector<bool> early_, late_;
};

UnwaitedOperations analysed(std::vector<Code> code) {
  code.push_back({{0xbf810000u}, "end"});
  std::vector<uint32_t> dwords, starts;
  for (const Code& c : code) {
    starts.push_back(static_cast<uint32_t>(dwords.size()));
    dwords.insert(dwords.end(), c.dwords.begin(), c.dwords.end());
  }
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i].target >= 0)
      dwords[starts[i]] |= (starts[static_cast<size_t>(code[i].target)] - starts[i] - 1) & 0xffff;
  }
  const Program program = decode_program(dwords, 0);
  REQUIRE(program.instructions.size() == code.size());
  return unwaited_operations(ProgramPaths(program));
}

void check(const std::vector<Code>& code) {
  std::string text;
  for (const Code& c : code) text += c.text + "; ";
  CAPTURE(text);
  const UnwaitedOperations found = analysed(code), expected = Walk(code).run();
  CHECK(found.loads == expected.loads);
  CHECK(found.lds == expected.lds);
}

Code random_code(std::mt19937& random, int length) {
  const auto pick = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
  const unsigned d = 2 + pick(3), scalar = 20 + pick(3);
  switch (pick(23)) {
    case 0:
    case 1:
      return flat(false, d, 1);
    case 2:
      return flat(false, 2 + d / 4 * 2, 2);  // tuples are even-aligned
    case 3:
      return flat(true, d, 1);
    case 4:
      return buffer(false, d);
    case 5:
      return buffer(true, d);
    case 6:
    case 7:
      return ds_read(d);
    case 8:
      return s_load(scalar);
    case 9:
      return global_store(pick(4) == 0 ? d : 41);
    case 10:
      return ds_write(pick(4) == 0 ? d : 41);
    case 11:
      return ds_nop();
    case 12:
      return v_mov(40, v(d));
    case 13:
      return v_mov(40, s(scalar));
    case 14:
      return v_mov(d, v(41));
    case 15:
      return pick(2) ? shift_pair(42, 2 + d / 4 * 2) : add_carry(scalar - scalar % 2);
    case 16:
      return branch(static_cast<int>(pick(static_cast<unsigned>(length))));
    case 17:
      return load_to_lds();
    case 18:
    case 19:
      return barrier();
    default:
      return wait(pick(2) ? pick(4) : 63, pick(2) ? pick(4) : 15);
  }
}

}  // namespace

TEST_CASE(
    "load waits: random programs have the early uses and late accesses that a walk along every path finds") {
  constexpr uint32_t kSeed = 20263;
  CAPTURE(kSeed);
  std::mt19937 random(kSeed);
  for (unsigned n = 0; n < 20000; ++n) {
    std::vector<Code> code;
    for (int i = 0; i < 9; ++i) code.push_back(random_code(random, 9));
    check(code);
  }
}

TEST_CASE("load waits: of two paths the one with fewer operations counts, whichever is looked at first") {
  // Past the other operation to the wait, by a branch that stands behind it.
  check({ds_read(2), branch(5), ds_write(41), wait(63, 1), v_mov(40, v(2)), branch(3)});
  check({flat(false, 2, 1), branch(5), global_store(41), wait(1, 15), v_mov(40, v(2)), branch(3)});
  CHECK(analysed({ds_read(2), branch(5), ds_write(41), wait(63, 1), v_mov(40, v(2)), branch(3)}).loads ==
        std::vector<uint32_t>{0});
}

TEST_CASE("load waits: vmcnt has six bits") {
  for (const unsigned stores : {15u, 16u, 20u, 40u}) {
    CAPTURE(stores);
    std::vector<Code> code{flat(false, 2, 1)};
    code.insert(code.end(), stores, global_store(41));
    code.push_back(wait(stores + 1, 15));
    code.push_back(v_mov(40, v(2)));
    CHECK(analysed(code).loads == std::vector<uint32_t>{0});
    code[stores + 1] = wait(stores, 15);
    CHECK(analysed(code).loads.empty());
  }
}

TEST_CASE("load waits: what is behind a load ends it when its counter is full, but for unordered loads") {
  for (const unsigned later : {62u, 63u, 64u, 65u}) {
    CAPTURE(later);
    std::vector<Code> code{flat(false, 2, 1)};
    code.insert(code.end(), later, global_store(41));
    code.push_back(v_mov(40, v(2)));
    CHECK(analysed(code).loads.empty() == (later > 63));
    code[0] = flat(true, 2, 1);
    CHECK(analysed(code).loads == std::vector<uint32_t>{0});
  }
  std::vector<Code> code{flat(true, 2, 1)};
  code.insert(code.end(), 17, ds_write(41));
  code.push_back(wait(0, 1));
  code.push_back(v_mov(40, v(2)));
  CHECK(analysed(code).loads == std::vector<uint32_t>{0});
}

// 16 accesses behind one fill a counter of four bits: it is done.
TEST_CASE("load waits: lgkmcnt has four bits") {
  for (const unsigned later : {1u, 14u, 15u, 16u, 17u}) {
    CAPTURE(later);
    std::vector<Code> code{ds_write(41)};
    code.insert(code.end(), later, ds_write(41));
    code.push_back(barrier());
    const auto late = analysed(code).lds;
    CHECK(late.size() == std::min(later + 1, 16u));
    CHECK(late.back() == later);
  }
}

}  // namespace wavetwin::isa
