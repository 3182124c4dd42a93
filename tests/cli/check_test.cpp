// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "golden/io/file.h"
#include "golden/io/manifest.h"
#include "golden/io/safetensors.h"
#include "tests/cli/program.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

constexpr const char* kCase = "gemv/masked-t1-exact/0";
constexpr const char* kBounded = "gemv/masked-t1-model/0";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Keys of a flat JSON object in their order; values have no quoted colons.
std::vector<std::string> keys_of(const std::string& json) {
  std::vector<std::string> keys;
  for (size_t at = json.find('"'); at != std::string::npos;) {
    const size_t end = json.find('"', at + 1);
    if (json[end + 1] == ':') keys.push_back(json.substr(at + 1, end - at - 1));
    const size_t value_end = json[end + 1] == ':' && json[end + 2] == '"' ? json.find('"', end + 3) : end;
    at = json.find('"', value_end + 1);
  }
  return keys;
}

std::string record_here(const ScratchDirectory& dir, const char* name) {
  const std::string golden = dir.path().string();
  const Outcome outcome = run_wavetwin({"record", name, "--golden", golden});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return golden;
}

// Replaces the hash of the first recorded line, so that the golden differs from what runs.
void damage_manifest(const std::filesystem::path& path) {
  std::string text = read_text(path);
  const size_t at = text.find("] ", text.find("gemv/")) + 2;
  text[at] = text[at] == '0' ? '1' : '0';
  write_atomically(path, [&](std::ostream& out) { out << text; });
}

}  // namespace

TEST_CASE(
    "check: a right case prints a table with oracle, golden, evidence and the skipped hip, and exits 0") {
  const Outcome outcome = run_wavetwin({"check", kCase, "--backend", "sim,hip"});
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "oracle exact, golden (oracle) equal"));
  CHECK(contains(outcome.out, "specified"));
  CHECK(contains(outcome.out, "1 cases: 1 runs equal, 0 different"));
  CHECK(outcome.err.empty());
  const Outcome bounded = run_wavetwin({"check", kBounded, "--backend", "sim"});
  CHECK(contains(bounded.out, "oracle within bound 0.0"));
  CHECK(contains(bounded.out, "golden (sim) equal"));
}

TEST_CASE("check: --json prints one object a case and backend with exactly the agreed keys") {
  const Outcome outcome =
      run_wavetwin({"check", "gemv/masked-t1-*", "--label", "exact", "--backend", "sim,hip", "--json"});
  CHECK(outcome.exit_code == 0);
  const auto lines = lines_of(outcome.out);
  REQUIRE(lines.size() == 4);  // exact, exact_pm1
  for (const std::string& line : lines) {
    CAPTURE(line);
    CHECK(keys_of(line) == std::vector<std::string>{"case", "backend", "status", "elements", "hash",
                                                    "evidence", "reason", "seconds"});
  }
  CHECK(contains(lines[0], R"("case":"gemv/masked-t1-exact/0","backend":"sim","status":"equal")"));
  CHECK(contains(lines[1], R"("backend":"hip")"));
  CHECK(contains(lines[2], R"("case":"gemv/masked-t1-exact_pm1/0")"));
}

TEST_CASE("check: the same hash on one and on two threads, and under a permuted schedule") {
  const auto hash = [](std::vector<std::string> more) {
    std::vector<std::string> words = {"check", kBounded, "--backend", "sim", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string out = run_wavetwin(words).out;
    return out.substr(out.find("\"hash\""), 42);
  };
  const std::string one = hash({"--threads", "1"});
  CHECK(one == hash({"--threads", "2"}));
  CHECK(one == hash({"--schedule", "7"}));
  CHECK(one == hash({"--resident", "3"}));
  CHECK(one == hash({"--resident", "all"}));
}

TEST_CASE("check: a golden with other bits exits 1, names the tensor and shows the difference") {
  const ScratchDirectory dir;
  const std::string golden = record_here(dir, kCase);
  CHECK(run_wavetwin({"check", kCase, "--backend", "sim", "--golden", golden}).exit_code == 0);
  damage_manifest(dir / "gemv/manifest.txt");
  const Outcome outcome = run_wavetwin({"check", kCase, "--backend", "sim", "--golden", golden});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "different"));
  CHECK(contains(outcome.out, "is not the golden from the oracle"));
  const Outcome json = run_wavetwin({"check", kCase, "--backend", "sim", "--golden", golden, "--json"});
  CHECK(json.exit_code == 1);
  CHECK(lines_of(json.out).size() == 1);
  CHECK(contains(json.out, R"("status":"different")"));
}

TEST_CASE(
    "check: only an unavailable backend exits 77 and says why; together with one that runs it exits 0") {
  const Outcome outcome = run_wavetwin({"check", kCase, "--backend", "hip"});
  if (outcome.exit_code == 0) return;  // a gfx950 is here
  CHECK(outcome.exit_code == 77);
  CHECK(contains(outcome.out, "hip skipped in 1 case: "));
  CHECK(contains(outcome.out, "0 runs equal"));
}

TEST_CASE("check: another model is used, and goldens of the default one are not compared with it") {
  const Outcome wide = run_wavetwin({"check", kBounded, "--backend", "sim", "--model", "gfx950-wide"});
  CHECK(wide.exit_code == 0);
  CHECK(contains(wide.out, "golden not compared: it is for the model gfx950-default"));
  const Outcome exact = run_wavetwin({"check", kCase, "--backend", "sim", "--model", "exact-rne"});
  CHECK(exact.exit_code == 0);
  CHECK(contains(exact.out, "golden (oracle) equal"));
  // The model must reach the arithmetic: summing in f32 one product at a time gives other bits.
  const auto hash = [](const char* model) {
    const std::string out =
        run_wavetwin({"check", kBounded, "--backend", "sim", "--json", "--model", model}).out;
    return out.substr(out.find("\"hash\""), 42);
  };
  CHECK(hash("gfx950-default") != hash("fma-sequential"));
  CHECK(hash("gfx950-default") == hash("gfx950-default"));
}

