# SPDX-License-Identifier: MIT
# find_package(wavetwin CONFIG) gives wavetwin::common, wavetwin::sim and wavetwin::golden.
include(CMakePackageConfigHelpers)
get_property(_targets GLOBAL PROPERTY WAVETWIN_INSTALL_TARGETS)
set_target_properties(wavetwin_flags PROPERTIES EXPORT_NAME flags)
install(TARGETS ${_targets} wavetwin_flags EXPORT wavetwinTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT wavetwinTargets NAMESPACE wavetwin:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wavetwin)
foreach(folder common sim golden)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wavetwin
          FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/scripts/cmake/wavetwinConfig.cmake.in
  ${PROJECT_BINARY_DIR}/wavetwinConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wavetwin)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wavetwinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wavetwinConfig.cmake ${PROJECT_BINARY_DIR}/wavetwinConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wavetwin)
if(TARGET wavetwin)
  install(TARGETS wavetwin RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${WAVETWIN_SHARE_DIR}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/wavetwin OPTIONAL)
