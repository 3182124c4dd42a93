// SPDX-License-Identifier: MIT
#include "golden/io/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "golden/io/file.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

constexpr const char* kHeader =
    "# Recorded results; written by `wavetwin record`. Fields of a line:\n"
    "# case region role dtype[shape] hash source evidence model generator inputs-hash revision [nan=hash] [# "
    "reason]\n";

constexpr std::array kSources = {"hardware", "oracle", "sim"};
constexpr std::array kLevels = {Evidence::specified, Evidence::measured, Evidence::inferred,
                                Evidence::unknown};

template <class T>
T number(std::string_view text, const char* what) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(fmt::format("bad {} '{}'", what, text));
  return value;
}

Hash128 hash_field(const std::string& text) {
  const auto hash = hash_from(text);
  if (!hash) throw Error("bad hash '" + text + "'");
  return *hash;
}

Source source_field(const std::string& text) {
  const auto source = source_from(text);
  if (!source) throw Error("unknown source '" + text + "'");
  return *source;
}

Evidence evidence_field(const std::string& text) {
  for (const Evidence level : kLevels) {
    if (text == wavetwin::to_string(level)) return level;
  }
  throw Error("unknown evidence level '" + text + "'");
}

// "F32[6,1536]"
void type_field(const std::string& text, ManifestEntry& entry) {
  const size_t bracket = text.find('[');
  if (bracket == std::string::npos || text.back() != ']') throw Error("bad type '" + text + "'");
  const auto dtype = dtype_from(text.substr(0, bracket));
  if (!dtype) throw Error("unknown dtype in '" + text + "'");
  entry.dtype = *dtype;
  std::istringstream extents(text.substr(bracket + 1, text.size() - bracket - 2));
  for (std::string extent; std::getline(extents, extent, ',');) {
    entry.shape.push_back(number<uint64_t>(extent, "extent"));
  }
}

void tail_field(const std::string& text, ManifestEntry& entry) {
  if (!text.starts_with("nan=")) throw Error("unknown field '" + text + "'");
  entry.nan_bits = hash_field(text.substr(4));
}

std::pair<Manifest::Key, ManifestEntry> parse_line(const std::string& line) {
  const size_t hash_sign = line.find(" # ");
  std::istringstream in(line.substr(0, hash_sign));
  ManifestEntry entry;
  Manifest::Key key;
  std::string type, hash, source, evidence, inputs, revision;
  if (!(in >> key.first >> key.second >> entry.role >> type >> hash >> source >> evidence >> entry.model >>
        entry.generator >> inputs >> revision)) {
    throw Error("a line needs eleven fields");
  }
  if (entry.role != "output" && entry.role != "intermediate")
    throw Error("unknown role '" + entry.role + "'");
  type_field(type, entry);
  entry.hash = hash_field(hash);
  entry.source = source_field(source);
  entry.evidence = evidence_field(evidence);
  entry.inputs = hash_field(inputs);
  if (revision.front() != 'r') throw Error("bad revision '" + revision + "'");
  entry.revision = number<uint32_t>(std::string_view(revision).substr(1), "revision");
  for (std::string field; in >> field;) tail_field(field, entry);
  if (hash_sign != std::string::npos) entry.reason = line.substr(hash_sign + 3);
  if (entry.revision > 1 && entry.reason.empty())
    throw Error("a changed line needs its reason (' # why' at its end)");
  return {key, entry};
}

std::string format_line(const Manifest::Key& key, const ManifestEntry& e) {
  std::string line =
      fmt::format("{} {} {} {}{} {} {} {} {} {} {} r{}", key.first, key.second, e.role, to_string(e.dtype),
                  to_string(e.shape), to_string(e.hash), to_string(e.source), wavetwin::to_string(e.evidence),
                  e.model, e.generator, to_string(e.inputs), e.revision);
  if (e.nan_bits) line += " nan=" + to_string(*e.nan_bits);
  if (!e.reason.empty()) line += " # " + e.reason;
  return line + "\n";
}

}  // namespace

const char* to_string(Source source) { return kSources[static_cast<size_t>(source)]; }

std::optional<Source> source_from(std::string_view text) {
  const auto found = std::find(kSources.begin(), kSources.end(), text);
  if (found == kSources.end()) return std::nullopt;
  return static_cast<Source>(found - kSources.begin());
}

ManifestEntry replace_entry(const std::string& where, const ManifestEntry& previous, ManifestEntry next,
                            const std::string& reason) {
  next.revision = previous.revision;
  next.reason = previous.reason;
  const bool same_bits = next.hash == previous.hash && next.inputs == previous.inputs;
  if (next.source > previous.source) {
    if (same_bits) return previous;
    throw Error(
        fmt::format("{}: the golden from the {} is better than the new one from the {}, and they differ; it "
                    "stays as it is",
                    where, to_string(previous.source), to_string(next.source)));
  }
  if (next == previous) return previous;
  if (reason.find_first_not_of(" \t") == std::string::npos) {
    throw Error(fmt::format(
        "{}: the golden would change ({} {} to {} {}); give --reason TEXT if that is right", where,
        to_string(previous.source), to_string(previous.hash), to_string(next.source), to_string(next.hash)));
  }
  ++next.revision;
  next.reason = reason;
  std::replace(next.reason.begin(), next.reason.end(), '\n', ' ');
  return next;
}

Manifest Manifest::parse(const std::string& file, const std::string& text) {
  Manifest manifest;
  std::istringstream in(text);
  uint64_t number_of_line = 0;
  for (std::string line; std::getline(in, line);) {
    ++number_of_line;
    if (line.empty() || line.front() == '#') continue;
    try {
      auto [key, entry] = parse_line(line);
      if (!manifest.entries_.emplace(key, std::move(entry)).second) {
        throw Error(fmt::format("{} {} occurs twice", key.first, key.second));
      }
    } catch (const Error& error) {
      throw FileError(file, fmt::format("line {}: {}", number_of_line, error.what()));
    }
  }
  return manifest;
}

Manifest Manifest::load(const std::filesystem::path& path) {
  std::error_code code;
  const bool exists = std::filesystem::exists(path, code);
  if (code) throw FileError(path.string(), "cannot read: " + code.message());
  if (!exists) return {};
  return parse(path.string(), read_text(path));
}

const ManifestEntry* Manifest::find(const std::string& case_name, const std::string& region) const {
  const auto found = entries_.find({case_name, region});
  return found == entries_.end() ? nullptr : &found->second;
}

Manifest::Change Manifest::record(const std::string& case_name, const std::string& region,
                                  const ManifestEntry& entry, const std::string& reason) {
  const auto [place, added] = entries_.emplace(Key{case_name, region}, entry);
  if (added) return Change::added;
  const ManifestEntry next = replace_entry(case_name + " " + region, place->second, entry, reason);
  const bool kept = next == place->second;
  place->second = next;
  return kept ? Change::kept : Change::changed;
}

std::string Manifest::text() const {
  std::string text = kHeader;
  for (const auto& [key, entry] : entries_) text += format_line(key, entry);
  return text;
}

void Manifest::save(const std::filesystem::path& path) const {
  const std::string next = text();
  std::error_code code;
  if (std::filesystem::exists(path, code) && read_text(path) == next) return;
  make_directories(path.parent_path());
  write_atomically(path, [&](std::ostream& out) { out << next; });
}

}  // namespace wavetwin::golden
