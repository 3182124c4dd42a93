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

void GoldenStore::record(const Recording& recording, const std::string& reason) {
  Manifest& lines = manifest(recording.case_name);
  for (const auto& [region, entry] : recording.entries) {
    try {
      lines.record(recording.case_name, region, entry, reason);
    } catch (const Error& error) {
      throw FileError(manifest_path(recording.case_name).string(), error.what());
    }
  }
}

void GoldenStore::save() {
  for (const auto& [kernel, lines] : manifests_) lines.save(manifest_path(kernel));
}

void GoldenStore::write_tensors(const Recording& recording) const {
  const auto path = tensor_path(recording.case_name);
  make_directories(path.parent_path());
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
