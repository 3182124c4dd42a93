// SPDX-License-Identifier: MIT
// The text manifest of recorded results: one line an output or intermediate region of a case.
//
//   case region role dtype[shape] hash source evidence model generator inputs rN [nan=hash] [# reason]
//
// for example
//   gemv/wqkv-t6-model/1 y output F32[6,1536] 9f86... oracle inferred gfx950-default uniform.1.7 ab12... r1
//
// `rN` counts how often the line was changed; a line that was ever changed carries the reason of its last
// change.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "common/evidence.h"
#include "golden/io/hash.h"

namespace wavetwin::golden {

// Who says that these are the right bits, from the best to the weakest.
enum class Source : uint8_t { hardware, oracle, sim };

const char* to_string(Source source);
std::optional<Source> source_from(std::string_view text);

struct ManifestEntry {
  std::string role;  // "output" or "intermediate"
  DType dtype = DType::U8;
  Shape shape;
  Hash128 hash;  // NaNs made canonical, unordered regions sorted, elements the kernel need not write zeroed
  Source source = Source::sim;
  Evidence evidence = Evidence::unknown;
  std::string model;      // numeric model and changed options, without spaces
  std::string generator;  // name.version.seed
  Hash128 inputs;         // hash_tensors of the inputs
  uint32_t revision = 1;
  std::optional<Hash128> nan_bits;  // hash of the raw bits, when the region holds a NaN
  std::string reason;               // of the last change

  bool operator==(const ManifestEntry&) const = default;
};

// Throws Error when `next` may not replace `previous`: a weaker source, or no reason for a change. Returns
// what is to be stored: `previous` itself when nothing changed, else `next` with the revision counted up and
// the reason. `where` names the line in errors.
ManifestEntry replace_entry(const std::string& where, const ManifestEntry& previous, ManifestEntry next,
                            const std::string& reason);

class Manifest {
 public:
  using Key = std::pair<std::string, std::string>;  // case, region

  // A file that does not exist is an empty manifest. Throws FileError naming the line.
  static Manifest load(const std::filesystem::path& path);
  static Manifest parse(const std::string& file, const std::string& text);

  const std::map<Key, ManifestEntry>& entries() const { return entries_; }
  const ManifestEntry* find(const std::string& case_name, const std::string& region) const;
  // Adds a line, or changes one by the rules of replace_entry.
  enum class Change : uint8_t { added, changed, kept };
  Change record(const std::string& case_name, const std::string& region, const ManifestEntry& entry,
                const std::string& reason);

  std::string text() const;
  // Writes atomically, unless the file already has this text.
  void save(const std::filesystem::path& path) const;

 private:
  std::map<Key, ManifestEntry> entries_;
};

}  // namespace wavetwin::golden
