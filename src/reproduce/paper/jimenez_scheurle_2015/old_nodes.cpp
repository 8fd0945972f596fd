// Jimenez and Scheurle 2015, Sect. 6.4 and Remark 6.1: the velocity integrator of beta = 1/2 at the
// old nodes, from starts that satisfy the constraint or its deformation, against the motion with
// the constraint and the motion with the deformed one.
#include "old_nodes.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr int first_power_of_step = 4, last_power_of_step = 8;  // h = 1/16 .. 1/256
constexpr double near_an_order = 0.15;

using NodeState = BasicPoint<Extended>;

/// The particle with v_z = y v_x - delta v_x v_y by Chetaev's rule.
System deformed_particle() {
  return plan_runs(read_study_file(find_study("jimenez-scheurle-2015/deformed"))).front().system;
}

/// (x, y, z; v) = (1, 1, -1; 1, -1, v_z) with v_z from the constraint that is deformed by delta.
struct StartOfParticle {
  std::vector<Extended> q{Extended(1), Extended(1), Extended(-1)}, v;
  explicit StartOfParticle(const Extended& delta)
      : v{Extended(1), Extended(-1), Extended(1) + delta} {}
};

/// The motion with the deformed constraint at t = 1.
StartOfParticle motion_at_one(double delta) {
  StartOfParticle state{Extended(delta)};
  ExactFlow<Extended> flow(deformed_particle(), std::vector<double>{delta});
  Extended t(0);
  if (!flow.advance(t, state.q, state.v, Extended(1))) state.v[0] = Extended(NAN);
  return state;
}

/// The old nodes of the method at t = 1 with h = 1/2^power, from a start whose constraint is
/// deformed by delta.
StartOfParticle nodes_at_one(int power, const Extended& delta) {
  const Problem particle = load_problem("particle-free");
  const Method method =
      make_method({"velocity-dla", {{"beta", 0.5}, {"nodes", std::string("original")}}});
  StepMap<Extended> map(particle.system, method, particle.system.default_parameters());
  NodeState point = map.start(particle.start().q, particle.start().v);
  StartOfParticle state(delta);
  point.q = state.q;
  point.v = state.v;
  map.start_carried(point);
  const std::uint64_t steps = std::uint64_t{1} << power;
  if (!map.apply(point, Extended(1) / Extended(static_cast<double>(steps)), steps))
    point.v[0] = Extended(NAN);
  state.q = point.q;
  state.v = point.v;
  return state;
}

Evidence order_at_nodes(const std::string& what, const std::vector<double>& errors, double order,
                        EvidenceRole role) {
  const OrderSeries series = fit_order(errors, 1e-28);
  return {what,
          series.measured ? series.slope : NAN,
          series.uncertainty,
          order - near_an_order,
          order + near_an_order,
          role};
}

/// |v_z - y v_x + delta v_x v_y|.
double off_the_constraint(const StartOfParticle& state, const Extended& delta) {
  return std::fabs(
      static_cast<double>(state.v[2] - state.q[1] * state.v[0] + delta * state.v[0] * state.v[1]));
}

/// What the nodes show from one of the two starts.
struct NodesFrom {
  std::vector<double> q, v;               ///< errors by step
  double original = 0.0, deformed = 0.0;  ///< how far they are off, h = 1/256
};

NodesFrom nodes_from(bool on_the_deformed) {
  const StartOfParticle exact = motion_at_one(0.0);
  NodesFrom found;
  for (int power = first_power_of_step; power <= last_power_of_step; ++power) {
    const Extended half = Extended(1) / Extended(2 << power);
    const StartOfParticle state = nodes_at_one(power, on_the_deformed ? half : Extended(0));
    found.q.push_back(largest_difference(state.q, exact.q));
    found.v.push_back(largest_difference(state.v, exact.v));
    found.original = off_the_constraint(state, Extended(0));
    found.deformed = off_the_constraint(state, half);
  }
  return found;
}

std::vector<Evidence> both_starts() {
  const NodesFrom kept = nodes_from(false), deformed = nodes_from(true);
  std::vector<Evidence> evidence{
      order_at_nodes("order of q, start on D", kept.q, 1.0, EvidenceRole::published),
      order_at_nodes("order of q, start on D", kept.q, 2.0, EvidenceRole::qualified),
      order_at_nodes("order of v, start on D", kept.v, 1.0, EvidenceRole::both),
      order_at_nodes("order of q, start on D_h", deformed.q, 1.0, EvidenceRole::both),
      order_at_nodes("order of v, start on D_h", deformed.v, 1.0, EvidenceRole::both)};
  for (const NodesFrom* found : {&kept, &deformed}) {
    const std::string from = found == &kept ? ", start on D" : ", start on D_h";
    evidence.push_back(
        {"distance from D_h at t = 1, h = 1/256" + from, found->deformed, 0.0, 0.0, exact_defect});
    evidence.push_back(
        {"distance from D at t = 1, h = 1/256" + from, found->original, 0.0, 1e-3, INFINITY});
  }
  return evidence;
}

/// Whether nodes with h = 2 delta follow the motion with the deformed constraint.
std::vector<Evidence> deformed_motion() {
  std::vector<double> distances, from_original;
  const StartOfParticle original = motion_at_one(0.0);
  for (int power = first_power_of_step; power <= last_power_of_step; ++power) {
    const double half = std::ldexp(0.5, -power);
    const StartOfParticle state = nodes_at_one(power, Extended(half)), motion = motion_at_one(half);
    distances.push_back(numeric::larger(largest_difference(state.q, motion.q),
                                        largest_difference(state.v, motion.v)));
    from_original.push_back(numeric::larger(largest_difference(state.q, original.q),
                                            largest_difference(state.v, original.v)));
  }
  Evidence second = order_at_nodes(
      "order of the distance from the motion with the deformed "
      "constraint, delta = h/2",
      distances, 2.0, EvidenceRole::both);
  second.most = INFINITY;
  second.name = "order";
  return {second,
          {"that distance, h = 1/128", distances[distances.size() - 2], 0.0, -INFINITY, INFINITY,
           EvidenceRole::shown, "distance"},
          {"distance from the motion with the constraint itself, h = 1/128",
           from_original[from_original.size() - 2], 0.0, -INFINITY, INFINITY, EvidenceRole::shown,
           "original"}};
}

}  // namespace

ExperimentOutcome old_nodes(const ReproductionEffort&) {
  return {{}, {{"004-A.6", both_starts()}, {"004-A.9", deformed_motion()}}};
}

}  // namespace dalembert::reproduce
