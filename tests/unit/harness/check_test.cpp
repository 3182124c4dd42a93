// SPDX-License-Identifier: MIT
#include "golden/harness/check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "golden/harness/model.h"
#include "golden/harness/table.h"
#include "golden/io/file.h"
#include "sim/core/error.h"
#include "tests/unit/harness/fake_case.h"
#include "tests/unit/io/scratch_directory.h"

namespace wavetwin::golden {
namespace {

// A case, up to three backends and a golden directory.
struct Bench {
  ScratchDirectory dir;
  FakeCase fake;
  std::vector<std::unique_ptr<Backend>> backends;
  CheckOptions options;

  FakeBackend& add(const char* name) {
    auto backend = std::make_unique<FakeBackend>();
    backend->backend_name = name;
    backends.push_back(std::move(backend));
    return static_cast<FakeBackend&>(*backends.back());
  }
  std::vector<Row> check() {
    GoldenStore store(dir.path());
    return check_case(fake, backends, store, options);
  }
  void record(Source source = Source::sim, const std::string& reason = "") {
    FakeBackend right;
    const CaseInputs inputs = make_inputs(fake);
    const RunResult run = run_case(fake, inputs.tensors, right, {});
    GoldenStore store(dir.path());
    store.record(make_recording(fake, inputs, fake.reference(inputs.tensors, run.regions),
                                {&run, "sim", source, model_text(mfma::MfmaModel{})}),
                 reason, has_full);
    store.save();
  }
  bool has_full = false;
};

// Changes one element of a right result.
void break_element(FakeBackend& backend, int index, float value) {
  const auto right = backend.kernel;
  backend.kernel = [=](std::vector<BufferImage>& images) {
    right(images);
    y_of(images)[index] = value;
  };
}

Reference bounded(std::vector<double> value, double bound) {
  Reference reference;
  reference["y"].bound.assign(value.size(), bound);
  reference["y"].value = std::move(value);
  return reference;
}

}  // namespace

TEST_CASE("check: equal to oracle and golden") {
  Bench bench;
  bench.add("sim");
  bench.record();
  const auto rows = bench.check();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == Status::equal);
  CHECK(rows[0].elements == 8);
  CHECK(rows[0].reason == "oracle exact, golden (oracle) equal");
  CHECK(rows[0].evidence == "inferred");
  CHECK(rows[0].hash.size() == 32);
  CHECK(exit_code(rows) == 0);
}

TEST_CASE("check: without a golden the row says so") {
  Bench bench;
  bench.add("sim");
  CHECK(bench.check()[0].reason == "oracle exact, no golden");
}

TEST_CASE("check: the oracle's bound decides, and the worst distance is printed") {
  Bench bench;
  bench.add("sim");
  bench.fake.oracle = [](const Tensors&) { return bounded({2, 4, 6, 8, 10, 12, 14, 16.5}, 1.0); };
  CHECK(bench.check()[0].reason == "oracle within bound 0.5, no golden");
  bench.fake.oracle = [](const Tensors&) { return bounded({2, 4, 6, 8, 10, 12, 14, 18}, 1.0); };
  const Row row = bench.check()[0];
  CHECK(row.status == Status::different);
  CHECK(row.reason == "oracle bound exceeded (2), no golden");
  CHECK(row.report.find("1 of 8 elements of sim are outside the oracle's bound") != std::string::npos);
  CHECK(row.report.find("first at element 7 (row 1, column 3)") != std::string::npos);
  CHECK(row.report.find("oracle 18 +- 1") != std::string::npos);
}

TEST_CASE("check: NaN and infinity of the oracle must be met exactly, and a zero bound is exact") {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  Bench bench;
  FakeBackend& sim = bench.add("sim");
  const auto status = [&](double expected, float got, double bound) {
    bench.fake.oracle = [=](const Tensors&) { return bounded({expected, 4, 6, 8, 10, 12, 14, 16}, bound); };
    sim.kernel = FakeBackend().kernel;
    break_element(sim, 0, got);
    return bench.check()[0].status;
  };
  CHECK(status(nan, std::nanf(""), 1) == Status::equal);
  CHECK(status(nan, 2, 1) == Status::different);
  CHECK(status(2, std::nanf(""), 1) == Status::different);
  CHECK(status(inf, HUGE_VALF, 1) == Status::equal);
  CHECK(status(inf, -HUGE_VALF, 1) == Status::different);
  CHECK(status(inf, 3e38f, inf) == Status::different);
  CHECK(status(2, 2, 0) == Status::equal);
  CHECK(status(2, 2.0000002f, 0) == Status::different);
}

