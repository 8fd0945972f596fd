// Every method against an independent implementation in 45 digits (test/reference), 100 steps each.

#include "support/reference.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/measured_methods.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// What steps of double arithmetic may deviate by: each makes errors of a few units in the last
/// place of the largest entry of the state (taken as 16, over the operations of an implicit step),
/// and the motion enlarges these to at most `amplification` (and 1) times.
struct Tolerance {
  double scale;  ///< of the state
  std::uint64_t steps;
  double operator()(double amplification) const {
    return 16.0 * static_cast<double>(steps) * 0x1p-53 * (1.0 + amplification) * scale;
  }
};

/// The largest deviation as a fraction of the tolerance.
double excess(const std::vector<double>& found, const std::vector<double>& expected,
              double tolerance) {
  if (found.size() != expected.size()) return 1e300;
  double largest = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double fraction = std::fabs(found[i] - expected[i]) / tolerance;
    largest = numeric::larger(largest, fraction);
  }
  return largest;
}

double largest_entry(const std::vector<double>& x) {
  double largest = 0.0;
  for (const double entry : x) largest = numeric::larger(largest, std::fabs(entry));
  return largest;
}

void check_case(const System& system, const ReferenceCase& c, const StepOptions& options) {
  const std::string what = c.problem + ", " + label(c.method);
  const auto program = StepProgram::compile(system, make_method(c.method), options);
  Stepper stepper(program, c.step, c.parameters);
  Evaluator evaluator(system, c.parameters);
  Point point = start_point(stepper, evaluator, c.q, c.v);
  std::vector<double> lambda(c.lambda.size());
  evaluator.multiplier(0.0, c.q, c.v, lambda);
  // Some ten entries of the equations for lambda of five roundings each, and their elimination.
  const double start_tolerance = round_off_of(90.0, 1.0 + largest_entry(lambda));
  CHECK_MESSAGE(excess(lambda, c.lambda, start_tolerance) < 1.0, what, ": start of lambda");
  std::vector<double> q, v;
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = c.steps, .observe_every = c.steps},
                [&](const Sample& sample) {
                  q.assign(sample.q.begin(), sample.q.end());
                  v.assign(sample.v.begin(), sample.v.end());
                  lambda.assign(sample.lambda.begin(), sample.lambda.end());
                  return true;
                });
  CHECK_MESSAGE(report.status == RunReport::Status::ok, what, ": ", report.message);
  const Tolerance tolerance{
      1.0 + numeric::larger(largest_entry(c.final_q), largest_entry(c.final_v)), c.steps};
  const double q_error = excess(q, c.final_q, tolerance(c.amplification[0]));
  const double v_error = excess(v, c.final_v, tolerance(c.amplification[1]));
  // Multipliers are impulses divided by h: their round-off is larger by 1/h.
  const double lambda_error =
      excess(lambda, c.final_lambda, tolerance(c.amplification[2]) / c.step);
  CHECK_MESSAGE(q_error < 1.0, what, ": q off by ", q_error, " of its tolerance");
  CHECK_MESSAGE(v_error < 1.0, what, ": v off by ", v_error, " of its tolerance");
  CHECK_MESSAGE(lambda_error < 1.0, what, ": lambda off by ", lambda_error, " of its tolerance");
}

/// All cases of a file; a case whose method is no longer known fails.
void check_file(const std::string& file, const StepOptions& options = {}) {
  std::map<std::string, System> systems;
  const Json all = reference_file(file);
  CHECK(!all.empty());
  for (const Json& json : all) {
    const std::string name = json.at("problem");
    const System& system = systems.try_emplace(name, reference_system(name)).first->second;
    const ReferenceCase c = reference_case(json, system);
    try {
      check_case(system, c, options);
    } catch (const std::exception& error) {
      FAIL_CHECK(name, ", ", label(c.method), ": ", std::string(error.what()));
    }
  }
}

}  // namespace

TEST_CASE("A nan is within no tolerance, wherever it stands") {
  const std::vector<double> expected{0.0, 1.0, 2.0};
  constexpr double any = 1.0;  // a nan is outside of the widest, too
  CHECK(excess(expected, expected, any) == 0.0);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    std::vector<double> found = expected;
    found[k] = std::nan("");
    CHECK_FALSE(excess(found, expected, any) < 1.0);
  }
}

TEST_CASE("Every method but those named has reference solutions of its own") {
  MeasuredMethods measured;
  for (const char* file :
       {"one_step.json", "variational.json", "reduced.json", "runge_kutta.json", "lobatto.json",
        "general.json", "groups.json", "splitting.json", "literature.json"}) {
    for (const Json& json : reference_file(file)) measured.add(reference_method(json.at("method")));
  }
  // Their unit tests have other programs' steps, closed forms or methods that they equal.
  measured.check({"herglotz", "moser-veselov", "hamel", "variational-runge-kutta", "shake", "chart",
                  "speed-splitting", "fehlberg-78", "dop853"});
}

TEST_CASE("One-step methods agree with the 45-digit reference") { check_file("one_step.json"); }

TEST_CASE("Variational methods and compositions agree with the 45-digit reference") {
  check_file("variational.json");
}

TEST_CASE("Methods on D* agree with the 45-digit reference") { check_file("reduced.json"); }

TEST_CASE("Collocation methods agree with the 45-digit reference") {
  check_file("runge_kutta.json");
}

TEST_CASE("Lobatto and SPARK methods agree with the 45-digit reference") {
  check_file("lobatto.json");
}

TEST_CASE("Time, forces and constraints on positions agree with the 45-digit reference") {
  check_file("general.json");
}

TEST_CASE("Methods on Lie groups agree with the 45-digit reference") { check_file("groups.json"); }

TEST_CASE("Splittings agree with the 45-digit reference") { check_file("splitting.json"); }

TEST_CASE(
    "Methods of the literature, and names that stand for others, agree with the 45-digit "
    "reference") {
  check_file("literature.json");
}

TEST_CASE("Compensated sums keep the results") {
  check_file("one_step.json", {.compensated = true});
}
