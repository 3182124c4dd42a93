// SPDX-License-Identifier: MIT
// What kernels leave in memory depends on the guest program alone: one hash for every number of host threads
// and every quantum; host_compilers.cmake builds this program with other compilers and -O levels, too.
#include <doctest/doctest.h>

#include "tests/isa/exec/machine.h"

namespace wavetwin::isa {
namespace {

// What g++ 12 -O2 gave.
constexpr uint64_t kHash = 0xaac89458f2161603u;

class Hash {
 public:
  void add(const std::vector<uint32_t>& words) {
    for (const uint32_t word : words) hash_ = (hash_ ^ word) * 0x100000001b3u;
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325u;  // FNV-1a over words
};

ExecuteOptions options_of(unsigned threads, uint64_t quantum) {
  ExecuteOptions options;
  options.dispatch.threads = threads;
  options.dispatch.oversubscribe = true;
  options.dispatch.quantum = quantum;
  return options;
}

// Atomics, flags, barriers between waves and workgroups.
void add_synchronisation(Hash& hash, const ExecuteOptions& options) {
  Machine machine("sync");
  const uint64_t counter = machine.zeroed("counter", 8), out = machine.zeroed("out", 4096);
  const uint64_t flag = machine.zeroed("flag", 4), data = machine.zeroed("data", 256);
  machine.run("tickets", 200, 64, {counter, out}, options);
  machine.run("atomic_loop", 40, 64, {counter + 4, out + 1024}, options);
  machine.run("flag_wait", 2, 64, {flag, data, out + 2048}, options);
  machine.run("barriers", 1, 512, {out + 3072}, options);
  hash.add(machine.words(out, 1024));
}

void add_registers(Hash& hash, const ExecuteOptions& options) {
  Machine registers("registers"), memory("memory"), mix("valu_mix");
  const uint64_t out = registers.zeroed("out", 1024);
  for (const char* kernel :
       {"dpp_sum", "sdwa_selects", "gpr_indexing", "hardware_registers", "undefined_registers"}) {
    registers.run(kernel, 1, 64, {out}, options);
    hash.add(registers.words(out, 256));
  }
  const uint64_t lds = memory.zeroed("lds", 1024);
  memory.run("lds_transpose", 1, 64, {lds, lds + 512}, options);
  hash.add(memory.words(lds, 256));
  const uint64_t sums = mix.zeroed("out", 256);
  mix.run("valu_mix", 1, 64, {sums, 50}, options);
  hash.add(mix.words(sums, 64));
}

// Approximations, conversions, f64, and what a compiler makes of C++.
void add_arithmetic(Hash& hash, const ExecuteOptions& options) {
  Machine numeric("numeric"), language(HIP_DIR "language.co");
  const uint64_t out = numeric.zeroed("out", 64 * 48);
  numeric.run("transcendentals", 1, 64, {out}, options);
  hash.add(numeric.words(out, 64 * 12));
  numeric.run("numeric_options", 1, 64, {out}, options);
  hash.add(numeric.words(out, 58));
  const uint64_t words = language.zeroed("out", 4 * 10 * 192);
  language.run("language", 3, 64, {words, 130}, options);
  hash.add(language.words(words, 10 * 192));
}

// Matrix instructions on four workgroups.
void add_gemm(Hash& hash, const ExecuteOptions& options) {
  constexpr uint32_t kM = 64, kN = 256, kK = 256;
  Machine machine(HIP_DIR "gemm_fp8.co");
  const uint64_t a = machine.zeroed("a", kM * kK), b = machine.zeroed("b", kN * kK);
  const uint64_t c = machine.zeroed("c", 4 * kM * kN);
  for (const uint64_t base : {a, b}) {
    std::vector<uint8_t> codes(base == a ? kM * kK : kN * kK);
    for (size_t i = 0; i < codes.size(); ++i) {
      const auto mixed = static_cast<uint32_t>(i * 0x9e3779b9u + base);
      codes[i] = static_cast<uint8_t>((mixed >> 13) % 0x70 | (mixed >> 24 & 0x80));
    }
    machine.memory().write(base, codes.data(), codes.size());
  }
  machine.run("gemm_fp8", kN / 64, 256, {a, b, c, kN | uint64_t{kK} << 32}, options);
  hash.add(machine.words(c, kM * kN));
}

}  // namespace

TEST_CASE(
    "one hash for threads 1, 2 and 7 and quanta 64, 1000 and unlimited, whatever built the host program") {
  for (const unsigned threads : {1u, 2u, 7u}) {
    for (const uint64_t quantum : {uint64_t{64}, uint64_t{1000}, uint64_t{0}}) {
      CAPTURE(threads);
      CAPTURE(quantum);
      const ExecuteOptions options = options_of(threads, quantum);
      Hash hash;
      add_synchronisation(hash, options);
      add_registers(hash, options);
      add_arithmetic(hash, options);
      add_gemm(hash, options);
      INFO(hex_address("hash", hash.value()));
      CHECK(hash.value() == kHash);
    }
  }
}

}  // namespace wavetwin::isa