TEST_CASE("check: an oracle of the wrong size is an error of the case") {
  Bench bench;
  bench.add("sim");
  bench.fake.oracle = [](const Tensors&) { return bounded({1}, 1); };
  CHECK(bench.check()[0].status == Status::error);
}

TEST_CASE("check: a backend that differs from the first one is different, and both are named") {
  Bench bench;
  bench.add("sim");
  break_element(bench.add("isa"), 3, 8.5f);
  const auto rows = bench.check();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].status == Status::equal);
  CHECK(rows[1].status == Status::different);
  CHECK(rows[1].reason == "differs from sim, no golden");
  CHECK(rows[1].report.find("between sim and isa") != std::string::npos);
  CHECK(rows[1].report.find("sim 0x41000000 (8)") != std::string::npos);
  CHECK(exit_code(rows) == 1);
}

TEST_CASE("check: NaN bits between backends are counted, and are differences when asked") {
  Bench bench;
  bench.fake.oracle = [](const Tensors&) { return bounded({2, 4, 6, 8, 10, 12, 14, std::nan("")}, 1); };
  break_element(bench.add("sim"), 7, std::nanf(""));
  break_element(bench.add("isa"), 7, -std::nanf("1"));
  CHECK(bench.check()[1].reason == "equal to sim (1 NaNs with other bits), no golden");
  bench.options.nan_bits = true;
  CHECK(bench.check()[1].status == Status::different);
}

TEST_CASE("check: a skipped backend is neither equal nor an error, and alone it exits 77") {
  Bench bench;
  bench.add("sim");
  bench.add("hip").why_not = "no gfx950";
  auto rows = bench.check();
  CHECK(rows[1].status == Status::skipped);
  CHECK(rows[1].reason == "no gfx950");
  CHECK(rows[1].elements == 0);
  CHECK(rows[1].hash.empty());
  CHECK(exit_code(rows) == 0);
  bench.backends.erase(bench.backends.begin());
  CHECK(exit_code(bench.check()) == 77);
}

TEST_CASE("check: when the first backend is skipped the next one is judged by the oracle") {
  Bench bench;
  bench.add("sim").why_not = "not today";
  bench.add("isa");
  CHECK(bench.check()[1].reason == "oracle exact, no golden");
}

TEST_CASE("check: a case that compares no element is an error") {
  Bench bench;
  bench.add("sim");
  bench.fake.oracle = [](const Tensors&) { return Reference(); };
  const auto rows = bench.check();
  CHECK(rows[0].status == Status::error);
  CHECK(rows[0].reason == "no oracle, no golden, compared no element");
  CHECK(exit_code(rows) == 2);
}

TEST_CASE("check: a kernel that throws is an error row, and the other backends still run") {
  Bench bench;
  bench.add("sim").kernel = [](std::vector<BufferImage>&) {
    throw Error("workgroup 3 wave 1: out of bounds");
  };
  bench.add("isa");
  const auto rows = bench.check();
  CHECK(rows[0].status == Status::error);
  CHECK(rows[0].reason == "workgroup 3 wave 1: out of bounds");
  CHECK(rows[1].status == Status::equal);
  CHECK(exit_code(rows) == 2);
}

TEST_CASE("check: a report of several lines shows its first one as the reason and is kept whole") {
  Bench bench;
  bench.add("sim").kernel = [](std::vector<BufferImage>&) { throw Error("no progress\nwave 0: waits"); };
  const Row row = bench.check()[0];
  CHECK(row.reason == "no progress");
  CHECK(row.report == "fake/double/1 on sim: no progress\nwave 0: waits\n");
}

TEST_CASE("check: a golden from hardware makes the evidence of an equal run measured") {
  Bench bench;
  FakeBackend& sim = bench.add("sim");
  bench.record(Source::hardware);
  CHECK(bench.check()[0].evidence == "measured");
  CHECK(bench.check()[0].reason == "oracle exact, golden (hardware) equal");
  break_element(sim, 0, 3);
  CHECK(bench.check()[0].evidence == "inferred");
}

TEST_CASE("check: findings make a run different although its bits are right") {
  Bench bench;
  FakeBackend& sim = bench.add("sim");
  sim.findings = {"race: a", "race: b"};
  const Row row = bench.check()[0];
  CHECK(row.status == Status::different);
  CHECK(row.reason == "race: a (and 1 more findings), oracle exact, no golden");
  CHECK(row.report == "fake/double/1 on sim: race: a\nfake/double/1 on sim: race: b\n");
}

