// SPDX-License-Identifier: MIT
#include "sim/kernels/mailbox_words.h"

#include "sim/kernels/device_sync.h"

namespace wavetwin {
namespace {

struct Singles {
  LaneU32 word[kMailboxSingles];
};
struct Doubles {
  LaneU32 word[4 * kMailboxDoubles];
};

LaneU32 value_of(uint32_t bid, const LaneU32& t) { return bid << 16 | t << 4; }

// Posts single pairs, then reads the next workgroup's, starting from the thread's own index.
SubTask<Singles> exchange_singles(Wave& wave, Mailbox mail, BufferView region, uint32_t width, LaneMask in) {
  const LaneU32 t = wave.thread_id();
  const uint32_t bid = wave.workgroup_id();
  mail.put(wave, region, mailbox_part(bid, width) + t, value_of(bid, t), in);
  const uint32_t part = mailbox_part((bid + 1) % kBlocks, width);
  PollSpecs<kMailboxSingles> specs;
  for (uint32_t i = 0; i < kMailboxSingles; ++i) specs.at[i] = {region, part + (t + i) % width};
  const Polled<1, kMailboxSingles> single = co_await poll<1>(wave, mail, specs, in);
  Singles read;
  for (uint32_t i = 0; i < kMailboxSingles; ++i) read.word[i] = single.at[i][0];
  co_return read;
}

// The same with raw words and bf16 elements, two pairs a store.
SubTask<Doubles> exchange_doubles(Wave& wave, Mailbox mail, BufferView region, uint32_t width, LaneMask in) {
  const LaneU32 t = wave.thread_id();
  const uint32_t bid = wave.workgroup_id();
  const uint32_t own = mailbox_part(bid, width);
  const LaneU32 value = value_of(bid, t);
  const LaneF32 base = convert<float>(t);
  mail.put_words(wave, region, own + mailbox_words_at(width) + 2 * t, Vgprs<2>{{value + 1, value + 2}}, in);
  mail.put_bf(wave, region, 2 * (own + mailbox_bf_at(width) + 2 * t), base, base + 1.0f, base + 2.0f,
              base + 3.0f, in);
  const uint32_t part = mailbox_part((bid + 1) % kBlocks, width);
  PollSpecs<2 * kMailboxDoubles> specs;
  for (uint32_t i = 0; i < kMailboxDoubles; ++i) {
    specs.at[2 * i] = {region, part + mailbox_words_at(width) + 2 * ((t + i) % width)};
    specs.at[2 * i + 1] = {region, part + mailbox_bf_at(width) + 2 * ((t + i) % width)};
  }
  const Polled<2, 2 * kMailboxDoubles> pair = co_await poll<2>(wave, mail, specs, in);
  Doubles read;
  for (uint32_t i = 0; i < 2 * kMailboxDoubles; ++i) {
    read.word[2 * i] = pair.at[i][0];
    read.word[2 * i + 1] = pair.at[i][1];
  }
  co_return read;
}

struct MailboxRead {
  LaneU32 word[kMailboxWords];
};

void report(Wave& wave, const MailboxArgs& args, const MailboxRead& read, LaneMask in) {
  const LaneU32 t = wave.thread_id();
  const LaneU32 digest = wave.workgroup_id() * kMailboxWidth + t;
  LaneU32 sum = wave.load_element(args.digest, digest, in);
  for (uint32_t i = 0; i < kMailboxWords; ++i) {
    const LaneU32 at = (wave.workgroup_id() * kMailboxWords + i) * kMailboxWidth + t;
    wave.store_element(args.seen, at, read.word[i], in);
    sum = sum + read.word[i] * (2 * i + 1);
  }
  wave.store_element(args.digest, digest, sum, in);
}

}  // namespace

WaveTask primitives_mailbox(Wave& wave, MailboxArgs args) {
  const uint32_t bid = wave.workgroup_id();
  const LaneMask in = wave.thread_id() < args.width;
  const BufferView region = rsrc(args.region, kAllRecords);
  const BufferView flags = rsrc(args.flags, kAllRecords);
  const BufferView epoch = rsrc(args.epoch, kAllRecords);
  wave.stage("mailbox: epoch_begin");
  const uint32_t ep = epoch_now(wave, epoch);
  const Mailbox mail{ep * 64 + args.layer + 1};
  stamp<kMailboxPoints>(wave, args.tl.address, 0);
  epoch_begin(wave, epoch, ep);
  MailboxRead read;
  if (in.any()) {
    wave.stage("mailbox: exchange single pairs");
    const Singles singles = co_await exchange_singles(wave, mail, region, args.width, in);
    wave.stage("mailbox: exchange double pairs");
    const Doubles doubles = co_await exchange_doubles(wave, mail, region, args.width, in);
    for (uint32_t i = 0; i < kMailboxSingles; ++i) read.word[i] = singles.word[i];
    for (uint32_t i = 0; i < 4 * kMailboxDoubles; ++i) read.word[kMailboxSingles + i] = doubles.word[i];
  }
  stamp<kMailboxPoints>(wave, args.tl.address, 1);
  wave.stage("mailbox: publish");
  co_await publish(wave, mail, flags, bid);
  wave.stage("mailbox: await_flags");
  co_await await_flags(wave, mail, flags, kMailboxNeighbours, (bid + wave.thread_id() + 1) % kBlocks);
  stamp<kMailboxPoints>(wave, args.tl.address, 2);
  if (in.any()) {
    const uint32_t part = mailbox_part((bid + kMailboxNeighbours) % kBlocks, args.width);
    read.word[kMailboxPolled] = wave.buffer_load(region, kPairBytes * (part + wave.thread_id()), in);
    report(wave, args, read, in);
  }
  stamp<kMailboxPoints>(wave, args.tl.address, 3);
  wave.stage("mailbox: epoch_end");
  co_await epoch_end(wave, epoch, ep);
}

}  // namespace wavetwin
