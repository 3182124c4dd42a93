// SPDX-License-Identifier: MIT
#include "golden/layout/bank_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kLanesOfWave = 64, kOperandRows = 16;

// "0..3 12..15"
std::string lanes_text(const std::vector<unsigned>& lanes) {
  std::string text;
  for (size_t i = 0; i < lanes.size();) {
    size_t end = i + 1;
    while (end < lanes.size() && lanes[end] == lanes[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : " ", lanes[i]);
    if (end - i > 1) text += fmt::format("..{}", lanes[end - 1]);
    i = end;
  }
  return text;
}

// "bank 4: words 4 68"; a word that is given several times (atomics) once: "bank 4: words 4 (32 times)".
std::string worst_text(const BankGroup& group) {
  if (group.cycles <= 1) return "-";
  std::string text = fmt::format("bank {}: words", group.worst_bank);
  const std::vector<BankWord>& words = group.words[group.worst_bank];
  for (size_t i = 0; i < words.size();) {
    size_t end = i + 1;
    while (end < words.size() && words[end].word == words[i].word) ++end;
    text += fmt::format(" {}", words[i].word);
    if (end - i > 1) text += fmt::format(" ({} times)", end - i);
    i = end;
  }
  return text;
}

const BankGroup& worst_group(const BankUse& use) {
  const BankGroup* worst = &use.groups[0];
  for (const BankGroup& group : use.groups) {
    if (group.cycles > worst->cycles) worst = &group;
  }
  return *worst;
}

// The columns of a report; `executed`: with times.
class ReportTable {
 public:
  explicit ReportTable(bool executed) : executed_(executed) {
    table_.columns = {executed ? "pc" : "access", "instruction"};
    if (executed) table_.columns.push_back("times");
    for (const char* name : {"degree", "cycles", "without conflicts", "worst", "evidence"})
      table_.columns.push_back(name);
  }
  void add(const std::string& name, const std::string& text, uint64_t times,
           const std::optional<BankCost>& cost, const std::string& worst, const std::string& evidence) {
    std::vector<std::string> row{name, text};
    if (executed_) row.push_back(std::to_string(times));
    row.push_back(cost ? std::to_string(cost->degree) : "-");
    row.push_back(cost ? std::to_string(cost->cycles) : "-");
    row.push_back(cost ? std::to_string(cost->least) : "-");
    row.push_back(worst);
    row.push_back(evidence);
    table_.rows.push_back(std::move(row));
  }
  TextTable take() { return std::move(table_); }

 private:
  bool executed_;
  TextTable table_;
};

}  // namespace

TextTable bank_instruction_list() {
  TextTable table{{"instruction", "bytes a lane", "banks", "lanes served together", "evidence", "source"},
                  {}};
  for (const LdsInstruction& instruction : lds_instructions()) {
    std::string groups;
    for (const auto& lanes : lanes_of(instruction.groups)) {
      if (lanes[0] >= kLanesOfWave / 2) break;  // the other half is the same
      groups += fmt::format("{}{}", groups.empty() ? "" : "; ", lanes_text(lanes));
    }
    if (instruction.groups != LaneGroups::all) groups += "; the other half alike";
    table.rows.push_back({instruction.name, std::to_string(instruction.bytes),
                          std::to_string(instruction.banks), groups,
                          wavetwin::to_string(instruction.evidence), instruction.source});
  }
  return table;
}

void BankCost::add(const BankUse& use) { add(BankCost{use.cycles(), use.unhindered(), use.degree()}); }
void BankCost::add(const BankCost& cost) {
  cycles += cost.cycles;
  least += cost.least;
  degree = std::max(degree, cost.degree);
}

std::vector<BankAccess> bank_accesses(const std::vector<LdsAccess>& accesses, BankModel model) {
  std::vector<BankAccess> all;
  for (const LdsAccess& access : accesses) {
    const LdsInstruction instruction = find_lds_instruction(access.instruction, model);
    for (size_t i = 0; i < access.issued.size(); ++i) {
      const std::string number = access.issued.size() > 1 ? fmt::format(" #{}", i) : "";
      all.push_back({access.name + number, access.instruction, instruction, access.issued[i], {}});
      all.back().cost.add(bank_use(instruction, access.issued[i]));
    }
  }
  return all;
}

