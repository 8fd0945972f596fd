// A member that fails keeps its state, says why, and leaves its neighbours alone.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "support/batch_support.hpp"

namespace {

using namespace batch_test;
using dalembert::RequestError;
using dalembert::StepStatus;

constexpr std::size_t batch_members = 11;
constexpr std::uint64_t batch_steps = 400;

/// A particle that falls off the domain of its potential, later the farther out it starts.
dalembert::System brink() {
  using namespace dalembert;
  return System::define({"brink", {{"x"}}}, [](const Symbols& s) {
    Mechanics m;
    m.kinetic = square(s.v[0]) / 2.0;
    m.potential = sqrt(s.q[0]);
    return m;
  });
}

void check_as_alone(const std::shared_ptr<const StepProgram>& program,
                    const std::vector<Point>& starts, double h) {
  for (const BatchOptions& options : all_options()) {
    INFO(program->method().name(), " ", text(options));
    BatchStepper batch(program, starts.size(), h, options);
    for (std::size_t member = 0; member < starts.size(); ++member)
      batch.set_point(member, starts[member]);
    const auto reports = batch.advance(0.0, 0, batch_steps);
    for (std::size_t member = 0; member < starts.size(); ++member) {
      Stepper stepper(program, h);
      Point alone = starts[member];
      const StepReport report = stepper.advance(alone, 0.0, 0, batch_steps);
      INFO("member ", member);
      CHECK(reports[member].status == report.status);
      CHECK(reports[member].steps == report.steps);
      CHECK(bits(batch.point(member)) == bits(alone));
    }
  }
}

}  // namespace

TEST_CASE("A diverging member does not disturb its neighbours") {
  const auto problem = test_support::pendulum_cvt();
  for (const MethodSpec& spec :
       {MethodSpec{"dla01", {}}, MethodSpec{"dla", {{"alpha", 0.4}}}, MethodSpec{"leapfrog", {}}}) {
    const auto program = StepProgram::compile(problem.system, make_method(spec));
    std::vector<Point> starts;
    for (std::size_t member = 0; member < batch_members; ++member)
      starts.push_back(make_point(*program, problem.q, problem.v));
    starts[2].v[0] = 1e308;
    starts[3].v[2] = 1e200;
    starts[5].q[1] = std::numeric_limits<double>::infinity();
    starts[batch_members - 1].v[2] = std::nan("");
    check_as_alone(program, starts, 0.1);
    Stepper stepper(program, 0.1);
    CHECK(stepper.advance(starts[5], 0.0, 0, 1).status != StepStatus::ok);
  }
}

TEST_CASE("Members fail each at its own time") {
  for (const MethodSpec& spec : {MethodSpec{"dla01", {}}, MethodSpec{"dla", {{"alpha", 0.4}}}}) {
    const auto program = StepProgram::compile(brink(), make_method(spec));
    std::vector<Point> starts;
    for (std::size_t member = 0; member < batch_members; ++member) {
      const std::vector<double> q{1.0 + 3.0 * static_cast<double>(member)}, v{0.0};
      starts.push_back(make_point(*program, q, v));
    }
    check_as_alone(program, starts, 0.01);
  }
}

TEST_CASE("A failed member stays out until it gets a new point") {
  const auto program = StepProgram::compile(brink(), dalembert::make_method({"dla01", {}}));
  BatchStepper batch(program, 3, 0.01);
  for (std::size_t member = 0; member < 3; ++member) {
    const std::vector<double> q{member == 1 ? 0.01 : 100.0}, v{0.0};
    batch.set_point(member, make_point(*program, q, v));
  }
  const std::uint64_t taken = batch.advance(0.0, 0, 100)[1].steps;
  CHECK(taken > 0);
  CHECK(taken < 100);
  const Point left = batch.point(1);
  CHECK(left.t == 0.01 * static_cast<double>(taken));
  const auto reports = batch.advance(0.0, 100, 50);
  CHECK(reports[0].steps == 50);
  CHECK(reports[1].steps == 0);
  CHECK(reports[1].status == StepStatus::not_finite);
  CHECK(bits(batch.point(1)) == bits(left));
  batch.set_point(1, batch.point(0));
  CHECK(batch.advance(0.0, 150, 50)[1].status == StepStatus::ok);
  CHECK(bits(batch.point(1)) == bits(batch.point(0)));
}

TEST_CASE("A batch refuses what makes no sense") {
  const auto problem = test_support::pendulum_cvt();
  const auto program = StepProgram::compile(problem.system, dalembert::make_method({"dla01", {}}));
  CHECK_THROWS_AS(BatchStepper(program, 0, 0.1), dalembert::RequestError);
  CHECK_THROWS_AS(BatchStepper(program, 3, 0.1, {.width = 5}), dalembert::RequestError);
  CHECK_THROWS_AS(BatchStepper(program, 3, 0.1, {.threads = 0}), dalembert::RequestError);
  BatchStepper batch(program, 3, 0.1);
  const std::vector<double> none;
  CHECK_THROWS_AS(batch.set_parameters(0, none), dalembert::RequestError);
  CHECK_THROWS_AS(batch.set_point(3, batch.point(0)), dalembert::RequestError);
  CHECK_THROWS_AS(batch.set_point(0, make_point(*program, none, none)), dalembert::RequestError);
}

TEST_CASE("Blocks are large where there are many members and the program is small") {
  using dalembert::BlockSize;
  const auto problem = test_support::pendulum_cvt();
  const auto program = StepProgram::compile(problem.system, dalembert::make_method({"dla01", {}}));
  CHECK(BatchStepper(program, 1023, 0.1).block_size() == 16);
  CHECK(BatchStepper(program, 1024, 0.1).block_size() == 64);
  CHECK(BatchStepper(program, 1024, 0.1, {.width = 4}).block_size() == 64);
  CHECK(BatchStepper(program, 1024, 0.1, {.block = BlockSize::small}).block_size() == 16);
  CHECK(BatchStepper(program, 3, 0.1, {.block = BlockSize::large}).block_size() == 64);
  CHECK(dalembert::suggested_block(100000, 1024) == BlockSize::small);
}
