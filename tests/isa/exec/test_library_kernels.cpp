// SPDX-License-Identifier: MIT
// Kernels in the manner of assembly libraries, against plain sums. Inputs are small multiples of powers of
// two, so every partial sum is exact in bf16 and f32 and the order of the atomics does not matter.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

// A small generator of its own: a 64-bit linear congruence (Knuth's constants), high bits.
class Numbers {
 public:
  explicit Numbers(uint64_t seed) : state_(seed) {}
  uint32_t below(uint32_t count) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((state_ >> 33) % count);
  }

 private:
  uint64_t state_;
};

// Codes with their values: e4m3 of OCP 8-bit floats, e2m1 of OCP MX.
struct Code {
  uint8_t bits;
  double value;
};
constexpr Code kE4M3[] = {{0x38, 1}, {0xb8, -1}, {0x40, 2}, {0xc0, -2}};
constexpr Code kE2M1[] = {{0x0, 0}, {0x1, 0.5}, {0x2, 1}, {0x4, 2}, {0x9, -0.5}, {0xa, -1}};

uint32_t bf16_bits(float value) { return std::bit_cast<uint32_t>(value) >> 16; }
double bf16_value(uint32_t bits) { return std::bit_cast<float>(bits << 16); }

uint64_t upload(Machine& machine, const std::string& name, const auto& content) {
  const uint64_t bytes = content.size() * sizeof(content[0]);
  const uint64_t address = machine.memory().allocate(name, bytes);
  machine.memory().write(address, content.data(), bytes);
  return address;
}

uint32_t magic(uint32_t divisor) {
  return divisor == 1 ? 0 : static_cast<uint32_t>(((uint64_t{1} << 32) + divisor - 1) / divisor);
}

// ---- MXFP8 x MXFP4 ----

struct MxProblem {
  uint32_t m, n, k, splits;
  std::vector<uint8_t> a, b;                // codes in memory order
  std::vector<uint8_t> a_scales, b_scales;  // [row][K / 32], E8M0
  std::vector<double> a_values, b_values;   // with their scales

  uint32_t items() const { return m / 16 * (n / 64) * splits; }
};

MxProblem make_problem(uint32_t m, uint32_t n, uint32_t k, uint32_t splits) {
  Numbers numbers(m * 1000003 + n * 1009 + k + splits);
  MxProblem problem{m, n, k, splits, {}, {}, {}, {}, {}, {}};
  problem.a.assign(m * k, 0);
  problem.b.assign(n * k / 2, 0);
  for (uint32_t i = 0; i < m * k / 32; ++i) problem.a_scales.push_back(127 + numbers.below(2));
  for (uint32_t i = 0; i < n * k / 32; ++i) problem.b_scales.push_back(126 + numbers.below(3));
  problem.a_values.assign(m * k, 0);
  problem.b_values.assign(n * k, 0);
  // Four entries of a row, scaled by 1 or 2: partial sums are multiples of 1/4 of at most 64, exact in bf16.
  for (uint32_t row = 0; row < m; ++row) {
    for (uint32_t count = 0; count < 4; ++count) {
      const uint32_t at = row * k + numbers.below(k);
      const Code code = kE4M3[numbers.below(4)];
      problem.a[at] = code.bits;
      problem.a_values[at] = code.value * std::exp2(problem.a_scales[at / 32] - 127);
    }
  }
  for (uint32_t at = 0; at < n * k; ++at) {
    const Code code = kE2M1[numbers.below(6)];
    problem.b[at / 2] |= static_cast<uint8_t>(code.bits << (at % 2 * 4));
    problem.b_values[at] = code.value * std::exp2(problem.b_scales[at / 32] - 127);
  }
  return problem;
}

// Rows of E8M0 bytes as the kernel's dwords: [rows / 16][K / 512][lane], byte s the scale of row lane % 16
// and block 4 s + lane / 16 of the 512.
std::vector<uint32_t> lane_scales(const std::vector<uint8_t>& scales, uint32_t rows, uint32_t k) {
  std::vector<uint32_t> words(rows / 16 * (k / 512) * 64);
  for (uint32_t i = 0; i < words.size(); ++i) {
    const uint32_t lane = i % 64, steps = i / 64 % (k / 512), tile = i / 64 / (k / 512);
    for (uint32_t s = 0; s < 4; ++s) {
      const uint32_t block = steps * 16 + 4 * s + lane / 16;
      words[i] |= uint32_t{scales[(tile * 16 + lane % 16) * (k / 32) + block]} << (8 * s);
    }
  }
  return words;
}

struct MxResult {
  std::vector<uint32_t> c;       // bf16 bits, [N][M]
  std::vector<uint32_t> owners;  // workgroup + 1 of each item
};

MxResult run_persistent(const MxProblem& problem, uint32_t workgroups, const ExecuteOptions& options) {
  Machine machine("library_gemm");
  const uint64_t a = upload(machine, "A", problem.a), b = upload(machine, "B", problem.b);
  const uint64_t sa = upload(machine, "A scales", lane_scales(problem.a_scales, problem.m, problem.k));
  const uint64_t sb = upload(machine, "B scales", lane_scales(problem.b_scales, problem.n, problem.k));
  const uint64_t c = machine.zeroed("C", problem.m * problem.n * 2);
  const uint64_t work = machine.zeroed("work", 4 + 4 * problem.items());
  const auto pair = [](uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; };
  const auto report =
      machine.run("persistent_mxfp", workgroups, 256,
                  {a, sa, b, sb, c, work, pair(problem.k, problem.m / 16),
                   pair(problem.n / 64, problem.splits), pair(magic(problem.splits), magic(problem.m / 16))},
                  options);
  for (const Finding& finding : report.dispatch.findings.kept()) FAIL_CHECK(finding.line());
  MxResult result;
  for (const uint32_t word : machine.words(c, problem.m * problem.n / 2)) {
    result.c.push_back(word & 0xffff);
    result.c.push_back(word >> 16);
  }
  result.owners = machine.words(work, 1 + problem.items());
  CHECK(result.owners[0] == problem.items() + workgroups);  // every workgroup asked once in vain
  result.owners.erase(result.owners.begin());
  return result;
}

