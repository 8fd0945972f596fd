// Where Newton's iterations begin: extrapolated from earlier steps, with a matrix that is kept.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/batch_support.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double short_step = 0.02;

const MethodSpec energy_method{"reduced-gradient"};

std::shared_ptr<const StepProgram> remembering(const MethodSpec& spec,
                                               const StepOptions& options = {}) {
  return StepProgram::compile(chaotic().system, make_method(spec), options);
}

Point start_of(const StepProgram& program) {
  const SmallSystem small = chaotic();
  return make_point(program, small.q, small.v);
}

void forget(Point& point) { std::ranges::fill(point.history, 0.0); }

bool keeps_a_matrix(const StepProgram& program) {
  return std::ranges::any_of(program.tape().loops,
                             [](const TapeLoop& loop) { return loop.keeps_matrix(); });
}

/// The passes of 40 steps, and where they lead; before each of them the history is forgotten, or
/// not.
struct Walk {
  Point point;
  std::uint64_t passes = 0;
};

Walk walk_on(const std::shared_ptr<const StepProgram>& program, bool forgets,
             double step = short_step) {
  Stepper stepper(program, step);
  Walk result{start_of(*program)};
  for (std::uint64_t k = 0; k < 40; ++k) {
    if (forgets) forget(result.point);
    const StepReport report = stepper.advance(result.point, 0.0, k, 1);
    CHECK(report.status == StepStatus::ok);
    result.passes += report.iterations;
  }
  return result;
}

double states_differ_by(const Point& x, const Point& y) {
  double largest = 0.0;
  for (const auto part : {&Point::q, &Point::v}) {
    for (std::size_t i = 0; i < (x.*part).size(); ++i)
      largest = numeric::larger(largest, std::fabs((x.*part)[i] - (y.*part)[i]));
  }
  return largest;
}

}  // namespace

TEST_CASE(
    "Iterations that begin where earlier steps point need fewer passes "
    "to the same states") {
  for (const MethodSpec& spec :
       {MethodSpec{"lobatto", {{"stages", 4.0}, {"multiplier", std::string("carried")}}},
        energy_method, MethodSpec{"discrete-derivative"}, MethodSpec{"gauss"}}) {
    INFO(spec.name);
    const auto program = remembering(spec);
    CHECK(program->history_count() > 0);
    const Walk hot = walk_on(program, false), cold = walk_on(program, true);
    // Three steps know too little.
    CHECK(hot.passes <= cold.passes - 30);
    // A rounding or two of numbers of size one in each of 40 steps, which then
    // grow little.
    CHECK(states_differ_by(hot.point, cold.point) <= 40 * 2 * 0x1p-52);
  }
}

TEST_CASE("Steps that are explicit or short remember nothing") {
  for (const char* method : {"dla01", "leapfrog", "dla"})
    CHECK(remembering({method})->history_count() == 0);
  CHECK(remembering({"lobatto"}, {.solver = StepSolver::plain})->history_count() == 0);
}

TEST_CASE("A matrix that is kept leads where new ones do") {
  // Eliminated line by line, and in systems of four and of sixteen unknowns.
  const std::vector<std::pair<MethodSpec, bool>> cases{
      {energy_method, false}, {{"hamel"}, true}, {{"lobatto", {{"stages", 5.0}}}, true}};
  for (const auto& [method, has_system] : cases) {
    const MethodSpec& spec = method;
    INFO(spec.name);
    const auto program = remembering(spec),
               plain = remembering(spec, {.solver = StepSolver::plain});
    REQUIRE(keeps_a_matrix(*program));
    REQUIRE_FALSE(keeps_a_matrix(*plain));
    const auto count = [&](TapeOperation operation) { return program->tape().count(operation); };
    CHECK((count(TapeOperation::factor) > 0) == has_system);
    CHECK(count(TapeOperation::factor) == count(TapeOperation::substitute));
    for (const double step : {0.02, 0.1, 0.3}) {
      INFO("step ", step);
      const Walk kept = walk_on(program, false, step), exact = walk_on(plain, false, step);
      // As above; at large steps errors grow some.
      CHECK(states_differ_by(kept.point, exact.point) <= 40 * 16 * 0x1p-52);
    }
  }
}

TEST_CASE(
    "The history is a part of the state: steps go on from a copy with "
    "the same bits") {
  for (const bool compensated : {false, true}) {
    const auto program = remembering(energy_method, {.compensated = compensated});
    Stepper once(program, short_step), again(program, short_step);
    Point whole = start_of(*program), first = whole;
    CHECK(once.advance(whole, 0.0, 0, 30).status == StepStatus::ok);
    CHECK(once.advance(first, 0.0, 0, 17).status == StepStatus::ok);
    Point second = first;
    CHECK(again.advance(second, 0.0, 17, 13).status == StepStatus::ok);
    CHECK(batch_test::bits(second) == batch_test::bits(whole));
  }
}

TEST_CASE("After a step of another size iterations begin anew") {
  const auto program = remembering(energy_method);
  Stepper stepper(program, short_step);
  Point hot = start_of(*program);
  CHECK(stepper.advance(hot, 0.0, 0, 10).status == StepStatus::ok);
  Point cold = hot;
  forget(cold);
  for (const double other : {0.5 * short_step, 2.0 * short_step, -short_step}) {
    Point x = hot, y = cold;
    stepper.set_step(other);
    CHECK(stepper.step(x).iterations == stepper.step(y).iterations);
    CHECK(x.q == y.q);
    CHECK(x.v == y.v);
  }
}

TEST_CASE("Extrapolations that oscillate are not believed") {
  // Several steps in a period of the fastest oscillation are a turn each.
  const auto program = remembering(energy_method);
  const Walk hot = walk_on(program, false, 1.5), cold = walk_on(program, true, 1.5);
  CHECK(hot.passes <= cold.passes);
  CHECK(hot.point.q.size() == cold.point.q.size());
}

TEST_CASE("A history of another program is forgotten") {
  const auto program = remembering(energy_method), other = remembering({"gauss"});
  Stepper stepper(program, short_step);
  Point point = start_of(*program), odd = point;
  odd.history = start_of(*other).history;
  odd.history.resize(odd.history.size() + 1, 7.0);
  CHECK(stepper.step(odd).status == StepStatus::ok);
  CHECK(stepper.step(point).status == StepStatus::ok);
  CHECK(batch_test::bits(odd) == batch_test::bits(point));
}
