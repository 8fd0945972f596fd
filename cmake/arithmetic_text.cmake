# The files of the arithmetic as strings, for the room native/, which prints them: what is printed is what is compiled.
set(arithmetic ${PROJECT_SOURCE_DIR}/include/dalembert/numeric/arithmetic)
set(own ${PROJECT_SOURCE_DIR}/src/native)
set(common bits sums twofold exponential trigonometry inverse hyperbolic power functions choices removable angles linear extremes
    step_rules)
list(TRANSFORM common PREPEND ${arithmetic}/)
list(TRANSFORM common APPEND .h)

# Writes the texts of files into a variable, as a list of C++'s raw strings.
function(dalembert_texts variable)
  set(texts)
  foreach(file ${ARGN})
    file(READ ${file} text)
    string(APPEND texts "R\"c_text(${text})c_text\",\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  set(${variable} "${texts}" PARENT_SCOPE)
endfunction()

dalembert_texts(DALEMBERT_DOUBLE_TEXTS ${own}/table_view.h ${arithmetic}/huge_angles.h)
dalembert_texts(DALEMBERT_SCALAR_TEXTS ${own}/scalar_numbers.h)
dalembert_texts(DALEMBERT_PACK_TEXTS ${own}/pack_numbers.h)
dalembert_texts(DALEMBERT_COMMON_TEXTS ${common})
dalembert_texts(DALEMBERT_TABLE_TEXTS ${arithmetic}/tables.h)
dalembert_texts(DALEMBERT_PACK_TABLE_TEXTS ${own}/pack_tables.h ${own}/pack_extremes.h)
set(DALEMBERT_ARITHMETIC_TEXT ${CMAKE_CURRENT_BINARY_DIR}/native/arithmetic_text.cpp)
configure_file(${own}/arithmetic_text.cpp.in ${DALEMBERT_ARITHMETIC_TEXT} @ONLY)
