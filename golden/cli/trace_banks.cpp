// SPDX-License-Identifier: MIT
#include "golden/cli/trace_banks.h"

#include <fmt/format.h>

#include <bit>

#include "sim/isa/disassemble.h"
#include "sim/isa/rows.h"

namespace wavetwin::golden {
namespace {

template <class Address>
LaneAddresses active_addresses(uint64_t lanes, Address address_of) {
  LaneAddresses addresses(isa::kLanes, kInactiveLane);
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (lanes >> lane & 1) addresses[lane] = address_of(lane);
  }
  return addresses;
}

// The accesses of one execution, as the executor addresses them (sim/isa/exec_ds.cpp).
std::vector<LaneAddresses> addresses_of(const isa::WaveState& state, const isa::Instruction& in,
                                        const std::string& name, unsigned bytes) {
  const uint64_t exec = state.exec();
  const auto offset = static_cast<uint32_t>(in.offset);
  if (name == "DS_APPEND" || name == "DS_CONSUME") {  // one lane counts for the wave
    return {active_addresses(exec & (~exec + 1), [&](unsigned) { return state.m0() + offset; })};
  }
  if (name.find("_ADDTID_") != std::string::npos) {
    const uint32_t base = (state.m0() & 0xffff) + offset;
    return {active_addresses(exec, [&](unsigned lane) { return base + 4 * lane; })};
  }
  const uint32_t* vgpr = state.vgpr_source(in.src[0].index);
  const auto at = [&](uint32_t extra) {
    return active_addresses(exec, [&](unsigned lane) { return vgpr[lane] + extra; });
  };
  const bool far_apart = name.find("2ST64_") != std::string::npos;
  if (!far_apart && name.find("2_") == std::string::npos) return {at(offset)};
  const uint32_t stride = bytes * (far_apart ? 64 : 1);
  return {at(stride * offset), at(stride * in.offset1)};
}

// Whether the name has a second element: ds_condxchg32_rtn_b64 has not, whatever its digits.
std::string plain_name(const isa::Instruction& in) {
  std::string name(isa::rows()[in.row].name);
  return name == "DS_CONDXCHG32_RTN_B64" ? "DS_CONDXCHG_RTN_B64" : name;
}

std::string pc_text(uint64_t pc) { return fmt::format("{:x}", pc); }

}  // namespace

void BankTrace::begin(const isa::WaveState& state, const isa::Instruction& in) {
  if (in.format != isa::Format::ds) return;
  const auto known = known_lds_instruction(std::string(isa::rows()[in.row].name));
  if (!known) {
    const auto [site, added] = uncounted_.try_emplace(in.pc);
    if (added) site->second = {pc_text(in.pc), isa::disassemble(in), 0};
    ++site->second.times;
    return;
  }
  const auto [site, added] = accesses_.try_emplace(in.pc);
  BankAccess& access = site->second;
  if (added) access = {pc_text(in.pc), isa::disassemble(in), *known, {}, {}, 0};
  ++*access.times;
  for (LaneAddresses& addresses : addresses_of(state, in, plain_name(in), known->bytes)) {
    const BankUse use = bank_use(*known, addresses);
    access.cost.add(use);
    if (!access.addresses.empty() && use.cycles() <= worst_[in.pc]) continue;
    worst_[in.pc] = use.cycles();
    access.addresses = std::move(addresses);
  }
}

std::vector<BankAccess> BankTrace::accesses() const {
  std::vector<BankAccess> all;
  for (const auto& [pc, access] : accesses_) all.push_back(access);
  return all;
}
std::vector<UncountedAccess> BankTrace::uncounted() const {
  std::vector<UncountedAccess> all;
  for (const auto& [pc, access] : uncounted_) all.push_back(access);
  return all;
}

}  // namespace wavetwin::golden
