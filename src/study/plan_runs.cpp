#include "dalembert/study/plan_runs.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "dalembert/document/node.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/rank/independent_start.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/space/surface_contacts.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/problem/units.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/run/settle_quadrature.hpp"
#include "dalembert/study/choice/step_choice.hpp"
#include "dalembert/study/control/plan_control.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/ensemble/draw_ensemble.hpp"
#include "dalembert/study/ensemble/ensemble_entry.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "dalembert/study/sweep/study_axes.hpp"
#include "dalembert/study/sweep/swept_key.hpp"
#include "study/choice/compiled_study.hpp"
#include "study/choice/event_choice.hpp"
#include "study/choice/method_entries.hpp"
#include "study/sweep/swept_studies.hpp"

namespace dalembert::study {
namespace {

constexpr std::uint64_t default_records = 10000;

/// Of an ensemble of so many members, unless its study says. Statistics of a member at a record
/// cost as much as some ten of its steps: large ensembles have fewer records.
std::uint64_t default_ensemble_records(std::uint64_t members) {
  constexpr std::uint64_t fewest = 100, most = 1000, member_records = 10'000'000;
  return std::clamp(member_records / std::max<std::uint64_t>(1, members), fewest, most);
}

/// Every combination of the values of overridden parameters, the last one varying fastest.
std::vector<std::vector<const DocumentNode*>> combinations(
    const std::vector<ParameterChoice>& choices) {
  std::vector<std::vector<const DocumentNode*>> result{{}};
  for (const ParameterChoice& choice : choices) {
    std::vector<std::vector<const DocumentNode*>> longer;
    for (const auto& combination : result) {
      for (const DocumentNode& value : choice.values) {
        longer.push_back(combination);
        longer.back().push_back(&value);
      }
    }
    result = std::move(longer);
  }
  return result;
}

/// How far the planning has come: runs stand in the order of study_axes, refused ones, too.
struct Progress {
  const PlanningWatch& watch;
  std::size_t count;
  std::vector<std::size_t> counts;  ///< of study_axes
  std::size_t begun = 0;

  std::vector<std::size_t> next_place() { return place_of(begun++, counts); }
};

/// Makes plans one after the other, of a study with one choice of the values that are swept.
class Planner {
 public:
  Planner(const Study& study, CompiledStudy& compiled, Progress& progress,
          std::vector<SweptValue> swept = {}, std::string label = "")
      : study_(study),
        compiled_(&compiled),
        progress_(progress),
        swept_(std::move(swept)),
        label_(std::move(label)) {}

  /// All runs that fit.
  PlannedRuns fitting_runs() {
    keeps_refused_ = true;
    PlannedRuns planned{plans()};
    planned.refused = std::move(refused_);
    return planned;
  }
  /// The refusal of the first method that does not fit, if any was.
  std::exception_ptr first_refusal() const { return first_refusal_; }

  std::vector<EnsemblePlan> ensemble_plans(std::size_t threads) {
    const EnsembleEntry& entry = *study_.ensemble;
    const StartEntry start = entry.around.value_or(StartEntry{});
    const Sizes sizes = sizes_of(start);
    std::vector<EnsemblePlan> result;
    for (const auto& combination : combinations(study_.parameters)) {
      const System& stated = compiled_->system(study_, sizes);
      const auto [parameters, label] = chosen_parameters(start, combination);
      CompiledStudy* const all = compiled_;
      if (entry.around) leave_out(redundancy_around(start, stated, sizes, parameters), sizes);
      const System& system = redundancy_ ? redundancy_->working() : stated;
      DrawnEnsemble drawn =
          draw_ensemble(entry, study_.problem, system, sizes, parameters, redundancy_, threads);
      const auto starts = std::make_shared<const MemberStarts>(std::move(drawn.starts));
      add_runs(label, start.name, sizes, system, parameters, {});
      compiled_ = all;
      redundancy_.reset();
      for (RunPlan& plan : plans_) {
        settle(plan, drawn.first.q, drawn.first.v);
        result.push_back({std::move(plan), entry.seed, starts, entry.part});
      }
      plans_.clear();
    }
    return result;
  }

