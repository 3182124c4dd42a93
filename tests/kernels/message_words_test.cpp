// SPDX-License-Identifier: MIT
// What the mailbox words promise beyond the cases: stale tags, missing publishers, any schedule.
#include "golden/oracle/message_words.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/core/dispatch.h"
#include "sim/kernels/device_sync.h"
#include "sim/kernels/mailbox_words.h"

namespace wavetwin {
namespace {

constexpr uint32_t kLayer = 7;

struct Machine {
  GlobalMemory memory;
  MailboxArgs args{};

  explicit Machine(uint32_t width) {
    args.region = zeroed("region", kBlocks * 5 * kMailboxWidth * 2);
    args.flags = zeroed("flags", kBlocks * 2);
    args.epoch = zeroed("epoch", kEpochWords);
    args.seen = zeroed("seen", kBlocks * kMailboxWords * kMailboxWidth);
    args.digest = zeroed("digest", kBlocks * kMailboxWidth);
    args.width = width;
    args.layer = kLayer;
    memory.name_range("flags", args.flags.address, kBlocks * kPairBytes, kPairBytes);
    memory.name_range("region", args.region.address, kBlocks * 5 * kMailboxWidth * kPairBytes, kPairBytes);
  }

  DevicePtr<uint32_t> zeroed(const std::string& name, uint64_t words) {
    const auto array = memory.allocate_array<uint32_t>(name, words);
    const std::vector<uint32_t> zeros(words);
    memory.write(array.address, zeros.data(), 4 * words);
    return array;
  }
  std::vector<uint32_t> read(DevicePtr<uint32_t> array, uint64_t words) const {
    std::vector<uint32_t> out(words);
    memory.read(array.address, out.data(), 4 * words);
    return out;
  }
};

Launch persistent(const char* kernel) {
  Launch launch;
  launch.kernel = kernel;
  launch.grid = {kBlocks, 1, 1};
  launch.block = {kThreads, 1, 1};
  return launch;
}

void check_seed(uint64_t seed) {
  Machine machine(16);
  DispatchOptions options;
  options.schedule_seed = seed;
  const DispatchReport report =
      launch_kernel(machine.memory, persistent("mailbox"), primitives_mailbox, machine.args, options);
  const uint32_t widths[] = {16};
  const auto want = oracle::mailbox_words(widths, kLayer);
  CHECK_MESSAGE(machine.read(machine.args.digest, want.digest.size()) == want.digest, "schedule seed ", seed);
  CHECK_MESSAGE(machine.read(machine.args.flags, want.flags.size()) == want.flags, "schedule seed ", seed);
  CHECK_MESSAGE(report.findings.total() == 0, "schedule seed ", seed);
}

TEST_CASE("mailbox: any order of waves and any delay of entries gives the same words") {
  for (uint64_t seed = 1; seed <= 10; ++seed) check_seed(seed);
}

TEST_SUITE("slow") {
  TEST_CASE("mailbox: 1,000 schedules give the same words") {
    for (uint64_t seed = 1; seed <= 1000; ++seed) check_seed(seed);
  }
}

struct FlagArgs {
  DevicePtr<uint32_t> flags;
  uint32_t tag;
  uint32_t silent;  // this workgroup forgets to publish
};

WaveTask publish_and_await(Wave& wave, FlagArgs args) {
  const Mailbox mail{args.tag};
  const BufferView flags = rsrc(args.flags, kAllRecords);
  wave.stage("split: publish srdy");
  if (wave.workgroup_id() != args.silent) co_await publish(wave, mail, flags, wave.workgroup_id());
  wave.stage("combine: await srdy");
  co_await await_flags(wave, mail, flags, 1, LaneU32((wave.workgroup_id() + 1) % 4));
}

std::string no_progress_report(uint32_t first_tag, uint32_t tag) {
  Machine machine(1);
  machine.memory.clear_names();
  machine.memory.name_range("srdy", machine.args.flags.address, kBlocks * kPairBytes, kPairBytes);
  Launch launch = persistent("split_combine");
  launch.grid = {4, 1, 1};
  constexpr uint32_t kNobody = 99;
  if (first_tag != 0) {
    launch_kernel(machine.memory, launch, publish_and_await,
                  FlagArgs{machine.args.flags, first_tag, kNobody});
  }
  try {
    launch_kernel(machine.memory, launch, publish_and_await, FlagArgs{machine.args.flags, tag, 2});
  } catch (const NoProgressError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("mailbox: a missing publish is reported by region, pair, tag wanted and tag found") {
  const std::string report = no_progress_report(0, 72);
  INFO(report);
  CHECK(report.find("combine: await srdy") != std::string::npos);
  CHECK(report.find("srdy[2]") != std::string::npos);  // workgroup 1 waits for workgroup 2
  CHECK(report.find("to be 0x00000048, holds 0x00000000") != std::string::npos);  // the tag 72
}

TEST_CASE("mailbox: a stale tag never matches, and the report names who wrote it") {
  const std::string report = no_progress_report(8, 72);
  INFO(report);
  CHECK(report.find("srdy[2]") != std::string::npos);
  CHECK(report.find("holds 0x00000008") != std::string::npos);
  CHECK(report.find("to be 0x00000048") != std::string::npos);
  CHECK(report.find("workgroup 2") != std::string::npos);  // the last writer
}

}  // namespace
}  // namespace wavetwin
