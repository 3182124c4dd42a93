// SPDX-License-Identifier: MIT
#include "golden/harness/simulated_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// Calls f(begin, end) for every run of equal flags that are 1.
template <class F>
void for_each_run(const std::vector<uint8_t>& flags, F f) {
  auto at = flags.begin();
  while (true) {
    const auto begin = std::find(at, flags.end(), 1);
    if (begin == flags.end()) return;
    at = std::find(begin, flags.end(), 0);
    f(static_cast<uint64_t>(begin - flags.begin()), static_cast<uint64_t>(at - flags.begin()));
  }
}

}  // namespace

SimulatedMemory::SimulatedMemory(const std::vector<BufferImage>& images) {
  for (const BufferImage& image : images) {
    BufferOptions options;
    options.access = image.read_only ? BufferAccess::read_only : BufferAccess::read_write;
    // An empty buffer still has an address of its own.
    const uint64_t bytes = std::max<uint64_t>(image.spec->bytes, 1);
    const uint64_t base = memory_.allocate(image.spec->name, bytes, options);
    addresses_.emplace_back(image.spec->name, base);
    if (image.spec->sparse) {
      for (const BufferPiece& piece : image.spec->initial) {
        memory_.write(base + piece.offset, piece.data.data(), piece.data.size());
      }
    }
    for_each_run(image.initialised, [&](uint64_t begin, uint64_t end) {
      memory_.write(base + begin, image.bytes.data() + begin, end - begin);
    });
  }
}

uint64_t SimulatedMemory::of(std::string_view buffer) const {
  for (const auto& [name, address] : addresses_) {
    if (name == buffer) return address;
  }
  throw Error(fmt::format("the program has no buffer '{}'", buffer));
}

void SimulatedMemory::read_back(std::vector<BufferImage>& images) const {
  for (size_t i = 0; i < images.size(); ++i) {
    BufferImage& image = images[i];
    if (image.bytes.empty()) continue;
    const uint64_t base = addresses_[i].second;
    const auto untouched =
        memory_.never_written(base, image.bytes.size(), std::numeric_limits<size_t>::max());
    image.written.assign(image.bytes.size(), 1);
    std::vector<std::byte> now(image.bytes.size());
    memory_.read(base, now.data(), now.size());
    for (const auto& range : untouched) {
      const auto begin = static_cast<ptrdiff_t>(range.address - base),
                 end = begin + static_cast<ptrdiff_t>(range.bytes);
      std::fill(image.written.begin() + begin, image.written.begin() + end, 0);
      std::copy(image.bytes.begin() + begin, image.bytes.begin() + end, now.begin() + begin);
    }
    image.bytes = std::move(now);
  }
}

wavetwin::Launch machine_launch(const Launch& launch) {
  wavetwin::Launch machine;
  machine.kernel = launch.symbol;
  machine.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
  machine.block = {launch.block[0], launch.block[1], launch.block[2]};
  machine.lds_bytes = launch.static_lds_bytes + launch.dynamic_lds_bytes;
  return machine;
}

DispatchOptions dispatch_options(const RunOptions& options) {
  DispatchOptions dispatch;
  dispatch.threads = static_cast<unsigned>(std::max(options.threads, 0));
  dispatch.schedule_seed = options.schedule_seed;
  dispatch.max_idle_rounds = static_cast<uint32_t>(
      std::min<uint64_t>(options.max_idle_rounds, std::numeric_limits<uint32_t>::max()));
  if (options.resident) {
    dispatch.resident = *options.resident == 0 ? kResidentAll : static_cast<uint32_t>(*options.resident);
  }
  return dispatch;
}

void append_findings(const FindingLog& log, FindingKinds allow, std::vector<std::string>& findings,
                     FindingCounts& allowed) {
  uint64_t told = 0, total = 0;
  for (const Finding& finding : log.kept()) {
    if (allow[static_cast<size_t>(finding.kind)]) continue;
    findings.push_back(finding.line());
    ++told;
  }
  for (size_t kind = 0; kind < kFindingKinds; ++kind) {
    const uint64_t count = log.total(static_cast<FindingKind>(kind));
    (allow[kind] ? allowed[kind] : total) += count;
  }
  if (total > told) findings.push_back(fmt::format("{} more findings", total - told));
}

std::string allowed_text(const FindingCounts& allowed) {
  std::string text;
  for (size_t kind = 0; kind < kFindingKinds; ++kind) {
    if (allowed[kind] == 0) continue;
    text += fmt::format("{}{} x {}", text.empty() ? "allowed: " : ", ", allowed[kind],
                        finding_name(static_cast<FindingKind>(kind)));
  }
  return text;
}

}  // namespace wavetwin::golden
