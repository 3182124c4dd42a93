// SPDX-License-Identifier: MIT
// Lets one header serve the host compilers and the freestanding gfx950 device compilation.
//
// Device code is built with -nogpuinc -nogpulib: no HIP header is read, so the attribute words that those
// headers define are defined here. Standard headers that only declare types and constexpr functions
// (<cstdint>, <type_traits>, <bit>, <array>) work on the device, since clang takes every constexpr function
// for both sides; <cmath>, <cstring> and anything that calls a library does not.
#pragma once

#if defined(__HIP__)

#ifndef __host__
#define __host__ __attribute__((host))
#endif
#ifndef __device__
#define __device__ __attribute__((device))
#endif
#ifndef __global__
#define __global__ __attribute__((global))
#endif
#ifndef __shared__
#define __shared__ __attribute__((shared))
#endif
#ifndef __constant__
#define __constant__ __attribute__((constant))
#endif

// A function usable on both sides. Inlined at every -O level, so that an unoptimised kernel holds no calls.
#define WAVETWIN_HD __host__ __device__ __attribute__((always_inline))
// A function that exists on the device only.
#define WAVETWIN_DEVICE inline __device__ __attribute__((always_inline))

#else

#define WAVETWIN_HD

#endif

// 1 while the device half of a HIP source is compiled, 0 on the host.
#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
#define WAVETWIN_ON_DEVICE 1
#else
#define WAVETWIN_ON_DEVICE 0
#endif
