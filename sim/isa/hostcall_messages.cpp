// SPDX-License-Identifier: MIT
#include "sim/isa/hostcall_messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.h"

namespace wavetwin::isa {
namespace {

// The descriptor: bit 0 begins a message, bit 1 ends it, bits 7:5 count the words, bits 63:8 name the
// message.
constexpr uint64_t kBegin = 1, kEnd = 2, kReserved = 0x1c;
constexpr unsigned kLengthShift = 5, kIdShift = 8;

constexpr size_t kLongestMessage = size_t{1} << 20;  // words: what is longer never ends

}  // namespace

std::optional<HostText> HostcallMessages::append(HostcallSlot& slot) {
  uint64_t descriptor = slot[0];
  if ((descriptor & kReserved) != 0)
    throw Error(fmt::format("printf: the descriptor {:#x} has reserved bits", descriptor));
  if ((descriptor & kBegin) != 0) {
    const auto unused = std::find(messages_.begin(), messages_.end(), std::nullopt);
    const uint64_t id = static_cast<uint64_t>(unused - messages_.begin());
    if (id == messages_.size()) messages_.emplace_back();
    messages_[id].emplace();
    descriptor = (descriptor & 0xff & ~kBegin) | id << kIdShift;
  }
  const uint64_t id = descriptor >> kIdShift;
  if (id >= messages_.size() || !messages_[id])
    throw Error(
        fmt::format("printf: the descriptor {:#x} names message {}, which was not begun", slot[0], id));
  std::vector<uint64_t>& message = *messages_[id];
  const unsigned length = descriptor >> kLengthShift & 7;
  message.insert(message.end(), slot.begin() + 1, slot.begin() + 1 + length);
  if (message.size() > kLongestMessage) throw Error("printf: a message above 8 MiB");
  slot[0] = descriptor;
  if ((descriptor & kEnd) == 0) return std::nullopt;
  const HostText text = format(message);
  messages_[id].reset();
  slot[0] = text.text.size();
  return text;
}

// A control word (bit 0: stderr), the format string, the arguments.
HostText HostcallMessages::format(const std::vector<uint64_t>& words) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(words.data());
  PrintfWords arguments({bytes, words.size() * sizeof(uint64_t)});
  const uint64_t control = arguments.integer();
  if (control > 1) throw Error(fmt::format("printf: the control word {:#x} is neither 0 nor 1", control));
  const std::string format = arguments.string();
  return {control == 1 ? HostStream::err : HostStream::out, format_printf(format, arguments)};
}

}  // namespace wavetwin::isa
