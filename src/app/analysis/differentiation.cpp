#include "differentiation.hpp"

#include <CLI/CLI.hpp>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/plot_options.hpp"
#include "app/terminal/progress.hpp"
#include "dalembert/error.hpp"

namespace dalembert::app {

using namespace study;

void add_differentiated_run(CLI::App& command, StudyArguments& arguments) {
  command
      .add_option("study", arguments.study,
                  "Study file, name of a published study, or (with --method) a problem's name or "
                  "file")
      ->required();
  command.add_option("--set", arguments.settings, "Change a value, as parameters.epsilon=0.5")
      ->allow_extra_args(false);
  command
      .add_option("--method", arguments.methods,
                  "A method, as dla01 or \"gauss(stages=3)\" (may be repeated)")
      ->allow_extra_args(false);
  command.add_option("--start", arguments.start,
                     "The name of the start (default: the problem's first)");
  command.add_option("--step", arguments.step, "The size of a step");
  command.add_option("--until", arguments.until, "The final time");
  command.add_option("--steps", arguments.steps, "The number of steps, instead of --until");
}

std::vector<std::string> words_of(const std::vector<std::string>& texts) {
  std::vector<std::string> words;
  for (const std::string& text : texts) {
    int depth = 0;
    std::string word;
    const auto end_word = [&] {
      const std::size_t first = word.find_first_not_of(' '), last = word.find_last_not_of(' ');
      if (first != std::string::npos) words.push_back(word.substr(first, last - first + 1));
      word.clear();
    };
    for (const char c : text) {
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c == ',' && depth == 0) {
        end_word();
      } else {
        word += c;
      }
    }
    end_word();
  }
  return words;
}

PlannedRuns runs_to_differentiate(const Study& study) {
  if (study.ensemble)
    throw RequestError("the study has an [ensemble]; derivatives are those of runs from a start");
  return plan_fitting_with_progress(study);
}

void FollowedRuns::write_json(const std::string& text) {
  if (json_path == "-") print(text);
  if (json) json->write(text);
}

void FollowedRuns::write_picture(Picture picture) const {
  if (picture_path.empty()) return;
  picture.look = look;
  study::write_picture(picture_path, picture);
}

FollowedRuns::FollowedRuns(const StudyArguments& arguments)
    : study(chosen_study(arguments)), json_path(arguments.json), picture_path(arguments.plot) {
  print_notes(study);
  planned = runs_to_differentiate(study);
  print_warnings(planned.plans);
  OutputClaims claims(study.files, arguments.force);
  claims.claim("--json", json_path);
  claims.claim("--plot", picture_path);
  look = with_changes(study.plot.look, asked_look(arguments.shown.look));
  if (!picture_path.empty()) check_picture_file(picture_path);
  if (!json_path.empty() && json_path != "-") json.emplace(json_path);
}

}  // namespace dalembert::app
