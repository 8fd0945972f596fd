# Completion of dalembert for fish: dalembert completion fish | source
function __dalembert_words
  set -l line (commandline -opc)
  $line[1] completion words -- $line[2..-1] 2>/dev/null
end
complete -c dalembert -a '(__dalembert_words)'
