// SPDX-License-Identifier: MIT
// Recorded results on disk: a manifest a kernel, and full tensors of some cases.
//
//   <dir>/<kernel>/manifest.txt                     a line a region (golden/io/manifest.h)
//   <dir>/<kernel>/<shape>.<seed>.safetensors       all regions of one case, with provenance in __metadata__
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "golden/harness/case.h"
#include "golden/io/manifest.h"
#include "golden/io/safetensors.h"

namespace wavetwin::golden {

// Full tensors kept beside the manifests stay within this.
inline constexpr uint64_t kMaxKeptBytes = 4ull << 20;

// One run that may become a golden.
struct Recording {
  std::string case_name;
  std::map<std::string, ManifestEntry> entries;  // by region
  Tensors tensors;                               // by region
  Source source = Source::sim;                   // the weakest of the entries
  Metadata metadata;                             // provenance for the safetensors file
};

class GoldenStore {
 public:
  explicit GoldenStore(std::filesystem::path directory) : directory_(std::move(directory)) {}

  const std::filesystem::path& directory() const { return directory_; }

  // Throws FileError for a broken manifest or file.
  const ManifestEntry* find(const std::string& case_name, const std::string& region);
  std::optional<Tensor> full_tensor(const std::string& case_name, const std::string& region) const;

  // Takes a recording by the rules of Manifest::record, in memory; `save` writes. `keep_tensors`: its tensors
  // too, when a line is new or changed or their file is missing. Throws FileError naming the manifest, case
  // and region when a better source is there, or when a line changes without a reason.
  void record(Recording recording, const std::string& reason, bool keep_tensors);

  struct Saved {
    uint64_t added = 0, changed = 0, kept = 0;  // manifest lines
    uint64_t files = 0;                         // tensor files written
  };
  // Tensor files first, then the manifests. Throws FileError, before writing anything, when the tensors would
  // take more than kMaxKeptBytes.
  Saved save();

  std::filesystem::path manifest_path(const std::string& case_name) const;
  std::filesystem::path tensor_path(const std::string& case_name) const;
  // Writes the full tensors of a case below this directory. Throws FileError when a file with other tensors
  // from a better source is there.
  void write_tensors(const Recording& recording) const;
  // Bytes of all full tensors below this directory.
  uint64_t kept_bytes() const;

 private:
  Manifest& manifest(const std::string& case_name);

  std::filesystem::path directory_;
  std::map<std::string, Manifest> manifests_;  // by kernel
  std::vector<Recording> tensors_to_write_;
  Saved saved_;
};

// "gemv" of "gemv/wqkv-t6/1".
std::string kernel_of(const std::string& case_name);

}  // namespace wavetwin::golden
