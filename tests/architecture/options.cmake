# SPDX-License-Identifier: MIT
# GPU_TARGETS, AMDGPU_TARGETS and CMAKE_HIP_ARCHITECTURES: the first one set wins, is printed, and must be gfx950;
# a missing device compiler is an error that names the package.
function(configure expect_success expect_text)
  set(dir "${BUILD}/options_test")
  file(REMOVE_RECURSE "${dir}")
  execute_process(COMMAND ${CMAKE_COMMAND} -S "${SOURCE}" -B "${dir}" -G Ninja -DWAVETWIN_BUILD_TESTS=OFF ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  file(REMOVE_RECURSE "${dir}")
  if(expect_success AND NOT result EQUAL 0)
    message(FATAL_ERROR "configure with ${ARGN} failed:\n${output}")
  elseif(NOT expect_success AND result EQUAL 0)
    message(FATAL_ERROR "configure with ${ARGN} should have failed")
  endif()
  string(REGEX REPLACE "[ \n]+" " " output "${output}")  # CMake wraps its error text
  string(FIND "${output}" "${expect_text}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "configure with ${ARGN} did not print '${expect_text}':\n${output}")
  endif()
endfunction()

configure(TRUE "GPU target gfx950 (from GPU_TARGETS)" -DGPU_TARGETS=gfx950 -DAMDGPU_TARGETS=gfx942)
configure(TRUE "GPU target gfx950 (from CMAKE_HIP_ARCHITECTURES)" -DCMAKE_HIP_ARCHITECTURES=gfx950)
configure(FALSE "GPU target 'gfx942' (from AMDGPU_TARGETS) is not supported" -DAMDGPU_TARGETS=gfx942)
configure(FALSE "install the package clang-22" -DCMAKE_PROGRAM_PATH= -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF
          -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_MAKE_PROGRAM=/usr/bin/ninja -DCMAKE_CXX_COMPILER=/usr/bin/c++)
