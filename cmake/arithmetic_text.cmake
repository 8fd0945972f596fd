# The files of the arithmetic as strings, for the room native/, which prints them: what is printed is what is compiled.
set(DALEMBERT_ARITHMETIC_TEXTS)
set(arithmetic ${PROJECT_SOURCE_DIR}/include/dalembert/numeric/arithmetic)
foreach(file
    ${PROJECT_SOURCE_DIR}/src/native/scalar_numbers.h
    ${arithmetic}/bits.h
    ${arithmetic}/trigonometry.h
    ${arithmetic}/exponential.h
    ${arithmetic}/functions.h
    ${arithmetic}/choices.h
    ${arithmetic}/removable.h
    ${arithmetic}/sums.h
    ${arithmetic}/angles.h
    ${arithmetic}/linear.h
    ${arithmetic}/tables.h
    ${arithmetic}/extremes.h
    ${arithmetic}/step_rules.h)
  file(READ ${file} text)
  string(APPEND DALEMBERT_ARITHMETIC_TEXTS "R\"c_text(${text})c_text\",\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
set(DALEMBERT_ARITHMETIC_TEXT ${CMAKE_CURRENT_BINARY_DIR}/native/arithmetic_text.cpp)
configure_file(${PROJECT_SOURCE_DIR}/src/native/arithmetic_text.cpp.in ${DALEMBERT_ARITHMETIC_TEXT} @ONLY)
