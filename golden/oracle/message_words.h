// SPDX-License-Identifier: MIT
// What the memory and mailbox kernels must leave behind.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/kernels/mailbox_words.h"
#include "common/kernels/memory_words.h"

namespace wavetwin::oracle {

struct MemoryReference {
  std::vector<uint32_t> loaded, stored, copied, tickets;  // tickets: in any order
};
MemoryReference memory_words(std::span<const uint32_t> source);

// After launches with these widths, one epoch each from epoch 0.
struct MailboxReference {
  std::vector<uint32_t> seen, digest, flags, epoch;
};
MailboxReference mailbox_words(std::span<const uint32_t> widths, uint32_t layer);

}  // namespace wavetwin::oracle
