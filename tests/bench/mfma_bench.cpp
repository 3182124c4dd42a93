// SPDX-License-Identifier: MIT
// Multiply-adds a second of the simulated MFMAs, from wave registers to wave registers on one thread, beside
// Eigen's float GEMM in the same run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sim/numerics/mfma.h"
#include "tests/bench/eigen_gemm.h"

namespace wavetwin::bench {
namespace {

using mfma::Format, mfma::Shape;

constexpr const char* kHeadline = "v_mfma_scale_f32_16x16x128_f8f6f4/e4m3/e4m3";
constexpr const char* kEigen = "eigen/f32/1024";

struct Registers {
  uint32_t a[mfma::kMaxInputVgprs][64], b[mfma::kMaxInputVgprs][64];
  uint32_t c[mfma::kMaxOutputVgprs][64], d[mfma::kMaxOutputVgprs][64];
  uint32_t scale_a[64], scale_b[64];
};

// One random code. Floats are normal values, narrow formats scaled as a block quantiser leaves them.
uint64_t random_code(std::mt19937& random, Format format) {
  const FormatInfo& info = format_info(format);
  if (info.float_format == nullptr) return random() & 0xFF;
  std::normal_distribution<double> normal(
      0, info.bits < 16 ? std::ldexp(0.5, info.float_format->max_exponent()) : 1.0);
  return encode(format, normal(random), Overflow::saturate);
}

// Every lane's registers as one bit string of codes.
void fill(std::mt19937& random, Format format, unsigned vgprs, uint32_t (*registers)[64]) {
  const unsigned bits = format_info(format).bits;
  for (unsigned lane = 0; lane < 64; ++lane) {
    unsigned __int128 window = 0;
    unsigned filled = 0;
    for (unsigned v = 0; v < vgprs; ++v, window >>= 32, filled -= 32) {
      for (; filled < 32; filled += bits)
        window |= static_cast<unsigned __int128>(random_code(random, format)) << filled;
      registers[v][lane] = static_cast<uint32_t>(window);
    }
  }
}

void run_mfma(benchmark::State& state, const Shape& shape, Format a, Format b) {
  static Registers r;
  std::mt19937 random(1);
  fill(random, a, a_vgprs(shape, a), r.a);
  fill(random, b, b_vgprs(shape, b), r.b);
  for (unsigned lane = 0; lane < 64; ++lane)
    r.scale_a[lane] = 118 + random() % 4, r.scale_b[lane] = 118 + random() % 4;
  const mfma::MfmaModel model;
  mfma::Modifiers modifiers;
  modifiers.a_format = a;
  modifiers.b_format = b;
  for (auto _ : state) {
    mfma::mfma(model, shape, modifiers, {r.a, r.b, r.c, r.d, r.scale_a, r.scale_b});
    benchmark::DoNotOptimize(r.d[0][0]);
  }
  const double macs = double{1} * shape.m * shape.n * shape.k * shape.blocks;
  state.counters["GMAC/s"] =
      benchmark::Counter(macs * 1e-9 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void run_eigen(benchmark::State& state) {
  constexpr int n = 1024;
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (float& x : a) x = normal(random);
  for (float& x : b) x = normal(random);
  for (auto _ : state) {
    eigen_gemm(n, a.data(), b.data(), c.data());
    benchmark::DoNotOptimize(c[0]);
  }
  state.counters["GMAC/s"] = benchmark::Counter(1e-9 * n * n * n * static_cast<double>(state.iterations()),
                                                benchmark::Counter::kIsRate);
}

// The usual table, and the rates by name for the last line.
class Reporter : public benchmark::ConsoleReporter {
 public:
  Reporter() : ConsoleReporter(isatty(STDOUT_FILENO) ? OO_ColorTabular : OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.counters.count("GMAC/s") != 0) rates[run.benchmark_name()] = run.counters.at("GMAC/s");
    ConsoleReporter::ReportRuns(runs);
  }
  std::map<std::string, double> rates;
};

void register_all() {
  for (const Shape& shape : mfma::kShapes) {
    std::vector<std::pair<Format, Format>> pairs = {{shape.a, shape.b}};
    if (shape.input == mfma::InputClass::f8f6f4)
      pairs = {{Format::e4m3, Format::e4m3},
               {Format::e5m2, Format::e5m2},
               {Format::e2m3, Format::e3m2},
               {Format::e2m1, Format::e2m1},
               {Format::e4m3, Format::e2m1}};
    for (const auto& [a, b] : pairs)
      benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", shape.name, to_string(a), to_string(b)).c_str(),
                                   run_mfma, shape, a, b)
          ->MinTime(0.1);
  }
  benchmark::RegisterBenchmark(kEigen, run_eigen)->MinTime(0.5);
}

}  // namespace
}  // namespace wavetwin::bench

int main(int argc, char** argv) {
  using namespace wavetwin::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  register_all();
  fmt::print("simulator: {}\nEigen: {}\n", WAVETWIN_LIBRARY_FLAGS, WAVETWIN_EIGEN_FLAGS);
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  const auto rate = [&](const char* name) {
    for (const auto& [full, value] : reporter.rates)
      if (full.rfind(name, 0) == 0) return value;
    return 0.0;
  };
  const double ours = rate(kHeadline), eigen = rate(kEigen);
  if (ours > 0 && eigen > 0)
    fmt::print(
        "scaled 16x16x128 e4m3, one thread: {:.2f} GMAC/s; Eigen float GEMM n = 1024: {:.2f} GMAC/s; "
        "1/{:.1f}\n",
        ours, eigen, eigen / ours);
  return 0;
}
