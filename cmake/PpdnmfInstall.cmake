# cmake --install gives the program, the libraries that strangers can use with their headers, and
# find_package(ppdnmf COMPONENTS crypto nmf ...) with targets ppdnmf::<room>.
include(CMakePackageConfigHelpers)
list(TRANSFORM PPDNMF_PUBLIC_ROOMS PREPEND ppdnmf_ OUTPUT_VARIABLE installed)
install(TARGETS ${installed} EXPORT ppdnmfTargets ARCHIVE DESTINATION lib)
install(TARGETS ppdnmf RUNTIME DESTINATION bin)
foreach(room ${PPDNMF_PUBLIC_ROOMS})
  install(DIRECTORY src/ppdnmf/${room} DESTINATION include/ppdnmf
          FILES_MATCHING PATTERN "*.h" PATTERN "internal" EXCLUDE PATTERN "testdata" EXCLUDE PATTERN "test_*.h" EXCLUDE)
endforeach()
install(EXPORT ppdnmfTargets NAMESPACE ppdnmf:: DESTINATION lib/cmake/ppdnmf)
configure_package_config_file(cmake/ppdnmfConfig.cmake.in ${CMAKE_BINARY_DIR}/ppdnmfConfig.cmake
                              INSTALL_DESTINATION lib/cmake/ppdnmf)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ppdnmfConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ppdnmfConfig.cmake ${CMAKE_BINARY_DIR}/ppdnmfConfigVersion.cmake
        DESTINATION lib/cmake/ppdnmf)
