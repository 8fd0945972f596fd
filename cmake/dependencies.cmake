# Every third-party dependency, with the reason for it (Debian package in brackets).
# The core library (expression to run) needs a C++20 compiler only.

if(DALEMBERT_BUILD_APP OR DALEMBERT_USE_INSTALLED)
  find_package(CLI11 REQUIRED)          # command lines [libcli11-dev]
  find_package(tomlplusplus REQUIRED)   # problem and study files [libtomlplusplus-dev]
  find_package(nlohmann_json REQUIRED)  # JSON results, round-trip numbers [nlohmann-json3-dev]
  find_package(fmt REQUIRED)            # formatted tables and messages [libfmt-dev]
  find_path(DALEMBERT_RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)  # random starts [librandom123-dev]
  # Pictures are drawn by the program gnuplot at run time [gnuplot-nox].
endif()
if(DALEMBERT_BUILD_PYTHON)
  # That of an active environment; else the system's before any other, which has the packages that the tests need [python3].
  if(NOT DEFINED ENV{VIRTUAL_ENV} AND NOT DEFINED ENV{CONDA_PREFIX})
    find_program(DALEMBERT_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
    if(DALEMBERT_PYTHON AND NOT Python_EXECUTABLE)
      set(Python_EXECUTABLE ${DALEMBERT_PYTHON})
    endif()
  endif()
  find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)  # [python3-dev]
  find_package(pybind11 2.10 REQUIRED)  # C++ seen from Python [pybind11-dev]
endif()
if(DALEMBERT_BUILD_APP OR DALEMBERT_BUILD_PYTHON)
  enable_language(C)                    # FindHDF5 compiles a C program
  include(cmake/hdf5.cmake)             # result files readable with h5py [libhdf5-dev]
endif()
if(DALEMBERT_MPI)
  enable_language(C)                    # FindMPI asks the C compiler
  find_package(MPI REQUIRED COMPONENTS C)  # ensembles of many processes [libopenmpi-dev, openmpi-bin]
endif()
if(DALEMBERT_BUILD_APP OR DALEMBERT_BUILD_TESTS)
  find_package(Eigen3 REQUIRED)         # roots and kernels of matrices, sparse systems [libeigen3-dev]
  if(POLICY CMP0167)                    # Boost's own description of itself, which CMake 3.30 asks for
    cmake_policy(SET CMP0167 NEW)
  endif()
  find_package(Boost 1.74 REQUIRED)     # float128 for high orders and accuracy; odeint [libboost-dev]
  include(cmake/quadmath.cmake)         # comes with g++; without it extended precision is long double
endif()
if(DALEMBERT_BUILD_TESTS)
  find_package(doctest REQUIRED)        # unit and property tests [doctest-dev]
  find_package(nlohmann_json REQUIRED)  # reference solutions of the tests [nlohmann-json3-dev]
endif()
if(DALEMBERT_BUILD_BENCH)
  # Peers of the work-precision benchmark, each where it is there; tool/install-dependencies leaves them out.
  find_library(DALEMBERT_GSL_LIBRARY gsl)                    # Runge and Kutta's methods, Debian's libgsl-dev
  find_library(DALEMBERT_GSL_CBLAS_LIBRARY gslcblas)
  find_library(DALEMBERT_CVODE_LIBRARY sundials_cvode)       # multistep methods, Debian's libsundials-dev
  find_library(DALEMBERT_ARKODE_LIBRARY sundials_arkode)
  find_library(DALEMBERT_IDA_LIBRARY sundials_ida)           # differential-algebraic equations
  find_library(DALEMBERT_NVECTOR_LIBRARY sundials_nvecserial)
endif()
