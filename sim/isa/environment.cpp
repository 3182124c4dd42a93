// SPDX-License-Identifier: MIT
#include "sim/isa/environment.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "sim/isa/load_hazards.h"

namespace wavetwin::isa {

std::string hex_address(const char* what, uint64_t address) {
  char text[96];
  std::snprintf(text, sizeof text, "%s 0x%llx", what, static_cast<unsigned long long>(address));
  return text;
}

uint64_t Environment::instructions() const {
  return std::accumulate(executed.begin(), executed.end(), uint64_t{0});
}

void Environment::expect_return(WaveState& state, const Instruction& in, unsigned count, bool vm,
                                PendingTicket ticket, std::unique_ptr<uint32_t[]> staging) {
  PendingReturn pending;
  pending.issuer = &in;
  pending.kind = in.dst.kind;
  pending.index = in.dst.index;
  pending.unordered = counter_use(in).unordered && (in.format != Format::flat || may_find_lds(in));
  pending.count = static_cast<uint16_t>(count);
  pending.vm = vm;
  pending.sequence = vm ? vm_in_order_ : lgkm_in_order_;
  pending.ticket = ticket;
  pending.staging = std::move(staging);
  returns_.push_back(std::move(pending));
  state.attention |= kAttentionPendingReturn;
}

void Environment::wait_counters(WaveState& state, uint32_t most_vm, uint32_t most_lgkm) {
  wait_vm_ = most_vm;
  wait_lgkm_ = most_lgkm;
  if (!try_finish_wait(state)) stop(state, Stop::wait);
}

bool Environment::try_finish_wait(WaveState& state) {
  if (outstanding_vm() > wait_vm_ || outstanding_lgkm() > wait_lgkm_) return false;
  std::erase_if(returns_, [&](const PendingReturn& pending) {
    const uint64_t most = pending.vm ? wait_vm_ : wait_lgkm_;
    const uint64_t in_order = pending.vm ? vm_in_order_ : lgkm_in_order_;
    // As many that return after it as may be outstanding: it is not.
    if (pending.unordered ? most != 0 : in_order - pending.sequence < most) return false;
    deliver(state, pending);
    return true;
  });
  if (returns_.empty()) state.attention &= ~uint32_t{kAttentionPendingReturn};
  return true;
}

void Environment::deliver(WaveState& state, const PendingReturn& pending) {
  for (unsigned d = 0; pending.staging && d < pending.count; ++d) {
    state.set_scalar(pending.index + d, pending.staging[d * kLanes]);
  }
}

void Environment::settle(WaveState& state, const PendingReturn& pending) {
  deliver(state, pending);
  const Instruction* const issuer = pending.issuer;  // a FLAT load is in both counters
  returns_.erase(returns_.begin() + (&pending - returns_.data()));
  std::erase_if(returns_,
                [&](const PendingReturn& other) { return other.issuer == issuer && other.ticket == 0; });
  if (returns_.empty()) state.attention &= ~uint32_t{kAttentionPendingReturn};
}

const PendingReturn* Environment::touches_pending(const Instruction& in) const {
  const auto overlaps = [](const Operand& operand, const PendingReturn& pending) {
    return operand.kind == pending.kind && operand.index < pending.index + pending.count &&
           pending.index < operand.index + operand.dwords;
  };
  for (const PendingReturn& pending : returns_) {
    if (overlaps(in.dst, pending) || overlaps(in.sdst, pending)) return &pending;
    for (const Operand& source : in.src) {
      if (overlaps(source, pending)) return &pending;
    }
  }
  return nullptr;
}

}  // namespace wavetwin::isa
