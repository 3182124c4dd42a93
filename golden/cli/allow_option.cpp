// SPDX-License-Identifier: MIT
#include "golden/cli/allow_option.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/io/printable.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

// By FindingKind.
std::vector<std::string> finding_keys() {
  std::vector<std::string> keys;
  for (size_t kind = 0; kind < kFindingKinds; ++kind)
    keys.push_back(finding_key(static_cast<FindingKind>(kind)));
  return keys;
}

}  // namespace

void AllowOption::add_to(CLI::App& command) {
  command
      .add_option("--allow", kinds_,
                  fmt::format("Only count findings of these kinds, separated by commas: {}",
                              fmt::join(finding_keys(), ", ")))
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("KIND");
}

void AllowOption::apply(RunOptions& options) const {
  const std::vector<std::string> keys = finding_keys();
  for (const std::string& kind : kinds_) {
    const auto key = std::find(keys.begin(), keys.end(), kind);
    if (key == keys.end())
      throw Error(fmt::format("--allow {}: there is no such kind of finding (there are: {})", printable(kind),
                              fmt::join(keys, ", ")));
    options.allowed.set(static_cast<size_t>(key - keys.begin()));
  }
}

}  // namespace wavetwin::golden
