# SPDX-License-Identifier: MIT
# GPU_TARGETS, AMDGPU_TARGETS and CMAKE_HIP_ARCHITECTURES: the first one set wins, is printed, and must be gfx950;
# a missing device compiler is an error that names the package.
set(project "${BUILD}/options_test/project")
file(MAKE_DIRECTORY "${project}")
file(WRITE "${project}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(options LANGUAGES NONE)
set(WAVETWIN_SHARE_DIR \"\${PROJECT_BINARY_DIR}\")
include(\"${SOURCE}/scripts/cmake/WavetwinDevice.cmake\")
")

function(configure expect_success expect_text)
  set(dir "${BUILD}/options_test/build")
  file(REMOVE_RECURSE "${dir}")
  execute_process(COMMAND ${CMAKE_COMMAND} -S "${project}" -B "${dir}" -G Ninja ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
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

configure(TRUE "GPU target gfx950 (from default)")
configure(TRUE "GPU target gfx950 (from GPU_TARGETS)" -DGPU_TARGETS=gfx950 -DAMDGPU_TARGETS=gfx942)
configure(TRUE "GPU target gfx950 (from AMDGPU_TARGETS)" -DAMDGPU_TARGETS=gfx950 -DCMAKE_HIP_ARCHITECTURES=gfx942)
configure(TRUE "GPU target gfx950 (from CMAKE_HIP_ARCHITECTURES)" -DCMAKE_HIP_ARCHITECTURES=gfx950)
configure(FALSE "GPU target 'gfx942' (from AMDGPU_TARGETS) is not supported" -DAMDGPU_TARGETS=gfx942)
configure(TRUE "GPU target gfx950 (from default)" -DWAVETWIN_EXP2=hw)
configure(FALSE "WAVETWIN_EXP2 is 'fast'; it must be det or hw" -DWAVETWIN_EXP2=fast)
find_program(ninja NAMES ninja REQUIRED)
configure(FALSE "install the package clang-22" -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF
          -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_MAKE_PROGRAM=${ninja})

# A ROCm >= 7 tree is preferred; an older one is passed over with a line that says so.
file(MAKE_DIRECTORY "${BUILD}/options_test/rocm/.info" "${BUILD}/options_test/rocm/llvm/bin")
file(WRITE "${BUILD}/options_test/rocm/llvm/bin/clang++" "")
file(WRITE "${BUILD}/options_test/rocm/.info/version" "7.1.0-20\n")
configure(TRUE "device compiler ${BUILD}/options_test/rocm/llvm/bin/clang++" -DROCM_PATH=${BUILD}/options_test/rocm)
file(WRITE "${BUILD}/options_test/rocm/.info/version" "6.4.1-83\n")
configure(TRUE "is older than 7, looking for clang++-22" -DROCM_PATH=${BUILD}/options_test/rocm)
file(REMOVE_RECURSE "${BUILD}/options_test")
