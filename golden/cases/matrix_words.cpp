// SPDX-License-Identifier: MIT
#include "golden/cases/matrix_words.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "golden/cases/random.h"
#include "golden/oracle/matrix_words.h"
#include "sim/kernels/matrix_words.h"

namespace wavetwin::golden {
namespace {

constexpr uint32_t kVersion = 1;

class MatrixWordCase : public KernelCase {
 public:
  explicit MatrixWordCase(uint32_t word) : index_(word), kernel_(kMatrixKernels[word]) {}

  std::string name() const override { return fmt::format("primitives/{}/0", kernel_.name); }
  std::vector<std::string> labels() const override { return {"test", "small", "opt"}; }
  GeneratorId generator() const override { return {"matrix_words", kVersion, 0}; }

  std::vector<InputSpec> inputs() const override {
    return {{"a", DType::U32, {kMatrixWaves, kMatrixWords, kLanes}, {}},
            {"b", DType::U32, {kMatrixWaves, kMatrixWords, kLanes}, {}},
            {"scale_a", DType::U32, {kMatrixWaves, kLanes}, {}},
            {"scale_b", DType::U32, {kMatrixWaves, kLanes}, {}},
            {"c", DType::F32, {kMatrixWaves, 4, kLanes}, {}}};
  }

  Tensors generate() const override {
    Tensors tensors;
    for (const InputSpec& spec : inputs()) {
      std::vector<uint32_t> words(element_count(spec.shape));
      for (size_t i = 0; i < words.size(); ++i) words[i] = word_of(spec.name, i);
      tensors[spec.name] = make_tensor<uint32_t>(DType::U32, spec.shape, words);
      tensors[spec.name].dtype = spec.dtype;
    }
    return tensors;
  }

  std::vector<RegionSpec> regions() const override {
    RegionSpec d;
    d.name = d.buffer = "d";
    d.dtype = DType::F32;
    d.shape = {kMatrixWaves, 4, kLanes};
    d.locate = [](std::span<const uint64_t> index) {
      return fmt::format("wave {}, lane {}, v{}: row {}, column {}", index[0], index[2], index[1],
                         4 * (index[2] / 16) + index[1], index[2] % 16);
    };
    return {d};
  }

  Program program(const Tensors& inputs) const override {
    Program program;
    for (const InputSpec& spec : this->inputs()) {
      BufferSpec buffer;
      buffer.name = spec.name;
      buffer.initial.push_back({0, inputs.at(spec.name).data});
      buffer.bytes = buffer.initial[0].data.size();
      program.buffers.push_back(std::move(buffer));
    }
    BufferSpec d;
    d.name = "d";
    d.bytes = uint64_t{4} * kMatrixWaves * 4 * kLanes;
    program.buffers.push_back(std::move(d));
    program.launches.push_back(launch());
    return program;
  }

  Reference reference(const Tensors& inputs, const Tensors&) const override {
    const auto words = [&](const char* name) {
      const Tensor& tensor = inputs.at(name);
      return std::span<const uint32_t>(reinterpret_cast<const uint32_t*>(tensor.data.data()),
                                       tensor.data.size() / 4);
    };
    const auto judged = oracle::matrix_word(
        kernel_, {words("a"), words("b"), words("scale_a"), words("scale_b"), words("c")});
    RegionReference d;
    d.value = judged.value;
    d.bound = judged.bound;
    return {{"d", d}};
  }

  Evidence evidence() const override { return Evidence::inferred; }

 private:
  // A finite operand dword: fp8 bytes without NaN, any fp4, bf16 near 1.
  uint32_t word_of(const std::string& input, uint64_t i) const {
    const uint32_t random = random_word(index_, input.front() + input.back(), i);
    if (input.starts_with("scale")) return (random & ~255u) | (117 + (random & 255) % 20);
    if (input == "c") return (random & 0x807FFFFFu) | (120 + random % 16) << 23;
    if (kernel_.word != MatrixWord::scaled)
      return (random & 0x807F807Fu) | (0x3B803B80u + (random >> 7 & 7) * 0x00800080u);
    if ((input == "a" ? kernel_.a_format : kernel_.b_format) == kFp4) return random;
    uint32_t codes = random;
    for (unsigned byte = 0; byte < 4; ++byte) {
      if ((codes >> (8 * byte) & 127) == 127) codes ^= 64u << (8 * byte);
    }
    return codes;
  }

  Launch launch() const {
    Launch launch;
    launch.code_object = "matrix_words";
    launch.symbol = kernel_.symbol;
    launch.block = {kThreads, 1, 1};
    launch.kernarg = [](const Addresses& at) {
      const MatrixArgs args{{at.of("a")},       {at.of("b")}, {at.of("scale_a")},
                            {at.of("scale_b")}, {at.of("c")}, {at.of("d")}};
      std::vector<std::byte> bytes(sizeof args);
      std::memcpy(bytes.data(), &args, sizeof args);
      return bytes;
    };
    launch.sim = [index = index_](Wave& wave, std::span<const std::byte> kernarg) {
      MatrixArgs args;
      std::memcpy(&args, kernarg.data(), sizeof args);
      return matrix_kernel(index, wave, args);
    };
    return launch;
  }

  const uint32_t index_;
  const MatrixKernel kernel_;
};

}  // namespace

CaseList matrix_word_cases() {
  CaseList cases;
  for (uint32_t word = 0; word < std::size(kMatrixKernels); ++word) {
    cases.push_back(std::make_unique<MatrixWordCase>(word));
  }
  return cases;
}

}  // namespace wavetwin::golden
