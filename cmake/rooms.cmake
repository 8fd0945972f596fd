# The sources of some rooms, as architecture.md draws them.
function(dalembert_room_sources variable)
  set(sources)
  foreach(room ${ARGN})
    file(GLOB_RECURSE room_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cpp)
    list(APPEND sources ${room_sources})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
