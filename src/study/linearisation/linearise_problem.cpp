#include "dalembert/study/linearisation/linearise_problem.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dalembert/audit/switches.hpp"
#include "dalembert/error.hpp"
#include "dalembert/mechanics/rank/independent_start.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/study/pieces_text.hpp"
#include "dalembert/study/sensitivity/differentiate_runs.hpp"
#include "dalembert/study/value_range.hpp"

namespace dalembert::study {
namespace {

using Values = std::map<std::string, double>;

/// The values of parameters that are chosen, one of which may have several.
struct ChosenParameters {
  Values fixed;
  std::string varied = {};
  std::vector<double> values = {std::numeric_limits<double>::quiet_NaN()};
};

ChosenParameters chosen_parameters(const ProblemFile& problem,
                                   const std::vector<ParameterChoice>& choices) {
  ChosenParameters result;
  for (const ParameterChoice& choice : choices) {
    const auto known = std::ranges::find(problem.parameters, choice.name, &Parameter::name);
    if (known == problem.parameters.end())
      throw RequestError("\"" + choice.name + "\" is not a parameter of problem \"" + problem.name +
                         "\"" + suggestion(choice.name, problem.parameter_names()));
    std::vector<double> values;
    for (const DocumentNode& node : choice.values) {
      values.push_back(parse_constant(node));
      check_parameter(*known, values.back(), node);
    }
    if (values.size() == 1) {
      result.fixed[choice.name] = values.front();
      continue;
    }
    if (!result.varied.empty())
      throw RequestError("parameters \"" + result.varied + "\" and \"" + choice.name +
                         "\" have several values each; one of them may");
    if (!std::ranges::is_sorted(values, std::ranges::less_equal{}) &&
        !std::ranges::is_sorted(values, std::ranges::greater_equal{}))
      throw RequestError("the values of parameter \"" + choice.name +
                         "\" must grow, or fall, from each to the next");
    result.varied = choice.name;
    result.values = values;
  }
  return result;
}

/// A system with its equations, compiled once for all starts, parameters and states.
struct CompiledSystem {
  System system;
  Lineariser lineariser;
};

/// The systems of a problem for the sizes that its starts have.
class CompiledSystems {
 public:
  CompiledSystems(const ProblemFile& problem, const std::vector<std::string>& keep)
      : problem_(problem), keep_(keep) {}

  /// The system of a start with these values of parameters. Where it depends on time they are put
  /// in: a drive of amplitude zero is none.
  CompiledSystem& with(const Sizes& sizes, const Values& values) {
    for (const Values& put_in : {Values{}, values})
      if (const auto known = systems_.find({sizes, put_in, {}}); known != systems_.end())
        return known->second;
    const auto [system, put_in] = made(sizes, values);
    return compiled({sizes, put_in, {}}, system);
  }

  /// The same without constraints that follow from others at a start.
  template <class StartOf>
  CompiledSystem& with_independent(const Sizes& sizes, const Values& values, StartOf start_of) {
    const auto [system, put_in] = made(sizes, values);
    const auto found = start_of(system);
    const std::vector<std::size_t> kept =
        found.redundancy ? found.redundancy->kept() : std::vector<std::size_t>{};
    const auto known = systems_.find({sizes, put_in, kept});
    return known != systems_.end() ? known->second : compiled({sizes, put_in, kept}, found.system);
  }

 private:
  /// Sizes, values of parameters that are put in, and constraints that are kept; all if empty.
  using Key = std::tuple<Sizes, Values, std::vector<std::size_t>>;

  std::pair<System, Values> made(const Sizes& sizes, const Values& values) const {
    System system = make_system(problem_, sizes);
    if (!system.traits().time_dependent || problem_.system) return {system, {}};
    return {make_system(problem_, sizes, values), values};
  }

