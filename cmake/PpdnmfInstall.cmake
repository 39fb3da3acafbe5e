# cmake --install gives the program, the libraries, the headers and find_package(ppdnmf) with targets ppdnmf::<folder>.
include(CMakePackageConfigHelpers)
get_property(installed GLOBAL PROPERTY PPDNMF_INSTALLED)
install(TARGETS ${installed} EXPORT ppdnmfTargets ARCHIVE DESTINATION lib)
install(TARGETS ppdnmf RUNTIME DESTINATION bin)
install(DIRECTORY src/ppdnmf DESTINATION include
        FILES_MATCHING PATTERN "*.h" PATTERN "internal" EXCLUDE PATTERN "test_*.h" EXCLUDE)
install(EXPORT ppdnmfTargets NAMESPACE ppdnmf:: DESTINATION lib/cmake/ppdnmf)
configure_package_config_file(cmake/ppdnmfConfig.cmake.in ${CMAKE_BINARY_DIR}/ppdnmfConfig.cmake
                              INSTALL_DESTINATION lib/cmake/ppdnmf)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ppdnmfConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ppdnmfConfig.cmake ${CMAKE_BINARY_DIR}/ppdnmfConfigVersion.cmake
        DESTINATION lib/cmake/ppdnmf)
