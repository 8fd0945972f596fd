# Shared by the gate (.ci/run) and tool/night: runs scripts as named parts, times them, and closes with a table. To be sourced, with
# LOGS, the folder of the parts' output, MOST_MINUTES, after which no further part begins, and OPTIONAL_MINUTES (part_of).
mkdir -p "$LOGS"
summary=() passed=0 failed=0

# clock SECONDS: as minutes and seconds.
clock() { printf '%3d:%02d' $(($1 / 60)) $(($1 % 60)); }

# part NAME COMMAND...: runs and times it, and counts its tests by the summaries of ctest; without any, it counts as one test.
# All parts run, also after one has failed; but none begins after MOST_MINUTES, and then each that is left out has failed.
part() {
  local name=$1 began=$SECONDS verdict=passed all=0 wrong=0
  shift
  if (( SECONDS > MOST_MINUTES * 60 )); then
    printf '\n=== %s is left out: it would begin after %s minutes\n' "$name" "$MOST_MINUTES"
    summary+=("$(printf '%-12s %6s  %s' "$name" - 'left out: too late')")
    (( ++failed ))
    return
  fi
  printf '\n=== %s, begun after%s\n' "$name" "$(clock $SECONDS)"
  "$@" 2>&1 | tee "$LOGS/$name.log" || verdict=failed
  read -r all wrong < <(sed -n 's/^.* tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\2 \1/p' "$LOGS/$name.log" |
    awk '{ all += $1; wrong += $2 } END { print all + 0, wrong + 0 }')
  if (( all == 0 )); then all=1; fi
  if [[ $verdict == failed ]] && (( wrong == 0 )); then wrong=1; fi
  (( passed += all - wrong, failed += wrong ))
  summary+=("$(printf '%-12s %s  %s' "$name" "$(clock $((SECONDS - began)))" "$verdict")")
}

# part_of NAME INPUTS COMMAND...: the part where one of its inputs, paths separated by blanks, changed since the base of the change. The night
# has it in any case, and has it alone where it would begin after OPTIONAL_MINUTES.
part_of() {
  local name=$1 inputs=$2 changed why=
  shift 2
  # shellcheck disable=SC2086  # several paths
  if ! changed=$(./tool/changed_files $inputs); then
    changed='not known'
  fi
  if [[ -z $changed ]]; then
    why='its inputs did not change'
  elif (( SECONDS > OPTIONAL_MINUTES * 60 )); then
    why='left to tool/night: too late'
  fi
  if [[ $why ]]; then summary+=("$(printf '%-12s %6s  %s' "$name" - "$why")"); else part "$name" "$@"; fi
}

# Prints the table; the exit code is 1 if anything failed.
close() {
  printf '\n%s\n' "part         min:s"
  printf '%s\n' "${summary[@]}" "$(printf '%-12s %s' sum "$(clock $SECONDS)")"
  printf '%s passed, %s failed\n' "$passed" "$failed"
  exit $(( failed > 0 ))
}
