// SPDX-License-Identifier: MIT
#include "sim/core/no_progress.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace wavetwin {

namespace {

constexpr size_t kMaxLines = 64;   // groups of waves
constexpr size_t kMaxAwaited = 4;  // addresses of a group
constexpr size_t kMaxRanges = 8;   // "workgroup 3 waves 0-7" parts of a group

// The value of `bytes` at `address`, in hex; never-written memory says so.
std::string value_text(const GlobalMemory& memory, uint64_t address, uint32_t bytes) {
  const Region* region = memory.find(address);
  if (region == nullptr || !region->contains(address, bytes)) return "nothing (no buffer)";
  uint64_t value = 0;
  memory.read(address, &value, bytes);
  const char* note = region->unwritten_mask(address, bytes) != 0 ? " (never written)" : "";
  return fmt::format("{:#0{}x}{}", value, 2 + 2 * bytes, note);
}

std::string awaited_text(const GlobalMemory& memory, const AwaitedValue& awaited) {
  std::string text = fmt::format("{} at {:#x}", memory.describe(awaited.address), awaited.address);
  if (awaited.wanted) text += fmt::format(" to be {:#0{}x}", *awaited.wanted, 2 + 2 * awaited.bytes);
  return text + fmt::format(", holds {}, last writer: {}", value_text(memory, awaited.address, awaited.bytes),
                            memory.describe_last_writer(awaited.address));
}

const char* state_text(std::optional<WaitReason> reason) {
  if (!reason) return "ready";
  switch (*reason) {
    case WaitReason::barrier:
      return "at a barrier";
    case WaitReason::memory:
      return "waits for its own stores or atomics";
    case WaitReason::sleep:
      return "sleeps";
    case WaitReason::quantum:
      return "runs";
    case WaitReason::done:
      return "ended";
  }
  return "";
}

struct Place {
  std::string workgroup;
  uint32_t id, wave;
};

// Waves in one state. The key of the map that holds it is the text.
struct Group {
  std::vector<Place> places;
};

std::string wave_text(const GlobalMemory& memory, const Workgroup& wg, uint32_t w, bool* awaits_memory) {
  WaveStatus status;
  if (wg.created()) wg.wave(w).describe(status);
  std::string text = status.where;
  if (!text.empty()) text += ": ";
  const std::optional<WaitReason> reason = wg.wait_reason(w);
  *awaits_memory = !status.awaited.empty() && reason != WaitReason::barrier && reason != WaitReason::done;
  if (!*awaits_memory) return text + state_text(reason);
  text += "waits for ";
  std::vector<std::string> parts;
  uint64_t last = 0;
  size_t distinct = 0;
  for (const AwaitedValue& awaited : status.awaited) {
    if (distinct > 0 && awaited.address == last) continue;  // lanes that poll the same word
    last = awaited.address;
    if (++distinct <= kMaxAwaited) parts.push_back(awaited_text(memory, awaited));
  }
  text += fmt::format("{}", fmt::join(parts, "; and for "));
  if (distinct > kMaxAwaited) text += fmt::format("; and {} more addresses", distinct - kMaxAwaited);
  return text;
}

// "workgroup 3 waves 0-7, workgroup 4 wave 1".
std::string places_text(const std::vector<Place>& places) {
  std::vector<std::string> parts;
  size_t waves_left = 0;
  for (size_t i = 0; i < places.size();) {
    size_t last = i;
    while (last + 1 < places.size() && places[last + 1].id == places[i].id &&
           places[last + 1].wave == places[last].wave + 1) {
      ++last;
    }
    if (parts.size() == kMaxRanges) {
      waves_left += last - i + 1;
    } else if (last == i) {
      parts.push_back(fmt::format("workgroup {} wave {}", places[i].workgroup, places[i].wave));
    } else {
      parts.push_back(
          fmt::format("workgroup {} waves {}-{}", places[i].workgroup, places[i].wave, places[last].wave));
    }
    i = last + 1;
  }
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (waves_left != 0) text += fmt::format(" and {} more waves", waves_left);
  return text;
}

}  // namespace

std::string no_progress_report(const GlobalMemory& memory, const std::vector<Workgroup*>& workgroups,
                               const Stall& stall) {
  using Entry = std::pair<const std::string, Group>;
  std::map<std::string, Group> groups;
  std::vector<Entry*> order, others;  // those that await memory come first
  for (const Workgroup* wg : workgroups) {
    for (uint32_t w = 0; w < wg->waves(); ++w) {
      if (wg->wait_reason(w) == WaitReason::done) continue;
      bool awaits_memory = false;
      const auto [at, is_new] = groups.try_emplace(wave_text(memory, *wg, w, &awaits_memory));
      if (is_new) (awaits_memory ? order : others).push_back(&*at);
      at->second.places.push_back({wg->name(), wg->id(), w});
    }
  }
  order.insert(order.end(), others.begin(), others.end());

  std::string text = fmt::format("kernel '{}': no progress in round {}: ", stall.kernel, stall.round);
  if (stall.proven) {
    text += "every wave that can move only polls, and no byte of memory changed";
  } else {
    text += fmt::format("no byte of memory changed, no barrier completed and no wave ended in {} rounds",
                        stall.idle_rounds);
  }
  if (stall.not_started != 0) {
    text += fmt::format("; {} workgroups wait for a place among the {} resident ones", stall.not_started,
                        stall.resident);
  }
  size_t lines = 0;
  size_t hidden_waves = 0;
  for (const Entry* group : order) {
    if (++lines > kMaxLines) {
      hidden_waves += group->second.places.size();
    } else {
      text += fmt::format("\n  {}: {}", places_text(group->second.places), group->first);
    }
  }
  if (hidden_waves != 0)
    text += fmt::format("\n  and {} more waves in {} other states", hidden_waves, lines - kMaxLines);
  return text;
}

}  // namespace wavetwin
