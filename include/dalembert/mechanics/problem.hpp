#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A system with starts by name and with events during the run, as impacts on a floor: from a
/// problem file, or put together in code.
struct Problem {
  System system;  ///< mechanics; its default parameters hold unless a start sets others
  std::vector<Start> starts = {};  ///< the first is the default
  std::vector<Event> events = {};  ///< zero crossings, impacts and changes of state

  /// The start of that name; the first one if the name is empty. RequestError, with the nearest
  /// name, if there is none.
  const Start& start(std::string_view name = {}) const;
  std::vector<std::string> start_names() const;  ///< in order
};

}  // namespace dalembert
