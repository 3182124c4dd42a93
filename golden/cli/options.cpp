// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "golden/cli/command.h"
#include "golden/harness/inputs.h"
#include "golden/harness/install.h"
#include "golden/harness/model.h"
#include "golden/io/printable.h"
#include "golden/layout/numbers.h"
#include "sim/core/error.h"

namespace wavetwin::golden {
namespace {

uint64_t parse_resident(const std::string& text) {
  if (text == "all") return 0;
  uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0 || count > 0xFFFFFFFEull) {
    throw Error("--resident " + text + ": a number of workgroups or 'all'");
  }
  return count;
}

}  // namespace

CLI::Validator whole_number(uint64_t least) {
  return {[least](const std::string& text) -> std::string {
            if (text.starts_with('-')) return text + " is negative";
            const bool octal = text.size() > 1 && text[0] == '0' && text[1] != 'x' && text[1] != 'X';
            const std::optional<uint64_t> value = octal ? std::nullopt : parse_number(text);
            if (!value)
              return fmt::format("'{}' is not a whole number of 64 bits (decimal, or hexadecimal after 0x)",
                                 printable(text));
            return *value < least ? fmt::format("{} is less than {}", text, least) : std::string();
          },
          ""};
}

void RunOptionsParser::add_to(CLI::App& command) {
  command.add_option("--threads", threads_, "Host threads of the simulated backends (0: every core)")
      ->check(CLI::Range(0, 1024));
  command
      .add_option("--schedule", schedule_,
                  "Seed: permute waves and workgroups inside rounds and delay pending memory")
      ->check(whole_number());
  command.add_option("--resident", resident_,
                     "Workgroups resident at once, or 'all' (default: as a 256-CU part)");
  command
      .add_option("--max-idle-rounds", max_idle_rounds_,
                  "Rounds in a row that change and compute nothing, which end a run")
      ->check(whole_number())
      ->capture_default_str();
  command.add_option("--model", model_, "Preset of the MFMA arithmetic: " + model_preset_names())
      ->type_name("PRESET");
  command
      .add_option("--set", settings_,
                  "Change one option of the preset (option=value); a list with commas, or repeated")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("OPTION=VALUE");
  command
      .add_option(
          "--numeric", numeric_,
          "Change what no document fixes outside of MFMA: dot2_sum=exact; a list with commas, or repeated "
          "(`wavetwin list --models` shows all)")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("OPTION=VALUE");
}

RunOptions RunOptionsParser::options() const {
  RunOptions options;
  options.threads = threads_;
  options.schedule_seed = schedule_;
  if (!resident_.empty()) options.resident = parse_resident(resident_);
  options.max_idle_rounds = max_idle_rounds_;
  options.model = make_model(model_, settings_);
  options.numeric = make_numeric_model(numeric_);
  return options;
}

void CodeObjectOption::add_to(CLI::App& command) {
  command
      .add_option("--code-object", replacements_,
                  "Run your build of a kernel in place of ours (isa and hip): gemv=mine.co; may be repeated")
      ->allow_extra_args(false)
      ->type_name("STEM=FILE.co");
}

void CodeObjectOption::apply(RunOptions& options) const {
  for (const std::string& text : replacements_) {
    const auto [stem, file] = parse_named_file("--code-object", text, "STEM=FILE.co");
    if (!std::filesystem::exists(code_object_path(stem)))
      throw Error(
          fmt::format("--code-object {}: there is no kernel '{}' (`wavetwin list` shows them)", text, stem));
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code)) throw FileError(file, "the code object is not there");
    options.code_objects[stem] = file;
  }
}

std::vector<std::unique_ptr<Backend>> choose_backends(const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<Backend>> chosen;
  for (auto& backend : all_backends()) {
    const bool wanted =
        names.empty() || std::find(names.begin(), names.end(), backend->name()) != names.end();
    if (wanted) chosen.push_back(std::move(backend));
  }
  for (const std::string& name : names) {
    const bool found = std::any_of(chosen.begin(), chosen.end(),
                                   [&](const auto& backend) { return name == backend->name(); });
    if (found) continue;
    std::vector<std::string> known;
    for (const auto& backend : all_backends()) known.push_back(backend->name());
    throw Error(
        fmt::format("no backend '{}' is built into this program (it has: {})", name, fmt::join(known, ", ")));
  }
  return chosen;
}

void add_golden_option(CLI::App& command, std::string& directory) {
  command.add_option("--golden", directory, "Directory of the goldens")
      ->type_name("DIR")
      ->check([](const std::string& text) { return text.empty() ? "which directory?" : ""; });
}

std::string golden_directory_or(const std::string& option) {
  return option.empty() ? golden_directory().string() : option;
}

std::string existing_golden_directory_or(const std::string& option) {
  std::error_code code;
  if (!option.empty() && !std::filesystem::is_directory(option, code))
    throw FileError(option, "is not a directory of goldens");
  return golden_directory_or(option);
}

}  // namespace wavetwin::golden
