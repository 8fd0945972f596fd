# Completion of dalembert for bash: source <(dalembert completion bash)
_dalembert() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" \
    -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _dalembert dalembert
