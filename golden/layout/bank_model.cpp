// SPDX-License-Identifier: MIT
#include "golden/layout/bank_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kLanesOfWave = 64;

constexpr const char* kHipKittens =
    "HipKittens, analysis/paper_experiments/phases: bank conflicts counted for every pair of lanes on an "
    "MI355X";
constexpr const char* kHipKittensTriton =
    "the same, and AMD in Triton's pull request 11365: the same groups for MI350";
constexpr const char* kReadDword =
    "64 banks for 64 lanes (CDNA4 ISA guide); ds_read_b64 takes half a wave, measured";
constexpr const char* kNarrowRead = "assumption: a word a lane, as ds_read_b32";
constexpr const char* kTransposed = "assumption: as the read of the same width that does not transpose";
constexpr const char* kWriteDword = "assumption: 32 banks as measured for ds_write_b64";
constexpr const char* kWriteB128 =
    "ROCm's documentation, CK Tile, LDS bank conflicts: 8 lanes in order; 32 banks as measured for "
    "ds_write_b64";
constexpr const char* kAtomic =
    "assumption: served as the write of the same width, and lanes that want one word wait for each other; "
    "stands for every atomic of this width";
constexpr const char* kWriteB96 = "assumption: as ds_write_b128";

std::vector<std::vector<unsigned>> in_order(unsigned size) {
  std::vector<std::vector<unsigned>> groups(kLanesOfWave / size);
  for (unsigned lane = 0; lane < kLanesOfWave; ++lane) groups[lane / size].push_back(lane);
  return groups;
}

// Both halves of the wave are grouped alike; `quads` are lanes 4 q .. 4 q + 3 of a half.
std::vector<std::vector<unsigned>> of_quads(const std::vector<std::vector<unsigned>>& quads) {
  std::vector<std::vector<unsigned>> groups;
  for (unsigned half = 0; half < 2; ++half) {
    for (const auto& together : quads) {
      groups.emplace_back();
      for (const unsigned quad : together) {
        for (unsigned lane = 0; lane < 4; ++lane) groups.back().push_back(32 * half + 4 * quad + lane);
      }
    }
  }
  return groups;
}

// One lane wants a word of a bank.
void want(std::vector<BankWord>& words, uint32_t word, unsigned lane, bool shares) {
  const auto same = std::find_if(words.begin(), words.end(),
                                 [&](const BankWord& wanted) { return shares && wanted.word == word; });
  if (same == words.end())
    words.push_back({word, uint64_t{1} << lane});
  else
    same->lanes |= uint64_t{1} << lane;
}

}  // namespace

std::vector<std::vector<unsigned>> lanes_of(LaneGroups groups) {
  switch (groups) {
    case LaneGroups::all:
      return in_order(64);
    case LaneGroups::halves:
      return in_order(32);
    case LaneGroups::quarters:
      return in_order(16);
    case LaneGroups::eighths:
      return in_order(8);
    case LaneGroups::mixed_eighths:
      return of_quads({{0, 5}, {1, 4}, {2, 7}, {3, 6}});
    case LaneGroups::mixed_quarters:
      break;
  }
  return of_quads({{0, 3, 5, 6}, {1, 2, 4, 7}});
}

const std::vector<LdsInstruction>& lds_instructions() {
  using enum LaneGroups;
  constexpr Evidence kMeasured = Evidence::measured, kInferred = Evidence::inferred,
                     kUnknown = Evidence::unknown;
  static const std::vector<LdsInstruction> kInstructions = {
      {"ds_read_u8", 1, 64, all, true, kUnknown, kNarrowRead},
      {"ds_read_u16", 2, 64, all, true, kUnknown, kNarrowRead},
      {"ds_read_b32", 4, 64, all, true, kInferred, kReadDword},
      {"ds_read_b64", 8, 64, halves, true, kMeasured, kHipKittens},
      {"ds_read_b96", 12, 32, mixed_eighths, true, kMeasured, kHipKittens},
      {"ds_read_b128", 16, 64, mixed_quarters, true, kMeasured, kHipKittensTriton},
      {"ds_read_b64_tr_b16", 8, 64, halves, true, kUnknown, kTransposed},
      {"ds_read_b64_tr_b8", 8, 64, halves, true, kUnknown, kTransposed},
      {"ds_read_b64_tr_b4", 8, 64, halves, true, kUnknown, kTransposed},
      {"ds_read_b96_tr_b6", 12, 32, mixed_eighths, true, kUnknown, kTransposed},
      {"ds_write_b8", 1, 32, halves, true, kUnknown, kWriteDword},
      {"ds_write_b16", 2, 32, halves, true, kUnknown, kWriteDword},
      {"ds_write_b32", 4, 32, halves, true, kUnknown, kWriteDword},
      {"ds_write_b64", 8, 32, quarters, true, kMeasured, kHipKittens},
      {"ds_write_b96", 12, 32, eighths, true, kUnknown, kWriteB96},
      {"ds_write_b128", 16, 32, eighths, true, kInferred, kWriteB128},
      {"ds_add_u32", 4, 32, halves, false, kUnknown, kAtomic},
      {"ds_add_u64", 8, 32, quarters, false, kUnknown, kAtomic},
  };
  return kInstructions;
}

unsigned BankUse::cycles() const {
  unsigned sum = 0;
  for (const BankGroup& group : groups) sum += group.cycles;
  return sum;
}
unsigned BankUse::unhindered() const {
  unsigned sum = 0;
  for (const BankGroup& group : groups) sum += group.cycles != 0;
  return sum;
}
unsigned BankUse::degree() const {
  unsigned most = 0;
  for (const BankGroup& group : groups) most = std::max(most, group.cycles);
  return most;
}

BankUse bank_use(const LdsInstruction& instruction, const LaneAddresses& addresses) {
  if (addresses.size() != kLanesOfWave)
    throw Error(fmt::format("{}: a wave has 64 addresses, not {}", instruction.name, addresses.size()));
  BankUse use;
  for (const auto& lanes : lanes_of(instruction.groups)) {
    BankGroup group;
    group.words.resize(instruction.banks);
    for (const unsigned lane : lanes) {
      const uint32_t address = addresses[lane];
      if (address == kInactiveLane) continue;
      group.lanes.push_back(lane);
      // An access that is not aligned reaches into one word more.
      for (uint64_t word = address / kBankBytes;
           word <= (uint64_t{address} + instruction.bytes - 1) / kBankBytes; ++word)
        want(group.words[word % instruction.banks], static_cast<uint32_t>(word), lane, instruction.shares);
    }
    for (unsigned bank = 0; bank < instruction.banks; ++bank) {
      if (group.words[bank].size() <= group.cycles) continue;
      group.cycles = static_cast<unsigned>(group.words[bank].size());
      group.worst_bank = bank;
    }
    use.groups.push_back(std::move(group));
  }
  return use;
}

}  // namespace wavetwin::golden
