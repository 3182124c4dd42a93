// SPDX-License-Identifier: MIT
// What no document fixes can be chosen on the command line, and the reports say so.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "golden/io/safetensors.h"
#include "sim/numerics/numeric_model.h"
#include "tests/isa/asm/option_words.h"
#include "tests/isa/cli/launch_bench.h"

namespace wavetwin::golden {
namespace {

// Eight bytes an option, in the order of option_words().
const std::string kOptions = fmt::format(
    R"({{"code_object": "numeric.co", "kernel": "numeric_options", "outputs": {{"o": "o.bin"}},
        "kernarg": {{"bytes": 64, "fields": [{{"offset": 0, "buffer": "o", "bytes": {}, "fill": "zero"}}]}}}})",
    8 * option_words().size());

std::vector<uint64_t> words(const LaunchBench& bench, const std::vector<std::string>& more) {
  const Outcome outcome = bench.exec(more);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const auto bytes = bench.bytes("o.bin");
  std::vector<uint64_t> result(option_words().size());
  REQUIRE(bytes.size() == 8 * result.size());
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

// OPTION=VALUE of each option: its last value.
std::vector<std::string> last_settings() {
  std::vector<std::string> settings;
  for (const NumericOption& option : numeric_options())
    settings.push_back(std::string(option.name) + "=" + option.values.back());
  return settings;
}

std::string joined(const std::vector<std::string>& settings, const char* between) {
  std::string text;
  for (const std::string& setting : settings) text += (text.empty() ? "" : between) + setting;
  return text;
}

}  // namespace

TEST_CASE("exec --numeric: every value of every option gives the words that were worked out for it") {
  const LaunchBench bench(kOptions);
  std::vector<uint64_t> usual;
  for (const OptionWords& option : option_words()) usual.push_back(option.words[0]);
  CHECK(words(bench, {}) == usual);
  for (const NumericOption& option : numeric_options()) {
    for (size_t v = 0; v < option.values.size(); ++v) {
      const std::string setting = std::string(option.name) + "=" + option.values[v];
      CAPTURE(setting);
      std::vector<uint64_t> want = usual;
      for (size_t i = 0; i < want.size(); ++i) {
        if (option_words()[i].option == std::string_view(option.name)) want[i] = option_words()[i].words[v];
      }
      const Outcome outcome = bench.exec({"--numeric", setting});
      CHECK(contains(outcome.out,
                     v == 0 ? "model gfx950-default, " : "model gfx950-default+" + setting + ", "));
      CHECK(words(bench, {"--numeric", setting}) == want);
    }
  }
}

TEST_CASE("exec --numeric: several at once, repeated or in one list; the last of two values counts") {
  const LaunchBench bench(kOptions);
  // (buffer_soffset reads the result of nan_to_small.)
  std::vector<uint64_t> want;
  for (const OptionWords& option : option_words()) {
    want.push_back(option.option == std::string_view("buffer_soffset") ? 0x00 : option.words.back());
  }
  std::vector<std::string> repeated;
  for (const std::string& setting : last_settings()) {
    repeated.push_back("--numeric");
    repeated.push_back(setting);
  }
  CHECK(words(bench, repeated) == want);
  const std::vector<std::string> list = {"--numeric", joined(last_settings(), ",")};
  CHECK(words(bench, list) == want);
  CHECK(contains(bench.exec(list).out, "model gfx950-default+" + joined(last_settings(), "+") + ", "));
  const Outcome twice = bench.exec({"--numeric", "bf8_nan=0x7e", "--numeric", "bf8_nan=0x7f"});
  CHECK(contains(twice.out, "model gfx950-default, "));
}

