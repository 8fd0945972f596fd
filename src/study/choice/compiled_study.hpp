#pragma once
// Systems and steps of the runs of a study. Only for the sources of this room.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/step/step_program.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Systems, events and steps that runs of the same equations share: each pair of system and method
/// is compiled once. The study may be another each time, with the same equations. RequestError,
/// with the place, for what cannot be made.
class CompiledStudy {
 public:
  const System& system(const Study& study, const Sizes& sizes);
  const std::vector<Event>& events(const Study& study, const Sizes& sizes, const System& system);
  std::shared_ptr<const StepProgram> program(const Study& study, const Sizes& sizes,
                                             const System& system, const MethodChoice& choice);

 private:
  std::map<Sizes, System> systems_;
  std::map<Sizes, std::vector<Event>> events_;
  std::map<std::pair<Sizes, std::string>, std::shared_ptr<const StepProgram>> programs_;
};

}  // namespace dalembert::study
