#pragma once
// Systems and steps of the runs of a study. Only for the sources of this room.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/rank/redundancy.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/step/step_program.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Systems, events and steps that runs of the same equations share: each pair of system and method
/// is compiled once. The study may be another each time, with the same equations. The latest steps
/// stay with the process. RequestError, with the place, for what cannot be made.
class CompiledStudy {
 public:
  const System& system(const Study& study, const Sizes& sizes);
  const std::vector<Event>& events(const Study& study, const Sizes& sizes, const System& system);
  std::shared_ptr<const StepProgram> program(const Study& study, const Sizes& sizes,
                                             const System& system, const MethodChoice& choice);

  /// Runs without constraints that follow from others, of starts that leave out the same ones.
  struct Independent;
  Independent& without(const Sizes& sizes, const std::shared_ptr<const Redundancy>& redundancy);

 private:
  std::shared_ptr<const StepProgram> compile(const Study& study, const Sizes& sizes,
                                             const System& system, const MethodChoice& choice);

  std::map<Sizes, System> systems_;
  std::map<Sizes, std::vector<Event>> events_;
  std::map<std::pair<Sizes, std::string>, std::shared_ptr<const StepProgram>> programs_;
  std::vector<std::unique_ptr<Independent>> independent_;
};

struct CompiledStudy::Independent {
  Sizes sizes;
  std::shared_ptr<const Redundancy> redundancy;
  CompiledStudy compiled;
};

}  // namespace dalembert::study
