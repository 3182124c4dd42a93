// SPDX-License-Identifier: MIT
#include "tests/cli/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>

#include "golden/io/file.h"
#include "tests/unit/io/scratch_directory.h"

extern char** environ;

namespace wavetwin::golden {

Outcome run_wavetwin(const std::vector<std::string>& arguments) {
  const ScratchDirectory dir;
  const std::string out = (dir / "out").string(), err = (dir / "err").string();
  std::vector<std::string> words = {WAVETWIN_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + words[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_text(out);
  outcome.err = read_text(err);
  return outcome;
}

bool program_is_sanitized() { return WAVETWIN_SANITIZED; }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool is_one_line(const std::string& text) { return text.find('\n') + 1 == text.size(); }

}  // namespace wavetwin::golden
