# SPDX-License-Identifier: MIT
# wavetwin_library(NAME sources...): one layer of the project as a static library, exported as wavetwin::NAME.
# wavetwin_test(NAME SOURCES ... LIBRARIES ... [LABELS ...] [MAIN]): one doctest program, one CTest test.

function(wavetwin_library name)
  add_library(wavetwin_${name} STATIC ${ARGN})
  add_library(wavetwin::${name} ALIAS wavetwin_${name})
  set_target_properties(wavetwin_${name} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME wavetwin_${name})
  target_include_directories(wavetwin_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/wavetwin>)
  target_link_libraries(wavetwin_${name} PUBLIC wavetwin_flags PRIVATE $<BUILD_INTERFACE:wavetwin_build_flags>)
  set_property(GLOBAL APPEND PROPERTY WAVETWIN_INSTALL_TARGETS wavetwin_${name})
endfunction()

# Slow tests carry the label "slow" and run only with `scripts/test --slow`.
function(wavetwin_test name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS;ARGS" ${ARGN})
  add_executable(test_${name} ${T_SOURCES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(test_${name} PRIVATE wavetwin_build_flags wavetwin_doctest ${T_LIBRARIES})
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  # doctest suites named "slow" are separate CTest tests, so that one label selects them all.
  add_test(NAME ${name} COMMAND test_${name} --test-suite-exclude=slow ${T_ARGS})
  set_tests_properties(${name} PROPERTIES LABELS "${T_LABELS}" TIMEOUT 600)
  if(WAVETWIN_SANITIZE MATCHES "thread")
    # archer tells the sanitizer what OpenMP's barriers order; the runtime itself is not instrumented.
    find_library(WAVETWIN_ARCHER archer PATHS /usr/lib/llvm-22/lib NO_CACHE)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT
      "OMP_TOOL_LIBRARIES=${WAVETWIN_ARCHER};TSAN_OPTIONS=ignore_noninstrumented_modules=1")
  endif()
endfunction()

function(wavetwin_slow_suite name)
  add_test(NAME ${name}.slow COMMAND test_${name} --test-suite=slow)
  set_tests_properties(${name}.slow PROPERTIES LABELS "slow" TIMEOUT 7200)
endfunction()
