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

# arm64_system FOLDER: Debian's packages for ARM64 that the cross compiler and QEMU need, unpacked, where they are not.
arm64_system() {
  local packages
  if compgen -G "$1/usr/include/python3*/Python.h" >/dev/null; then return; fi
  rm -rf "$1"
  packages=$(sed -n '/^program_packages/,/^END/p' tool/install-dependencies | grep -o '^lib[^ ]*\|^[^ ]*json3-dev' | paste -sd,)
  mmdebstrap --variant=extract --architectures=arm64 \
    --include="libc6-dev,libstdc++-12-dev,doctest-dev,python3,libpython3-dev,$packages" bookworm "$1"
}
