# The lane kernels of the room step/, one unit per instruction set; the program chooses at run time. Each unit has an inline
# namespace of its own, so that the linker never shares a function between two of them.
function(dalembert_lane_kernel set)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/step/lane_kernel_${set}.cpp TARGET_DIRECTORY dalembert PROPERTIES
    COMPILE_DEFINITIONS DALEMBERT_INSTRUCTION_SET_NAMESPACE=${set} COMPILE_OPTIONS "${ARGN}")
endfunction()

dalembert_lane_kernel(portable)
# Under the sanitizers of the gate the portable one stands for all: one text, whose bits are those of the others.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND
   NOT (DALEMBERT_SANITIZE AND DALEMBERT_QUICK_TESTS))
  dalembert_lane_kernel(x86_64_v2 -march=x86-64-v2)
  dalembert_lane_kernel(x86_64_v3 -march=x86-64-v3 ${DALEMBERT_UNFUSED})
  dalembert_lane_kernel(x86_64_v4 -march=x86-64-v4 ${DALEMBERT_UNFUSED})
  target_compile_definitions(dalembert PRIVATE DALEMBERT_X86_64_KERNELS)
else()
  foreach(set x86_64_v2 x86_64_v3 x86_64_v4)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/step/lane_kernel_${set}.cpp TARGET_DIRECTORY dalembert
      PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
endif()
