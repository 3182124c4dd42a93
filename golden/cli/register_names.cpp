// SPDX-License-Identifier: MIT
#include "golden/cli/register_names.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "sim/core/error.h"
#include "sim/isa/code_object.h"
#include "sim/isa/wave_state.h"

namespace wavetwin::golden {
namespace {

constexpr unsigned kVectorNames = 256;  // v0 to v255, a0 to a255

struct Special {
  unsigned code;
  const char* name;
};
constexpr Special kSpecials[] = {{102, "flat_scratch_lo"},
                                 {103, "flat_scratch_hi"},
                                 {104, "xnack_mask_lo"},
                                 {105, "xnack_mask_hi"},
                                 {106, "vcc_lo"},
                                 {107, "vcc_hi"},
                                 {124, "m0"},
                                 {126, "exec_lo"},
                                 {127, "exec_hi"}};
constexpr unsigned kFirstTrapTemporary = 108, kLastTrapTemporary = 123;

struct Numbered {
  char file;
  unsigned index;
};

std::optional<unsigned> number(const std::string& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "v12"
std::optional<Numbered> numbered(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const char file = name[0];
  const auto index = number(name.substr(1));
  const bool vector = file == 'v' || file == 'a';
  const unsigned limit = vector ? kVectorNames : file == 's' ? unsigned{isa::kSgprCount} : 0;
  if (!index || *index >= limit) return std::nullopt;
  return Numbered{file, *index};
}

bool is_special(const std::string& name) {
  if (name == "scc" || name == "mode") return true;
  for (unsigned code = isa::kSgprCount; code < isa::kScalarFileSize; ++code) {
    if (name == scalar_register_name(code)) return true;
  }
  return false;
}

[[noreturn]] void refuse(const std::string& item, const std::string& why) {
  throw Error(
      fmt::format("--regs: '{}' {}; write v0, a3, s4, v4-v7, s[4:5], vcc, exec, m0, scc or mode", item, why));
}

// Both ends of "v4-v7" and "s[4:5]", or the same twice.
std::pair<std::string, std::string> ends_of(const std::string& item) {
  if (const size_t dash = item.find('-'); dash != std::string::npos)
    return {item.substr(0, dash), item.substr(dash + 1)};
  const size_t open = item.find('['), colon = item.find(':');
  if (open == 1 && colon != std::string::npos && item.ends_with(']')) {
    return {item[0] + item.substr(open + 1, colon - open - 1),
            item[0] + item.substr(colon + 1, item.size() - colon - 2)};
  }
  return {item, item};
}

void add_item(const std::string& item, std::set<std::string>& names) {
  if (is_special(item)) {
    names.insert(item);
    return;
  }
  if (is_special(item + "_lo")) {  // vcc, exec, flat_scratch, xnack_mask
    names.insert({item + "_lo", item + "_hi"});
    return;
  }
  const auto [first_name, last_name] = ends_of(item);
  const auto first = numbered(first_name), last = numbered(last_name);
  if (!first || !last) refuse(item, "names no register");
  if (first->file != last->file) refuse(item, "goes from one kind of register to another");
  if (first->index > last->index) refuse(item, "runs backwards");
  for (unsigned i = first->index; i <= last->index; ++i) names.insert(fmt::format("{}{}", first->file, i));
}

}  // namespace

std::string scalar_register_name(unsigned code) {
  if (code < isa::kSgprCount) return fmt::format("s{}", code);
  if (code >= kFirstTrapTemporary && code <= kLastTrapTemporary)
    return fmt::format("ttmp{}", code - kFirstTrapTemporary);
  for (const Special& special : kSpecials) {
    if (special.code == code) return special.name;
  }
  return fmt::format("scalar{}", code);
}

std::set<std::string> parse_registers(const std::string& text) {
  std::set<std::string> names;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    add_item(text.substr(at, comma - at), names);
    at = comma + 1;
  }
  return names;
}

std::string register_problem(const std::string& name, const isa::KernelInfo& kernel) {
  const auto at = numbered(name);
  if (!at || at->file == 's') return {};
  const bool vgpr = at->file == 'v';
  const unsigned count = vgpr ? kernel.descriptor.arch_vgprs() : kernel.descriptor.acc_vgprs();
  if (at->index < count) return {};
  if (count == 0) return fmt::format("kernel '{}' has no AccVGPRs", kernel.name);
  return fmt::format("kernel '{}' has {} {}s, {}0 to {}{}", kernel.name, count, vgpr ? "VGPR" : "AccVGPR",
                     at->file, at->file, count - 1);
}

}  // namespace wavetwin::golden
