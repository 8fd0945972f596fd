#include "completion.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/arguments/page_options.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/message.hpp"
#include "dalembert/claims/paper_file.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/page/analysis_pages.hpp"

namespace dalembert::app {
namespace {

using WordList = std::vector<std::string>;

/// Asks the program itself, so that it never knows less than the program. File names are offered
/// where there are no words.
constexpr const char* bash_script =
    R"bash(# Completion of dalembert for bash: source <(dalembert completion bash)
_dalembert() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" \
    -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _dalembert dalembert
)bash";

constexpr const char* zsh_script =
    R"zsh(#compdef dalembert
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
)zsh";

constexpr const char* fish_script =
    R"fish(# Completion of dalembert for fish: dalembert completion fish | source
function __dalembert_words
  set -l line (commandline -opc)
  $line[1] completion words -- $line[2..-1] 2>/dev/null
end
complete -c dalembert -a '(__dalembert_words)'
)fish";

struct Shell {
  const char* name;
  const char* script;
};
constexpr std::array<Shell, 3> shells{
    {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

WordList shell_names() {
  WordList names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  return names;
}

WordList method_names() {
  WordList names;
  for (const MethodEntry& entry : methods()) names.push_back(entry.name);
  return names;
}

WordList with(WordList first, const WordList& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

WordList experiment_names() {
  WordList names;
  for (const study::PaperFile& paper : study::read_papers()) {
    names.push_back(paper.name);
    for (const study::ExperimentRecord& experiment : paper.experiments)
      names.push_back(paper.name + "/" + experiment.name);
  }
  return names;
}

/// The starts of the problem that the line names.
WordList start_names(const WordList& line) {
  const WordList problems = study::problem_names();
  for (const std::string& word : line)
    if (std::ranges::count(problems, word) > 0)
      return study::read_problem_file(study::find_problem(word)).start_names();
  return {};
}

WordList option_values(const std::string& option, const WordList& line) {
  for (const study::PageInfo& page : study::study_pages())
    for (const OptionInfo& key : page.keys)
      if (page.name == line.front() && option == option_of(key)) return key.choices;
  if (option == "--method") return method_names();
  if (option == "--problem" || option == "--with") return study::problem_names();
  if (option == "--start") return start_names(line);
  if (option == "--instruction-set") return {"portable", "v2", "v3", "v4"};
  for (const study::PageInfo* page : {&study::run_page(), &study::plot_page()})
    for (const OptionInfo& key : page->keys)
      if (option == option_of(key) && !study::is_yes_or_no(key) && !key.choices.empty())
        return key.choices;
  if (option == "--precision") return {"double", "extended"};
  return {};
}

/// What a command is about.
WordList subjects(const std::string& command) {
  if (command == "list") return {"problems", "methods", "studies", "experiments"};
  if (command == "describe" || command == "export")
    return with(study::problem_names(), method_names());
  if (command == "run" || command == "order" || command == "ensemble" || command == "compare")
    return with(study::study_names(), study::problem_names());
  if (command == "modified") return study::problem_names();
  if (command == "audit") return method_names();
  if (command == "reproduce") return experiment_names();
  if (command == "completion") return shell_names();
  return {};
}

WordList long_options(const CLI::App& command) {
  WordList names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// What may come after the words of a line.
WordList next_words(const CLI::App& program, const WordList& line) {
  const CLI::App* command = &program;
  WordList commands = long_options(program);
  for (const CLI::App* known : program.get_subcommands({})) {
    commands.push_back(known->get_name());
    if (!line.empty() && line.front() == known->get_name()) command = known;
  }
  if (line.empty()) return commands;
  if (command == &program) return {};
  const CLI::Option* option = command->get_option_no_throw(line.back());
  if (line.size() > 1 && option != nullptr && option->get_expected_min() > 0)
    return option_values(line.back(), line);
  return with(subjects(command->get_name()), long_options(*command));
}

int complete(const CLI::App& program, const std::string& what, const WordList& line) {
  for (const Shell& shell : shells) {
    if (what != shell.name) continue;
    print(shell.script);
    return success;
  }
  std::string text;
  for (const std::string& word : next_words(program, line)) text += word + "\n";
  print(text);
  return success;
}

}  // namespace

void add_completion(CLI::App& program, Action& action) {
  struct Arguments {
    std::string what;
    WordList line;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "completion", "The script that lets a shell complete commands, options and names");
  command
      ->add_option(
          "what", arguments->what,
          "A shell: bash, zsh or fish; or words: what may come after the words that follow")
      ->required()
      ->check(CLI::IsMember(with(shell_names(), {"words"})));
  command->add_option("line", arguments->line, "The words of a command line so far, after --");
  command->footer(
      "Examples: echo 'source <(dalembert completion bash)' >> ~/.bashrc\n"
      "          echo 'source <(dalembert completion zsh)' >> ~/.zshrc    after compinit\n"
      "          dalembert completion fish > ~/.config/fish/completions/dalembert.fish\n"
      "An installed package brings the scripts with it.");
  command->callback([arguments, &program, &action] {
    action = [arguments, &program] { return complete(program, arguments->what, arguments->line); };
  });
}

}  // namespace dalembert::app