TEST_CASE("trace --numeric: every option shows in the registers, and the first line names it") {
  const LaunchBench bench(kOptions);
  const std::string usual = run_wavetwin({"trace", bench.launch()}).out;
  CHECK_FALSE(contains(usual, "model "));
  for (const std::string& setting : last_settings()) {
    CAPTURE(setting);
    const Outcome outcome = run_wavetwin({"trace", bench.launch(), "--numeric", setting});
    CHECK(outcome.exit_code == 0);
    const std::string first = "model gfx950-default+" + setting + "\n";
    REQUIRE(outcome.out.starts_with(first));
    // Typed stores change memory, not registers.
    const std::string_view option = std::string_view(setting).substr(0, setting.find('='));
    const bool stored = option == "format_float" || option == "format_norm" || option == "format_scaled";
    CHECK((outcome.out.substr(first.size()) == usual) == stored);
  }
  const Outcome banks =
      run_wavetwin({"trace", bench.launch(), "--banks", "--csv", "--numeric", "atomic_lanes=descending"});
  CHECK(contains(banks.err, "model gfx950-default+atomic_lanes=descending"));
  CHECK_FALSE(contains(banks.out, "model "));
}

TEST_CASE("exec: the report and --json say which model computed and what stands behind the instructions") {
  const LaunchBench bench(kOptions);
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
  const LaunchBench bench(kOptions);
  const std::string kCase = "gemv/masked-t1-exact/0";
  const std::vector<std::vector<std::string>> commands = {
      {"exec", bench.launch()},
      {"trace", bench.launch()},
      {"check", kCase},
      {"run", kCase},
      {"record", kCase, "--golden", bench.launch() + ".d"}};
  const auto refused = [](std::vector<std::string> arguments, const std::string& setting,
                          const std::vector<std::string>& parts) {
    arguments.insert(arguments.end(), {"--numeric", setting});
    const Outcome outcome = run_wavetwin(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_one_line(outcome.err));
    for (const std::string& part : parts) CHECK(contains(outcome.err, part));
  };
  std::vector<std::string> names;
  for (const NumericOption& option : numeric_options()) names.push_back(option.name);
  for (const auto& command : commands) {
    CAPTURE(command[0]);
    refused(command, "colour=red", {"no numeric option 'colour'", joined(names, ", ")});
    refused(command, "bf8_nan=7", {"bf8_nan takes 0x7f | 0x7e", "'7'"});
    refused(command, "bf8_nan", {"write OPTION=VALUE", joined(names, ", ")});
    refused(command, "bf8_nan=0x7e,cvt_u8", {"--numeric cvt_u8: write OPTION=VALUE"});
    refused(command, "bf8_nan=0x7e,cvt_u8=up", {"cvt_u8 takes truncate | nearest_even", "'up'"});
  }
  for (const NumericOption& option : numeric_options()) {
    CAPTURE(option.name);
    const std::string name = option.name;
    refused(commands[0], name + "=neither", {name + " takes " + option.values_text(), "'neither'"});
    refused(commands[0], name + "=", {name + " takes " + option.values_text(), "''"});
  }
  // What no option reaches takes none; its arithmetic is chosen with --model and --set.
  refused({"mfma", "--instruction", "v_mfma_f64_16x16x4_f64", "in", "out"}, "bf8_nan=0x7e", {"--numeric"});
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

TEST_CASE("check and run: sim and isa stay equal with every option changed, and the reports name them all") {
  const std::string kCase = "gemv/masked-t1-model/0", list = joined(last_settings(), ",");
  const std::string model = "model gfx950-default+" + joined(last_settings(), "+");
  const Outcome check = run_wavetwin({"check", kCase, "--backend", "sim,isa", "--numeric", list, "--json"});
  CAPTURE(check.out);
  CHECK(check.exit_code == 0);
  CHECK(contains(check.out, model));
  const Outcome text = run_wavetwin({"check", kCase, "--backend", "sim", "--numeric", list});
  CHECK(contains(text.out, "model: gfx950-default+" + joined(last_settings(), "+")));
  for (const char* backend : {"sim", "isa"}) {
    CAPTURE(backend);
    const Outcome run = run_wavetwin({"run", kCase, "--backend", backend, "--numeric", list});
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, model + ", evidence unknown"));
  }
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
