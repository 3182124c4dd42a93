// SPDX-License-Identifier: MIT
#include "sim/kernels/mailbox_words.h"

#include "sim/kernels/device_sync.h"

namespace wavetwin {
namespace {

struct MailboxRead {
  LaneU32 word[kMailboxWords];
};

void post(Wave& wave, const Mailbox& mail, BufferView region, uint32_t width, LaneMask in) {
  const LaneU32 t = wave.thread_id();
  const uint32_t part = mailbox_part(wave.workgroup_id(), width);
  const LaneU32 value = wave.workgroup_id() << 16 | t << 4;
  const LaneF32 base = convert<float>(t);
  mail.put(wave, region, part + t, value, in);
  mail.put_words(wave, region, part + mailbox_words_at(width) + 2 * t, Vgprs<2>{{value + 1, value + 2}}, in);
  mail.put_bf(wave, region, 2 * (part + mailbox_bf_at(width) + 2 * t), base, base + 1.0f, base + 2.0f,
              base + 3.0f, in);
}

// The next workgroup's pairs, starting from the thread's own index.
SubTask<MailboxRead> read_back(Wave& wave, Mailbox mail, BufferView region, uint32_t width, LaneMask in) {
  const LaneU32 t = wave.thread_id();
  const uint32_t part = mailbox_part((wave.workgroup_id() + 1) % kBlocks, width);
  PollSpecs<kMailboxSingles> singles;
  for (uint32_t i = 0; i < kMailboxSingles; ++i) singles.at[i] = {region, part + (t + i) % width};
  const Polled<1, kMailboxSingles> single = co_await poll<1>(wave, mail, singles, in);
  PollSpecs<2 * kMailboxDoubles> doubles;
  for (uint32_t i = 0; i < kMailboxDoubles; ++i) {
    doubles.at[2 * i] = {region, part + mailbox_words_at(width) + 2 * ((t + i) % width)};
    doubles.at[2 * i + 1] = {region, part + mailbox_bf_at(width) + 2 * ((t + i) % width)};
  }
  const Polled<2, 2 * kMailboxDoubles> pair = co_await poll<2>(wave, mail, doubles, in);
  MailboxRead read;
  for (uint32_t i = 0; i < kMailboxSingles; ++i) read.word[i] = single.at[i][0];
  for (uint32_t i = 0; i < 2 * kMailboxDoubles; ++i) {
    read.word[kMailboxSingles + 2 * i] = pair.at[i][0];
    read.word[kMailboxSingles + 2 * i + 1] = pair.at[i][1];
  }
  co_return read;
}

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
  if (in.any()) post(wave, mail, region, args.width, in);
  wave.stage("mailbox: publish");
  co_await publish(wave, mail, flags, bid);
  stamp<kMailboxPoints>(wave, args.tl.address, 1);
  wave.stage("mailbox: await_flags");
  co_await await_flags(wave, mail, flags, kMailboxNeighbours, (bid + wave.thread_id() + 1) % kBlocks);
  stamp<kMailboxPoints>(wave, args.tl.address, 2);
  if (in.any()) {
    wave.stage("mailbox: poll");
    const MailboxRead read = co_await read_back(wave, mail, region, args.width, in);
    report(wave, args, read, in);
  }
  stamp<kMailboxPoints>(wave, args.tl.address, 3);
  wave.stage("mailbox: epoch_end");
  co_await epoch_end(wave, epoch, ep);
}

}  // namespace wavetwin