  std::vector<RunPlan> plans() {
    for (const StartEntry& start : study_.starts) {
      const Sizes sizes = sizes_of(start);
      for (const auto& combination : combinations(study_.parameters))
        add_start(start, sizes, combination);
    }
    return std::move(plans_);
  }

 private:
  Sizes sizes_of(const StartEntry& start) const {
    Sizes sizes = start.sizes;
    for (const auto& [name, value] : study_.sizes) sizes[name] = value;
    return complete_sizes(study_.problem, sizes);
  }

  /// All runs from one start with one choice of parameters.
  void add_start(const StartEntry& entry, const Sizes& sizes,
                 const std::vector<const DocumentNode*>& overrides) {
    const System& system = compiled_->system(study_, sizes);
    const auto [parameters, label] = chosen_parameters(entry, overrides);
    const IndependentStart found = admissible_start(entry, system, sizes, parameters);
    if (!found.redundancy)
      return add_runs(label, entry.name, sizes, system, parameters, found.start);
    CompiledStudy* const all = compiled_;
    leave_out(found.redundancy, sizes);
    add_runs(label, entry.name, sizes, redundancy_->working(), parameters, found.start);
    compiled_ = all;
    redundancy_.reset();
  }

  /// Goes on without constraints that follow from others, if there are some.
  void leave_out(const std::shared_ptr<const Redundancy>& redundancy, const Sizes& sizes) {
    if (redundancy == nullptr) return;
    CompiledStudy::Independent& known = compiled_->without(sizes, redundancy);
    compiled_ = &known.compiled;
    redundancy_ = known.redundancy;
  }

  /// Constraints that follow from others at the start around which members lie; members say what
  /// else is wrong with it.
  std::shared_ptr<const Redundancy> redundancy_around(const StartEntry& entry, const System& system,
                                                      const Sizes& sizes,
                                                      const std::vector<double>& parameters) const {
    if (system.constraint_count() < 2) return nullptr;
    try {
      Start start = evaluate_start(study_.problem, entry, system, sizes, parameters);
      start.project = true;
      return independent_start(system, start, parameters).redundancy;
    } catch (const RequestError&) {
      return nullptr;
    }
  }

  /// The system whose multipliers are columns. An ensemble has those of its steps.
  const System& shown_system(const System& system) const {
    return redundancy_ && !study_.ensemble ? redundancy_->all() : system;
  }

  /// The parameters of a start with those that the study overrides, and a label of the choice.
  std::pair<std::vector<double>, std::string> chosen_parameters(
      const StartEntry& entry, const std::vector<const DocumentNode*>& overrides) const {
    std::vector<double> parameters = start_parameters(study_.problem, entry);
    std::string label = label_;
    const auto add = [&label](const std::string& part) {
      if (!part.empty()) label += (label.empty() ? "" : ", ") + part;
    };
    add(entry.name);
    for (std::size_t i = 0; i < overrides.size(); ++i) {
      const ParameterChoice& choice = study_.parameters[i];
      const auto names = study_.problem.parameter_names();
      const auto at = std::find(names.begin(), names.end(), choice.name) - names.begin();
      const double value = parse_constant(*overrides[i]);
      parameters[static_cast<std::size_t>(at)] = value;
      if (choice.values.size() > 1) add(choice.name + " = " + to_string(value));
    }
    return {std::move(parameters), std::move(label)};
  }

  /// A run for every method and step.
  void add_runs(const std::string& label, const std::string& name, const Sizes& sizes,
                const System& system, const std::vector<double>& parameters, const Start& start) {
    for (const MethodChoice& method : study_.methods) {
      if (progress_.watch)
        progress_.watch(progress_.begun, progress_.count, method.label + " on " + system.name());
      auto reason = refusal_of(sizes, system, method);
      if (!reason) reason = start_refusal_of(system, method, start);
      if (reason) {
        refuse_runs(label, name, system, method, *reason);
        continue;
      }
      for (const ChosenSteps& chosen : steps_of(sizes, system, method, parameters, start)) {
        plans_.push_back(RunPlan{plans_.size(), label, name, sizes, system, parameters,
                                 chosen.method, chosen.step, step_count(study_, chosen.step).whole,
                                 1, start.q, start.v, start.lambda,
                                 compiled_->program(study_, sizes, system, chosen.method),
                                 record_columns(shown_system(system))});
        plans_.back().redundancy = redundancy_;
        plans_.back().check = chosen.check;
        plans_.back().place = progress_.next_place();
        plans_.back().swept = swept_;
        settle(plans_.back(), start.q, start.v);
        plans_.back().events = compiled_->events(study_, sizes, system);
        check_events(study_, plans_.back());
        finish(plans_.back());
      }
    }
  }

