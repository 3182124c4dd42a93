// SPDX-License-Identifier: MIT
#include "golden/layout/memory_check_report.h"

#include <fmt/format.h>

#include "golden/layout/register_map.h"

namespace wavetwin::golden {
namespace {

constexpr const char* kVerdict = "verdict";
constexpr const char* kWrong = "not in this layout";

unsigned value_of(std::byte byte) { return std::to_integer<unsigned>(byte); }

// "0..15, 48..63"
std::string ranges(uint64_t bits) {
  std::string text;
  for (unsigned first = 0; first < 64; ++first) {
    if ((bits >> first & 1) == 0) continue;
    unsigned last = first;
    while (last < 63 && (bits >> (last + 1) & 1) != 0) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
    if (last != first) text += fmt::format("..{}", last);
    first = last;
  }
  return text;
}

std::string place(const MemoryLayout& layout, unsigned buffer, uint64_t byte) {
  return fmt::format("{} byte {} (0x{:x})", layout.buffers()[buffer].name, byte, byte);
}

std::string wrong_byte(const MemoryLayout& layout, const WrongByte& wrong) {
  std::string text = fmt::format("{}: 0x{:02x}, want 0x{:02x}", place(layout, wrong.buffer, wrong.byte),
                                 value_of(wrong.have), value_of(wrong.want));
  if (!wrong.element) return text + ", padding";
  text += ", " + to_string(layout, *wrong.element);
  const auto feeds = layout.feeds(*wrong.element);
  if (feeds.empty()) return text;
  const MfmaFeed& feed = feeds.front();
  return text + fmt::format(", {} {}{}", feed.operand, place_text(feed.place.lane, feed.place.bit, feed.bits),
                            feeds.size() > 1 ? " and more" : "");
}

}  // namespace

TextTable check_report(const MemoryLayout& layout, const std::string& name, const MemoryCheck& check) {
  TextTable table{{"fact", "value"}, {}};
  const auto add = [&](std::string fact, std::string value) {
    table.rows.push_back({std::move(fact), std::move(value)});
  };
  add("layout", name);
  add("holds", parts_text(layout));
  add(kVerdict, check.wrong == 0 ? "equal to the reference" : kWrong);
  add("wrong bytes", fmt::format("{} ({} hold elements)", check.wrong, check.elements_bytes));
  if (check.wrong == 0) return table;
  for (const FedWrongly& fed : check.fed) {
    add("fed wrongly",
        fmt::format("{} {}: lanes {}, VGPRs {}, in {} row tile{} and {} K step{}", fed.instruction,
                    fed.operand, ranges(fed.lanes), ranges(fed.vgprs), fed.row_tiles,
                    fed.row_tiles == 1 ? "" : "s", fed.k_steps, fed.k_steps == 1 ? "" : "s"));
  }
  if (check.fed.empty()) add("fed wrongly", "no MFMA operand is loaded from the wrong bytes as they are");
  if (check.looks_like.empty()) {
    add("looks like", "no known layout fits better");
  } else {
    const Likeness& best = check.looks_like.front();
    add("looks like", best.equal == best.total
                          ? fmt::format("{}: every byte", best.name)
                          : fmt::format("{}: {} of {} bytes", best.name, best.equal, best.total));
  }
  for (const WrongByte& wrong : check.first) add("wrong", wrong_byte(layout, wrong));
  return table;
}

TextTable structure_report(const MemoryLayout& layout, const std::string& name,
                           const std::vector<PaddingByte>& wrong) {
  TextTable table{{"fact", "value"}, {}};
  table.rows.push_back({"layout", name});
  table.rows.push_back({"holds", parts_text(layout)});
  table.rows.push_back({kVerdict, wrong.empty() ? "size and padding fit" : kWrong});
  table.rows.push_back({"checked", "size and padding only: the order of the elements needs a --reference"});
  for (const PaddingByte& byte : wrong) {
    table.rows.push_back({"wrong", fmt::format("{}: 0x{:02x}, want 0x00, padding",
                                               place(layout, byte.buffer, byte.byte), value_of(byte.value))});
  }
  return table;
}

bool is_wrong(const TextTable& report) {
  for (const auto& row : report.rows) {
    if (row[0] == kVerdict) return row[1] == kWrong;
  }
  return false;
}

}  // namespace wavetwin::golden
