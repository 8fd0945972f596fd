#pragma once
// What can be made of a result file, for the subcommands that have one.

#include <string>

#include "app/arguments/study_arguments.hpp"
#include "dalembert/study/study_file.hpp"

namespace CLI {
class App;
}

namespace dalembert::app {

/// What is asked for of a result file.
struct StoredRequest {
  StudyArguments outputs;  ///< json, csv, plot, what it shows, and force of it

  bool is_empty() const {
    return outputs.json.empty() && outputs.csv.empty() && outputs.plot.empty();
  }
};

/// Adds the options --json, --csv, --plot with what it shows, and --force.
void add_stored_outputs(CLI::App& command, StoredRequest& request);

/// Claims the files that are asked for, and checks the picture. RequestError as `OutputClaims`.
void claim_stored_outputs(const study::Study& study, const std::string& file,
                          const StoredRequest& request);

/// Writes what is asked for from the records and results in the file of that study.
void write_stored_outputs(const study::Study& study, const std::string& file,
                          const StoredRequest& request);

}  // namespace dalembert::app