TEST_CASE("golden: other bits are reported from the full tensor where it is kept, else by hash") {
  for (const bool full : {false, true}) {
    Bench bench;
    bench.has_full = full;
    bench.record();
    // An oracle that allows much, so that only the golden differs.
    bench.fake.oracle = [](const Tensors&) { return bounded({2, 4, 6, 8, 10, 12, 14, 16}, 5.0); };
    break_element(bench.add("sim"), 2, 7);
    const Row row = bench.check()[0];
    CHECK(row.status == Status::different);
    CHECK(row.reason == "oracle within bound 0.2, golden differs");
    const char* expected = full ? "between golden and sim" : "is not the golden from the oracle: hash ";
    CHECK(row.report.find(expected) != std::string::npos);
  }
}

TEST_CASE("golden: inputs other than the recorded ones are a difference that names the generator") {
  Bench bench;
  bench.add("sim");
  bench.record();
  bench.fake.x[0] = 11;
  const Row row = bench.check()[0];
  CHECK(row.status == Status::different);
  CHECK(row.report.find("generator count.1.1") != std::string::npos);
}

TEST_CASE("golden: one from the simulator is not compared under another model, one from the oracle is") {
  Bench bench;
  bench.add("sim");
  bench.options.run.model = make_model("gfx950-wide", {});
  bench.record();
  CHECK(bench.check()[0].reason == "oracle exact, golden (oracle) equal, model gfx950-wide");

  Bench simulated;
  simulated.add("sim");
  simulated.options.run.model = make_model("gfx950-wide", {});
  simulated.fake.oracle = [](const Tensors&) { return bounded({2, 4, 6, 8, 10, 12, 14, 16}, 1.0); };
  simulated.record();
  CHECK(simulated.check()[0].reason ==
        "oracle within bound 0, golden not compared: it is for the model gfx950-default, model gfx950-wide");
}

TEST_CASE("check: a changed option of the arithmetic is named, and what it computes is a guess") {
  const auto row_under = [](auto change) {
    Bench bench;
    bench.add("sim");
    change(bench.options.run);
    return bench.check()[0];
  };
  const Row usual = row_under([](RunOptions&) {});
  CHECK(usual.evidence == "inferred");
  CHECK(usual.reason == "oracle exact, no golden");
  CHECK(row_under([](RunOptions& run) { run.model = make_model("gfx950-wide", {}); }).evidence == "inferred");
  const Row option = row_under([](RunOptions& run) { run.model = make_model("", {"F=23"}); });
  CHECK(option.evidence == "unknown");
  CHECK(option.reason == "oracle exact, no golden, model gfx950-default+F=23");
  const Row numeric = row_under([](RunOptions& run) { run.numeric = make_numeric_model({"bf8_nan=0x7e"}); });
  CHECK(numeric.evidence == "unknown");
  CHECK(numeric.reason == "oracle exact, no golden, model gfx950-default+bf8_nan=0x7e");
}

TEST_CASE("golden: NaN bits are held by a hash of their own") {
  Bench bench;
  bench.fake.x[0] = std::nanf("");
  bench.fake.oracle = [](const Tensors&) { return bounded({std::nan(""), 4, 6, 8, 10, 12, 14, 16}, 1); };
  FakeBackend& sim = bench.add("sim");
  bench.record();
  CHECK(bench.check()[0].status == Status::equal);
  break_element(sim, 0, -std::nanf("77"));
  CHECK(bench.check()[0].status == Status::equal);
  bench.options.nan_bits = true;
  CHECK(bench.check()[0].status == Status::different);
}

TEST_CASE("golden: exactness-conditioned words come from the oracle and rank above the simulator") {
  Bench bench;
  bench.record();
  GoldenStore store(bench.dir.path());
  REQUIRE(store.find("fake/double/1", "y") != nullptr);
  CHECK(store.find("fake/double/1", "y")->source == Source::oracle);
  CHECK(store.find("fake/double/1", "y")->generator == "count.1.1");
  bench.fake.oracle = [](const Tensors&) { return bounded({2, 4, 6, 8, 10, 12, 14, 16}, 1.0); };
  bench.record();  // same bits from the simulator: the oracle's line stays
  GoldenStore again(bench.dir.path());
  CHECK(again.find("fake/double/1", "y")->source == Source::oracle);
}

