// SPDX-License-Identifier: MIT
#include "golden/cli/execute_options.h"

#include <fmt/format.h>

#include "golden/cli/mode_setting.h"
#include "golden/harness/simulated_memory.h"
#include "golden/io/printable.h"
#include "golden/layout/numbers.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// "X", "X,Y" or "X,Y,Z".
std::vector<uint32_t> parse_extents(const char* option, const std::string& text) {
  const std::vector<uint32_t> extents = parse_numbers(text);
  if (extents.empty() || extents.size() > 3) {
    throw Error(fmt::format("{} {}: one to three whole numbers of 32 bits are expected, as 4,2,1", option,
                            printable(text)));
  }
  return extents;
}

}  // namespace

void ExecuteOptionsParser::add_to(CLI::App& command) {
  const auto add_shape = [&](const char* name, std::string& shape, const char* help) {
    return command.add_option(name, shape, help)->type_name("X,Y,Z")->check([](const std::string& text) {
      return text.empty() ? "which shape?" : "";
    });
  };
  CLI::Option* grid = add_shape("--grid", grid_, "Workgroups, in place of the launch file's");
  add_shape("--grid-items", grid_items_,
            "Work-items, in place of the launch file's grid: no multiple of the block makes the last "
            "workgroup of an axis partial")
      ->excludes(grid);
  add_shape("--block", block_, "Work-items of a workgroup, in place of the launch file's");
  command.add_option("--mode", modes_, "Change a field of MODE: denorm_f32=flush; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FIELD=VALUE");
  command.add_option("--quantum", quantum_, "Instructions of a wave's turn (0: unlimited)")
      ->check(whole_number());
  command
      .add_option("--register-seed", register_seed_,
                  "Pattern of registers without a defined value (default: 1)")
      ->check(whole_number());
}

void ExecuteOptionsParser::apply(LaunchFile& launch) const {
  if (!grid_.empty()) {
    launch.grid = three_extents(parse_extents("--grid", grid_));
    launch.grid_items.clear();
  }
  if (!grid_items_.empty()) launch.grid_items = parse_extents("--grid-items", grid_items_);
  if (!block_.empty()) launch.block = three_extents(parse_extents("--block", block_));
}

isa::ExecuteOptions ExecuteOptionsParser::options(const isa::KernelInfo& kernel,
                                                  const RunOptions& run) const {
  isa::ExecuteOptions execute;
  execute.dispatch = dispatch_options(run);
  if (quantum_) execute.dispatch.quantum = *quantum_;
  if (register_seed_) execute.register_seed = *register_seed_;
  execute.mfma_model = &run.model;
  execute.numeric_model = &run.numeric;
  uint32_t mode = kernel.descriptor.mode_bits();
  for (const std::string& setting : modes_) mode = apply_mode_setting(mode, setting);
  execute.mode_bits = mode;
  return execute;
}

}  // namespace wavetwin::golden
