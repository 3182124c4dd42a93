// SPDX-License-Identifier: MIT
// Commands of the program `wavetwin`. A command is one file with one function that adds its subcommand, and
// one line in kCommands of main.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "golden/harness/backend.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// Exit codes, the same for every command.
enum ExitCode : int {
  kEqual = 0,  // done; everything compared is equal
  kDifferent =
      1,          // something compared is different, or the machine has findings (races, never-written bytes)
  kBadInput = 2,  // usage, bad input, or a program that failed
  kUnavailable = 77  // every requested backend is unavailable
};

// Adds the subcommand. Its callback (CLI::App::final_callback is not used) throws Error for bad input; it
// leaves the exit code in `exit_code` when that is not 0.
using AddCommand = void (*)(CLI::App& app, int& exit_code);

void add_list(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_record(CLI::App& app, int& exit_code);
void add_diff(CLI::App& app, int& exit_code);
void add_layout(CLI::App& app, int& exit_code);
void add_mfma(CLI::App& app, int& exit_code);
void add_quantize(CLI::App& app, int& exit_code);
void add_exec(CLI::App& app, int& exit_code);
void add_trace(CLI::App& app, int& exit_code);
void add_disasm(CLI::App& app, int& exit_code);

// ---- options several commands share ----

// --threads, --schedule, --resident, --max-idle-rounds, --model, --set, --numeric
class RunOptionsParser {
 public:
  void add_to(CLI::App& command);
  // Throws Error for values that are not legal.
  RunOptions options() const;

 private:
  int threads_ = 0;
  std::optional<uint64_t> schedule_;
  std::string resident_;
  uint64_t max_idle_rounds_ = 1000;
  std::string model_;
  std::vector<std::string> settings_, numeric_;
};

// --code-object gemv=mine.co: the user's build of a kernel of ours. Options and kernarg are the case's.
class CodeObjectOption {
 public:
  void add_to(CLI::App& command);
  bool given() const { return !replacements_.empty(); }
  // Throws Error for text that is no STEM=FILE, a file that is not there, and a stem that is none of ours.
  void apply(RunOptions& options) const;

 private:
  std::vector<std::string> replacements_;
};

// --backend sim,isa,hip. `names` empty: all that are built. Throws Error for a name that is not.
std::vector<std::unique_ptr<Backend>> choose_backends(const std::vector<std::string>& names);

// For options of unsigned type: decimal, or hexadecimal after 0x, from `least` on. The number parser itself
// takes "-1" for 2^64 - 1, 2^64 for 2^64 - 1, "" for 0 and "010" for 8.
CLI::Validator whole_number(uint64_t least = 0);

// --golden DIR; an empty name, as of a variable that is not set, is refused.
void add_golden_option(CLI::App& command, std::string& directory);
// --golden DIR, or where the program keeps its own.
std::string golden_directory_or(const std::string& option);
// The same for reading: throws Error when the directory that was named is not there.
std::string existing_golden_directory_or(const std::string& option);

}  // namespace wavetwin::golden
