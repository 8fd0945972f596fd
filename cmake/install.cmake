include(CMakePackageConfigHelpers)
install(TARGETS dalembert dalembert_options EXPORT dalembert_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/dalembert DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY problems studies DESTINATION ${CMAKE_INSTALL_DATADIR}/dalembert)
install(EXPORT dalembert_targets NAMESPACE dalembert:: FILE dalembert-targets.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
configure_package_config_file(cmake/dalembert-config.cmake.in ${PROJECT_BINARY_DIR}/dalembert-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dalembert-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dalembert-config.cmake ${PROJECT_BINARY_DIR}/dalembert-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)