  /// A row for each step with which a refused method was to run.
  void refuse_runs(const std::string& label, const std::string& name, const System& system,
                   const MethodChoice& method, const std::string& reason) {
    const std::vector<double> steps = study_.tolerance ? std::vector{0.0} : study_.steps;
    for (const double h : steps)
      refused_.push_back({label, name, system, method, h, reason, progress_.next_place(), swept_});
  }

  /// A method with its step and, where a tolerance asks for it, what estimates the error.
  struct ChosenSteps {
    MethodChoice method;
    double step = 0.0;
    std::optional<ErrorCheck> check = {};
  };

  /// The steps of a method: those of the study, or what its tolerance asks for.
  std::vector<ChosenSteps> steps_of(const Sizes& sizes, const System& system,
                                    const MethodChoice& method,
                                    const std::vector<double>& parameters, const Start& start) {
    std::vector<ChosenSteps> chosen;
    for (const double h : study_.steps) chosen.push_back({method, h});
    if (!study_.tolerance) return chosen;
    try {
      const StepChoice choice =
          choose_step(compiled_->program(study_, sizes, system, method), start, parameters,
                      compiled_->events(study_, sizes, system),
                      study_.tolerance_until.value_or(*study_.until), *study_.tolerance);
      chosen.push_back({with_own_tolerance(method, choice.tolerance), choice.step, choice.check});
    } catch (const RequestError& error) {
      throw error.at(method.place.text());
    }
    return chosen;
  }

  /// The columns of gaps and normal forces. An ensemble does not watch its contacts.
  void add_contacts(RunPlan& plan) const {
    if (study_.ensemble) return;
    plan.strict = study_.strict;
    plan.contacts = watch_contacts(study_.problem, plan.system, plan.sizes, plan.parameters,
                                   plan.redundancy.get());
    std::vector<std::string>& names = plan.columns.names;
    for (const std::string& name : plan.contacts.value_names()) {
      if (std::ranges::find(names, name) != names.end())
        throw RequestError(study_.problem.place.text(), "\"" + name +
                                                            "\" is the name of a column of a "
                                                            "contact; give it another");
      names.push_back(name);
    }
    plan.columns.contact_count = plan.contacts.value_names().size();
  }

  /// Why a method is refused, where refusals are kept; nothing where it is not.
  std::optional<std::string> refusal_of(const Sizes& sizes, const System& system,
                                        const MethodChoice& method) {
    if (!keeps_refused_) return std::nullopt;
    const auto key = std::make_tuple(sizes, compiled_, &method);
    const auto known = refusals_.find(key);
    if (known != refusals_.end()) return known->second;
    std::optional<std::string>& reason = refusals_[key];
    try {
      static_cast<void>(compiled_->program(study_, sizes, system, method));
    } catch (const RequestError& error) {
      reason = error.what();
      if (!first_refusal_) first_refusal_ = std::current_exception();
    }
    return reason;
  }

  /// Why a method that fits has no run from a start; thrown where refusals are not kept. An
  /// ensemble has no start yet.
  std::optional<std::string> start_refusal_of(const System& system, const MethodChoice& choice,
                                              const Start& start) {
    const Method method = make_method(choice.spec);
    const std::optional<std::string> reason = method.start_misfit(start.v);
    if (!reason || method.misfit(system)) return std::nullopt;
    const RequestError refusal(choice.place.text(), *reason);
    if (!keeps_refused_) throw refusal;
    if (!first_refusal_) first_refusal_ = std::make_exception_ptr(refusal);
    return refusal.what();
  }

