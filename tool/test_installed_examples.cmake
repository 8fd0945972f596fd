# Installs the built project to work_dir/prefix, builds the example programs there as a stranger would, and runs them.
function(run_command)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${work_dir})
set(prefix ${work_dir}/prefix)
run_command(${CMAKE_COMMAND} --install ${build_dir} --prefix ${prefix} --config ${config})
run_command(${CMAKE_COMMAND} -S ${example_dir} -B ${work_dir}/build -G ${generator}
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=${config} -D CMAKE_CXX_COMPILER=${compiler})
run_command(${CMAKE_COMMAND} --build ${work_dir}/build --config ${config})
set(ENV{DALEMBERT_DATA} ${prefix}/share/dalembert)
run_command(${CMAKE_CTEST_COMMAND} --test-dir ${work_dir}/build --build-config ${config} --output-on-failure)