TEST_CASE("check: --code-object runs another build in place of ours, and refuses what is none") {
  const std::string built = std::string(WAVETWIN_CODE_OBJECTS) + "/gemv.O1.co";
  CHECK(run_wavetwin({"check", kCase, "--backend", "sim,isa", "--code-object", "gemv=" + built}).exit_code ==
        0);
  const auto refused = [&](const std::string& replacement, const std::string& why) {
    INFO(replacement);
    const Outcome outcome = run_wavetwin({"check", kCase, "--backend", "isa", "--code-object", replacement});
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.out + outcome.err, why));
  };
  refused("gemv", "STEM=FILE.co is expected");
  refused("nothing=" + built, "there is no kernel 'nothing'");
  refused("gemv=/nowhere.co", "/nowhere.co: the code object is not there");
  // Another kernel's object has no such symbol.
  refused("gemv=" + std::string(WAVETWIN_CODE_OBJECTS) + "/memory_words.co", "memory_words.co");
}

TEST_CASE("record: twice the same changes nothing; lines, source and full tensors are where they belong") {
  const ScratchDirectory dir;
  const std::string golden = record_here(dir, kBounded);
  const std::string manifest = read_text(dir / "gemv/manifest.txt");
  CHECK(contains(run_wavetwin({"record", kBounded, "--golden", golden}).out,
                 "0 manifest lines added, 0 changed, 2 kept"));
  CHECK(read_text(dir / "gemv/manifest.txt") == manifest);
  const Manifest lines = Manifest::load(dir / "gemv/manifest.txt");
  REQUIRE(lines.find(kBounded, "y") != nullptr);
  CHECK(lines.find(kBounded, "y")->source == Source::sim);
  REQUIRE(lines.find(kBounded, "red") != nullptr);
  CHECK(lines.find(kBounded, "red")->role == "intermediate");

  const ScratchDirectory full;
  CHECK(run_wavetwin({"record", kBounded, "--golden", golden, "--full", full.path().string()}).exit_code ==
        0);
  const auto file = SafetensorsFile::open(full / "gemv/masked-t1-model.0.safetensors");
  CHECK(file.tensors().contains("y"));
  CHECK(file.metadata().at("backend") == "sim");
}

TEST_CASE("record: a changed line is refused without --reason and keeps the reason with it") {
  const ScratchDirectory dir;
  const std::string golden = record_here(dir, kBounded);
  damage_manifest(dir / "gemv/manifest.txt");
  const std::string damaged = read_text(dir / "gemv/manifest.txt");
  const Outcome refused = run_wavetwin({"record", kBounded, "--golden", golden});
  CHECK(refused.exit_code == 2);
  CHECK(is_one_line(refused.err));
  CHECK(contains(refused.err, "gemv/manifest.txt: gemv/masked-t1-model/0 red: the golden would change"));
  CHECK(read_text(dir / "gemv/manifest.txt") == damaged);
  CHECK(run_wavetwin({"record", kBounded, "--golden", golden, "--reason", "a bit was flipped"}).exit_code ==
        0);
  CHECK(contains(read_text(dir / "gemv/manifest.txt"), " r2 # a bit was flipped\n"));
  CHECK(run_wavetwin({"check", kBounded, "--backend", "sim", "--golden", golden}).exit_code == 0);
}

TEST_CASE("run: outputs are written, and a user's own tensors take part") {
  const ScratchDirectory dir;
  const std::string inputs = (dir / "in.safetensors").string(), out = (dir / "out.safetensors").string();
  CHECK(run_wavetwin({"run", kCase, "--save-inputs", inputs, "--output", out}).exit_code == 0);
  const Tensors first = SafetensorsFile::open(out).read_all();
  REQUIRE(first.contains("y"));

  // The same codes again give the same bits; other codes give others, and no golden is compared.
  const Outcome same = run_wavetwin({"run", kCase, "--input", "x=" + inputs + ":x", "--output", out});
  CHECK(same.exit_code == 0);
  CHECK(contains(same.out, "golden not compared: inputs were replaced"));
  CHECK(SafetensorsFile::open(out).read_all() == first);
  Tensors mine = SafetensorsFile::open(inputs).read_all();
  for (auto& code : mine.at("x").view<uint8_t>()) code ^= 0x80;  // negated
  write_safetensors(dir / "mine.safetensors", mine);
  const Outcome other = run_wavetwin(
      {"run", kCase, "--input", "x=" + (dir / "mine.safetensors").string() + ":x", "--output", out});
  CHECK(other.exit_code == 0);
  CHECK(contains(other.out, "oracle exact"));
  const Outcome check = run_wavetwin(
      {"check", kCase, "--backend", "sim", "--input", "x=" + (dir / "mine.safetensors").string() + ":x"});
  CHECK(check.exit_code == 0);
  CHECK(contains(check.out, "oracle exact, golden not compared: inputs were replaced"));
  CHECK(run_wavetwin({"check", "gemv/masked-t1-*", "--input", "x=" + inputs + ":x"}).exit_code == 2);
  const Tensors second = SafetensorsFile::open(out).read_all();
  CHECK_FALSE(second == first);
  CHECK(run_wavetwin({"diff", out, out}).exit_code == 0);
}

}  // namespace wavetwin::golden
