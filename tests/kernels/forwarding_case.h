// SPDX-License-Identifier: MIT
// A case that is another one; tests override what they change.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "golden/harness/case.h"

namespace wavetwin::golden {

class ForwardingCase : public KernelCase {
 public:
  explicit ForwardingCase(std::unique_ptr<KernelCase> original) : original_(std::move(original)) {}
  std::string name() const override { return original_->name(); }
  std::vector<std::string> labels() const override { return original_->labels(); }
  GeneratorId generator() const override { return original_->generator(); }
  std::vector<InputSpec> inputs() const override { return original_->inputs(); }
  Tensors generate() const override { return original_->generate(); }
  std::vector<RegionSpec> regions() const override { return original_->regions(); }
  Program program(const Tensors& inputs) const override { return original_->program(inputs); }
  Evidence evidence() const override { return original_->evidence(); }
  Reference reference(const Tensors& inputs, const Tensors& produced) const override {
    return original_->reference(inputs, produced);
  }

 private:
  std::unique_ptr<KernelCase> original_;
};

}  // namespace wavetwin::golden
