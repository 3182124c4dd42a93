// SPDX-License-Identifier: MIT
// What the generated host half says about its kernels.
#pragma once

#include <cstdint>
#include <span>

#include "tests/isa/differential/corpus.h"

namespace wavetwin::differential {

struct KernelEntry {
  const char* name;
  uint32_t group;  // index into group_names()
  uint64_t seed;
  uint32_t threads;  // of a workgroup
  uint32_t n0, n1;
  const char* variables;  // their types, separated by spaces
  void (*run)(const Arguments& arguments, uint32_t workgroup);
};

// The kernels of one generated file.
struct CorpusFile {
  const char* object;  // file name without level and ".co"
  std::span<const KernelEntry> kernels;
};

std::span<const CorpusFile> corpus_files();
std::span<const char* const> group_names();

}  // namespace wavetwin::differential