TEST_CASE("golden: a changed result needs a reason, and nothing is written without one") {
  Bench bench;
  bench.record();
  const std::string before = read_text(bench.dir / "fake/manifest.txt");
  bench.fake.x[0] = 5;
  CHECK_THROWS_WITH_AS(bench.record(),
                       doctest::Contains("fake/manifest.txt: fake/double/1 y: the golden would change"),
                       FileError);
  CHECK(read_text(bench.dir / "fake/manifest.txt") == before);
  bench.record(Source::sim, "x starts at 5");
  CHECK(read_text(bench.dir / "fake/manifest.txt").find(" r2 # x starts at 5\n") != std::string::npos);
}

TEST_CASE("golden: full tensors carry their provenance and keep a better source") {
  Bench bench;
  bench.has_full = true;
  bench.record(Source::hardware);
  const auto file = SafetensorsFile::open(bench.dir / "fake/double.1.safetensors");
  CHECK(file.metadata().at("case") == "fake/double/1");
  CHECK(file.metadata().at("source") == "hardware");
  CHECK(file.metadata().at("evidence") == "measured");
  for (const char* key :
       {"backend", "generator", "inputs_hash", "outputs_hash", "model", "code_object_hash"}) {
    CAPTURE(key);
    CHECK(file.metadata().contains(key));
  }
  CHECK(file.read("y") == f32({2, 4}, {2, 4, 6, 8, 10, 12, 14, 16}));
  Recording weaker;
  weaker.case_name = "fake/double/1";
  weaker.source = Source::sim;
  weaker.tensors = {{"y", f32({2, 4}, {0, 0, 0, 0, 0, 0, 0, 0})}};
  CHECK_THROWS_WITH_AS(GoldenStore(bench.dir.path()).write_tensors(weaker), doctest::Contains("are better"),
                       FileError);
}

TEST_CASE("golden: a kept tensor that is not the one of the manifest is an error that names both files") {
  Bench bench;
  bench.add("sim");
  bench.has_full = true;
  bench.record();
  CHECK(bench.check()[0].status == Status::equal);
  const auto path = bench.dir / "fake/double.1.safetensors";
  const Tensor other_bits = f32({2, 4}, {2, 4, 6, 8, 10, 12, 14, 17});
  for (const Tensor& other : {other_bits, f32({8}, {2, 4, 6, 8, 10, 12, 14, 16})}) {
    write_safetensors(path, {{"y", other}});
    const Row row = bench.check()[0];
    CAPTURE(row.reason);
    CHECK(row.status == Status::error);
    for (const char* part :
         {"double.1.safetensors: tensor 'y'", "fake/manifest.txt says", "recorded together"})
      CHECK(row.reason.find(part) != std::string::npos);
  }
}

TEST_CASE("golden: kept tensors beyond the limit are refused before anything is written") {
  Bench bench;
  GoldenStore store(bench.dir.path());
  Recording big;
  big.case_name = "fake/big/1";
  big.tensors = {{"y", Tensor(DType::U8, {kMaxKeptBytes + 1})}};
  store.record(big, "", true);
  CHECK_THROWS_WITH_AS(store.save(), doctest::Contains("more than 4194304"), FileError);
  CHECK(std::filesystem::is_empty(bench.dir.path()));
}

TEST_CASE("json: one object with exactly the agreed keys") {
  Row row;
  row.case_name = "gemv/a/1";
  row.backend = "sim";
  row.status = Status::equal;
  row.elements = 8;
  row.hash = "ab";
  row.evidence = "inferred";
  row.reason = "golden equal";
  row.seconds = 0.5;
  CHECK(
      row_json(row) ==
      R"({"case":"gemv/a/1","backend":"sim","status":"equal","elements":8,"hash":"ab","evidence":"inferred",)"
      R"("reason":"golden equal","seconds":0.5})");
}

TEST_CASE("table: rows, one line a skipped backend with its reason, and the summary") {
  Bench bench;
  bench.add("sim");
  bench.add("hip").why_not = "no gfx950";
  auto rows = bench.check();
  rows[0].seconds = 0.25;
  CHECK(table_text(rows) ==
        "case           backend  status  elements  evidence  seconds  reason\n"
        "fake/double/1  sim      equal          8  inferred     0.25  oracle exact, no golden\n"
        "\n"
        "hip skipped in 1 case: no gfx950\n"
        "1 cases: 1 runs equal, 0 different, 1 skipped, 0 errors\n"
        "evidence: inferred 1\n");
}

}  // namespace wavetwin::golden
