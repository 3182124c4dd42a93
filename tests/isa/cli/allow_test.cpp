// SPDX-License-Identifier: MIT
// --allow: findings that are counted and no difference. And what the program says it does not check.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/isa/cli/launch_bench.h"

namespace wavetwin::golden {
namespace {

LaunchBench bench_for(const std::string& object, const std::string& kernel) {
  return LaunchBench(
      fmt::format(R"({{"code_object": "{}", "kernel": "{}", "kernarg": {{"bytes": 256, "fields": [
      {{"offset": 0, "buffer": "o", "bytes": 256}}]}}}})",
                  object, kernel));
}
LaunchBench bench_for(const char* kernel) { return bench_for(ASM_DIR "wait_states.co", kernel); }

// The object with every s_nop worth one wait state.
void write_with_short_nops(const std::string& from, const std::filesystem::path& to) {
  std::string bytes = read_text(from);
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    uint32_t word;
    std::memcpy(&word, bytes.data() + at, 4);
    if (word >> 4 == 0xbf80000u && (word & 15) != 0) bytes[at] = 0;
  }
  write_text(to, bytes);
}

}  // namespace

TEST_CASE("exec --allow: a finding of the kind is counted, and the run is equal") {
  const LaunchBench bench = bench_for("distance_short");
  const Outcome found = bench.exec();
  CHECK(found.exit_code == 1);
  CHECK(contains(found.err, "finding: missing wait states"));
  CHECK_FALSE(contains(found.err, "allowed"));
  const Outcome allowed = bench.exec({"--allow", "missing_wait_states"});
  CHECK(allowed.exit_code == 0);
  CHECK(contains(allowed.err, "allowed: 1 x missing wait states"));
  CHECK_FALSE(contains(allowed.err, "finding"));
  const Outcome json = bench.exec({"--allow", "lds_race,missing_wait_states", "--json"});
  CHECK(json.exit_code == 0);
  CHECK(contains(json.out, "\"findings\":0,\"allowed\":1"));
}

TEST_CASE("exec --allow: findings of other kinds stay findings") {
  const LaunchBench bench = bench_for("distance_short");
  const Outcome other = bench.exec({"--allow", "lds_race,lost_scalar_store", "--json"});
  CHECK(other.exit_code == 1);
  CHECK(contains(other.err, "finding: missing wait states"));
  CHECK(contains(other.out, "\"findings\":1,\"allowed\":0"));
  const LaunchBench scalar = bench_for(ASM_DIR "scalar_stores.co", "left");
  CHECK(scalar.exec({"--allow", "missing_wait_states"}).exit_code == 1);
  CHECK(scalar.exec({"--allow", "missing_wait_states", "--allow", "lost_scalar_store"}).exit_code == 0);
}

TEST_CASE("--allow: a kind that there is not is refused with those there are, before anything runs") {
  const LaunchBench bench = bench_for("distance_short");
  for (const std::string bad : {"wait_states", "lds_race,everything", "Missing_Wait_States", "all"}) {
    CAPTURE(bad);
    for (const std::vector<std::string>& command : {std::vector<std::string>{"exec", bench.launch()},
                                                    {"run", "gemv/masked-t1-model/0"},
                                                    {"check", "gemv"}}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--allow", bad});
      const Outcome outcome = run_wavetwin(arguments);
      CAPTURE(outcome.err);
      CHECK(outcome.exit_code == 2);
      CHECK(is_one_line(outcome.err));
      CHECK(contains(outcome.err, "--allow"));
      CHECK(contains(outcome.err, "memory_never_written, lds_never_written"));
    }
  }
}

TEST_CASE("run and check --allow: the findings of a case are counted in its report") {
  const LaunchBench bench = bench_for("distance_short");
  const std::filesystem::path object = bench / "short_nops.co";
  write_with_short_nops(CODE_OBJECTS "/gemv.co", object);
  const std::string build = "gemv=" + object.string();
  for (const char* command : {"run", "check"}) {
    CAPTURE(command);
    const std::vector<std::string> arguments = {command, "gemv/masked-t1-model/0", "--backend",
                                                "isa",   "--code-object",          build};
    const Outcome found = run_wavetwin(arguments);
    CHECK(found.exit_code == 1);
    CHECK(contains(found.out, "missing wait states: workgroup"));
    std::vector<std::string> allowing = arguments;
    allowing.insert(allowing.end(), {"--allow", "missing_wait_states"});
    const Outcome allowed = run_wavetwin(allowing);
    CAPTURE(allowed.out);
    CHECK(allowed.exit_code == 0);
    CHECK(contains(allowed.out, " x missing wait states"));
    CHECK_FALSE(contains(allowed.out, "missing wait states: workgroup"));
  }
}

TEST_CASE("exec and disasm say of code for xnack+ what is not checked") {
  const LaunchBench bench = bench_for("arguments.co", "echo_block");
  const std::filesystem::path object = bench / "arguments.co";
  CHECK_FALSE(contains(run_wavetwin({"disasm", object.string()}).err, "xnack"));
  std::string bytes = read_text(object.string());
  constexpr size_t kFlags = 48;  // of the ELF header
  bytes[kFlags + 1] = static_cast<char>((bytes[kFlags + 1] & ~3) | 3);
  write_text(object, bytes);
  const Outcome listed = run_wavetwin({"disasm", object.string()});
  CHECK(listed.exit_code == 0);
  CHECK(contains(listed.err, "is for xnack+"));
  CHECK(contains(bench.exec().err, "can be replayed is not checked"));
}

}  // namespace wavetwin::golden
