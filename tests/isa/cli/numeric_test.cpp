// SPDX-License-Identifier: MIT
// What no document fixes can be chosen on the command line, and the reports say so.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "golden/io/safetensors.h"
#include "sim/numerics/numeric_model.h"
#include "tests/isa/cli/launch_bench.h"

namespace wavetwin::golden {
namespace {

const std::string kConversions =
    R"({"code_object": "numeric.co", "kernel": "numeric_options", "outputs": {"o": "o.bin"},
        "kernarg": {"bytes": 64, "fields": [{"offset": 0, "buffer": "o", "bytes": 24, "fill": "zero"}]}})";

std::vector<uint32_t> words(const LaunchBench& bench, const std::vector<std::string>& more) {
  const Outcome outcome = bench.exec(more);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const auto bytes = bench.bytes("o.bin");
  std::vector<uint32_t> result(6);
  std::memcpy(result.data(), bytes.data(), 24);
  return result;
}

}  // namespace

TEST_CASE("exec --numeric: each option changes the conversion it names and no other") {
  const LaunchBench bench(kConversions);
  const std::vector<uint32_t> usual = words(bench, {});
  const char* kSettings[] = {"bf8_nan=0x7e",         "nan_to_small=zero", "stochastic=guide",
                             "scaled_nan=canonical", "scale_255=number",  "bf16_nan=kept"};
  for (size_t i = 0; i < std::size(kSettings); ++i) {
    CAPTURE(kSettings[i]);
    const std::vector<uint32_t> changed = words(bench, {"--numeric", kSettings[i]});
    for (size_t w = 0; w < usual.size(); ++w) {
      CAPTURE(w);
      CHECK((changed[w] != usual[w]) == (w == i));
    }
  }
  CHECK(words(bench, {"--numeric", "bf8_nan=0x7f"}) == usual);
}

TEST_CASE("exec: the report and --json say which model computed and what stands behind the instructions") {
  const LaunchBench bench(kConversions);
  const Outcome usual = bench.exec({"--json"});
  CHECK(contains(usual.out, R"("model":"gfx950-default")"));
  const Outcome changed = bench.exec(
      {"--json", "--numeric", "scaled_nan=canonical", "--numeric", "bf8_nan=0x7e", "--set", "F=23"});
  CHECK(contains(changed.out, R"("model":"gfx950-default+F=23+bf8_nan=0x7e+scaled_nan=canonical")"));
  CHECK(contains(changed.out, R"("evidence":"unknown")"));
  const Outcome text = bench.exec({"--numeric", "scaled_nan=canonical"});
  CHECK(contains(text.out, "model gfx950-default+scaled_nan=canonical, evidence unknown"));
  // Integer code rests on the ISA guide.
  const LaunchBench integers(
      R"({"code_object": "arguments.co", "kernel": "echo_block", "kernarg": {"bytes": 256, "fields": [
         {"offset": 0, "buffer": "o", "bytes": 256}]}})");
  CHECK(contains(integers.exec({"--json"}).out, R"("evidence":"specified")"));
}

TEST_CASE(
    "--numeric: unknown options and values are refused with what there is, by every command that runs") {
  const LaunchBench bench(kConversions);
  const std::string kCase = "gemv/masked-t1-exact/0";
  const std::vector<std::vector<std::string>> commands = {
      {"exec", bench.launch()},
      {"trace", bench.launch()},
      {"check", kCase},
      {"run", kCase},
      {"record", kCase, "--golden", bench.launch() + ".d"}};
  const auto refused = [](std::vector<std::string> arguments, const std::string& setting,
                          std::initializer_list<const char*> parts) {
    arguments.insert(arguments.end(), {"--numeric", setting});
    const Outcome outcome = run_wavetwin(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    for (const char* part : parts) CHECK(contains(outcome.err, part));
  };
  for (const auto& command : commands) {
    CAPTURE(command[0]);
    refused(command, "colour=red", {"no numeric option 'colour'", "bf8_nan, nan_to_small, stochastic"});
    refused(command, "bf8_nan=7", {"bf8_nan takes 0x7f | 0x7e", "'7'"});
    refused(command, "bf8_nan", {"write OPTION=VALUE", "bf8_nan, nan_to_small"});
  }
}

TEST_CASE("check and run: sim and isa stay equal under a changed option, and the reports name it") {
  const std::string kCase = "gemv/masked-t1-model/0";
  const Outcome check =
      run_wavetwin({"check", kCase, "--backend", "sim,isa", "--numeric", "bf16_nan=kept", "--json"});
  CAPTURE(check.out);
  CHECK(check.exit_code == 0);
  CHECK(std::count(check.out.begin(), check.out.end(), '\n') >= 2);
  CHECK(contains(check.out, R"("evidence":"unknown")"));
  CHECK_FALSE(contains(check.out, R"("evidence":"inferred")"));
  CHECK(contains(check.out, "model gfx950-default+bf16_nan=kept"));
  CHECK(contains(check.out, "golden not compared: it is for the model gfx950-default"));
  const Outcome usual = run_wavetwin({"check", kCase, "--backend", "sim", "--json"});
  CHECK_FALSE(contains(usual.out, "model gfx950-default+"));
  CHECK(contains(usual.out, R"("evidence":"inferred")"));
  const Outcome run = run_wavetwin({"run", kCase, "--numeric", "bf16_nan=kept"});
  CHECK(contains(run.out, "model gfx950-default+bf16_nan=kept, evidence unknown"));
}

TEST_CASE("run --numeric: a NaN that a conversion to bf16 passes on is the model's, on sim and on isa") {
  const ScratchDirectory dir;
  const std::string kCase = "primitives/bf16_pair/0", in = (dir / "in.safetensors").string();
  const std::string out = (dir / "out.safetensors").string();
  REQUIRE(run_wavetwin({"run", kCase, "--save-inputs", in}).exit_code == 0);
  Tensors inputs = SafetensorsFile::open(in).read_all();
  for (uint32_t& word : inputs.at("in").view<uint32_t>()) word = 0x7f812345;  // signalling, with a payload
  write_safetensors(in, inputs);
  for (const auto& [setting, bits] : {std::pair{"bf16_nan=quiet", 0x7fc1u}, {"bf16_nan=kept", 0x7f81u}}) {
    for (const char* backend : {"sim", "isa"}) {
      CAPTURE(setting);
      CAPTURE(backend);
      run_wavetwin({"run", kCase, "--backend", backend, "--input", "in=" + in + ":in", "--output", out,
                    "--numeric", setting});
      const Tensor got = SafetensorsFile::open(out).read("out");
      CHECK(got.bits(0) == bits);
      CHECK(got.bits(got.elements() - 1) == bits);
    }
  }
}

TEST_CASE("list --models: every option with its values, default and evidence") {
  const Outcome outcome = run_wavetwin({"list", "--models"});
  REQUIRE(outcome.exit_code == 0);
  for (const char* part : {"gfx950-default, gfx950-wide", "scalePerProduct", "--numeric OPTION=VALUE",
                           "evidence: unknown", "--model PRESET"}) {
    CAPTURE(part);
    CHECK(contains(outcome.out, part));
  }
  for (const NumericOption& option : numeric_options()) {
    CAPTURE(option.name);
    CHECK(contains(outcome.out, option.name));
    CHECK(contains(outcome.out, option.meaning));
  }
}

}  // namespace wavetwin::golden
