#include "study/choice/compiled_study.hpp"

#include <functional>

#include "dalembert/error.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/recent_values.hpp"
#include "dalembert/problem/event/event_entry.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/study/method_text.hpp"

namespace dalembert::study {

namespace {

/// Steps that are kept, and the slots of the largest of them.
constexpr std::size_t most_programs = 32, most_slots = 20'000;

/// Origin of steps: a system, and a text for the method and its options.
struct ProgramKey {
  System system;
  std::string text;

  bool operator==(const ProgramKey& other) const {
    return system.is_copy_of(other.system) && text == other.text;
  }
};

/// Steps of this process, for studies that run them again.
std::shared_ptr<const StepProgram> recent_program(
    const ProgramKey& key, const std::function<std::shared_ptr<const StepProgram>()>& compile) {
  static numeric::RecentValues<ProgramKey, std::shared_ptr<const StepProgram>> recent(
      most_programs);
  return recent.get(key, compile,
                    [](const auto& program) { return program->slot_count() <= most_slots; });
}

}  // namespace

const System& CompiledStudy::system(const Study& study, const Sizes& sizes) {
  const auto known = systems_.find(sizes);
  if (known != systems_.end()) return known->second;
  return systems_.emplace(sizes, make_system(study.problem, sizes)).first->second;
}

const std::vector<Event>& CompiledStudy::events(const Study& study, const Sizes& sizes,
                                                const System& system) {
  const auto known = events_.find(sizes);
  if (known != events_.end()) return known->second;
  return events_.emplace(sizes, make_events(study.events, study.problem, system, sizes))
      .first->second;
}

std::shared_ptr<const StepProgram> CompiledStudy::program(const Study& study, const Sizes& sizes,
                                                          const System& system,
                                                          const MethodChoice& choice) {
  auto& program = programs_[{sizes, label(choice.spec)}];
  if (program != nullptr) return program;
  // Own methods and events have no name that would say all of them.
  if (!study.own_methods.empty() || study.events.size() != study.problem.events.size())
    return program = compile(study, sizes, system, choice);
  const std::string key = label(choice.spec) + (study.compensated ? " compensated" : "") +
                          (study.wrap_angles ? "" : " unwrapped") +
                          (study.ensemble ? " ensemble" : "");
  return program =
             recent_program({system, key}, [&] { return compile(study, sizes, system, choice); });
}

std::shared_ptr<const StepProgram> CompiledStudy::compile(const Study& study, const Sizes& sizes,
                                                          const System& system,
                                                          const MethodChoice& choice) {
  // Of the problem with each step on its own: a study may compare all methods on a large system.
  const NodeBudget budget(system.symbols().t.graph()->size());
  try {
    const std::vector<Event>& watched = events(study, sizes, system);
    const Method method = make_method(choice.spec);
    if (const auto misfit = event_misfit(method, system, watched)) throw RequestError(*misfit);
    return StepProgram::compile(system, method,
                                {.compensated = study.compensated,
                                 .wrap_angles = study.wrap_angles,
                                 .watched = !study.ensemble,
                                 .also_watched = watched_events(system, watched)});
  } catch (const NodeLimitError& error) {
    throw NodeLimitError(choice.place.text() + ": the step of method \"" + choice.label +
                         "\" asks for too much: " + error.what());
  } catch (const RequestError& error) {
    // Where it fits, it is the step itself that makes no sense.
    if (!make_method(choice.spec).misfit(system)) throw error.at(choice.place.text());
    std::string fitting;
    for (const std::string& name : fitting_methods(system))
      fitting += (fitting.empty() ? "" : ", ") + name;
    throw RequestError(choice.place.text(),
                       std::string(error.what()) + "; methods that fit: " + fitting);
  }
}

CompiledStudy::Independent& CompiledStudy::without(
    const Sizes& sizes, const std::shared_ptr<const Redundancy>& redundancy) {
  for (const auto& known : independent_) {
    if (known->sizes == sizes && known->redundancy->kept() == redundancy->kept() &&
        known->redundancy->shared() == redundancy->shared())
      return *known;
  }
  independent_.push_back(std::make_unique<Independent>(Independent{sizes, redundancy, {}}));
  independent_.back()->compiled.systems_.emplace(sizes, redundancy->working());
  return *independent_.back();
}

}  // namespace dalembert::study
