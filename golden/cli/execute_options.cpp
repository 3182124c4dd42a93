// SPDX-License-Identifier: MIT
#include "golden/cli/execute_options.h"

#include "golden/cli/mode_setting.h"
#include "golden/harness/simulated_memory.h"

namespace wavetwin::golden {

void ExecuteOptionsParser::add_to(CLI::App& command) {
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
