// SPDX-License-Identifier: MIT
#include "golden/cases/primitives.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "golden/cases/matrix_words.h"
#include "golden/cases/message_words.h"
#include "golden/cases/primitives_inputs.h"
#include "golden/oracle/primitives.h"
#include "sim/kernels/primitives.h"

namespace wavetwin::golden {
namespace {

class PrimitiveCase : public KernelCase {
 public:
  explicit PrimitiveCase(uint32_t word) : index_(word), word_(kPrimitives[word]) {}

  std::string name() const override { return fmt::format("primitives/{}/0", word_.name); }
  std::vector<std::string> labels() const override { return {"test", "small", "opt"}; }
  GeneratorId generator() const override { return {"primitives", kPrimitiveInputsVersion, 0}; }

  std::vector<InputSpec> inputs() const override {
    return {{"in", DType::U32, {word_.in, kPrimitiveElements}, {}}};
  }
  Tensors generate() const override {
    return {{"in", make_tensor<uint32_t>(DType::U32, inputs()[0].shape, primitive_operands(word_, 0))}};
  }

  std::vector<RegionSpec> regions() const override {
    RegionSpec out;
    out.name = out.buffer = "out";
    out.dtype = word_.type == PrimitiveType::f32      ? DType::F32
                : word_.type == PrimitiveType::bf16x2 ? DType::BF16
                                                      : DType::U32;
    out.shape = {word_.out, kPrimitiveElements};
    if (word_.type == PrimitiveType::bf16x2) out.shape.push_back(2);
    out.locate = [](std::span<const uint64_t> index) {
      const uint64_t thread = index[1] % kThreads;
      return fmt::format("workgroup {}, wave {}, lane {}, result word {}", index[1] / kThreads,
                         thread / kLanes, thread % kLanes, index[0]);
    };
    return {out};
  }

  Program program(const Tensors& inputs) const override {
    Program program;
    BufferSpec in, out;
    in.name = "in";
    in.initial.push_back({0, inputs.at("in").data});
    in.bytes = in.initial[0].data.size();
    out.name = "out";
    out.bytes = uint64_t{4} * word_.out * kPrimitiveElements;
    program.buffers = {in, out};
    program.launches.push_back(launch());
    return program;
  }

  Reference reference(const Tensors& inputs, const Tensors&) const override {
    const auto in = inputs.at("in").view<uint32_t>();
    const auto judged = oracle::primitive(word_, {in.begin(), in.end()}, kPrimitiveElements);
    RegionReference out;
    if (judged.bits.empty()) {
      out.value = judged.value;
      out.bound = judged.bound;
    } else {
      const RegionSpec region = regions()[0];
      Tensor exact = make_tensor<uint32_t>(DType::U32, {judged.bits.size()}, judged.bits);
      exact.dtype = region.dtype;
      exact.shape = region.shape;
      out.exact = exact;
    }
    return {{"out", out}};
  }

  Evidence evidence() const override { return word_.evidence; }

 private:
  Launch launch() const {
    Launch launch;
    launch.code_object = "primitives";
    launch.symbol = word_.symbol;
    launch.grid = {kPrimitiveElements / kThreads, 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.kernarg = [](const Addresses& at) {
      const PrimitiveArgs args{{at.of("in")}, {at.of("out")}, kPrimitiveElements, 0};
      std::vector<std::byte> bytes(sizeof args);
      std::memcpy(bytes.data(), &args, sizeof args);
      return bytes;
    };
    launch.sim = [index = index_](Wave& wave, std::span<const std::byte> kernarg) {
      PrimitiveArgs args;
      std::memcpy(&args, kernarg.data(), sizeof args);
      return primitive_kernel(index, wave, args);
    };
    return launch;
  }

  const uint32_t index_;
  const Primitive word_;
};

}  // namespace

CaseList primitives_cases() {
  CaseList cases;
  for (uint32_t word = 0; word < std::size(kPrimitives); ++word)
    cases.push_back(std::make_unique<PrimitiveCase>(word));
  for (auto& matrix : matrix_word_cases()) cases.push_back(std::move(matrix));
  for (auto& message : message_word_cases()) cases.push_back(std::move(message));
  return cases;
}

}  // namespace wavetwin::golden
