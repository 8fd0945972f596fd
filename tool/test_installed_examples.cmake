# Installs the built project to one folder, moves what was installed to another, and uses it there as a stranger would: the
# examples with find_package, two of them with pkg-config, and the program, which finds its data where it lies now.
function(run_command)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${work_dir})
run_command(${CMAKE_COMMAND} --install ${build_dir} --prefix ${work_dir}/before --config ${config})
file(RENAME ${work_dir}/before ${work_dir}/prefix)
set(prefix ${work_dir}/prefix)
unset(ENV{DALEMBERT_DATA})

# The program; a problem that only the moved tree has shows which data it reads.
configure_file(${prefix}/share/dalembert/problems/pendulum-cvt.toml ${prefix}/share/dalembert/problems/moved-problem.toml COPYONLY)
execute_process(COMMAND ${prefix}/bin/dalembert list problems OUTPUT_VARIABLE problems COMMAND_ERROR_IS_FATAL ANY)
if(NOT problems MATCHES "moved-problem")
  message(FATAL_ERROR "the moved program does not read the data beside it")
endif()

# find_package
run_command(${CMAKE_COMMAND} -S ${example_dir} -B ${work_dir}/build -G ${generator}
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=${config} -D CMAKE_CXX_COMPILER=${compiler})
run_command(${CMAKE_COMMAND} --build ${work_dir}/build --config ${config})
# A program with a static study library lies anywhere, and must be told where the data are.
if(NOT shared)
  set(ENV{DALEMBERT_DATA} ${prefix}/share/dalembert)
endif()
run_command(${CMAKE_CTEST_COMMAND} --test-dir ${work_dir}/build --build-config ${config} --output-on-failure)

# pkg-config
find_program(pkg_config pkg-config REQUIRED)
file(GLOB_RECURSE pc_file ${prefix}/dalembert.pc)
cmake_path(GET pc_file PARENT_PATH pc_folder)
cmake_path(GET pc_folder PARENT_PATH library_folder)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
set(ENV{LD_LIBRARY_PATH} ${library_folder})
foreach(pair "dalembert own_loop" "dalembert-study library_problem")
  separate_arguments(pair)
  list(GET pair 0 package)
  list(GET pair 1 example)
  execute_process(COMMAND ${pkg_config} --cflags --libs ${package} OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run_command(${compiler} -std=c++20 ${example_dir}/${example}.cpp -o ${work_dir}/${example} ${flags})
  run_command(${work_dir}/${example})
endforeach()