void check_product(const MxProblem& problem, const MxResult& result) {
  for (uint32_t n = 0; n < problem.n; ++n) {
    for (uint32_t m = 0; m < problem.m; ++m) {
      double sum = 0;
      for (uint32_t k = 0; k < problem.k; ++k)
        sum += problem.a_values[m * problem.k + k] * problem.b_values[n * problem.k + k];
      CAPTURE(m);
      CAPTURE(n);
      REQUIRE(bf16_value(bf16_bits(static_cast<float>(sum))) == sum);  // the inputs were chosen well
      REQUIRE(bf16_value(result.c[n * problem.m + m]) == sum);
    }
  }
}

}  // namespace

TEST_CASE("assembly library: a persistent MXFP8 x MXFP4 GEMM with split K gives the product") {
  for (const auto& [m, n, k, splits, workgroups] :
       {std::array{32u, 128u, 1024u, 2u, 3u}, {48u, 64u, 2048u, 1u, 2u}, {16u, 192u, 1536u, 3u, 5u}}) {
    CAPTURE(m);
    const MxProblem problem = make_problem(m, n, k, splits);
    const MxResult result = run_persistent(problem, workgroups, {});
    check_product(problem, result);
    for (const uint32_t owner : result.owners) CHECK((owner >= 1 && owner <= workgroups));
  }
}

TEST_CASE("assembly library: the persistent GEMM gives the same bits for every schedule") {
  const MxProblem problem = make_problem(32, 128, 1024, 2);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    ExecuteOptions options;
    options.dispatch.schedule_seed = seed;
    options.dispatch.threads = 1 + seed % 2;
    check_product(problem, run_persistent(problem, 4, options));
  }
}

TEST_CASE("assembly library: the persistent GEMM reads every scale byte where it belongs") {
  const MxProblem problem = make_problem(16, 64, 512, 1);
  const MxResult right = run_persistent(problem, 1, {});
  // Exchanging the scales of two K blocks changes what they scale.
  for (uint32_t block = 0; block < 15; ++block) {
    CAPTURE(block);
    MxProblem wrong = problem;
    for (uint32_t n = 0; n < 64; ++n)
      std::swap(wrong.b_scales[n * 16 + block], wrong.b_scales[n * 16 + block + 1]);
    CHECK(run_persistent(wrong, 1, {}).c != right.c);
  }
}

// ---- 2:4 sparse bf16 ----

TEST_CASE("assembly library: a 2:4 sparse bf16 GEMM with transposing LDS reads gives the product") {
  for (const auto& [m, n, k] : {std::array{32u, 48u, 256u}, {16u, 16u, 128u}, {64u, 32u, 512u}}) {
    CAPTURE(m);
    CAPTURE(k);
    Numbers numbers(m + n + k);
    std::vector<float> a(m * k), b(k * n);
    std::vector<uint16_t> compressed(m * k / 2), b_bits(k * n);
    std::vector<uint32_t> index(m / 16 * (k / 128) * 64);
    for (uint32_t row = 0; row < m; ++row) {
      for (uint32_t pair = 0; pair < k / 4; ++pair) {
        const uint32_t first = numbers.below(3), second = first + 1 + numbers.below(3 - first);
        for (const auto& [slot, at] : {std::array{0u, first}, {1u, second}}) {
          const float value = static_cast<float>(numbers.below(9)) - 4;
          const uint32_t c = 2 * pair + slot;  // compressed element of the row
          a[row * k + 4 * pair + at] = value;
          compressed[row * (k / 2) + c] = static_cast<uint16_t>(bf16_bits(value));
          // 32 compressed elements a 64-step: a lane group has four of the first 16, then four of the
          // last 16.
          const uint32_t in_step = c % 32, step = c / 32, lane = row % 16 + 16 * (in_step % 16 / 4);
          const uint32_t place = in_step / 16 * 4 + in_step % 4;
          index[(row / 16 * (k / 128) + step / 2) * 64 + lane] |= at << (step % 2 * 16 + 2 * place);
        }
      }
    }
    for (uint32_t i = 0; i < k * n; ++i) {
      b[i] = static_cast<float>(numbers.below(17)) - 8;
      b_bits[i] = static_cast<uint16_t>(bf16_bits(b[i]));
    }
    Machine machine("library_gemm");
    const uint64_t d = machine.poisoned("D", m * n * 4);
    const auto report = machine.run("sparse_bf16", n / 16, 64,
                                    {upload(machine, "A", compressed), upload(machine, "index bits", index),
                                     upload(machine, "B", b_bits), d, k | uint64_t{n} << 32, m / 16});
    for (const Finding& finding : report.dispatch.findings.kept()) FAIL_CHECK(finding.line());
    const auto words = machine.words(d, m * n);
    for (uint32_t i = 0; i < m * n; ++i) {
      double sum = 0;
      for (uint32_t at = 0; at < k; ++at) sum += double{a[i / n * k + at]} * b[at * n + i % n];
      CAPTURE(i);
      REQUIRE(std::bit_cast<float>(words[i]) == sum);
    }
  }
}

}  // namespace wavetwin::isa
