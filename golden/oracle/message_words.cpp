// SPDX-License-Identifier: MIT
#include "golden/oracle/message_words.h"

#include <cstring>

namespace wavetwin::oracle {
namespace {

// The bf16 of a whole number below 256, which is exact.
uint32_t bf16(uint32_t number) {
  const float value = static_cast<float>(number);
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits >> 16;
}

// Word i that thread t of workgroup b reads back from its neighbour, all posting `width` wide.
uint32_t read_back(uint32_t b, uint32_t t, uint32_t i, uint32_t width) {
  if (i == 26) return (b + 8) % 256 * 65536 + t * 16;  // the plain load, from the farthest neighbour awaited
  const uint32_t neighbour = (b + 1) % 256;
  const uint32_t spec = i < 14 ? i : (i - 14) / 4;
  const uint32_t poster = (t + spec) % width;
  const uint32_t value = neighbour * 65536 + poster * 16;
  if (i < 14) return value;
  switch ((i - 14) % 4) {
    case 0:
      return value + 1;
    case 1:
      return value + 2;
    case 2:
      return bf16(poster) + bf16(poster + 1) * 65536;
    default:
      return bf16(poster + 2) + bf16(poster + 3) * 65536;
  }
}

}  // namespace

MemoryReference memory_words(std::span<const uint32_t> source) {
  MemoryReference reference;
  const auto half = [&](uint32_t i) { return source[i / 2] >> (i % 2 * 16) & 0xFFFF; };
  reference.loaded.resize(size_t{kMemoryLoads} * kThreads);
  reference.stored.resize(kMemoryStored);
  for (uint32_t t = 0; t < kThreads; ++t) {
    const uint32_t words[kMemoryLoads] = {
        source[t],         source[t],          half(t) << 16,     source[2 * t],
        source[2 * t + 1], source[t],          source[2 * t],     source[2 * t + 1],
        source[4 * t],     source[4 * t + 1],  source[4 * t + 2], source[4 * t + 3],
        source[t],         0 /* masked off */, source[t],         source[t]};
    for (uint32_t i = 0; i < kMemoryLoads; ++i) reference.loaded[i * kThreads + t] = words[i];
    reference.stored[t] = t + 1;
    for (uint32_t i = 0; i < 2; ++i) reference.stored[512 + 2 * t + i] = t + 2 + i;
    for (uint32_t i = 0; i < 4; ++i) reference.stored[1536 + 4 * t + i] = t + 4 + i;
    reference.stored[3584 + t] = t + 8;
    reference.stored[4096 + t] = t + 9;
    reference.tickets.push_back(t);
  }
  reference.copied.assign(source.begin(), source.begin() + kMemoryCopied);
  return reference;
}

MailboxReference mailbox_words(std::span<const uint32_t> widths, uint32_t layer) {
  MailboxReference reference;
  reference.seen.resize(256 * size_t{kMailboxWords} * 64);
  reference.digest.resize(256 * 64);
  for (const uint32_t width : widths) {
    for (uint32_t b = 0; b < 256; ++b) {
      for (uint32_t t = 0; t < width; ++t) {
        for (uint32_t i = 0; i < kMailboxWords; ++i) {
          const uint32_t word = read_back(b, t, i, width);
          reference.seen[(b * kMailboxWords + i) * 64 + t] = word;
          reference.digest[b * 64 + t] += word * (2 * i + 1);
        }
      }
    }
  }
  const auto launches = static_cast<uint32_t>(widths.size());
  for (uint32_t b = 0; b < 256; ++b) {
    reference.flags.push_back(1);
    reference.flags.push_back((launches - 1) * 64 + layer + 1);
  }
  reference.epoch.assign(kEpochWords, 0);
  reference.epoch[0] = launches;
  for (uint32_t b = 0; b < 256; ++b) reference.epoch[4 + b] = launches;
  return reference;
}

}  // namespace wavetwin::oracle
