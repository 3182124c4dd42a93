// SPDX-License-Identifier: MIT
#include "golden/cli/trace_banks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "sim/isa/disassemble.h"
#include "sim/isa/rows.h"

namespace wavetwin::golden {
namespace {

// The bank model's instruction that a row of the executor accesses memory as, and the bytes that its offset
// fields count.
struct KnownAccess {
  LdsInstruction instruction;
  uint32_t stride = 1;
  bool two = false;  // a second element at offset1
};

bool cut(std::string& name, const std::string& part) {
  const size_t at = name.find(part);
  if (at == std::string::npos) return false;
  name.erase(at, part.size());
  return true;
}

std::optional<KnownAccess> known_access(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  KnownAccess access{};
  const bool far_apart = cut(name, "st64");
  access.two = name.starts_with("ds_read2_") || name.starts_with("ds_write2_");
  if (access.two) cut(name, "2");
  // Which half of a register a narrow access fills or extends is nothing to the banks.
  cut(name, "_d16_hi");
  cut(name, "_d16");
  if (name.starts_with("ds_read_i")) name[8] = 'u';
  for (const LdsInstruction& instruction : lds_instructions()) {
    if (name != instruction.name) continue;
    access.instruction = instruction;
    if (access.two) access.stride = instruction.bytes * (far_apart ? 64 : 1);
    return access;
  }
  return std::nullopt;
}

LaneAddresses addresses_of(const isa::WaveState& state, const isa::Instruction& in, uint32_t offset) {
  const uint32_t* base = state.vgpr_source(in.src[0].index);
  LaneAddresses addresses(isa::kLanes, kInactiveLane);
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (state.exec() >> lane & 1) addresses[lane] = base[lane] + offset;
  }
  return addresses;
}

}  // namespace

void BankTrace::begin(const isa::WaveState& state, const isa::Instruction& in) {
  if (in.format != isa::Format::ds) return;
  Site& site = sites_[in.pc];
  if (site.times++ == 0) site.text = isa::disassemble(in);
  const auto access = known_access(std::string(isa::rows()[in.row].name));
  if (!access) return;
  site.known = true;
  site.evidence = access->instruction.evidence;
  const uint32_t offsets[] = {static_cast<uint32_t>(in.offset) * access->stride, in.offset1 * access->stride};
  for (unsigned i = 0; i < (access->two ? 2u : 1u); ++i) {
    const BankUse use = bank_use(access->instruction, addresses_of(state, in, offsets[i]));
    site.cycles += use.cycles();
    site.unhindered += use.unhindered();
    site.degree = std::max(site.degree, use.degree());
  }
}

TextTable BankTrace::report() const {
  TextTable table{{"pc", "instruction", "times", "degree", "cycles", "without conflicts", "evidence"}, {}};
  Site total;
  for (const bool known : {true, false}) {
    for (const auto& [pc, site] : sites_) {
      if (site.known != known) continue;
      const auto number = [&](uint64_t value) { return known ? std::to_string(value) : std::string("-"); };
      table.rows.push_back({fmt::format("{:x}", pc), site.text, std::to_string(site.times),
                            number(site.degree), number(site.cycles), number(site.unhindered),
                            known ? to_string(site.evidence) : "not counted"});
      total.times += site.times;
      total.cycles += site.cycles;
      total.unhindered += site.unhindered;
      total.degree = std::max(total.degree, site.degree);
      if (known) total.evidence = weaker(total.evidence, site.evidence);
    }
  }
  table.rows.push_back({"total", "-", std::to_string(total.times), std::to_string(total.degree),
                        std::to_string(total.cycles), std::to_string(total.unhindered),
                        to_string(total.evidence)});
  return table;
}

}  // namespace wavetwin::golden
