# SPDX-License-Identifier: MIT
# The device target and compiler, and wavetwin_code_object(NAME SOURCE): hip source -> gfx950 code objects.

# The first of the three spellings users know wins and is printed.
set(WAVETWIN_GPU_TARGET gfx950)
set(_gpu_source "default")
foreach(name GPU_TARGETS AMDGPU_TARGETS CMAKE_HIP_ARCHITECTURES)
  if(DEFINED ${name} AND NOT "${${name}}" STREQUAL "")
    set(WAVETWIN_GPU_TARGET "${${name}}")
    set(_gpu_source "${name}")
    break()
  endif()
endforeach()
message(STATUS "wavetwin: GPU target ${WAVETWIN_GPU_TARGET} (from ${_gpu_source})")
if(NOT WAVETWIN_GPU_TARGET STREQUAL "gfx950")
  message(FATAL_ERROR "wavetwin: GPU target '${WAVETWIN_GPU_TARGET}' (from ${_gpu_source}) is not supported: "
                      "the kernels use gfx950 instructions only; set ${_gpu_source} to gfx950")
endif()

# ROCm's clang when ROCm >= 7 is there (its clang is >= 20), else Debian's clang-22.
set(ROCM_PATH "$ENV{ROCM_PATH}" CACHE PATH "Root of a ROCm installation; empty: /opt/rocm if it exists")
function(wavetwin_find_device_compiler)
  set(root "${ROCM_PATH}")
  if(NOT root)
    set(root /opt/rocm)
  endif()
  if(EXISTS "${root}/.info/version" AND EXISTS "${root}/llvm/bin/clang++")
    file(STRINGS "${root}/.info/version" version LIMIT_COUNT 1)
    if(version MATCHES "^([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 7)
      set(WAVETWIN_DEVICE_COMPILER "${root}/llvm/bin/clang++" CACHE FILEPATH "clang that builds the code objects")
      return()
    endif()
    message(STATUS "wavetwin: ROCm ${version} in ${root} is older than 7, looking for clang++-22")
  endif()
  find_program(WAVETWIN_DEVICE_COMPILER NAMES clang++-22 DOC "clang that builds the code objects")
  find_program(WAVETWIN_DEVICE_LINKER NAMES ld.lld-22 DOC "lld that links the code objects")
  if(NOT WAVETWIN_DEVICE_COMPILER)
    message(FATAL_ERROR "wavetwin: no compiler for gfx950 code objects: install the package clang-22 "
                        "(scripts/setup does), or set ROCM_PATH to a ROCm >= 7")
  endif()
  if(NOT WAVETWIN_DEVICE_LINKER)
    message(FATAL_ERROR "wavetwin: clang++-22 cannot link code objects without lld: install the package lld-22 "
                        "(scripts/setup does)")
  endif()
endfunction()
if(NOT WAVETWIN_DEVICE_COMPILER)
  wavetwin_find_device_compiler()
endif()
message(STATUS "wavetwin: device compiler ${WAVETWIN_DEVICE_COMPILER}")

# What the kernels call EXP2: the software function whose bits need no knowledge of the part, or v_exp_f32, whose low
# bits are inferred. Both twins are built alike.
set(WAVETWIN_EXP2 "det" CACHE STRING "EXP2 of the kernels: det (software) or hw (v_exp_f32)")
set_property(CACHE WAVETWIN_EXP2 PROPERTY STRINGS det hw)
if(WAVETWIN_EXP2 STREQUAL "hw")
  set(WAVETWIN_KERNEL_DEFINES WAVETWIN_EXP2_HW)
elseif(NOT WAVETWIN_EXP2 STREQUAL "det")
  message(FATAL_ERROR "wavetwin: WAVETWIN_EXP2 is '${WAVETWIN_EXP2}'; it must be det or hw")
endif()

add_custom_target(code_objects)

# The driver drops -MD with --offload-device-only, so the dependency file is asked of the compiler proper.
# Builds share/wavetwin/code_objects/NAME.co (-O3) and, for each level in OPT, NAME.O<level>.co beside it.
function(wavetwin_code_object name source)
  cmake_parse_arguments(C "" "" "OPT;DEFINES" ${ARGN})
  set(dir "${WAVETWIN_SHARE_DIR}/code_objects")
  file(MAKE_DIRECTORY "${dir}")
  get_filename_component(source "${source}" ABSOLUTE)
  list(APPEND C_DEFINES ${WAVETWIN_KERNEL_DEFINES})
  list(TRANSFORM C_DEFINES PREPEND "-D")
  foreach(level 3 ${C_OPT})
    set(suffix "")
    if(NOT level EQUAL 3)
      set(suffix ".O${level}")
    endif()
    set(output "${dir}/${name}${suffix}.co")
    add_custom_command(OUTPUT "${output}"
      COMMAND "${WAVETWIN_DEVICE_COMPILER}" -x hip --offload-arch=${WAVETWIN_GPU_TARGET} --offload-device-only
              --no-gpu-bundle-output -nogpulib -nogpuinc -std=c++20 -O${level} -ffp-contract=off
              -fno-gpu-flush-denormals-to-zero -Wall -Wextra -Werror -I "${PROJECT_SOURCE_DIR}" ${C_DEFINES}
              -Xclang -dependency-file -Xclang "${output}.d" -Xclang -MT -Xclang "${output}"
              "${source}" -o "${output}"
      DEPENDS "${source}" DEPFILE "${output}.d" COMMENT "gfx950 code object ${name}${suffix}.co" VERBATIM)
    list(APPEND outputs "${output}")
  endforeach()
  add_custom_target(code_object_${name} ALL DEPENDS ${outputs})
  add_dependencies(code_objects code_object_${name})
endfunction()
