#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/study/page/page.hpp"

namespace dalembert::study {

/// The table [control] of a study, as written: which parameters are chosen, what is to be least,
/// and where the motion ends. See ControlOptions.
struct ControlEntry {
  std::vector<std::string> by = {};  ///< names of the parameters that are chosen: the controls
  std::optional<DocumentNode> cost = {}, end_cost = {};  ///< expressions
  std::optional<StartEntry> end = {};                    ///< the state at the end …
  std::vector<DocumentNode> conditions = {};             ///< … and expressions that vanish there
  std::vector<std::pair<std::string, DocumentNode>> guess =
      {};                   ///< controls: of t, or a value for each step
  std::size_t trials = 16;  ///< searches from random controls; none beside a guess unless given
  double scale = 1.0;       ///< size of these controls
  std::uint64_t seed = 1;   ///< seed of these controls
  std::size_t iterations = 500;  ///< Newton iterations in a search, at most
  Place place = {};              ///< of the table
};

/// The table [control] as a page: its title, and the keys that are numbers and words or may be
/// given as such.
const PageInfo& control_page();

/// Reads the table; RequestError for controls that are no parameters of the problem, for ends that
/// are no starts, and where nothing is to be least.
ControlEntry read_control(const ProblemFile& problem, const DocumentNode& node);

}  // namespace dalembert::study
