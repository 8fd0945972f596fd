#pragma once

#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Reads the table [run]: steps or a tolerance, the end, records, and how steps are taken. The
/// ensemble and the events of the study are known. RequestError for anything wrong.
void read_run(Study& study, const DocumentNode& node);

}  // namespace dalembert::study
