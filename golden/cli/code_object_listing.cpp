// SPDX-License-Identifier: MIT
#include "golden/cli/code_object_listing.h"

#include <fmt/format.h>

#include <vector>

#include "golden/cli/mode_setting.h"
#include "golden/harness/table.h"
#include "sim/isa/code_object.h"

namespace wavetwin::golden {
namespace {

std::string kernel_row_text(const isa::KernelInfo& kernel) {
  const isa::KernelDescriptor& d = kernel.descriptor;
  std::string text = fmt::format("{}\n", kernel.name);
  text += fmt::format("  registers  {} VGPRs, {} AccVGPRs", d.arch_vgprs(), d.acc_vgprs());
  if (kernel.has_metadata) text += fmt::format(", {} SGPRs", kernel.metadata.sgpr_count);
  text += fmt::format("\n  LDS        {} bytes static\n", d.group_segment_fixed_size);
  text += fmt::format("  scratch    {} bytes a work-item{}\n", d.private_segment_fixed_size,
                      d.dynamic_stack() || kernel.metadata.dynamic_stack ? ", dynamic stack" : "");
  text += fmt::format("  MODE       0x{:x}: {}\n", d.mode_bits(), mode_text(d.mode_bits()));
  text += fmt::format("  workgroup  at most {} work-items", kernel.metadata.max_flat_workgroup_size);
  if (const auto& size = kernel.metadata.required_workgroup_size) {
    text += fmt::format(", {} x {} x {} required", (*size)[0], (*size)[1], (*size)[2]);
  }
  return text + fmt::format("\n  kernarg    {} bytes{}\n", kernel.kernarg_size(),
                            kernel.has_metadata ? "" : ", no metadata: launch it with a raw block");
}

std::string argument_rows(const isa::KernelInfo& kernel) {
  std::vector<std::vector<std::string>> cells = {{"    offset", "bytes", "kind", "name"}};
  unsigned hidden = 0;
  for (const isa::KernelArgumentInfo& argument : kernel.metadata.arguments) {
    if (argument.hidden()) {
      ++hidden;
      continue;
    }
    cells.push_back({fmt::format("    {}", argument.offset), std::to_string(argument.size), argument.kind,
                     argument.name});
  }
  std::string text = cells.size() > 1 ? aligned(cells) : "";
  if (hidden != 0) text += fmt::format("    and {} hidden arguments\n", hidden);
  return text;
}

}  // namespace

std::string code_object_listing(const std::string& path) {
  const auto object = isa::CodeObject::load(path);
  std::string text = fmt::format("{}: {}, code object version {}, {} bytes of code\n\n", path,
                                 object.target(), object.version(), object.text().size());
  for (const isa::KernelInfo& kernel : object.kernels()) {
    text += kernel_row_text(kernel) + argument_rows(kernel) + "\n";
  }
  return text;
}

}  // namespace wavetwin::golden
