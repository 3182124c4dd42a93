// SPDX-License-Identifier: MIT
#include "tests/oracle/salu_memory/control_oracle.h"

#include <functional>
#include <map>

namespace wavetwin::reference {
namespace {

constexpr unsigned kS0 = 4, kS1 = 6, kD = 8, kVcc = 106, kM0 = 124, kExec = 126, kSgprs = 102;
// Of MODE: bits 10 and 22:21 do not exist, nor do 25:24.
constexpr uint32_t kModeBits = 0xfc9ffbff;

struct Step {
  ControlState& s;
  uint16_t simm16;
  uint64_t first, last;

  uint64_t branch_target() const { return s.next + 4 * static_cast<uint64_t>(static_cast<int16_t>(simm16)); }
  void go(uint64_t address) const {
    if (address < first || address >= last || address % 4 != 0) s.stop = ControlStop::error;
    s.next = address;
  }
  void branch_if(bool condition) const {
    if (condition) go(branch_target());
  }
  void mode_bit(unsigned bit, bool on) const { s.mode = (s.mode & ~(1u << bit)) | uint32_t{on} << bit; }
  // Register field of s_getreg and s_setreg: {size - 1, offset, id}.
  unsigned id() const { return simm16 & 63; }
  unsigned offset() const { return simm16 >> 6 & 31; }
  uint32_t mask() const {
    const unsigned size = (simm16 >> 11) + 1u;
    return size == 32 ? ~0u : (1u << size) - 1;
  }
  void set_register(uint32_t value) const {
    if (id() != 1) {
      s.stop = ControlStop::error;
      return;
    }
    const uint32_t field = mask() << offset() & kModeBits;
    s.mode = (s.mode & ~field) | (value << offset() & field);
  }
  // Relative moves. Registers out of range (guide 3.6.1): a source is s0, a destination is not written.
  bool has_relative(unsigned base, unsigned count) const {
    return uint64_t{base} + s.s[kM0] + count <= kSgprs;
  }
  unsigned relative_source(unsigned base, unsigned count) const {
    return has_relative(base, count) ? base + s.s[kM0] : 0;
  }
  void index_mode(unsigned bits) const { s.s[kM0] = (s.s[kM0] & 0xffff0fff) | (bits & 15) << 12; }
  void index_value(uint32_t value) const { s.s[kM0] = (s.s[kM0] & 0xffffff00) | (value & 255); }
  void fork(uint64_t target) const;
  void join() const;
};

unsigned ones(uint64_t v) {
  unsigned n = 0;
  for (; v != 0; v &= v - 1) ++n;
  return n;
}

// The pseudo-code of 4.6; CSP is MODE[31:29], an entry is {PC, mask} with the mask in the lower registers.
void Step::fork(uint64_t target) const {
  const uint64_t exec = s.pair(kExec), pass = s.pair(kS0) & exec, fail = ~s.pair(kS0) & exec;
  const unsigned csp = s.mode >> 29;
  if (pass == exec) return go(target);
  if (fail == exec) return;
  if (csp == 6 || csp == 7) {
    s.stop = ControlStop::error;
    return;
  }
  s.mode = (s.mode & 0x1fffffff) | (csp + 1) << 29;
  if (ones(fail) < ones(pass)) {
    s.set_pair(kExec, fail);
    s.set_pair(4 * csp, pass);
    s.set_pair(4 * csp + 2, target);
  } else {
    s.set_pair(kExec, pass);
    s.set_pair(4 * csp, fail);
    s.set_pair(4 * csp + 2, s.next);
    go(target);
  }
}

void Step::join() const {
  const unsigned csp = s.mode >> 29;
  if (csp == s.s[kS0]) return;
  if (csp == 0) {
    s.stop = ControlStop::error;
    return;
  }
  s.mode = (s.mode & 0x1fffffff) | (csp - 1) << 29;
  const uint64_t mask = s.pair(4 * (csp - 1)), address = s.pair(4 * (csp - 1) + 2);
  s.set_pair(kExec, mask);
  go(address);
}

using Rule = std::function<void(const Step&)>;

void nothing(const Step&) {}
void stop(const Step& t, ControlStop why) { t.s.stop = why; }

const std::map<std::string, Rule>& rules() {
  static const std::map<std::string, Rule> kRules{
      {"S_NOP", nothing},
      {"S_WAKEUP", nothing},
      {"S_SETPRIO", nothing},
      {"S_ICACHE_INV", nothing},
      {"S_INCPERFLEVEL", nothing},
      {"S_DECPERFLEVEL", nothing},
      {"S_TTRACEDATA", nothing},
      // No debugger: the conditions are false.
      {"S_CBRANCH_CDBGSYS", nothing},
      {"S_CBRANCH_CDBGUSER", nothing},
      {"S_CBRANCH_CDBGSYS_OR_USER", nothing},
      {"S_CBRANCH_CDBGSYS_AND_USER", nothing},
      {"S_WAITCNT", nothing},  // nothing is outstanding
      {"S_ENDPGM", [](const Step& t) { stop(t, ControlStop::end); }},
      {"S_BARRIER", [](const Step& t) { stop(t, ControlStop::barrier); }},
      {"S_SLEEP", [](const Step& t) { stop(t, t.simm16 & 0x7f ? ControlStop::sleep : ControlStop::none); }},
      {"S_SETHALT", [](const Step& t) { stop(t, t.simm16 & 1 ? ControlStop::error : ControlStop::none); }},
      // AMDGPUUsage, "Trap Handler ABI": 1 and 3 are for a debugger; without one the wave goes on.
      {"S_TRAP",
       [](const Step& t) {
         const unsigned id = t.simm16 & 0xff;
         stop(t, id == 1 || id == 3 ? ControlStop::none : ControlStop::error);
       }},
      {"S_SENDMSG",
       [](const Step& t) { stop(t, (t.simm16 & 15) == 1 ? ControlStop::none : ControlStop::error); }},
      {"S_BRANCH", [](const Step& t) { t.branch_if(true); }},
      {"S_CBRANCH_SCC0", [](const Step& t) { t.branch_if(!t.s.scc); }},
      {"S_CBRANCH_SCC1", [](const Step& t) { t.branch_if(t.s.scc); }},
      {"S_CBRANCH_VCCZ", [](const Step& t) { t.branch_if(t.s.pair(kVcc) == 0); }},
      {"S_CBRANCH_VCCNZ", [](const Step& t) { t.branch_if(t.s.pair(kVcc) != 0); }},
      {"S_CBRANCH_EXECZ", [](const Step& t) { t.branch_if(t.s.pair(kExec) == 0); }},
      {"S_CBRANCH_EXECNZ", [](const Step& t) { t.branch_if(t.s.pair(kExec) != 0); }},
      {"S_GETPC_B64", [](const Step& t) { t.s.set_pair(kD, t.s.next); }},
      {"S_SETPC_B64", [](const Step& t) { t.go(t.s.pair(kS0)); }},
      {"S_SWAPPC_B64",
       [](const Step& t) {
         t.s.set_pair(kD, t.s.next);
         t.go(t.s.pair(kS0));
       }},
      {"S_CALL_B64",
       [](const Step& t) {
         const uint64_t target = t.branch_target();
         t.s.set_pair(kD, t.s.next);
         t.go(target);
       }},
      {"S_CBRANCH_G_FORK", [](const Step& t) { t.fork(t.s.pair(kS1)); }},
      {"S_CBRANCH_I_FORK", [](const Step& t) { t.fork(t.branch_target()); }},
      {"S_CBRANCH_JOIN", [](const Step& t) { t.join(); }},
      {"S_SETVSKIP", [](const Step& t) { t.mode_bit(28, t.s.s[kS0] >> (t.s.s[kS1] & 31) & 1); }},
      {"S_SET_GPR_IDX_ON",
       [](const Step& t) {
         t.mode_bit(27, true);
         t.index_value(t.s.s[kS0]);
         t.index_mode(kS1);  // the raw field of the second source
       }},
      {"S_SET_GPR_IDX_OFF", [](const Step& t) { t.mode_bit(27, false); }},
      {"S_SET_GPR_IDX_MODE", [](const Step& t) { t.index_mode(t.simm16); }},
      {"S_SET_GPR_IDX_IDX", [](const Step& t) { t.index_value(t.s.s[kS0]); }},
      {"S_MOVRELS_B32", [](const Step& t) { t.s.s[kD] = t.s.s[t.relative_source(kS0, 1)]; }},
      {"S_MOVRELS_B64", [](const Step& t) { t.s.set_pair(kD, t.s.pair(t.relative_source(kS0, 2))); }},
      {"S_MOVRELD_B32",
       [](const Step& t) {
         if (t.has_relative(kD, 1)) t.s.s[kD + t.s.s[kM0]] = t.s.s[kS0];
       }},
      {"S_MOVRELD_B64",
       [](const Step& t) {
         if (t.has_relative(kD, 2)) t.s.set_pair(kD + t.s.s[kM0], t.s.pair(kS0));
       }},
      {"S_GETREG_B32", [](const Step& t) { t.s.s[kD] = t.s.mode >> t.offset() & t.mask(); }},
      {"S_SETREG_B32", [](const Step& t) { t.set_register(t.s.s[kD]); }},
      {"S_SETREG_IMM32_B32", [](const Step& t) { t.set_register(0x9abcdef0); }},
  };
  return kRules;
}

}  // namespace

std::optional<ControlState> control_oracle(const std::string& name, uint16_t simm16,
                                           const ControlState& before, uint64_t first, uint64_t last) {
  const auto rule = rules().find(name);
  if (rule == rules().end()) return std::nullopt;
  ControlState after = before;
  rule->second({after, simm16, first, last});
  return after;
}

}  // namespace wavetwin::reference
