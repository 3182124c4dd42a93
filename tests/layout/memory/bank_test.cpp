// SPDX-License-Identifier: MIT
// Bank conflicts: the groups of lanes, known patterns, and every count against a naive one.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "common/kernels/drafter.h"
#include "golden/layout/bank_report.h"
#include "sim/core/error.h"
#include "tests/layout/memory/naive.h"

namespace wavetwin::golden {
namespace {

unsigned cycles(const char* instruction, const LaneAddresses& addresses,
                BankModel model = BankModel::measured) {
  return bank_use(find_lds_instruction(instruction, model), addresses).cycles();
}

template <class Address>
LaneAddresses lanes(Address address) {
  LaneAddresses all(64);
  for (uint32_t lane = 0; lane < 64; ++lane) all[lane] = address(lane);
  return all;
}

// The same count by sets of words, byte by byte.
unsigned naive_cycles(const LdsInstruction& instruction, const LaneAddresses& addresses) {
  unsigned sum = 0;
  for (const auto& group : lanes_of(instruction.groups)) {
    std::map<unsigned, std::set<std::pair<uint32_t, unsigned>>> wanted;
    for (const unsigned lane : group) {
      for (unsigned byte = 0; addresses[lane] != kInactiveLane && byte < instruction.bytes; ++byte) {
        const uint32_t word = (addresses[lane] + byte) / 4;
        // Atomics of one word are one after the other.
        wanted[word % instruction.banks].insert({word, instruction.shares ? 0 : lane});
      }
    }
    size_t most = 0;
    for (const auto& [bank, words] : wanted) most = std::max(most, words.size());
    sum += static_cast<unsigned>(most);
  }
  return sum;
}

}  // namespace

TEST_CASE("banks: every instruction serves each lane once, in groups that its banks can hold") {
  for (const LdsInstruction& instruction : lds_instructions()) {
    CAPTURE(instruction.name);
    std::set<unsigned> served;
    for (const auto& group : lanes_of(instruction.groups)) {
      for (const unsigned lane : group) CHECK(served.insert(lane).second);
      CHECK(group.size() * ((instruction.bytes + 3) / 4) <= instruction.banks);
    }
    CHECK(served.size() == 64);
    CHECK(*served.rbegin() == 63);
    CHECK(std::string(instruction.source).empty() == false);
  }
}

TEST_CASE("banks: the measured groups of wide reads, as published") {
  using Groups = std::vector<std::vector<unsigned>>;
  CHECK(lanes_of(find_lds_instruction("ds_read_b128").groups) ==
        Groups{{0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27},
               {4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31},
               {32, 33, 34, 35, 44, 45, 46, 47, 52, 53, 54, 55, 56, 57, 58, 59},
               {36, 37, 38, 39, 40, 41, 42, 43, 48, 49, 50, 51, 60, 61, 62, 63}});
  CHECK(lanes_of(find_lds_instruction("ds_read_b96").groups) == Groups{{0, 1, 2, 3, 20, 21, 22, 23},
                                                                       {4, 5, 6, 7, 16, 17, 18, 19},
                                                                       {8, 9, 10, 11, 28, 29, 30, 31},
                                                                       {12, 13, 14, 15, 24, 25, 26, 27},
                                                                       {32, 33, 34, 35, 52, 53, 54, 55},
                                                                       {36, 37, 38, 39, 48, 49, 50, 51},
                                                                       {40, 41, 42, 43, 60, 61, 62, 63},
                                                                       {44, 45, 46, 47, 56, 57, 58, 59}});
  CHECK(find_lds_instruction("ds_read_b128").banks == 64);
  CHECK(find_lds_instruction("ds_read_b96").banks == 32);
  CHECK(find_lds_instruction("ds_read_b64").banks == 64);
  CHECK(find_lds_instruction("ds_write_b64").banks == 32);
  // A pair of lanes conflicts exactly when it is in one group: lane 0 with 12 but not with 4.
  const auto pair = [](unsigned a, unsigned b) {
    LaneAddresses addresses(64, kInactiveLane);
    addresses[a] = 0;
    addresses[b] = 1024;
    return bank_use(find_lds_instruction("ds_read_b128"), addresses).degree();
  };
  CHECK(pair(0, 12) == 2);
  CHECK(pair(0, 4) == 1);
  CHECK(pair(0, 32) == 1);
  CHECK(pair(36, 60) == 2);
}

TEST_CASE("banks: consecutive addresses only conflict in 96-bit reads, one bank for all lanes always does") {
  for (const LdsInstruction& instruction : lds_instructions()) {
    CAPTURE(instruction.name);
    const auto groups = static_cast<unsigned>(lanes_of(instruction.groups).size());
    const uint32_t width = (instruction.bytes + 3) / 4 * 4;
    const BankUse spread = bank_use(instruction, lanes([&](uint32_t l) { return width * l; }));
    // Lanes 0..3 and 20..23 of 12 bytes: words 0..11 and 60..71 of 32 banks.
    const unsigned degree = std::string(instruction.name).starts_with("ds_read_b96") ? 2 : 1;
    CHECK(spread.degree() == degree);
    CHECK(spread.cycles() == degree * groups);
    CHECK(spread.unhindered() == groups);
    const BankUse one_bank = bank_use(instruction, lanes([&](uint32_t l) { return 4096 * l; }));
    CHECK(one_bank.cycles() == 64);
    CHECK(one_bank.degree() == 64 / groups);
    CHECK(one_bank.groups[0].worst_bank == 0);
    const BankUse same_word = bank_use(instruction, lanes([](uint32_t) { return 256u; }));
    CHECK(same_word.cycles() == (instruction.shares ? groups : 64));
    const BankUse off = bank_use(instruction, LaneAddresses(64, kInactiveLane));
    CHECK(off.cycles() == 0);
    CHECK(off.degree() == 0);
  }
}

TEST_CASE("banks: bytes of one word share it, an unaligned access reaches one word more") {
  CHECK(cycles("ds_read_u8", lanes([](uint32_t l) { return l; })) == 1);
  CHECK(cycles("ds_read_u16", lanes([](uint32_t l) { return 2 * l; })) == 1);
  LaneAddresses addresses(64, kInactiveLane);
  addresses[0] = 2;
  const BankUse use = bank_use(find_lds_instruction("ds_read_b32"), addresses);
  CHECK(use.groups[0].words[0].size() == 1);
  CHECK(use.groups[0].words[1].size() == 1);
}

TEST_CASE("banks: random addresses of every instruction and model cost what a naive count says") {
  for (const LdsInstruction& known : lds_instructions()) {
    for (const BankModel model : {BankModel::measured, BankModel::in_order}) {
      const LdsInstruction instruction = find_lds_instruction(known.name, model);
      CAPTURE(instruction.name);
      for (uint64_t seed = 0; seed < 50; ++seed) {
        CAPTURE(seed);
        const auto bytes = random_bytes(seed, 3 * 64);
        const LaneAddresses addresses = lanes([&](uint32_t l) {
          if (std::to_integer<unsigned>(bytes[3 * l + 2]) < 20) return kInactiveLane;
          return std::to_integer<uint32_t>(bytes[3 * l]) * 37 +
                 std::to_integer<uint32_t>(bytes[3 * l + 1]) * 256;
        });
        CHECK(bank_use(instruction, addresses).cycles() == naive_cycles(instruction, addresses));
      }
    }
  }
}

TEST_CASE(
    "banks: the drafter's swizzle frees the operand reads of K and Q; without it they take four times as "
    "long") {
  const auto operand = [](bool swizzled) {
    return lanes([&](uint32_t l) {
      const uint32_t row = l % 16, word = 4 * (l / 16);
      return 4 * (swizzled ? drafter::tw(0u, row, word) : row * drafter::kTileRow + word);
    });
  };
  CHECK(cycles("ds_read_b128", operand(true)) == 4);
  CHECK(cycles("ds_read_b128", operand(false)) == 16);
  // Lanes in order, the other way to count it.
  CHECK(cycles("ds_read_b128", operand(true), BankModel::in_order) == 8);
  CHECK(cycles("ds_read_b128", operand(false), BankModel::in_order) == 32);
  const auto k = make_memory_layout("drafter_k_tile", {});
  const auto all = bank_accesses(k->accesses(), BankModel::measured);
  REQUIRE(all.size() == 16 + 2);
  for (size_t i = 0; i < 16; ++i) CHECK(bank_use(all[i].instruction, all[i].addresses).degree() == 1);
  CHECK(all[0].addresses == operand(true));
}

TEST_CASE("banks: the operand of 16 rows of a named layout is what its kernel reads") {
  const auto k = make_memory_layout("drafter_k_tile", {});
  CHECK(operand_access(*k, "ds_read_b128").issued[0] == k->accesses()[0].issued[0]);
  const auto p = make_memory_layout("back_p_rows", {32, 128});
  CHECK(operand_access(*p, "ds_read_b64").issued[0] == p->accesses()[0].issued[0]);
  const auto x = make_memory_layout("gemv_lds", {16, 256});
  CHECK(operand_access(*x, "ds_read_b128").issued[0] == x->accesses()[0].issued[0]);
  // Rows of 128 bytes without a swizzle: 16 rows share 32 banks.
  const auto plain = make_memory_layout("row_major", {16, 128});
  CHECK(
      bank_report(bank_accesses({operand_access(*plain, "ds_read_b128")}, BankModel::measured)).rows[0][3] ==
      "16");
  const auto v = make_memory_layout("drafter_v_tile", {});
  CHECK_THROWS_AS(operand_access(*v, "ds_read_b128"), Error);
  CHECK_THROWS_AS(operand_access(*make_memory_layout("row_major", {8, 128}), "ds_read_b128"), Error);
}

TEST_CASE("banks: strides, chunks and a swizzle describe the tiles") {
  const StridePattern tile{0, 16, 128, 16, 16, 8};
  const auto k = make_memory_layout("drafter_k_tile", {});
  CHECK(stride_addresses(tile) == k->accesses()[0].issued[0]);
  CHECK(stride_addresses({64, 64, 8, 0, 0, 0})[3] == 64 + 24);
  CHECK_THROWS_AS(stride_addresses({0, 0, 4, 0, 0, 0}), Error);
  CHECK_THROWS_AS(stride_addresses({0, 16, 4, 4, 16, 0}), Error);
  CHECK_THROWS_AS(stride_addresses({0xFFFFFFF0u, 64, 4, 0, 0, 0}), Error);
  CHECK_THROWS_AS(bank_use(find_lds_instruction("ds_read_b32"), LaneAddresses(63)), Error);
}

TEST_CASE("banks: the picture has a cell for each lane and bank, conflicts in their own colour") {
  const auto accesses = bank_accesses(
      {{"pattern", "ds_read_b128", {stride_addresses({0, 16, 128, 16, 0, 0})}}}, BankModel::measured);
  const std::string svg = bank_picture(accesses);
  const auto count = [&](const std::string& part) {
    size_t n = 0;
    for (size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++n;
    return n;
  };
  CHECK(count("<title>lane ") == 64 * 4);
  CHECK(count("4 words of this bank") == 64 * 4);
  CHECK(count("#d6006c") == 64 * 4);
  CHECK(count("4 cycles</text>") == 4);
  const auto many = bank_accesses(make_memory_layout("drafter_k_tile", {})->accesses(), BankModel::measured);
  const std::string first = bank_picture(many);
  CHECK(first.find("16 of 18 accesses: those that lose most cycles to conflicts; --access N draws any one") !=
        std::string::npos);
}

TEST_CASE("banks: every spelling of an instruction is served as the entry that stands for it") {
  const std::pair<const char*, const char*> kNames[] = {
      {"DS_READ_I8_D16_HI", "ds_read_u8"},      {"ds_read_u16_d16", "ds_read_u16"},
      {"ds_read2_b32", "ds_read_b32"},          {"ds_read2st64_b64", "ds_read_b64"},
      {"ds_write2st64_b32", "ds_write_b32"},    {"ds_write_b16_d16_hi", "ds_write_b16"},
      {"ds_read_addtid_b32", "ds_read_b32"},    {"ds_read_b64_tr_b16", "ds_read_b64_tr_b16"},
      {"ds_max_rtn_f64", "ds_add_u64"},         {"ds_pk_add_bf16", "ds_add_u32"},
      {"ds_wrxchg2st64_rtn_b64", "ds_add_u64"}, {"ds_cmpst_b32", "ds_add_u32"},
      {"ds_condxchg32_rtn_b64", "ds_add_u64"},  {"ds_append", "ds_add_u32"}};
  for (const auto& [name, entry] : kNames) {
    CAPTURE(name);
    const auto known = known_lds_instruction(name);
    REQUIRE(known);
    CHECK(std::string(known->name) == entry);
  }
  for (const char* name :
       {"ds_bpermute_b32", "ds_swizzle_b32", "ds_nop", "ds_max_q32", "global_load_dword", "ds_"}) {
    CAPTURE(name);
    CHECK_FALSE(known_lds_instruction(name));
  }
}

TEST_CASE("banks: an access that loses cycles is drawn before those that do not") {
  std::vector<LdsAccess> many(1, {"even", "ds_read_b32", {}});
  for (int i = 0; i < 20; ++i) many[0].issued.push_back(lanes([](uint32_t l) { return 4 * l; }));
  many.push_back({"one bank", "ds_read_b32", {lanes([](uint32_t l) { return 256 * l; })}});
  const auto chosen = costliest(bank_accesses(many, BankModel::measured), 3);
  CHECK(chosen == std::vector<size_t>{0, 1, 20});
}

TEST_CASE("banks: the page has every cell with its cycle, and carries any name") {
  const auto accesses = bank_accesses(
      {{"a<b\"</script>", "ds_read_b128", {stride_addresses({0, 16, 128, 16, 0, 0})}}}, BankModel::measured);
  const std::string page = bank_page("banks of <x>", accesses);
  CHECK(page.find("</script>\",") == std::string::npos);
  CHECK(page.find("\"name\":\"a\\u003cb\\\"\\u003c/script>\"") != std::string::npos);
  CHECK(page.find("<h1>banks of &lt;x&gt;</h1>") != std::string::npos);
  // Lane 2 wants word 64 of bank 0, after lane 0's word 0.
  CHECK(page.find("[2,0,64,2,") != std::string::npos);
  CHECK(bank_picture(accesses).find("a&lt;b&quot;") != std::string::npos);
}

}  // namespace wavetwin::golden
