#include "dalembert/study/ensemble/draw_ensemble.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/document/toml.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/report/audit_summary.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

const std::string grid = "\n[run]\nstep = 0.1\nsteps = 20\n[[method]]\nname = \"dla\"\n";

Study study_of(const std::string& text) { return read_study(parse_document(text + grid, "text")); }

struct Drawn {
  System system;
  std::vector<double> parameters;
  std::vector<MemberStart> starts;
};

Drawn draw(const std::string& text) {
  const std::vector<EnsemblePlan> plans = plan_ensembles(study_of(text));
  Drawn drawn{plans.at(0).run.system, plans[0].run.parameters, {}};
  for (std::size_t i = 0; i < plans[0].starts->size(); ++i)
    drawn.starts.push_back((*plans[0].starts)[i]);
  return drawn;
}

std::string on_level(const std::string& problem, double energy, int size) {
  return "problem = \"" + problem + "\"\n[ensemble]\nsize = " + std::to_string(size) +
         "\nseed = 4\nenergy = " + std::to_string(energy) + "\n";
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

TEST_CASE("generic starts lie on the constraint and on the level of energy to round-off") {
  // Linear constraints, a mass that depends on the position, an affine constraint, no constraint.
  for (const char* problem :
       {"chaotic", "witness-coupled-mass", "affine-particle", "henon-heiles"}) {
    CAPTURE(problem);
    const Drawn drawn = draw(on_level(problem, 3.0, 50));
    Evaluator evaluator(drawn.system, drawn.parameters);
    for (const MemberStart& start : drawn.starts) {
      REQUIRE(start.failure == "");
      // The energy is a sum of fewer than 16 terms of size up to that of the level or a few.
      CHECK(std::fabs(evaluator.energy(0.0, start.q, start.v) - 3.0) < 16 * epsilon * 3.0);
      // The same for the few terms of a constraint.
      CHECK(evaluator.constraint_error(0.0, start.q, start.v) < 16 * epsilon);
    }
  }
}

TEST_CASE("a member does not depend on the size of the ensemble") {
  const Drawn few = draw(on_level("chaotic", 3.0, 5)), many = draw(on_level("chaotic", 3.0, 40));
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(few.starts[i].q == many.starts[i].q);
    CHECK(few.starts[i].v == many.starts[i].v);
  }
  CHECK(few.starts[0].q != few.starts[1].q);
}

TEST_CASE("velocities are isotropic in the metric of the mass within the constraints") {
  // On the plane D = {v : A v = 0} all directions are alike: the mean of v is 0 and that of v v^T
  // is proportional to the projector onto D. Here M = 1, A = (1, 0, 0, sqrt(2), 1), and |v|^2 = 1.
  const std::string text = R"(
[system]
coordinates = ["a", "b", "c", "d", "e"]
[system.lagrangian]
kinetic = "(a_dot^2 + b_dot^2 + c_dot^2 + d_dot^2 + e_dot^2)/2"
[system.constraints]
expressions = ["a_dot + sqrt(2)*d_dot + e_dot"]
[ensemble]
size = 20000
energy = 0.5
q = [0, 0, 0, 0, 0]
)";
  const Drawn drawn = draw(text);
  const double a[] = {1.0, 0.0, 0.0, std::sqrt(2.0), 1.0};
  const auto count = static_cast<double>(drawn.starts.size());
  for (std::size_t i = 0; i < 5; ++i) {
    double mean = 0.0;
    for (const MemberStart& start : drawn.starts) mean += start.v[i] / count;
    CHECK(std::fabs(mean) < 5.0 / std::sqrt(count));  // entries are at most 1
    for (std::size_t j = 0; j < 5; ++j) {
      double product = 0.0;
      for (const MemberStart& start : drawn.starts) product += start.v[i] * start.v[j] / count;
      const double projector = (i == j ? 1.0 : 0.0) - a[i] * a[j] / 4.0;
      CHECK(std::fabs(product - projector / 4.0) < 5.0 / std::sqrt(count));
    }
  }
}

TEST_CASE("expressions of random variables give the published circle of starts") {
  const Drawn drawn = draw(R"toml(
problem = "chaotic"
[sizes]
n = 3
[ensemble]
size = 100
seed = 1
energy = 3.06
q = ["cos(a)", 0.6, 0.4, 0.2, "each(i, 1, n, 1)"]
v = [0, "sin(a)", 0, 0, 0, 0, 0]
[ensemble.random]
a = { uniform = [0, "2*pi"] }
)toml");
  Evaluator evaluator(drawn.system, drawn.parameters);
  for (const MemberStart& start : drawn.starts) {
    REQUIRE(start.failure == "");
    CHECK(start.q[1] == 0.6);
    CHECK(start.q[6] == 1.0);
    CHECK(std::fabs(evaluator.energy(0.0, start.q, start.v) - 3.06) < 16 * epsilon * 3.06);
    // The level is met by the circle itself, so that scaling moved v by round-off only, amplified
    // where v is small and H hardly depends on it.
    const double sine = start.v[1];
    CHECK(start.q[0] * start.q[0] + sine * sine == doctest::Approx(1.0).epsilon(1e-14));
  }
}