TextTable bank_report(const std::vector<BankAccess>& accesses,
                      const std::vector<UncountedAccess>& uncounted) {
  ReportTable table(!uncounted.empty() ||
                    std::any_of(accesses.begin(), accesses.end(), [](const auto& a) { return a.times; }));
  BankCost total;
  uint64_t times = 0;
  Evidence evidence = Evidence::specified;
  for (const BankAccess& access : accesses) {
    const BankUse worst = bank_use(access.instruction, access.addresses);
    table.add(access.name, access.text, access.times.value_or(1), access.cost, worst_text(worst_group(worst)),
              wavetwin::to_string(access.instruction.evidence));
    total.add(access.cost);
    times += access.times.value_or(1);
    evidence = weaker(evidence, access.instruction.evidence);
  }
  for (const UncountedAccess& access : uncounted) {
    table.add(access.name, access.text, access.times, std::nullopt, "-", "not counted");
    times += access.times;
  }
  table.add("total", "-", times, total, "-", wavetwin::to_string(evidence));
  return table.take();
}

std::vector<size_t> costliest(const std::vector<BankAccess>& accesses, size_t most) {
  std::vector<size_t> chosen(accesses.size());
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  if (chosen.size() <= most) return chosen;
  const auto lost = [&](size_t i) { return accesses[i].cost.cycles - accesses[i].cost.least; };
  std::stable_sort(chosen.begin(), chosen.end(), [&](size_t a, size_t b) { return lost(a) > lost(b); });
  chosen.resize(most);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::string shown_text(const std::vector<BankAccess>& accesses, size_t most) {
  const bool executed = !accesses.empty() && accesses.front().times.has_value();
  return fmt::format("{} of {} {}: those that lose most cycles to conflicts{}", most, accesses.size(),
                     executed ? "instructions" : "accesses", executed ? "" : "; --access N draws any one");
}

TextTable bank_detail(const std::vector<BankAccess>& accesses) {
  TextTable table{{"access", "instruction", "lanes", "cycles", "worst"}, {}};
  for (const BankAccess& access : accesses) {
    for (const BankGroup& group : bank_use(access.instruction, access.addresses).groups) {
      table.rows.push_back({access.name, access.text,
                            group.lanes.empty() ? "none active" : lanes_text(group.lanes),
                            std::to_string(group.cycles), worst_text(group)});
    }
  }
  return table;
}

LaneAddresses stride_addresses(const StridePattern& pattern) {
  if (pattern.rows == 0 || pattern.rows > kLanesOfWave) throw Error("--lane-rows: 1..64");
  if ((pattern.swizzle_chunk == 0) != (pattern.swizzle_rows == 0))
    throw Error("--swizzle: bytes of a chunk and rows, both at least 1");
  LaneAddresses addresses(kLanesOfWave);
  for (uint32_t lane = 0; lane < kLanesOfWave; ++lane) {
    const uint32_t row = lane % pattern.rows;
    uint64_t in_row = uint64_t{pattern.chunk_stride} * (lane / pattern.rows);
    if (pattern.swizzle_chunk != 0) {
      const uint64_t chunk = in_row / pattern.swizzle_chunk ^ row % pattern.swizzle_rows;
      in_row = chunk * pattern.swizzle_chunk + in_row % pattern.swizzle_chunk;
    }
    const uint64_t address = pattern.base + uint64_t{pattern.row_stride} * row + in_row;
    if (address >= kInactiveLane)
      throw Error(fmt::format("lane {}: address {} is past any LDS", lane, address));
    addresses[lane] = static_cast<uint32_t>(address);
  }
  return addresses;
}

LdsAccess operand_access(const MemoryLayout& layout, const std::string& name) {
  const LdsInstruction instruction = find_lds_instruction(name);
  const MemoryPart& part = layout.parts()[0];
  const uint64_t bits = 8 * instruction.bytes, elements = bits / part.bits;
  const uint64_t pieces = kLanesOfWave / kOperandRows;
  if (bits % part.bits != 0 || part.rows < kOperandRows || part.columns < pieces * elements) {
    throw Error(fmt::format("{} reads 16 rows of {} bytes; {} is {} x {} of {} bits", name,
                            pieces * instruction.bytes, part.name, part.rows, part.columns, part.bits));
  }
  LdsAccess access{"16 rows", name, {LaneAddresses(kLanesOfWave)}};
  for (uint32_t lane = 0; lane < kLanesOfWave; ++lane) {
    const uint64_t row = lane % kOperandRows, column = lane / kOperandRows * elements;
    const uint64_t first = layout.bit({0, row, column});
    if (layout.bit({0, row, column + elements - 1}) != first + bits - part.bits || first / 8 >= kInactiveLane)
      throw Error(fmt::format("{}: the {} bytes from column {} of a row do not lie together in this layout",
                              name, instruction.bytes, column));
    access.issued[0][lane] = static_cast<uint32_t>(first / 8);
  }
  return access;
}

}  // namespace wavetwin::golden
