# SPDX-License-Identifier: MIT
# Builds test_isa_host_hash with other host compilers and optimisation levels and runs it: its one hash must hold.
function(check name)
  set(dir ${BUILD_DIR}/${name})
  foreach(command
      "${CMAKE_COMMAND};-S;${SOURCE_DIR};-B;${dir};-G;Ninja;${ARGN}"
      "${CMAKE_COMMAND};--build;${dir};--target;test_isa_host_hash"
      "${dir}/tests/test_isa_host_hash")
    execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "${name}: ${command} gave ${result}:\n${output}")
    endif()
  endforeach()
  message(STATUS "${name}: the same hash")
endfunction()

check(clang_O2 -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_BUILD_TYPE=Release)
check(clang_O0 -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_BUILD_TYPE=Debug -DWAVETWIN_HOST_ARCH=x86-64)
check(gcc_O0 -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Debug)
