# SPDX-License-Identifier: MIT
# Options and the compile flags every host target shares (target wavetwin_flags).

option(WAVETWIN_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(WAVETWIN_BUILD_BENCH "Build the benchmarks (needs Google Benchmark)" OFF)
option(WAVETWIN_WERROR "Treat warnings as errors" OFF)
set(WAVETWIN_SANITIZE "" CACHE STRING "Value of -fsanitize= for every host target")
set(WAVETWIN_HIP_RUNTIME "AUTO" CACHE STRING "Build hip/runtime: AUTO, REQUIRED or OFF")
set_property(CACHE WAVETWIN_HIP_RUNTIME PROPERTY STRINGS AUTO REQUIRED OFF)

# The executor and the fast MFMA rely on the compiler's vectoriser; AVX2 is what the speed targets are stated for.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(_wavetwin_arch "x86-64-v3")
else()
  set(_wavetwin_arch "")
endif()
set(WAVETWIN_HOST_ARCH "${_wavetwin_arch}" CACHE STRING "-march= for the host code; empty for the compiler's default")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")  # asserts stay on: a wrong bit must not pass silently
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)  # here, so that every folder that links a layer sees the target

add_library(wavetwin_flags INTERFACE)
target_compile_features(wavetwin_flags INTERFACE cxx_std_20)
# -ffp-contract=off: g++ and clang both fuse a*b+c by default, and a fused product has other bits.
target_compile_options(wavetwin_flags INTERFACE $<BUILD_INTERFACE:-ffp-contract=off>)
add_library(wavetwin_build_flags INTERFACE)
target_link_libraries(wavetwin_build_flags INTERFACE wavetwin_flags)
target_compile_options(wavetwin_build_flags INTERFACE -Wall -Wextra -Wno-unknown-pragmas)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # <immintrin.h> and Eigen trip false positives of these two under -O2.
  target_compile_options(wavetwin_build_flags INTERFACE -Wno-maybe-uninitialized -Wno-psabi)
endif()
if(WAVETWIN_HOST_ARCH)
  target_compile_options(wavetwin_build_flags INTERFACE -march=${WAVETWIN_HOST_ARCH})
endif()
if(WAVETWIN_WERROR)
  target_compile_options(wavetwin_build_flags INTERFACE -Werror)
endif()
if(WAVETWIN_SANITIZE)
  target_compile_options(wavetwin_build_flags INTERFACE -fsanitize=${WAVETWIN_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(wavetwin_build_flags INTERFACE -fsanitize=${WAVETWIN_SANITIZE})
  if(WAVETWIN_SANITIZE MATCHES "undefined")
    target_compile_options(wavetwin_build_flags INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()
