// SPDX-License-Identifier: MIT
// Scalar instructions that steer the program, index registers or change MODE, from the CDNA4 ISA guide: 3.5
// MODE, 4.2 branches, 4.6 fork and join, 6.6 VGPR indexing, 12.1 to 12.5. Nothing of sim/ or common/ is used
// here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace wavetwin::reference {

enum class ControlStop { none, end, barrier, sleep, error };

struct ControlState {
  std::array<uint32_t, 128> s{};  // by operand code: 106 VCC, 124 M0, 126 EXEC
  bool scc = false;
  uint32_t mode = 0;
  uint64_t next = 0;  // address of the next instruction
  ControlStop stop = ControlStop::none;

  uint64_t pair(unsigned r) const { return s[r] | uint64_t{s[r + 1]} << 32; }
  void set_pair(unsigned r, uint64_t v) {
    s[r] = static_cast<uint32_t>(v);
    s[r + 1] = static_cast<uint32_t>(v >> 32);
  }
};

// An instruction whose sources are in s[4:5] and s[6:7] and whose destination is s[8:9]; `before.next` is the
// address behind it. Instructions are at every fourth byte of [first, last). Nothing for other names.
std::optional<ControlState> control_oracle(const std::string& name, uint16_t simm16,
                                           const ControlState& before, uint64_t first, uint64_t last);

}  // namespace wavetwin::reference
