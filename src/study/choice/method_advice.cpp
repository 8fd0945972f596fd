#include "dalembert/study/choice/method_advice.hpp"

#include <algorithm>

#include "dalembert/audit/fibration.hpp"
#include "dalembert/audit/switches.hpp"
#include "dalembert/error.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/mechanics/parameters.hpp"
#include "dalembert/mechanics/rank/independent_start.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/study/method_text.hpp"

namespace dalembert::study {
namespace {

/// What decides.
struct Character {
  bool keeps_energy = false, has_pieces = false, is_coupled = false, has_groups = false;
};

/// How far the motion from a start is followed in search of a switch: a few swings of what moves in
/// a unit of time.
constexpr double followed_time = 20.0, followed_step = 0.05;

/// Whether the motion meets a switch between pieces of its equations.
bool meets_switch(const System& system, const Start& near, std::span<const double> parameters) {
  if (near.q.empty() || !has_switches(system)) return has_switches(system);
  return first_switch({system, parameter_values(system, parameters), near.q, near.v}, followed_time,
                      followed_step)
      .has_value();
}

Character character_of(const System& system, const Start& near,
                       std::span<const double> parameters) {
  Character found;
  found.has_groups = system.traits().has_groups;
  found.has_pieces = meets_switch(system, near, parameters);
  if (system.is_skew_gradient()) {
    found.keeps_energy = true;
    return found;
  }
  found.keeps_energy = conservation(system, near.q, near.v, parameters).keeps_energy();
  found.is_coupled = find_coupling(system).has_value();
  return found;
}

/// True of a method that could lead motions of the system away from where they are: errors of a
/// multiplier that it carries from step to step grow wherever a motion settles.
bool may_spoil(const Method& method, const System& system) {
  const Facts& facts = method.facts();
  const int growth = facts.multiplier_growth.value_or(facts.carries_multiplier ? 1 : 0);
  return system.traits().nonholonomic && growth > 0;
}

/// Candidates in the order in which they are offered; those that do not fit are left out.
std::vector<MethodAdvice> candidates(const Character& system) {
  std::vector<MethodAdvice> list;
  const auto offer = [&](const char* method, const char* reason) {
    list.push_back({method, reason});
  };
  if (system.has_pieces) {
    const char* reason =
        "the motion meets switches between pieces of its equations, which no order above two "
        "survives: of the methods that keep the constraints its steps are the cheapest";
    offer("leapfrog", reason);
    offer("dla", reason);
    offer("lobatto(stages=2)", reason);
  }
  // On elements of groups a step is Newton's on all stages: fewer of them there.
  const char* general =
      "high order, with energies as accurate as the orbit: large steps where methods of low order "
      "need many";
  offer(system.has_groups ? "gauss(stages=4,projection=velocity)"
                          : "gauss(stages=6,projection=velocity)",
        general);
  offer(system.has_groups ? "gauss(stages=4)" : "gauss(stages=6)", general);
  if (system.is_coupled)
    offer("compose(base=driver-splitting,scheme=kahan-li-8)",
          "drivers move by themselves and couple the passengers: the method keeps them apart, and "
          "does not drift where others do, however long the run is");
  if (system.keeps_energy) {
    offer(system.has_groups ? "chart(base=energy-collocation)" : "energy-collocation",
          "the motion keeps the energy, and so does the method, with order 4, however long the run "
          "is, at many times the work of gauss for the same accuracy (compare measures it)");
  }
  offer("lobatto",
        "order 4, the constraints to round-off, symmetric and reversible: energies of reversible "
        "motions do not drift");
  if (system.keeps_energy)
    offer("reduced-gradient", "the motion keeps the energy, and so does the method, with order 2");
  offer("dla",
        "order 2 with cheap steps that keep the constraints: for many runs, or a first look");
  return list;
}

}  // namespace

std::vector<MethodAdvice> advise_methods(const System& system, const Start& near,
                                         const std::vector<Event>& events,
                                         std::span<const double> parameters) {
  constexpr std::size_t most = 3;
  std::vector<MethodAdvice> advice;
  for (const MethodAdvice& candidate : candidates(character_of(system, near, parameters))) {
    const Method method = make_method(parse_method(candidate.method));
    const bool known = std::ranges::any_of(advice, [&](const MethodAdvice& other) {
      return parse_method(other.method).name == parse_method(candidate.method).name;
    });
    const bool fits = !method.misfit(system) && !event_misfit(method, system, events) &&
                      !may_spoil(method, system);
    if (advice.size() < most && !known && fits) advice.push_back(candidate);
  }
  return advice;
}

std::vector<MethodAdvice> advise_methods(const Problem& problem) {
  if (problem.starts.empty()) return advise_methods(problem.system, {}, problem.events);
  const Start& first = problem.starts.front();
  const std::vector<double> parameters = named_parameter_values(problem.system, first.parameters);
  const IndependentStart found = independent_start(problem.system, first, parameters);
  return advise_methods(found.system, found.start, problem.events, parameters);
}

}  // namespace dalembert::study
