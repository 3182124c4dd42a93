// SPDX-License-Identifier: MIT
// C++ for the GPU without HIP: variables that are constructed when the object is loaded.
typedef unsigned u32;

volatile u32 order = 1;
struct Counted {
  u32 value;
  explicit Counted(u32 x) : value(10 * x + order) { order = order + 1; }
};
Counted first(3), second(4);

extern "C" [[clang::amdgpu_kernel]] void constructed(u32* out) {
  out[0] = first.value;
  out[1] = second.value;
  out[2] = order;
}
