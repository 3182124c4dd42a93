// SPDX-License-Identifier: MIT
#include "golden/harness/goldens.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/io/file.h"
#include "sim/core/error.h"

namespace wavetwin::golden {

std::string kernel_of(const std::string& case_name) { return case_name.substr(0, case_name.find('/')); }

std::filesystem::path GoldenStore::manifest_path(const std::string& case_name) const {
  return directory_ / kernel_of(case_name) / "manifest.txt";
}

std::filesystem::path GoldenStore::tensor_path(const std::string& case_name) const {
  const std::string kernel = kernel_of(case_name);
  std::string rest = case_name.size() > kernel.size() ? case_name.substr(kernel.size() + 1) : "case";
  std::replace(rest.begin(), rest.end(), '/', '.');
  return directory_ / kernel / (rest + ".safetensors");
}

Manifest& GoldenStore::manifest(const std::string& case_name) {
  const std::string kernel = kernel_of(case_name);
  const auto found = manifests_.find(kernel);
  if (found != manifests_.end()) return found->second;
  return manifests_.emplace(kernel, Manifest::load(manifest_path(case_name))).first->second;
}

const ManifestEntry* GoldenStore::find(const std::string& case_name, const std::string& region) {
  return manifest(case_name).find(case_name, region);
}

std::optional<Tensor> GoldenStore::full_tensor(const std::string& case_name,
                                               const std::string& region) const {
  const auto path = tensor_path(case_name);
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return std::nullopt;
  return SafetensorsFile::open(path).read(region);
}

void GoldenStore::record(Recording recording, const std::string& reason, bool keep_tensors) {
  Manifest& lines = manifest(recording.case_name);
  bool news = false;
  for (const auto& [region, entry] : recording.entries) {
    try {
      const Manifest::Change change = lines.record(recording.case_name, region, entry, reason);
      news = news || change != Manifest::Change::kept;
      saved_.added += change == Manifest::Change::added;
      saved_.changed += change == Manifest::Change::changed;
      saved_.kept += change == Manifest::Change::kept;
    } catch (const Error& error) {
      throw FileError(manifest_path(recording.case_name).string(), error.what());
    }
  }
  std::error_code code;
  const bool missing = !std::filesystem::exists(tensor_path(recording.case_name), code);
  if (keep_tensors && (news || missing)) tensors_to_write_.push_back(std::move(recording));
}

GoldenStore::Saved GoldenStore::save() {
  uint64_t bytes = kept_bytes();
  for (const Recording& recording : tensors_to_write_) {
    std::error_code code;
    const auto path = tensor_path(recording.case_name);
    if (std::filesystem::exists(path, code)) bytes -= std::filesystem::file_size(path, code);
    for (const auto& [name, tensor] : recording.tensors) bytes += tensor.data.size();
  }
  if (bytes > kMaxKeptBytes) {
    throw FileError(directory_.string(),
                    fmt::format("the kept tensors would take {} bytes, more than {}: give fewer "
                                "cases the label 'full', or use --full DIR",
                                bytes, kMaxKeptBytes));
  }
  for (const Recording& recording : tensors_to_write_) write_tensors(recording);
  saved_.files = tensors_to_write_.size();
  tensors_to_write_.clear();
  for (const auto& [kernel, lines] : manifests_) lines.save(directory_ / kernel / "manifest.txt");
  return saved_;
}

void GoldenStore::write_tensors(const Recording& recording) const {
  const auto path = tensor_path(recording.case_name);
  make_directories(path.parent_path());
  if (std::error_code code; std::filesystem::exists(path, code)) {
    const auto existing = SafetensorsFile::open(path);
    const auto source = existing.metadata().find("source");
    const auto better = source == existing.metadata().end() ? std::nullopt : source_from(source->second);
    if (better && *better < recording.source) {
      if (existing.read_all() == recording.tensors) return;
      throw FileError(path.string(),
                      fmt::format("the tensors from the {} are better than the new ones from the {}, "
                                  "and they differ; they stay as they are",
                                  to_string(*better), to_string(recording.source)));
    }
  }
  write_safetensors(path, recording.tensors, recording.metadata);
}

uint64_t GoldenStore::kept_bytes() const {
  uint64_t bytes = 0;
  std::error_code code;
  for (std::filesystem::recursive_directory_iterator it(directory_, code), end; it != end;
       it.increment(code)) {
    if (it->path().extension() == ".safetensors") bytes += it->file_size(code);
  }
  return bytes;
}

}  // namespace wavetwin::golden