TEST_CASE("starts spread around another one satisfy the constraint") {
  const Drawn drawn = draw(R"(
problem = "chaotic"
[ensemble]
size = 50
around = "newmark"
spread = { q = 0.1, v = [0, 0.1, 0.1, 0.1, 0.1] }
)");
  Evaluator evaluator(drawn.system, drawn.parameters);
  double spread = 0.0;
  for (const MemberStart& start : drawn.starts) {
    REQUIRE(start.failure == "");
    CHECK(evaluator.constraint_error(0.0, start.q, start.v) < 16 * epsilon);
    spread += (start.q[0] - 1.0) * (start.q[0] - 1.0) / 50.0;
  }
  // Four standard deviations of the variance of 50 numbers, sqrt(2/50) = 0.2 of it.
  CHECK(std::fabs(spread - 0.01) < 4.0 * 0.2 * 0.01);
}

TEST_CASE("positions above the level are drawn again") {
  const Drawn drawn = draw(R"(
problem = "henon-heiles"
[ensemble]
size = 200
energy = 0.05
box = [-0.8, 0.8]
)");
  Evaluator evaluator(drawn.system, drawn.parameters);
  const std::vector<double> rest(2, 0.0);
  for (const MemberStart& start : drawn.starts) {
    REQUIRE(start.failure == "");
    CHECK(evaluator.energy(0.0, start.q, rest) <= 0.05 * (1.0 + 64 * epsilon));
  }
}

TEST_CASE("a member without a start fails alone, all of them refuse the request") {
  const std::string text = R"(
problem = "henon-heiles"
[ensemble]
size = 100
attempts = 1
energy = 0.1
)";
  const Drawn drawn = draw(text);
  std::size_t failed = 0;
  for (const MemberStart& start : drawn.starts) {
    failed += !start.failure.empty();
    if (!start.failure.empty())
      CHECK(start.failure.find("below that at rest") != std::string::npos);
  }
  CHECK(failed > 0);
  CHECK(failed < 100);
  CHECK_THROWS_WITH_AS(draw("problem = \"henon-heiles\"\n[ensemble]\nsize = 3\nenergy = -9\n"),
                       doctest::Contains("no member has a start"), RequestError);
}

TEST_CASE("members are given one by one") {
  const std::string some =
      "problem = \"knife-edge\"\n[ensemble]\nq = [[0, 0, 0], [1, 2, \"pi/2\"], [0.5, 0, 0]]\n";
  const Drawn given = draw(some + "v = [[1, 0, 1], [0, 1, 1], [1, 1, 0]]\n");
  REQUIRE(given.starts.size() == 3);
  CHECK(given.starts[1].q == std::vector<double>{1.0, 2.0, std::acos(0.0)});
  CHECK(given.starts[1].v == std::vector<double>{0.0, 1.0, 1.0});
  CHECK(given.starts[2].failure.find("violated") != std::string::npos);
  // Positions alone, on a level of energy; velocities for all.
  const Drawn scaled = draw(some + "seed = 3\nenergy = 2\nsize = 3\n");
  Evaluator evaluator(scaled.system, scaled.parameters);
  CHECK(evaluator.energy(0.0, scaled.starts[2].q, scaled.starts[2].v) == doctest::Approx(2.0));
  CHECK(draw(some + "v = [0, 0, 2]\n").starts[2].v == std::vector<double>{0.0, 0.0, 2.0});
}

// The statistics against those computed from runs of the members alone.
TEST_CASE("an ensemble is what its members are as runs of their own") {
  const std::string text = on_level("chaotic", 3.0, 12);
  const Study study = study_of(text);
  const EnsemblePlan plan = plan_ensembles(study).at(0);
  const EnsembleResult result = execute_ensembles({plan}, {}).at(0);
  const MemberStates final = final_states(plan, result);
  std::vector<double> errors;
  for (std::size_t i = 0; i < plan.starts->size(); ++i) {
    RunPlan run = plan.run;
    run.q = (*plan.starts)[i].q;
    run.v = (*plan.starts)[i].v;
    const RunResult alone = execute_runs({run}, {}).at(0);
    errors.push_back(alone.diagnostics.energy.final - alone.diagnostics.energy.initial);
    CHECK(std::ranges::equal(alone.final.q, final.q(i)));
  }
  const SampleStatistics expected = summarize(errors);
  CHECK(result.find("energy_error")->records.back().variance == expected.variance);
  CHECK(result.find("energy_error")->records.back().mean == expected.mean);
}
