// SPDX-License-Identifier: MIT
#include "sim/isa/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "sim/isa/disassemble.h"
#include "sim/isa/load_hazards.h"

namespace wavetwin::isa {

std::string hex_address(const char* what, uint64_t address) {
  char text[96];
  std::snprintf(text, sizeof text, "%s 0x%llx", what, static_cast<unsigned long long>(address));
  return text;
}

std::string with_pc(const Instruction& in) { return disassemble(in) + " at " + hex_address("pc", in.pc); }

uint64_t Environment::instructions() const {
  return std::accumulate(executed.begin(), executed.end(), uint64_t{0});
}

// An operation just issued.
Unwaited Environment::issued(const Instruction& in, bool vm) const {
  return {&in, vm, counter_use(in, threadgroup_split).unordered, vm ? vm_in_order_ : lgkm_in_order_};
}

// As many that return after it as may be outstanding: it is not.
bool Environment::covered(const Unwaited& operation) const {
  const uint64_t most = operation.vm ? wait_vm_ : wait_lgkm_;
  return operation.unordered ? most == 0 : in_order_after(operation) >= most;
}

void Environment::expect_return(WaveState& state, const Instruction& in, unsigned count, bool vm,
                                PendingTicket ticket, std::unique_ptr<uint32_t[]> staging) {
  PendingReturn pending;
  static_cast<Unwaited&>(pending) = issued(in, vm);
  pending.kind = in.dst.kind;
  pending.index = in.dst.index;
  pending.count = static_cast<uint16_t>(count);
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
    if (!covered(pending)) return false;
    deliver(state, pending);
    return true;
  });
  std::erase_if(unwaited_lds_, [&](const UnwaitedLds& operation) { return covered(operation); });
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

void Environment::note_lds_accesses(const Instruction& in, std::vector<LdsAccess> accesses) {
  if (accesses.empty()) return;
  const bool vm = in.lds;
  // Loads to LDS are in order with each other.
  for (const UnwaitedLds& load : unwaited_lds_) {
    if (vm || !load.vm) continue;
    for (const LdsAccess& access : accesses) {
      std::optional<uint32_t> byte;
      for (const LdsAccess& filled : *load.accesses) byte = byte ? byte : access.shared_byte(filled);
      if (!byte) continue;
      group->find(FindingKind::unwaited_lds, 0, *byte, [&] {
        return fmt::format("accesses LDS byte {:#x}, which {} fills, without a wait for vmcnt between them",
                           *byte, with_pc(*load.issuer));
      });
    }
  }
  forget_returned_lds();
  constexpr size_t kMostKept = kMostVm + kMostLgkm;  // FLAT does not count down the others
  if (unwaited_lds_.size() >= kMostKept) unwaited_lds_.erase(unwaited_lds_.begin());
  unwaited_lds_.push_back({issued(in, vm), std::make_shared<std::vector<LdsAccess>>(std::move(accesses))});
}

// They are done if more than their counter can hold were issued behind them.
void Environment::forget_returned_lds() {
  std::erase_if(unwaited_lds_, [&](const UnwaitedLds& operation) {
    return !operation.unordered && in_order_after(operation) > (operation.vm ? kMostVm : kMostLgkm);
  });
}

bool Environment::returns_before(const Instruction& first, const Instruction& second) const {
  return isa::returns_before(counter_use(first, threadgroup_split), counter_use(second, threadgroup_split));
}

void Environment::cross_barrier() {
  forget_returned_lds();
  for (const UnwaitedLds& operation : unwaited_lds_) {
    lds().cross_barrier({wave, operation.accesses, [issuer = operation.issuer, vm = operation.vm] {
                           return fmt::format("{} and did not wait for {} before the barrier",
                                              with_pc(*issuer), vm ? "vmcnt" : "lgkmcnt");
                         }});
  }
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
