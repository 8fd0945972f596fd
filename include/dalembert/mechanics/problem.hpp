#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A system with starts by name, and with what happens on the way, as impacts on a floor: what a
/// problem file says, or what is put together in code.
struct Problem {
  System system;
  std::vector<Start> starts = {};
  std::vector<Event> events = {};

  /// The start of that name; the first one if the name is empty. RequestError, with the nearest
  /// name, if there is none.
  const Start& start(std::string_view name = {}) const;
  std::vector<std::string> start_names() const;
};

}  // namespace dalembert
