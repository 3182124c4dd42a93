// SPDX-License-Identifier: MIT
// What the attention back asks of its inputs, for tensors that users bring.
#pragma once

#include <span>
#include <string>

#include "golden/cases/back_frame.h"
#include "golden/harness/case.h"

namespace wavetwin::golden {

// Of one tensor by itself: what is wrong with the input of this name, or "".
std::string back_complaint(const std::string& name, const Tensor& tensor);

// Of a problem's tensors together: key table entries inside the caches, positions inside cos_sin, and the
// records that the keys name. `table` and `counts` are what the kernel reads, `prefix` what their names begin
// with. Throws Error naming the input and the place.
void check_back_keys(const BackFrame& frame, const Tensors& inputs, std::span<const uint32_t> table,
                     std::span<const uint32_t> counts, const std::string& prefix);
void check_back_positions(const Tensors& inputs, std::span<const int64_t> positions,
                          const std::string& prefix);

}  // namespace wavetwin::golden
