#include <boost/numeric/odeint.hpp>

#include "dalembert/numeric/extremes.hpp"
#include "equations.hpp"

namespace work_precision {
namespace {

namespace odeint = boost::numeric::odeint;

/// Goes on with a stepper that chooses its steps.
template <class Equations, class State, class Stepper>
void go_on(const Stepper& stepper, State& y, double begin, double end) {
  const auto system = [](const State& x, State& f, double) { Equations::rate(x.data(), f.data()); };
  odeint::integrate_adaptive(stepper, system, y, begin, end, first_step);
}

/// Runs of a stepper that is made for each run.
template <class Equations, class MakeStepper>
Run run_of_stepper(const MakeStepper& make_stepper) {
  return [=] {
    auto y = Equations::start();
    go_on<Equations>(make_stepper(), y, 0.0, end_of(Equations::task));
    return std::vector<double>(y.begin(), y.begin() + Equations::positions);
  };
}

/// The same for the energy, after equal parts of a long run.
template <class Equations, class MakeStepper>
Run long_run_of_stepper(const MakeStepper& make_stepper) {
  return [=] {
    auto y = Equations::start();
    const double first = Equations::energy(y.data());
    constexpr double part = long_time / long_parts;
    double worst = 0.0;
    for (int k = 0; k < long_parts; ++k) {
      go_on<Equations>(make_stepper(), y, k * part, (k + 1) * part);
      worst = dalembert::numeric::larger(std::fabs(Equations::energy(y.data()) - first), worst);
    }
    return std::vector{worst};
  };
}

/// The state of equations: their numbers, without an allocation.
template <class Equations>
using StateOf = std::array<double, Equations::size>;

/// The entries of embedded pairs, with `run_of(equations, make_stepper)`.
template <class RunOf>
std::vector<Entry> entries_of_pairs(Task task, const RunOf& run_of) {
  std::vector<Entry> entries =
      entries_of(task, "odeint runge_kutta_dopri5", [&]<class E>(E equations, double tolerance) {
        return run_of(equations, [=] {
          return odeint::make_controlled<odeint::runge_kutta_dopri5<StateOf<E>>>(tolerance,
                                                                                 tolerance);
        });
      });
  const std::vector<Entry> fehlberg = entries_of(
      task, "odeint runge_kutta_fehlberg78", [&]<class E>(E equations, double tolerance) {
        return run_of(equations, [=] {
          return odeint::make_controlled<odeint::runge_kutta_fehlberg78<StateOf<E>>>(tolerance,
                                                                                     tolerance);
        });
      });
  entries.insert(entries.end(), fehlberg.begin(), fehlberg.end());
  return entries;
}

}  // namespace

std::vector<Entry> odeint_entries(Task task) {
  std::vector<Entry> entries =
      entries_of_pairs(task, []<class E>(E, const auto& make) { return run_of_stepper<E>(make); });
  const std::vector<Entry> extrapolation =
      entries_of(task, "odeint bulirsch_stoer", []<class E>(E, double tolerance) {
        return run_of_stepper<E>(
            [=] { return odeint::bulirsch_stoer<StateOf<E>>(tolerance, tolerance); });
      });
  entries.insert(entries.end(), extrapolation.begin(), extrapolation.end());
  return entries;
}

std::vector<Entry> odeint_long_runs(Task task) {
  return entries_of_pairs(
      task, []<class E>(E, const auto& make) { return long_run_of_stepper<E>(make); });
}

}  // namespace work_precision