  CompiledSystem& compiled(const Key& key, const System& system) {
    Lineariser lineariser(system, sensitive_quantities(system, keep_, "keep"));
    return systems_.emplace(key, CompiledSystem{system, std::move(lineariser)}).first->second;
  }

  const ProblemFile& problem_;
  const std::vector<std::string>& keep_;
  std::map<Key, CompiledSystem> systems_;
};

/// One start of a problem, linearised at many values of a parameter.
class StartLineariser {
 public:
  StartLineariser(const ProblemFile& problem, const LinearisationRequest& request,
                  const StartEntry& start, const ChosenParameters& chosen, CompiledSystems& systems)
      : problem_(problem),
        start_(start),
        chosen_(chosen),
        sizes_(sizes_of(problem, start, request)),
        systems_(systems),
        search_(request.search) {
    try {
      compiled_ = &systems.with(sizes_, values_of_start());
    } catch (const DependentConstraints&) {
      leave_out_at(parameters_at(chosen.values.front()));
    }
  }

  const System& system() const { return compiled_->system; }

  Linearisation at(double value, bool search) {
    const std::vector<double> parameters = parameters_at(value);
    const Start ready = ready_at(parameters);
    Linearisation found = compiled_->lineariser(ready.q, ready.v, parameters, search);
    if (!found.ok()) return found;
    // Nothing is decided by the derivatives of one side.
    if (const auto at = switch_at({system(), parameters, found.q, found.v})) {
      found.stability = Stability::undecided;
      found.one_sided = named_pieces_text(problem_, *at) +
                        ", and the motion is at a switch between two, where derivatives are those "
                        "of one side";
    }
    return found;
  }
  Linearisation at(double value) { return at(value, search_); }

 private:
  Start evaluated(const System& system, const std::vector<double>& parameters) const {
    return evaluate_start(problem_, without_chosen(), system, sizes_, parameters);
  }

  /// All starts of a sweep are as admissible as the first; what is brought to the constraints is so
  /// each time.
  Start ready_at(const std::vector<double>& parameters) {
    const Start start = evaluated(system(), parameters);
    if (is_checked_ && !start.p && !start.project) return start;
    try {
      Start ready = prepare_start(system(), start, parameters);
      is_checked_ = true;
      return ready;
    } catch (const DependentConstraints&) {
      leave_out_at(parameters);
    } catch (const RequestError& error) {
      throw error.at(place());
    }
    is_checked_ = true;
    return prepare_start(system(), evaluated(system(), parameters), parameters);
  }

  /// Goes on without constraints that follow from others.
  void leave_out_at(const std::vector<double>& parameters) {
    try {
      compiled_ = &systems_.with_independent(sizes_, values_of_start(), [&](const System& system) {
        return independent_start(system, evaluated(system, parameters), parameters);
      });
    } catch (const RequestError& error) {
      throw error.at(place());
    }
  }

  std::string place() const {
    return start_.place.text() + (start_.name.empty() ? "" : ": start \"" + start_.name + "\"");
  }

  /// The start without what is chosen in its place.
  StartEntry without_chosen() const {
    StartEntry start = start_;
    for (const auto& [name, chosen] : chosen_.fixed) start.parameters.erase(name);
    start.parameters.erase(chosen_.varied);
    return start;
  }

  std::vector<double> parameters_at(double value) const {
    std::vector<double> parameters = start_parameters(problem_, without_chosen());
    for (std::size_t i = 0; i < problem_.parameters.size(); ++i) {
      const std::string& name = problem_.parameters[i].name;
      if (const auto fixed = chosen_.fixed.find(name); fixed != chosen_.fixed.end())
        parameters[i] = fixed->second;
      if (name == chosen_.varied) parameters[i] = value;
    }
    return parameters;
  }

  /// All but the parameter that has several.
  Values values_of_start() const {
    const std::vector<double> parameters = parameters_at(0.0);
    Values values;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (problem_.parameters[i].name != chosen_.varied)
        values[problem_.parameters[i].name] = parameters[i];
    return values;
  }

