# With CMAKE_UNITY_BUILD the sources of a folder are one unit, which compiles in a third of the time. Therefore the helpers in the
# unnamed namespaces of one folder have different names. To be called in the folder that makes the target.
function(dalembert_unity_groups target)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH folder)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