  /// What the method leaves open is decided by the motion from its start; none for an ensemble.
  static void settle(RunPlan& plan, const std::vector<double>& q, const std::vector<double>& v) {
    if (q.empty()) return;
    const auto settled = settle_quadrature(plan.program, plan.parameters, q, v, plan.step);
    if (settled == plan.program) return;
    plan.program = settled;
    plan.method.spec = settled->method().spec();
  }

  /// The columns of the study's quantities, and whether its reports have what they are about.
  void add_diagnostics(RunPlan& plan) const {
    std::vector<std::string>& names = plan.columns.names;
    plan.quantities = quantities_of(study_.diagnostics, plan.stated_system());
    for (const QuantityChoice& choice : plan.quantities) {
      const std::string name = plan.columns.own_name(choice.name);
      if (std::find(names.begin(), names.end(), name) != names.end())
        throw RequestError(
            choice.place.text(),
            "the name \"" + choice.name +
                "\" of a diagnostic is taken; give it another with the key \"name\"");
      make_quantity(choice, plan.system, plan.parameters, plan.method.spec, plan.step,
                    plan.redundancy);
      names.push_back(choice.name);
    }
    add_contacts(plan);
    plan.reports = study_.diagnostics.reports;
    for (ReportChoice& choice : plan.reports) {
      choice.of = plan.columns.own_name(choice.of);
      if (std::find(names.begin() + 1, names.end(), choice.of) == names.end())
        throw RequestError(choice.place.text(), "key \"of\": runs of this study have no \"" +
                                                    choice.of + "\"" +
                                                    suggestion(choice.of, names));
    }
    for (const SectionChoice& choice : study_.diagnostics.sections)
      static_cast<void>(make_section(choice, plan.system, plan.parameters));
    plan.sections = study_.diagnostics.sections;
  }

  void finish(RunPlan& plan) const {
    plan.until = study_.until;
    plan.last_step = step_count(study_, plan.step).last;
    if (plan.last_step > 0.0 && plan.program->carried_count() > 0) {
      // Its data belong to steps of one size; a warning says where it ends.
      plan.steps = static_cast<std::uint64_t>(std::llround(*plan.until / plan.step));
      plan.last_step = 0.0;
    }
    plan.columns.units = column_units(study_.problem, shown_system(plan.system));
    add_diagnostics(plan);
    const std::uint64_t records =
        study_.ensemble ? default_ensemble_records(study_.ensemble->size) : default_records;
    plan.record_times = study_.record_times;
    if (plan.record_times.are_given() && plan.interpolates_records() &&
        plan.system.traits().has_groups) {
      throw RequestError(plan.method.place.text() + ": method \"" + plan.method.label +
                         "\" carries data of steps of one size and cannot record elements of "
                         "groups between them; give record_every");
    }
    plan.native = study_.native.value_or(usual_native_use());
    plan.control = plan_control(study_, plan);
    plan.record_every = study_.record_every.value_or((plan.steps + records - 1) / records);
    check_records(plan);
    // Of a swept step the label says so already.
    if (study_.steps.size() > 1)
      plan.label += (plan.label.empty() ? "" : ", ") + ("h = " + to_string(plan.step));
  }

  /// Refuses so many records within a step that a run would not hear that it is to stop.
  static void check_records(const RunPlan& plan) {
    constexpr double most_in_step = 100'000.0;
    const double in_step = plan.record_times.most_in_step(plan.step);
    if (in_step > most_in_step)
      throw RequestError("one step of " + to_string(plan.step) + " has " + to_string(in_step) +
                         " records; at most " + to_string(most_in_step) +
                         " are taken: choose times that are further apart");
  }

  /// The start in numbers, admissible.
  IndependentStart admissible_start(const StartEntry& entry, const System& system,
                                    const Sizes& sizes,
                                    const std::vector<double>& parameters) const {
    const Start start = evaluate_start(study_.problem, entry, system, sizes, parameters);
    try {
      return independent_start(system, start, parameters);
    } catch (const RequestError& error) {
      throw error.at(entry.place.text() +
                     (entry.name.empty() ? "" : ": start \"" + entry.name + "\""));
    }
  }

