// SPDX-License-Identifier: MIT
// A case and a backend whose every answer a test can choose: y[i] = 2 * x[i] over F32 [2,4].
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "golden/harness/backend.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

struct FakeCase : KernelCase {
  std::string case_name = "fake/double/1";
  std::vector<std::string> case_labels;
  GeneratorId id{"count", 1, 1};
  InputSpec input{"x", DType::F32, {2, 4}, nullptr};
  std::vector<float> x{1, 2, 3, 4, 5, 6, 7, 8};
  RegionSpec y;
  BufferSpec y_buffer;
  Evidence level = Evidence::inferred;
  std::function<Reference(const Tensors& produced)> oracle;  // empty: exact 2 * x

  FakeCase();
  std::string name() const override { return case_name; }
  std::vector<std::string> labels() const override { return case_labels; }
  GeneratorId generator() const override { return id; }
  std::vector<InputSpec> inputs() const override { return {input}; }
  Tensors generate() const override;
  std::vector<RegionSpec> regions() const override { return {y}; }
  Program program(const Tensors& inputs) const override;
  Reference reference(const Tensors& inputs, const Tensors& produced) const override;
  Evidence evidence() const override { return level; }
};

// Executes `kernel` on the images; by default the right kernel.
struct FakeBackend : Backend {
  const char* backend_name = "sim";
  std::optional<std::string> why_not;
  std::function<void(std::vector<BufferImage>&)> kernel;
  std::vector<std::string> findings;
  std::string device;
  int executions = 0;

  FakeBackend();
  const char* name() const override { return backend_name; }
  std::optional<std::string> unavailable() override { return why_not; }
  Execution execute(const Program&, std::vector<BufferImage>& images, const RunOptions&) override;
};

// The float at an index of the image of buffer "y".
float* y_of(std::vector<BufferImage>& images);
const float* x_of(std::vector<BufferImage>& images);

Tensor f32(Shape shape, const std::vector<float>& values);
Tensor f32_bits(Shape shape, const std::vector<uint32_t>& bits);

}  // namespace wavetwin::golden
