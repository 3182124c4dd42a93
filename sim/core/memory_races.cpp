// SPDX-License-Identifier: MIT
#include "sim/core/memory_races.h"

#include <fmt/format.h>

#include <bit>
#include <unordered_map>

#include "sim/core/access_log.h"

namespace wavetwin {

namespace {

struct Visit {
  const Workgroup* workgroup;
  const AccessLog::Page* page;
};

// "stored to" / "touched" for the two workgroups that meet at one byte: a writer, and another one.
void report(const GlobalMemory& memory, const std::vector<Visit>& visits, unsigned word, unsigned bit,
            unsigned bytes, uint64_t round, FindingLog& findings) {
  if (!findings.count(FindingKind::memory_race)) return;
  const Visit* writer = nullptr;
  const Visit* other = nullptr;
  for (const Visit& v : visits) {
    if (writer == nullptr && ((v.page->stored[word] >> bit) & 1)) writer = &v;
  }
  for (const Visit& v : visits) {
    if (other == nullptr && &v != writer && ((v.page->touched[word] >> bit) & 1)) other = &v;
  }
  const uint64_t address = (writer->page->key << AccessLog::kPageBits) + word * 64 + bit;
  const char* verb = ((other->page->stored[word] >> bit) & 1) ? "stored to them too" : "accessed them";
  Finding f{FindingKind::memory_race, round, writer->workgroup->id(), 0, 0, address, {}, {}};
  const Region* region = memory.find(address);
  const auto last = region == nullptr ? std::nullopt : region->last_writer(address);
  if (last && last->workgroup == f.workgroup && last->wave < writer->workgroup->waves()) f.wave = last->wave;
  f.where = writer->workgroup->wave(f.wave).where();  // where its turn ended
  f.text = fmt::format("a plain store to {} bytes at {} ({:#x}) in the round in which workgroup {} {}", bytes,
                       memory.describe(address), address, other->workgroup->name(), verb);
  findings.add(std::move(f));
}

void check_page(const GlobalMemory& memory, const std::vector<Visit>& visits, uint64_t round,
                FindingLog& findings) {
  for (unsigned word = 0; word < AccessLog::kPageWords; ++word) {
    uint64_t once = 0, twice = 0, stored = 0;
    for (const Visit& v : visits) {
      twice |= once & v.page->touched[word];
      once |= v.page->touched[word];
      stored |= v.page->stored[word];
    }
    for (uint64_t conflict = twice & stored; conflict != 0;) {
      const unsigned bit = static_cast<unsigned>(std::countr_zero(conflict));
      const unsigned bytes = static_cast<unsigned>(std::countr_one(conflict >> bit));
      report(memory, visits, word, bit, bytes, round, findings);
      conflict &= bit + bytes == 64 ? 0 : ~uint64_t{0} << (bit + bytes);
    }
  }
}

}  // namespace

void find_memory_races(const GlobalMemory& memory, const std::vector<Workgroup*>& workgroups, uint64_t round,
                       FindingLog& findings) {
  std::unordered_map<uint64_t, size_t> stored_pages;  // key -> index into `visits`
  std::vector<std::vector<Visit>> visits;             // by first store, in workgroup order
  for (Workgroup* wg : workgroups) {
    const AccessLog& log = wg->memory().accesses();
    if (!log.has_stores()) continue;
    for (const AccessLog::Page& page : log.pages()) {
      bool stored = false;
      for (const uint64_t bits : page.stored) stored |= bits != 0;
      if (stored && stored_pages.emplace(page.key, visits.size()).second) visits.emplace_back();
    }
  }
  if (stored_pages.empty()) return;
  for (Workgroup* wg : workgroups) {
    for (const AccessLog::Page& page : wg->memory().accesses().pages()) {
      const auto at = stored_pages.find(page.key);
      if (at != stored_pages.end()) visits[at->second].push_back({wg, &page});
    }
  }
  for (const std::vector<Visit>& page : visits) {
    if (page.size() > 1) check_page(memory, page, round, findings);
  }
}

}  // namespace wavetwin
