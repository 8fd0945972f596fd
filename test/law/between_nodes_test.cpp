// States between nodes, by a step of another size or by interpolation: their order is that of the
// method, for every method.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/law.hpp"
#include "support/variants.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double last_time = 0.73, fraction = 0.37;

/// The largest error in q and v at `last_time`, which lies in the step after `steps` of them. As a
/// time at which an event is found, and the state there.
double error_between(const Witness& witness, std::span<const double> v, const Method& method,
                     std::uint64_t steps, std::span<const double> exact_q,
                     std::span<const double> exact_v) {
  const double h = last_time / (static_cast<double>(steps) + fraction);
  // An event that happens at this time and changes nothing.
  const std::vector<Event> events{
      {.name = "time", .function = [](const Symbols& s) { return s.t - last_time; }}};
  const auto program = StepProgram::compile(witness.system, method);
  Stepper stepper(program, h);
  Evaluator evaluator(witness.system);
  Point point = start_point(stepper, evaluator, witness.q, v);
  EventAdvance advance(stepper, {witness.system, events}, {});
  const StepReport report = advance(point, 0.0, 0, steps + 1);
  REQUIRE(report.status == StepStatus::ok);
  const std::vector<EventOccurrence> found = advance.take();
  REQUIRE(found.size() == 1);
  // Round-off of some steps that add up to it.
  CHECK(std::fabs(found[0].t - last_time) < 1e-14);
  double error = 0.0;
  for (std::size_t i = 0; i < exact_q.size(); ++i)
    error = numeric::larger(error, std::fabs(found[0].q[i] - exact_q[i]));
  for (std::size_t i = 0; i < exact_v.size(); ++i)
    error = numeric::larger(error, std::fabs(found[0].v[i] - exact_v[i]));
  return error;
}

}  // namespace

TEST_CASE("states between nodes have the order of their method") {
  int measured = 0;
  for (const Witness& witness :
       {witness_constant_mass(), witness_two_constraints(), witness_free_constant_mass()}) {
    const std::vector<double> start =
        Evaluator(witness.system).projected_velocity(0.0, witness.q, witness.v);
    std::vector<double> q = witness.q, v = start;
    double t = 0.0;
    ExactFlow<double> flow(witness.system);
    REQUIRE(flow.advance(t, std::span(q), std::span(v), last_time));
    for (const MethodSpec& spec : method_variants(Variants::defaults)) {
      if (!fits(spec, witness)) continue;
      const Method method = make_method(spec);
      const int order = method.facts().order;
      if (order < 1 || order > 6) continue;  // above, errors are round-off at once
      CAPTURE(witness.system.name());
      CAPTURE(label(spec));
      const std::uint64_t steps = order <= 2 ? 32 : 8;
      const double coarse = error_between(witness, start, method, steps, q, v),
                   fine = error_between(witness, start, method, 2 * steps, q, v);
      const double ratio =
          (2.0 * static_cast<double>(steps) + fraction) / (static_cast<double>(steps) + fraction);
      const double found = std::log(coarse / fine) / std::log(ratio);
      // Within a third, as of all measured orders; more where the leading error is small.
      CHECK_MESSAGE(found > order - 0.34, found, " for ", order, ", errors ", coarse, " and ",
                    fine);
      ++measured;
    }
  }
  CHECK(measured > 20);
}
