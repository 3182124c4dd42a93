// SPDX-License-Identifier: MIT
// What the stages of the attention back share; twin of hip/device/back_context.h.
#pragma once

#include "common/kernels/back.h"
#include "sim/kernels/device_sync.h"

namespace wavetwin::back {

// Arguments, tag and scratch regions of one launch.
struct Context {
  Args args;
  Mailbox mail;
  Scratch at;

  BufferView region(uint32_t offset) const { return rsrc(args.scratch.address + offset, kAllRecords); }
};

// Hand-offs of step `ep` and this layer carry a tag that no earlier step or other layer wrote.
template <Form kForm>
Context context(const Args& args, uint32_t ep) {
  return {args, {ep * 64 + args.layer + 1}, scratch(kForm, args.tokens, args.scratch_start)};
}

}  // namespace wavetwin::back
