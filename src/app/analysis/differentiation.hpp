#pragma once
// What `sensitivity`, `lyapunov` and `volume` have in common.

#include <optional>
#include <string>
#include <vector>

#include "app/arguments/study_arguments.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/message.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

/// Adds the options of a study, or of a problem with a method, whose runs are differentiated.
void add_differentiated_run(CLI::App& command, StudyArguments& arguments);

/// The words of a list, "x, y" as two; a comma within parentheses or brackets separates nothing.
std::vector<std::string> words_of(const std::vector<std::string>& texts);

/// The runs of a study, none of which is an ensemble, with the methods that do not fit.
study::PlannedRuns runs_to_differentiate(const study::Study& study);

/// A study whose runs are followed, and what it was asked to write about them: JSON and a picture.
struct FollowedRuns {
  /// Reads the study, says its notes and warnings, and claims the files.
  explicit FollowedRuns(const StudyArguments& arguments);

  /// To a file or to standard output, if it was asked for.
  void write_json(const std::string& text);
  void write_picture(study::Picture picture) const;

  const study::Study study;
  study::PlannedRuns planned = {};
  const std::string json_path, picture_path;
  study::PictureLook look = {};
  std::optional<study::OutputFile> json = {};  ///< opened before anything is computed
};

/// The exit code, after a sentence for each run that failed.
template <class Result>
int conclude_differentiated(const std::vector<Result>& results) {
  int code = success;
  for (const Result& result : results) {
    if (result.status != Result::Status::failed) continue;
    complain(result.message);
    code = numbers_refused;
  }
  return code;
}

}  // namespace dalembert::app
