# HDF5 brings some thirty libraries along, most for files on the web. Therefore the study library is not linked with it but loads it when a
# result file is first read or written (src/result/hdf5/access/library.hpp), by DALEMBERT_HDF5_SONAME, as the dynamic linker would find it.
# Where that is not known, as of a static library, or one where the linker would not look, it is linked: DALEMBERT_HDF5_LINKED.
find_package(HDF5 1.10.7 REQUIRED COMPONENTS C)  # files without locks since then
foreach(library ${HDF5_C_LIBRARIES})
  file(REAL_PATH "${library}" library)
  cmake_path(GET library PARENT_PATH folder)
  if(library MATCHES "/libhdf5[^/]*\\.so" AND folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES AND CMAKE_READELF)
    execute_process(COMMAND ${CMAKE_READELF} --dynamic --wide "${library}" OUTPUT_VARIABLE dynamic ERROR_QUIET)
    if(dynamic MATCHES "\\(SONAME\\)[^\n]*\\[([^]\n]+)\\]")
      set(DALEMBERT_HDF5_SONAME ${CMAKE_MATCH_1})
      set(shared ${library})
    endif()
  endif()
endforeach()
set(DALEMBERT_HDF5_SHARED "${shared}" CACHE INTERNAL "The file of that name, which packages depend on")
if(NOT DALEMBERT_HDF5_SONAME)
  set(DALEMBERT_HDF5_LINKED ${HDF5_C_LIBRARIES})
endif()
