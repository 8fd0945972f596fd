# `find_package(dalembert)` then gives dalembert::dalembert, the core, and dalembert::study, which reads problem and study files.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)

install(TARGETS dalembert EXPORT dalembert_core ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT dalembert_core NAMESPACE dalembert:: FILE dalembert-core.cmake DESTINATION ${package_dir})
install(FILES include/dalembert/error.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dalembert)
set(study_rooms document problem study result picture report)
foreach(room numeric expression mechanics method step run measure audit)
  install(DIRECTORY include/dalembert/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dalembert)
endforeach()
if(DALEMBERT_BUILD_APP)
  # A file of its own, because only the study library has dependencies.
  install(TARGETS dalembert_study EXPORT dalembert_study ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT dalembert_study NAMESPACE dalembert:: FILE dalembert-study.cmake DESTINATION ${package_dir})
  foreach(room ${study_rooms})
    install(DIRECTORY include/dalembert/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dalembert)
  endforeach()
  install(TARGETS dalembert_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY problems studies DESTINATION ${CMAKE_INSTALL_DATADIR}/dalembert)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/dalembert-config.cmake.in ${PROJECT_BINARY_DIR}/dalembert-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dalembert-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dalembert-config.cmake ${PROJECT_BINARY_DIR}/dalembert-config-version.cmake
  DESTINATION ${package_dir})
