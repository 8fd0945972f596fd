# `find_package(dalembert)` then gives dalembert::dalembert, the core, and dalembert::study, which reads problem and study files;
# `pkg-config dalembert` and `pkg-config dalembert-study` give the same. The installed tree can be moved.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dalembert)

function(dalembert_install_library target)
  install(TARGETS ${target} EXPORT ${target} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
function(dalembert_install_headers)
  foreach(room ${ARGN})
    install(DIRECTORY include/dalembert/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dalembert)
  endforeach()
endfunction()
# What a static library needs from whoever links it stands in Libs; a shared one brings it along.
function(dalembert_install_pkg_config name description requires libraries)
  file(RELATIVE_PATH prefix_from_here ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" prefix_from_here "${prefix_from_here}")
  configure_file(cmake/dalembert.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

dalembert_install_library(dalembert)
install(EXPORT dalembert NAMESPACE dalembert:: FILE dalembert-core.cmake DESTINATION ${package_dir})
file(GLOB headers_of_no_room CONFIGURE_DEPENDS include/dalembert/*.hpp)
install(FILES ${headers_of_no_room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dalembert)
dalembert_install_headers(${DALEMBERT_CORE_ROOMS})
dalembert_install_pkg_config(dalembert "Simulation of mechanical systems with nonholonomic constraints" "" "-ldalembert -pthread")
if(DALEMBERT_BUILD_APP)
  # A file of its own, because only the study library has dependencies.
  dalembert_install_library(dalembert_study)
  install(EXPORT dalembert_study NAMESPACE dalembert:: FILE dalembert-study.cmake DESTINATION ${package_dir})
  dalembert_install_headers(${DALEMBERT_STUDY_ROOMS})
  if(BUILD_SHARED_LIBS)
    dalembert_install_pkg_config(dalembert-study "Problem and study files, results, pictures" "dalembert" "-ldalembert_study")
  else()
    list(TRANSFORM DALEMBERT_QUADMATH PREPEND "-l" OUTPUT_VARIABLE quadmath)
    list(JOIN DALEMBERT_HDF5_LINKED " " hdf5)
    dalembert_install_pkg_config(dalembert-study "Problem and study files, results, pictures" "dalembert, fmt, tomlplusplus"
      "-ldalembert_study ${hdf5} ${quadmath}")
  endif()
  install(TARGETS dalembert_app dalembert_reproduce_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
  if(DALEMBERT_MPI)
    install(TARGETS dalembert_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/dalembert)
  endif()
  install(FILES doc/dalembert.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  set(completion doc/completion/dalembert)
  install(FILES ${completion}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dalembert)
  install(FILES ${completion}.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _dalembert)
  install(FILES ${completion}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(DIRECTORY problems studies DESTINATION ${CMAKE_INSTALL_DATADIR}/dalembert)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/dalembert-config.cmake.in ${PROJECT_BINARY_DIR}/dalembert-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dalembert-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dalembert-config.cmake ${PROJECT_BINARY_DIR}/dalembert-config-version.cmake
  DESTINATION ${package_dir})