  static Sizes sizes_of(const ProblemFile& problem, const StartEntry& start,
                        const LinearisationRequest& request) {
    Sizes sizes = start.sizes;
    for (const auto& [name, size] : request.sizes) sizes[name] = size;
    return complete_sizes(problem, sizes);
  }

  const ProblemFile& problem_;
  const StartEntry& start_;
  const ChosenParameters& chosen_;
  Sizes sizes_;
  CompiledSystems& systems_;
  CompiledSystem* compiled_ = nullptr;
  bool search_, is_checked_ = false;
};

/// Whether a start is meant for the chosen sizes.
bool has_sizes(const StartEntry& start, const Sizes& chosen) {
  return std::ranges::all_of(start.sizes, [&](const auto& size) {
    const auto found = chosen.find(size.first);
    return found == chosen.end() || found->second == size.second;
  });
}

/// The start of a problem that is a steady motion by itself, or else its first.
const StartEntry& first_steady(const ProblemFile& problem, const LinearisationRequest& request,
                               const ChosenParameters& chosen, CompiledSystems& systems) {
  const StartEntry* first = nullptr;
  for (const StartEntry& start : problem.starts) {
    if (!has_sizes(start, request.sizes)) continue;
    if (first == nullptr) first = &start;
    if (StartLineariser(problem, request, start, chosen, systems)
            .at(chosen.values.front(), false)
            .ok())
      return start;
  }
  if (first == nullptr)
    throw RequestError("problem \"" + problem.name +
                       "\" has no start with these sizes; a steady motion is looked for near one");
  return *first;
}

}  // namespace

const char* stability_word(Stability stability) {
  return stability == Stability::stable     ? "stable"
         : stability == Stability::unstable ? "unstable"
                                            : "undecided";
}

LinearisationRequest linearisation_request(const Study& study, const LinearisationChoice& choice) {
  LinearisationRequest request{
      .sizes = study.sizes, .parameters = study.parameters, .keep = choice.keep};
  request.search = choice.at == "steady" || choice.at == "any";
  if (choice.at == "any") return request;
  const ProblemFile& problem = study.problem;
  if (request.search) {
    if (!study.starts.empty()) request.start = study.starts.front();
  } else if (const StartEntry* start = problem.find_start(choice.at)) {
    request.start = *start;
  } else {
    throw RequestError("problem \"" + problem.name + "\" has no start \"" + choice.at + "\"" +
                       suggestion(choice.at, problem.start_names()));
  }
  return request;
}

LinearisedProblem linearise_problem(const ProblemFile& problem,
                                    const LinearisationRequest& request) {
  const ChosenParameters chosen = chosen_parameters(problem, request.parameters);
  CompiledSystems systems(problem, request.keep);
  const StartEntry& start =
      request.start ? *request.start : first_steady(problem, request, chosen, systems);
  StartLineariser lineariser(problem, request, start, chosen, systems);
  LinearisedProblem result{problem.name, start.name};
  const Configuration& space = lineariser.system().configuration();
  for (const Coordinate& stored : space.storage()) result.columns.push_back(stored.name);
  if (!lineariser.system().is_skew_gradient())
    for (const std::string& name : space.velocity_columns()) result.columns.push_back(name);
  result.varied = chosen.varied;
  const auto is_cancelled = [&] { return request.cancelled != nullptr && *request.cancelled; };
  for (const double value : chosen.values) {
    if (is_cancelled()) return result;
    result.values.push_back(value);
    result.motions.push_back(lineariser.at(value));
  }
  if (!chosen.varied.empty())
    result.changes = stability_changes(result.values, result.motions, [&](double value) {
      // One that was not found ends the search.
      return is_cancelled() ? Linearisation{Linearisation::Status::failed} : lineariser.at(value);
    });
  return result;
}

}  // namespace dalembert::study
