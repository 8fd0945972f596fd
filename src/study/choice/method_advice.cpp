#include "dalembert/study/choice/method_advice.hpp"

#include <algorithm>

#include "dalembert/audit/fibration.hpp"
#include "dalembert/audit/switches.hpp"
#include "dalembert/error.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/mechanics/parameters.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/study/method_text.hpp"

namespace dalembert::study {
namespace {

/// What decides.
struct Character {
  bool keeps_energy = false, has_reversal = false, has_pieces = false, is_coupled = false,
       has_groups = false;
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
  found.has_reversal = system.reversal().has_value();
  found.has_pieces = meets_switch(system, near, parameters);
  if (system.is_skew_gradient()) {
    found.keeps_energy = true;
    return found;
  }
  found.keeps_energy = conservation(system, near.q, near.v, parameters).energy;
  found.is_coupled = find_coupling(system).has_value();
  return found;
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
  }
  const auto offer_energy = [&] {
    if (!system.keeps_energy) return;
    offer(system.has_groups ? "chart(base=energy-collocation)" : "energy-collocation",
          "the motion keeps the energy, and so does the method, with order 4, however long the run "
          "is");
    offer("reduced-gradient", "the motion keeps the energy, and so does the method, with order 2");
  };
  if (system.is_coupled)
    offer("driver-splitting",
          "drivers move by themselves and couple the passengers: the method keeps them apart, and "
          "does not drift where others do");
  if (system.keeps_energy && !system.has_reversal) offer_energy();
  offer("lobatto(stages=3)",
        "order 4, the constraints to round-off, symmetric and reversible: accurate orbits with "
        "large steps");
  if (system.keeps_energy && system.has_reversal) offer_energy();
  offer("leapfrog", "order 2 with the cheapest step: for many runs, or a first look");
  offer("dla",
        "order 2 with cheap steps that keep the constraints: for many runs, or a first look");
  offer("gauss(stages=3,projection=velocity)",
        "a general method of order 6 on the eliminated equations, brought back onto the "
        "constraints in each step");
  offer("gauss", "a general method of order 4 on the eliminated equations");
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
    const bool known = std::ranges::any_of(
        advice, [&](const MethodAdvice& other) { return other.method == candidate.method; });
    const bool fits = !method.misfit(system) && !event_misfit(method, system, events);
    if (advice.size() < most && !known && fits) advice.push_back(candidate);
  }
  return advice;
}

}  // namespace dalembert::study
