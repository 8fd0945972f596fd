#include "lie_newmark.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/audit/symmetry.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/study/run_result.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/study_runs.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr const char* group_retractions[] = {"Cayley", "exponential"};

/// A study of Sect. 6 with the name of the energy that is kept.
struct GroupProblem {
  const char *study, *energy;
};
constexpr GroupProblem group_problems[] = {{"section-6-unicycle-spring", "energy"},
                                           {"section-6-suslov-so3", "energy"},
                                           {"section-6-ball-on-turntable", "moving_energy"}};

std::string proposed(const std::string& retraction) { return "as proposed, " + retraction; }
std::string in_the_middle(const std::string& retraction) {
  return "chart in the middle, " + retraction;
}

/// A system with a method and its start.
struct MethodOnGroup {
  System system;
  Method method;
  std::vector<double> parameters, q, v;

  explicit MethodOnGroup(const RunPlan& plan)
      : system(plan.system),
        method(plan.program->method()),
        parameters(plan.parameters),
        q(plan.q),
        v(plan.v) {}
  MethodOnGroup(System of, Method by, std::vector<double> position, std::vector<double> velocity)
      : system(std::move(of)),
        method(std::move(by)),
        parameters(system.default_parameters()),
        q(std::move(position)),
        v(std::move(velocity)) {}
};

/// Its point after two steps of h = 1/8, where stored rotations are normalised.
struct PointOnGroup {
  StepMap<Extended> map;
  BasicPoint<Extended> point;
  bool arrived;

  explicit PointOnGroup(const MethodOnGroup& of)
      : map(of.system, of.method, of.parameters),
        point(map.start(of.q, of.v)),
        arrived(map.apply(point, step(), 2)) {}
  static Extended step() { return Extended(1) / 8; }
};

/// A rotating body with a constraint whose direction changes along the arc of a step, which those
/// of the problems do not: omega_3 + R_31 omega_2 = 0.
MethodOnGroup turning_constraint(Method method) {
  const auto equations = [](const Symbols& s) {
    Mechanics mechanics;
    const Expr last = 2.0 * square(s.v[2]);
    const Expr middle = 1.5 * square(s.v[1]);
    mechanics.kinetic = (square(s.v[0]) + middle + last) / 2.0;
    const Matrix& turn = s.element("R").matrix;
    mechanics.potential = turn(2, 2);
    const Expr along = turn(2, 0) * s.v[1];
    mechanics.constraints = {s.v[2] + along};
    return mechanics;
  };
  return {System::define({.name = "turning constraint", .coordinates = {{"R", false, "SO(3)"}}},
                         equations),
          std::move(method),
          {0.8, 0.4, -0.4, 0.2},
          {0.9, -0.5, 0.4}};
}

Evidence symmetry_on_group(const std::string& method, const MethodOnGroup& of, bool expected,
                           EvidenceRole role = EvidenceRole::both) {
  PointOnGroup at(of);
  const double defect = at.arrived ? symmetry_defect(at.map, at.point, PointOnGroup::step()) : NAN;
  return {"defect of symmetry of a step, " + of.system.name() + ", " + method,
          defect,
          0.0,
          expected ? 0.0 : 1e-12,
          expected ? exact_defect : INFINITY,
          role};
}

/// The same for the turning constraint, where the two retractions differ.
void add_turning_constraint(std::vector<Evidence>& symmetry) {
  const MethodOnGroup cayley = turning_constraint(Method(LieNewmark{})),
                      exponential = turning_constraint(
                          Method(LieNewmark{.retraction = Retraction::exponential})),
                      middle = turning_constraint(Method(Newmark{}));
  symmetry.push_back(symmetry_on_group(proposed("exponential"), exponential, true));
  symmetry.push_back(symmetry_on_group(in_the_middle("Cayley"), middle, true));
  symmetry.push_back(symmetry_on_group(proposed("Cayley"), cayley, true, EvidenceRole::published));
  symmetry.push_back(named(
      "defect", symmetry_on_group(proposed("Cayley"), cayley, false, EvidenceRole::qualified)));
}

Evidence constraint_on_group(const std::string& method, const MethodOnGroup& of) {
  PointOnGroup at(of);
  const std::vector<Extended> values = at.map.constraint(at.point);
  const double largest =
      largest_difference(values, std::vector<Extended>(values.size(), Extended(0)));
  return {"|phi(g, xi)| after a step, " + of.system.name() + ", " + method,
          at.arrived ? largest : NAN, 0.0, 0.0, exact_defect};
}

/// Runs of one of the studies for the energy, h = 0.1.
StudyRuns energy_runs(const GroupProblem& problem, const ReproductionEffort& effort) {
  return {std::string("anahory-simoes-2022/") + problem.study,
          effort,
          {"run.step=0.1", effort.quick ? "run.until=500.0" : "run.until=20000.0",
           "run.record_every=5"}};
}

PicturePanel group_energy_panel(Picture& picture, const StudyRuns& runs, const char* energy) {
  PicturePanel panel{.title = runs.plans().front().system.name()};
  panel.column = picture.panels.size();
  panel.x.label = "time t (nondimensional)";
  panel.y = {energy == std::string("energy") ? "|energy error|" : "|moving energy error|", true};
  for (const char* retraction : group_retractions) {
    for (const std::string& label : {proposed(retraction), in_the_middle(retraction)})
      panel.curves.push_back(
          {picture.entry(label), shown_error(runs.change(runs.find(label), energy), 30.0)});
  }
  return panel;
}

}  // namespace

ExperimentOutcome lie_newmark(const ReproductionEffort& effort) {
  std::vector<Evidence> constraint, symmetry, drift;
  Picture energies{"Energy of Newmark methods on Lie groups, h = 0.1"};
  ExperimentOutcome outcome;
  for (const GroupProblem& problem : group_problems) {
    const StudyRuns runs = energy_runs(problem, effort);
    for (const char* retraction : group_retractions) {
      const std::string method = proposed(retraction), other = in_the_middle(retraction);
      const MethodOnGroup published(runs.plans()[runs.find(method)]),
          middle(runs.plans()[runs.find(other)]);
      constraint.push_back(constraint_on_group(method, published));
      symmetry.push_back(symmetry_on_group(method, published, true));
      symmetry.push_back(symmetry_on_group(other, middle, true));
      // The tumbling ball wanders too slowly for these runs to tell.
      const bool decides = problem.energy == std::string("energy");
      drift.push_back(free_of_drift(
          std::string(problem.energy) + " of " + published.system.name() + ", " + method,
          runs.change(runs.find(method), problem.energy),
          decides ? EvidenceRole::both : EvidenceRole::shown));
    }
    energies.panels.push_back(group_energy_panel(energies, runs, problem.energy));
  }
  energies.notes.emplace_back("running means over 30 units of time");
  outcome.pictures.push_back(std::move(energies));
  add_turning_constraint(symmetry);
  outcome.findings = {{"003-E.2", constraint}, {"003-E.3", symmetry}, {"003-E.4", drift}};
  return outcome;
}

}  // namespace dalembert::reproduce
