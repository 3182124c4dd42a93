// SPDX-License-Identifier: MIT
// Posting, publishing and polling between 256 workgroups; twin of sim/kernels/mailbox_words.cpp.
#include "common/kernels/mailbox_words.h"
#include "hip/device/sync.h"

namespace wavetwin {

WAVETWIN_INLINE uint32_t value_of(uint32_t bid, uint32_t t) { return bid << 16 | t << 4; }

// Posts single pairs, then reads the next workgroup's, starting from the thread's own index.
WAVETWIN_INLINE void exchange_singles(const Wave& wave, const Mailbox& mail, Rsrc region, uint32_t width,
                                      uint32_t (&words)[kMailboxWords]) {
  const uint32_t t = wave.thread_id();
  const uint32_t bid = wave.workgroup_id();
  mail.put(region, mailbox_part(bid, width) + t, value_of(bid, t));
  const uint32_t part = mailbox_part((bid + 1) % kBlocks, width);
  PollSpec specs[kMailboxSingles];
#pragma unroll
  for (uint32_t i = 0; i < kMailboxSingles; ++i) specs[i] = {region, part + (t + i) % width};
  uint32_t single[kMailboxSingles];
  mail.poll<1>(specs, single);
#pragma unroll
  for (uint32_t i = 0; i < kMailboxSingles; ++i) words[i] = single[i];
}

// The same with raw words and bf16 elements, two pairs a store.
WAVETWIN_INLINE void exchange_doubles(const Wave& wave, const Mailbox& mail, Rsrc region, uint32_t width,
                                      uint32_t (&words)[kMailboxWords]) {
  const uint32_t t = wave.thread_id();
  const uint32_t bid = wave.workgroup_id();
  const uint32_t own = mailbox_part(bid, width);
  const uint32_t value = value_of(bid, t);
  const float base = static_cast<float>(t);
  mail.put_words(region, own + mailbox_words_at(width) + 2 * t, U32x2{value + 1, value + 2});
  mail.put_bf(region, 2 * (own + mailbox_bf_at(width) + 2 * t), base, base + 1.0f, base + 2.0f, base + 3.0f);
  const uint32_t part = mailbox_part((bid + 1) % kBlocks, width);
  PollSpec specs[2 * kMailboxDoubles];
#pragma unroll
  for (uint32_t i = 0; i < kMailboxDoubles; ++i) {
    specs[2 * i] = {region, part + mailbox_words_at(width) + 2 * ((t + i) % width)};
    specs[2 * i + 1] = {region, part + mailbox_bf_at(width) + 2 * ((t + i) % width)};
  }
  U32x2 pair[2 * kMailboxDoubles];
  mail.poll<2>(specs, pair);
#pragma unroll
  for (uint32_t i = 0; i < 2 * kMailboxDoubles; ++i) {
    words[kMailboxSingles + 2 * i] = pair[i][0];
    words[kMailboxSingles + 2 * i + 1] = pair[i][1];
  }
}

WAVETWIN_INLINE void report(const Wave& wave, const MailboxArgs& args,
                            const uint32_t (&words)[kMailboxWords]) {
  const uint32_t t = wave.thread_id();
  uint32_t* digest = pointer(args.digest) + wave.workgroup_id() * kMailboxWidth + t;
  uint32_t sum = *digest;
#pragma unroll
  for (uint32_t i = 0; i < kMailboxWords; ++i) {
    pointer(args.seen)[(wave.workgroup_id() * kMailboxWords + i) * kMailboxWidth + t] = words[i];
    sum += words[i] * (2 * i + 1);
  }
  *digest = sum;
}

extern "C" WAVETWIN_KERNEL void primitives_mailbox(MailboxArgs args) __asm__(
    "_ZN5aiter18primitives_mailboxE");
extern "C" WAVETWIN_KERNEL void primitives_mailbox(MailboxArgs args) {
  const Wave wave = this_wave();
  const uint32_t bid = wave.workgroup_id();
  const bool in = wave.thread_id() < args.width;
  const Rsrc region = rsrc(pointer(args.region));
  const Rsrc flags = rsrc(pointer(args.flags));
  const Rsrc epoch = rsrc(pointer(args.epoch));
  const uint32_t ep = uniform(epoch_now(epoch));
  const Mailbox mail{ep * 64 + args.layer + 1};
  stamp<kMailboxPoints>(wave, args.tl.address, 0);
  epoch_begin(wave, epoch, ep);
  uint32_t words[kMailboxWords];
  if (in) {
    exchange_singles(wave, mail, region, args.width, words);
    exchange_doubles(wave, mail, region, args.width, words);
  }
  stamp<kMailboxPoints>(wave, args.tl.address, 1);
  publish(wave, mail, flags, bid);
  await_flags(wave, mail, flags, kMailboxNeighbours, [&](uint32_t u) { return (bid + u + 1) % kBlocks; });
  stamp<kMailboxPoints>(wave, args.tl.address, 2);
  if (in) {
    const uint32_t part = mailbox_part((bid + kMailboxNeighbours) % kBlocks, args.width);
    words[kMailboxPolled] = buffer_load_b32(region, kPairBytes * (part + wave.thread_id()));
    report(wave, args, words);
  }
  stamp<kMailboxPoints>(wave, args.tl.address, 3);
  epoch_end(wave, epoch, ep, [] {});
}

}  // namespace wavetwin
