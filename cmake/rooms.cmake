# The rooms of the core and of the study library, in the order of architecture.md. tool/check_includes reads them here.
set(DALEMBERT_CORE_ROOMS numeric expression mechanics method step native run measure audit sensitivity)
set(DALEMBERT_STUDY_ROOMS linearisation control document problem study result picture report analysis claims)

# The sources of some rooms.
function(dalembert_room_sources variable)
  set(sources)
  foreach(room ${ARGN})
    file(GLOB_RECURSE room_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cpp)
    list(APPEND sources ${room_sources})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
