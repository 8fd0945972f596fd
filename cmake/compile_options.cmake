# Options shared by every target of the project.
add_library(dalembert_options INTERFACE)
# No contraction to fused multiply-add: one number, lanes, compilers and instruction sets agree bit for bit.
target_compile_options(dalembert_options INTERFACE
  -ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # Lanes are passed inside one translation unit only, so the vector calling convention does not matter.
  -Wno-psabi)
# GCC 12 fuses a b - c and a b + c side by side to one vfmaddsub in spite of -ffp-contract=off, where it vectorises straight
# code for a machine with FMA.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(DALEMBERT_UNFUSED -fno-tree-slp-vectorize)
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("#ifndef __FMA__
    #error no FMA
    #endif
    int main() {}" DALEMBERT_FMA_BY_DEFAULT)
  if(DALEMBERT_FMA_BY_DEFAULT)
    target_compile_options(dalembert_options INTERFACE ${DALEMBERT_UNFUSED})
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on the sum of a literal and a string (GCC bug 105651).
  target_compile_options(dalembert_options INTERFACE -Wno-restrict)
endif()
if(CMAKE_UNITY_BUILD)
  # A name of one source would be warned of where another one uses it for a local variable.
  target_compile_options(dalembert_options INTERFACE -Wno-shadow)
endif()
if(EMSCRIPTEN)
  # Sizes have 32 bits; numbers of steps and records, which have 64, become sizes where they are small.
  target_compile_options(dalembert_options INTERFACE -Wno-shorten-64-to-32)
endif()
if(DALEMBERT_WARNINGS_AS_ERRORS)
  target_compile_options(dalembert_options INTERFACE -Werror)
endif()
if(DEFINED DALEMBERT_SANITIZE AND DALEMBERT_SANITIZE)
  target_compile_options(dalembert_options INTERFACE -fsanitize=${DALEMBERT_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  if(DALEMBERT_QUICK_TESTS)
    # A fifth of the compiler's time for what other checks find as well: the address sanitizer sees accesses through null and beyond
    # objects. The preset memory has them all.
    target_compile_options(dalembert_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A sanitizer's own code hides from GCC what a variant holds, and it warns of members that are never read.
    target_compile_options(dalembert_options INTERFACE -Wno-maybe-uninitialized)
  endif()
  target_link_options(dalembert_options INTERFACE -fsanitize=${DALEMBERT_SANITIZE})
endif()

# What runs once, or takes no time, is compiled for two thirds of the price. Bits do not depend on it. Not for the libraries: in these,
# functions that a user's file could replace would stand out of line (tool/check_arithmetic); the study library, which plans, reads and
# writes while the steps are the core's, takes -O2. Under the sanitizers of the gate all of it is compiled for a third.
function(dalembert_compile_quickly target)
  set(level -O1)
  if(ARGC GREATER 1)
    set(level ${ARGV1})
  endif()
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}> $<$<AND:$<CONFIG:Debug>,$<BOOL:${DALEMBERT_QUICK_TESTS}>>:-O0>)
endfunction()
