// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "golden/layout/bank_report.h"
#include "golden/layout/page.h"
#include "golden/layout/quoting.h"

namespace wavetwin::golden {
namespace {

template <class Numbers, class Text>
std::string joined(const Numbers& numbers, Text text_of) {
  std::string text;
  for (const auto& number : numbers) text += (text.empty() ? "" : ",") + text_of(number);
  return text;
}

std::string group_data(const BankGroup& group) {
  return fmt::format("{{\"cycles\":{},\"lanes\":[{}],\"load\":[{}],\"cells\":[{}]}}", group.cycles,
                     joined(group.lanes, [](unsigned lane) { return std::to_string(lane); }),
                     joined(group.words, [](const auto& words) { return std::to_string(words.size()); }),
                     joined(bank_cells(group), [](const BankCell& cell) {
                       return fmt::format("[{},{},{},{},{}]", cell.lane, cell.bank, cell.word, cell.cycle,
                                          cell.words);
                     }));
}

std::string access_data(const BankAccess& access) {
  const BankUse use = bank_use(access.instruction, access.addresses);
  return fmt::format(
      "{{\"name\":{},\"instruction\":{},\"bytes\":{},\"banks\":{},\"times\":{},\"degree\":{},"
      "\"totalCycles\":{},\"totalLeast\":{},\"address\":[{}],\n\"groups\":[{}]}}",
      json_text(access.name), json_text(access.text), access.instruction.bytes, access.instruction.banks,
      access.times.value_or(1), access.cost.degree, access.cost.cycles, access.cost.least,
      joined(access.addresses,
             [](uint32_t address) {
               return address == kInactiveLane ? std::string("-1") : std::to_string(address);
             }),
      joined(use.groups, group_data));
}

std::vector<std::pair<std::string, std::string>> facts_of(const std::vector<BankAccess>& accesses) {
  BankCost total;
  for (const BankAccess& access : accesses) total.add(access.cost);
  return {{"accesses", std::to_string(accesses.size())},
          {"cycles of the banks", std::to_string(total.cycles)},
          {"without conflicts", std::to_string(total.least)},
          {"worst conflict degree", std::to_string(total.degree)}};
}

std::string note_of(const std::vector<BankAccess>& accesses, size_t most) {
  std::string note =
      "Lanes are served in groups; in a group each bank gives one word a cycle. A bar shows how many words a "
      "bank has to give.";
  if (!accesses.empty() && accesses.front().times)
    note += " Of each instruction the execution is drawn that took the banks longest.";
  if (accesses.size() > most) note += " Drawn are " + shown_text(accesses, most) + ".";
  return note;
}

}  // namespace

std::vector<BankCell> bank_cells(const BankGroup& group) {
  std::vector<BankCell> cells;
  for (unsigned bank = 0; bank < group.words.size(); ++bank) {
    const auto& words = group.words[bank];
    for (unsigned i = 0; i < words.size(); ++i) {
      for (const unsigned lane : group.lanes) {
        if (words[i].lanes >> lane & 1)
          cells.push_back({lane, bank, words[i].word, i + 1, static_cast<unsigned>(words.size())});
      }
    }
  }
  return cells;
}

std::string bank_page(const std::string& title, const std::vector<BankAccess>& accesses) {
  constexpr size_t kMostAccesses = 256;
  const bool executed = !accesses.empty() && accesses.front().times;
  std::string data;
  for (const size_t i : costliest(accesses, kMostAccesses))
    data += (data.empty() ? "" : ",\n") + access_data(accesses[i]);
  Evidence evidence = Evidence::specified;
  for (const BankAccess& access : accesses) evidence = weaker(evidence, access.instruction.evidence);
  return page(title, facts_of(accesses), wavetwin::to_string(evidence),
              fmt::format("{{\"times\":{},\"note\":{},\"accesses\":[\n{}]}}", executed,
                          json_text(note_of(accesses, kMostAccesses)), data),
              PageKind::banks);
}

}  // namespace wavetwin::golden