  const Study& study_;
  CompiledStudy* compiled_;
  std::shared_ptr<const Redundancy> redundancy_;  ///< of the start that is planned
  Progress& progress_;
  std::vector<SweptValue> swept_;
  std::string label_;  ///< of them
  std::vector<RunPlan> plans_;
  bool keeps_refused_ = false;
  std::map<std::tuple<Sizes, CompiledStudy*, const MethodChoice*>, std::optional<std::string>>
      refusals_;
  std::vector<RefusedRun> refused_;
  std::exception_ptr first_refusal_;
};

void refuse_ensemble(const Study& study) {
  if (!study.ensemble) return;
  throw RequestError(study.ensemble->place.text() +
                     ": [ensemble] is run by `dalembert ensemble` and `dalembert run` only; give "
                     "[initial] instead");
}

/// Makes the plans of every choice of swept values, in their order.
template <class Make>
void for_each_variant(const Study& study, const PlanningWatch& watch, Make make) {
  Progress progress{watch, checked_run_count(study), {}};
  for (const StudyAxis& axis : study_axes(study)) progress.counts.push_back(axis.size());
  CompiledStudy compiled;
  if (study.variants.empty()) {
    Planner planner(study, compiled, progress);
    make(planner);
    return;
  }
  std::vector<std::size_t> counts;
  for (const SweptKey& key : study.sweep) counts.push_back(key.values.size());
  const bool are_others = std::ranges::any_of(
      study.sweep, [](const SweptKey& key) { return changes_equations(key.key); });
  for (std::size_t i = 0; i < study.variants.size(); ++i) {
    if (are_others) compiled = {};
    const std::vector<std::size_t> place = place_of(i, counts);
    std::vector<SweptValue> swept;
    std::string label;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      swept.push_back(swept_value(study.sweep[k].name, study.sweep[k].values[place[k]]));
      if (counts[k] > 1)
        label += (label.empty() ? "" : ", ") + swept[k].name + " = " + swept[k].text;
    }
    Planner planner(study.variants[i], compiled, progress, std::move(swept), std::move(label));
    make(planner);
  }
}

/// Plans behind others, which they are numbered after. All have the same columns of integrals.
void append(std::vector<RunPlan>& plans, std::vector<RunPlan> more) {
  for (RunPlan& plan : more) {
    plan.index = plans.size();
    plans.push_back(std::move(plan));
    if (!std::ranges::equal(plans.front().columns.integral_names(),
                            plans.back().columns.integral_names())) {
      throw RequestError("runs \"" + plans.front().label + "\" and \"" + plans.back().label +
                         "\" follow other quantities; a sweep must leave their names as they are");
    }
  }
}

}  // namespace

std::vector<RunPlan> plan_runs(const Study& study, const PlanningWatch& watch) {
  refuse_ensemble(study);
  std::vector<RunPlan> plans;
  for_each_variant(study, watch, [&](Planner& planner) { append(plans, planner.plans()); });
  return plans;
}

PlannedRuns plan_fitting_runs(const Study& study, const PlanningWatch& watch) {
  refuse_ensemble(study);
  PlannedRuns all;
  std::exception_ptr first_refusal;
  for_each_variant(study, watch, [&](Planner& planner) {
    PlannedRuns planned = planner.fitting_runs();
    append(all.plans, std::move(planned.plans));
    all.refused.insert(all.refused.end(), planned.refused.begin(), planned.refused.end());
    if (!first_refusal) first_refusal = planner.first_refusal();
  });
  if (all.plans.empty() && first_refusal) std::rethrow_exception(first_refusal);
  return all;
}

std::vector<EnsemblePlan> plan_ensembles(const Study& study, const PlanningWatch& watch,
                                         std::size_t threads) {
  std::vector<EnsemblePlan> plans;
  for_each_variant(study, watch, [&](Planner& planner) {
    for (EnsemblePlan& plan : planner.ensemble_plans(threads)) {
      plan.run.index = plans.size();
      plans.push_back(std::move(plan));
    }
  });
  return plans;
}

}  // namespace dalembert::study
