# Shared by the scripts of the gate (.ci/run) and of the night (tool/night) that build. To be sourced; goes to the root of the project.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=$(nproc)

# build PRESET [TARGET ...]
build() {
  local preset=$1
  shift
  cmake --preset "$preset"
  cmake --build --preset "$preset" --parallel "$jobs" ${1:+--target "$@"}
}

# run_tests PRESET AT_LEAST [ARGUMENT OF CTEST ...]
# Fails also where a test was skipped, or where fewer than AT_LEAST were found.
run_tests() {
  local preset=$1 at_least=$2 found report
  shift 2
  report=build/$preset/tests.txt
  ctest --preset "$preset" --parallel "$jobs" "$@" | tee "$report"
  if grep -q -e 'did not run:' -e '\*\*\*Skipped' "$report"; then
    echo "Tests of $preset were skipped." >&2
    return 1
  fi
  found=$(sed -n 's/^.* tests\{0,1\} passed, .* out of \([0-9]*\)$/\1/p' "$report")
  if (( ${found:-0} < at_least )); then
    echo "${found:-0} tests of $preset ran, at least $at_least are expected." >&2
    return 1
  fi
}

# HDF5 loses some memory of files that it refuses and of files that it cannot write.
allow_leaks_of_libraries() {
  export ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS="suppressions=$PWD/tool/leaks_of_libraries.txt:print_suppressions=0"
}
