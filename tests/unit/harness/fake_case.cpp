// SPDX-License-Identifier: MIT
#include "tests/unit/harness/fake_case.h"

#include <cstring>

namespace wavetwin::golden {

Tensor f32(Shape shape, const std::vector<float>& values) {
  return make_tensor<float>(DType::F32, std::move(shape), std::span(values));
}

Tensor f32_bits(Shape shape, const std::vector<uint32_t>& bits) {
  return make_tensor<uint32_t>(DType::F32, std::move(shape), std::span(bits));
}

FakeCase::FakeCase() {
  y.name = y.buffer = "y";
  y.dtype = DType::F32;
  y.shape = {2, 4};
  y_buffer.name = "y";
  y_buffer.bytes = 32;
}

Tensors FakeCase::generate() const { return {{"x", f32({2, 4}, x)}}; }

Program FakeCase::program(const Tensors& inputs) const {
  BufferSpec x_buffer;
  x_buffer.name = "x";
  x_buffer.bytes = 32;
  x_buffer.initial.push_back({0, inputs.at("x").data});
  return {{x_buffer, y_buffer}, {}};
}

Reference FakeCase::reference(const Tensors& inputs, const Tensors& produced) const {
  if (oracle) return oracle(produced);
  std::vector<float> doubled;
  for (const float value : inputs.at("x").view<float>()) doubled.push_back(2 * value);
  Reference reference;
  reference["y"].exact = f32({2, 4}, doubled);
  return reference;
}

FakeBackend::FakeBackend() {
  kernel = [](std::vector<BufferImage>& images) {
    for (int i = 0; i < 8; ++i) y_of(images)[i] = 2 * x_of(images)[i];
  };
}

Execution FakeBackend::execute(const Program&, std::vector<BufferImage>& images, const RunOptions&) {
  ++executions;
  kernel(images);
  Execution execution;
  execution.findings = findings;
  execution.device = device;
  return execution;
}

float* y_of(std::vector<BufferImage>& images) { return reinterpret_cast<float*>(images[1].bytes.data()); }
const float* x_of(std::vector<BufferImage>& images) {
  return reinterpret_cast<const float*>(images[0].bytes.data());
}

}  // namespace wavetwin::golden
