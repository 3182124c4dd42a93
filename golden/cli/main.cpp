// SPDX-License-Identifier: MIT
// The program `wavetwin`.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "golden/cli/command.h"
#include "sim/core/error.h"

namespace {

using namespace wavetwin::golden;

// One line a command, in the order of the help text.
constexpr AddCommand kCommands[] = {
    add_list,    // kernels, cases, instructions
    add_check,   // run on every backend and compare
    add_run,     // run one case, also on the user's own tensors
    add_record,  // make goldens
    add_diff,    // compare two files of tensors
    add_layout,  // which lane and register holds an element
    add_mfma,    // one MFMA instruction on matrices
    add_quantize,
    add_exec,   // any kernel of any code object
    add_trace,  // one wave of it, instruction by instruction
    add_disasm,
};

constexpr const char* kDescription =
    "wavetwin: gfx950 (MI350X / MI355X) kernels on a CPU, bit for bit.\n\n"
    "Every kernel exists twice: as a wave-level simulated kernel (backend sim) and as a HIP kernel, which "
    "runs as\n"
    "machine code on the CPU (isa) and on a real gfx950 (hip). `wavetwin check` compares them with each "
    "other, with\n"
    "an fp64 oracle and with recorded goldens.\n";
constexpr const char* kFooter =
    "Start here:  wavetwin list            what there is\n"
    "             wavetwin check 'gemv/*'  run and compare every case of one kernel\n"
    "             wavetwin COMMAND --help  the options of a command\n"
    "Exit codes:  0 everything that ran is equal, 1 something is different or a finding, 2 usage, bad input "
    "or a failed "
    "program,\n"
    "             77 every requested backend is unavailable";

// Everything after the first line of an error is detail (a no-progress report).
void print_error(const std::string& text) { fmt::print(stderr, "wavetwin: {}\n", text); }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

int run(int argc, char** argv) {
  CLI::App app{kDescription, "wavetwin"};
  app.footer(kFooter);
  app.set_version_flag("--version", "wavetwin " WAVETWIN_VERSION);
  app.get_formatter()->column_width(34);
  int exit_code = 0;
  for (const AddCommand add : kCommands) add(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help, --version
  } catch (const CLI::ParseError& error) {
    print_error(first_line(error.what()) + " (see `wavetwin --help`, `wavetwin COMMAND --help`)");
    return kBadInput;
  }
  if (app.get_subcommands().empty()) {
    print_error("which command? (see `wavetwin --help`)");
    return kBadInput;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run(argc, argv);
    // A full disk shows only now; what was asked for is then not there.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
    print_error("standard output cannot be written");
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  return kBadInput;
}
