// SPDX-License-Identifier: MIT
// What the stages of the attention back share; twin of sim/kernels/back_context.h.
#pragma once

#include "common/kernels/back.h"
#include "hip/device/sync.h"

namespace wavetwin::back {

WAVETWIN_INLINE LdsFloats floats(LdsWords words) { return (LdsFloats)words; }
WAVETWIN_INLINE U32x2 lds_load2(LdsWords lds, uint32_t word) {
  return *(__attribute__((address_space(3))) U32x2*)(lds + word);
}
WAVETWIN_INLINE void lds_store2(LdsWords lds, uint32_t word, U32x2 v) {
  *(__attribute__((address_space(3))) U32x2*)(lds + word) = v;
}

// Arguments, tag and scratch regions of one launch.
struct Context {
  Args args;
  Mailbox mail;
  Scratch at;

  WAVETWIN_INLINE const uint32_t* words(uint32_t offset) const { return pointer(args.scratch) + offset / 4; }
  WAVETWIN_INLINE Rsrc region(uint32_t offset) const { return rsrc(words(offset)); }
};

// Hand-offs of step `ep` and this layer carry a tag that no earlier step or other layer wrote.
template <Form kForm>
WAVETWIN_INLINE Context context(const Args& args, uint32_t ep) {
  return {args, {ep * 64 + args.layer + 1}, scratch(kForm, args.tokens, args.scratch_start)};
}

}  // namespace wavetwin::back
