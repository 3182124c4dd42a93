// SPDX-License-Identifier: MIT
#include "tests/isa/differential/object_run.h"

#include <fmt/format.h>

#include <cstring>

namespace wavetwin::differential {
namespace {

uint64_t upload(GlobalMemory& memory, const char* name, const std::vector<uint8_t>& bytes) {
  const uint64_t address = memory.allocate(name, bytes.size());
  memory.write(address, bytes.data(), bytes.size());
  return address;
}

}  // namespace

std::string object_path(const CorpusFile& file, int level) {
  return fmt::format("{}/{}.O{}.co", CORPUS_DIR, file.object, level);
}

ObjectRun::ObjectRun(const std::string& path) : executable_(isa::CodeObject::load(path)) {}

ObjectRun::Run ObjectRun::run(const KernelEntry& kernel, const std::vector<uint8_t>& input,
                              isa::TraceObserver& observer) {
  GlobalMemory memory;
  const uint64_t load_address = isa::load_image(memory, executable_.object(), "code object");
  Run run;
  const uint64_t in = upload(memory, "in", input), out = upload(memory, "out", run.result.out);
  const uint64_t own = upload(memory, "own", run.result.own),
                 cells = upload(memory, "cells", run.result.cells);
  // Arguments, with device addresses.
  const uint64_t words[] = {in, out, own, cells, uint64_t{kernel.n1} << 32 | kernel.n0};
  static_assert(sizeof words == sizeof(Arguments));
  std::vector<uint8_t> raw(sizeof words);
  std::memcpy(raw.data(), words, sizeof words);

  isa::LaunchShape shape;
  shape.grid = {kWorkgroups, 1, 1};
  shape.block = {kernel.threads, 1, 1};
  const isa::KernelInfo& info = executable_.object().kernel(kernel.name);
  isa::ExecuteOptions options;
  options.observer = &observer;
  const auto kernarg = isa::pad_kernarg(info, shape, raw, isa::kQueueAddress);
  const auto report = isa::execute_kernel(memory, executable_, load_address, info, shape, kernarg, options);

  run.instructions = report.instructions();
  for (const Finding& finding : report.dispatch.findings.kept()) run.findings += finding.line() + "\n";
  memory.read(out, run.result.out.data(), run.result.out.size());
  memory.read(own, run.result.own.data(), run.result.own.size());
  memory.read(cells, run.result.cells.data(), run.result.cells.size());
  return run;
}

}  // namespace wavetwin::differential
