#include "lobatto_multiplier.hpp"

#include <cmath>
#include <span>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/study/run_plan.hpp"
#include "lobatto_transmission.hpp"
#include "reproduce/paper/drift.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// The exact multiplier and A M^-1 A^T.
Vector multiplier_and_weight(const System& system, const Symbols& s) {
  const Vector covector = system.constraint_matrix(s.q).row(0);
  const Vector direction = solve_linear(system.mass(s.q), covector);
  const Expr weight = dot(covector, direction);
  return {system.eliminated(s.q, s.v, s.t).lambda[0], weight};
}

Steadiness multiplier_drift(const StudyRuns& runs, int s, const TransmissionMotion& motion,
                            const std::string& step) {
  return steadiness(multiplier_error(runs, runs.find(stages_label(s), motion.label(step))));
}

/// With an odd number of stages, where the motion is not reversible.
void add_growth(std::vector<Evidence>& evidence, const StudyRuns& runs, int s) {
  evidence.push_back(drifting_in(
      Motions::not_reversible, "error of the multiplier, h = 0.1, " + stages_label(s),
      [&](const TransmissionMotion& motion) { return multiplier_drift(runs, s, motion, "0.1"); }));
  for (const std::size_t number : {4, 5}) {
    const TransmissionMotion& motion = transmission_motions[number];
    const std::string name = ", " + motion.words() + ", " + stages_label(s);
    const Steadiness coarse = multiplier_drift(runs, s, motion, "0.1"),
                     fine = multiplier_drift(runs, s, motion, "0.05");
    evidence.push_back({"drift of the error of the multiplier per unit of time, h = 0.1" + name,
                        coarse.slope, coarse.uncertainty, -INFINITY, INFINITY,
                        EvidenceRole::shown});
    evidence.push_back({"power of h in it from h = 0.1 to 0.05" + name,
                        std::log2(coarse.slope / fine.slope), 0.0, s - 1.5, s - 0.5});
  }
}

}  // namespace

Curve multiplier_error(const StudyRuns& runs, std::size_t run) {
  const RunPlan& plan = runs.plans()[run];
  const Symbols symbols = plan.system.symbols();
  StateFunction<double> exact(plan.system, symbols, multiplier_and_weight(plan.system, symbols),
                              plan.parameters);
  const RecordColumns& columns = plan.columns;
  const std::span<const double> records(runs.results()[run].records);
  Curve curve;
  for (std::size_t row = 0; row + columns.width() <= records.size(); row += columns.width()) {
    const std::span<const double> record = records.subspan(row, columns.width());
    const std::span<const double> values =
        exact(record[0], record.subspan(columns.q_begin(), columns.q_count),
              record.subspan(columns.v_begin(), columns.velocity_count));
    curve.t.push_back(record[0]);
    curve.values.push_back((record[columns.lambda_begin()] - values[0]) * std::sqrt(values[1]));
  }
  return curve;
}

ClaimFinding carried_multiplier(const StudyRuns& runs) {
  std::vector<Evidence> evidence;
  for (int s = least_stages; s <= most_stages; ++s) {
    const bool is_even = s % 2 == 0;
    evidence.push_back(free_in(is_even ? Motions::all : Motions::reversible,
                               "error of the multiplier, h = 0.1, " + stages_label(s),
                               [&](const TransmissionMotion& motion) {
                                 return multiplier_drift(runs, s, motion, "0.1");
                               }));
    if (!is_even) add_growth(evidence, runs, s);
  }
  return {"002-B.3", evidence};
}

}  // namespace dalembert::reproduce
