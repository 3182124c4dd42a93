// SPDX-License-Identifier: MIT
// Messages of the host-call service 2 (printf, fprintf): each work-item sends its message in pieces of up to
// seven words, with a descriptor in front. Sources: the ROCm device libraries (ockl, services.cl) and ROCm's
// CLR (rocclr, devhcmessages and devhcprintf).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/isa/hostcall_buffer.h"
#include "sim/isa/hostcall_format.h"

namespace wavetwin::isa {

class HostcallMessages {
 public:
  // One piece. With the last one the message is formatted and returned. `slot[0]` becomes the answer: the
  // descriptor for the next piece, or the number of bytes printed. Error for a descriptor or a message that
  // is none.
  std::optional<HostText> append(HostcallSlot& slot);

 private:
  static HostText format(const std::vector<uint64_t>& words);

  std::vector<std::optional<std::vector<uint64_t>>> messages_;  // by id; none: the id is free
};

}  // namespace wavetwin::isa
