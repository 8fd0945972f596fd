#compdef dalembert
# Completion of dalembert for zsh: source <(dalembert completion zsh), after compinit
_dalembert() {
  local -a found
  found=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  found=(${found:#})
  if (( $#found )); then compadd -- "${found[@]}"; fi
  _files
}
# As an installed file it is the function itself.
if [[ ${funcstack[1]} == _dalembert ]]; then _dalembert "$@"; else compdef _dalembert dalembert; fi
