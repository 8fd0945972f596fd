#pragma once
// States of stored runs at times of one's own, for `export`.

#include <string>

#include "app/stored/stored_outputs.hpp"
#include "dalembert/study/study_file.hpp"

namespace CLI {
class App;
}

namespace dalembert::app {

/// At which times rows are asked for, as the command line has it.
struct TimesRequest {
  std::string at, every;

  bool is_empty() const { return at.empty() && every.empty(); }
};

/// Adds the options --at and --every.
void add_times(CLI::App& command, TimesRequest& request);

/// Writes rows of the runs of a result file at these times to CSV. RequestError for other outputs,
/// for an ensemble, for times that are none and for times outside of what a run has recorded.
void write_rows_at_times(const study::Study& study, const std::string& file,
                         const StoredRequest& outputs, const TimesRequest& times);

}  // namespace dalembert::app
