// A trajectory has the same bits alone and in any lane, at every width, with every instruction set,
// on any number of threads and with every compiler.

#include <doctest/doctest.h>

#include "support/batch_support.hpp"

namespace {

using namespace batch_test;

constexpr double step_size = 0.05;
constexpr std::size_t members = 19;  // blocks that are not full
constexpr std::uint64_t steps = 100000;

struct Recorded {
  MethodSpec method;
  std::uint64_t checksum;  // of member 0
};

// Recorded with g++ 12; the same from clang++ 14. Another order of the terms in an equation gives
// other bits: then record anew, with both.
const std::vector<Recorded>& recorded() {
  static const std::vector<Recorded> all{
      {{"dla01", {}}, 0xae24526fc844cc67u},
      {{"dla", {{"alpha", 0.4}}}, 0xb5f04f4b5b123738u},
      {{"leapfrog", {}}, 0x88626fb0c5b6fd2fu},
  };
  return all;
}

/// Some swing, some turn over.
Point start_of(const StepProgram& program, std::size_t member) {
  const double m = static_cast<double>(member);
  const std::vector<double> q{1.0 - 0.03 * m, 1.0, 0.01 * m}, v{0.0, 0.0, 1.8973666 + 0.07 * m};
  return make_point(program, q, v);
}

std::vector<double> parameters_of(std::size_t member) {
  return {0.01 * static_cast<double>(member)};
}

std::vector<Point> run_one_by_one(const std::shared_ptr<const StepProgram>& program,
                                  std::uint64_t count) {
  std::vector<Point> points;
  for (std::size_t member = 0; member < members; ++member) {
    Stepper stepper(program, step_size, parameters_of(member));
    points.push_back(start_of(*program, member));
    const StepReport report = stepper.advance(points.back(), 0.25, 0, count);
    CHECK(report.steps == count);
  }
  return points;
}

std::vector<Point> run_batch(const std::shared_ptr<const StepProgram>& program,
                             const BatchOptions& options, std::uint64_t count) {
  BatchStepper batch(program, members, step_size, options);
  for (std::size_t member = 0; member < members; ++member) {
    batch.set_parameters(member, parameters_of(member));
    batch.set_point(member, start_of(*program, member));
  }
  // In two pieces, which must not matter either.
  CHECK(batch.advance(0.25, 0, count / 3).size() == members);
  const auto reports = batch.advance(0.25, count / 3, count - count / 3);
  std::vector<Point> points;
  for (std::size_t member = 0; member < members; ++member) {
    CHECK(reports[member].status == dalembert::StepStatus::ok);
    points.push_back(batch.point(member));
  }
  return points;
}

void check_same(const std::vector<Point>& alone, const std::vector<Point>& together) {
  for (std::size_t member = 0; member < members; ++member) {
    INFO("member ", member);
    CHECK(bits(alone[member]) == bits(together[member]));
  }
}

}  // namespace

TEST_CASE("A batch gives every member the bits that it has alone, with every instruction set" *
          doctest::test_suite("slow")) {
  const auto problem = test_support::pendulum_cvt();
  for (const Recorded& entry : recorded()) {
    const auto program = StepProgram::compile(problem.system, make_method(entry.method));
    const std::vector<Point> alone = run_one_by_one(program, steps);
    INFO("method ", label(entry.method));
    CHECK(checksum(alone[0]) == entry.checksum);
    for (const BatchOptions& options : all_options()) {
      INFO(text(options));
      check_same(alone, run_batch(program, options, steps));
    }
  }
}

TEST_CASE("Threads and compensated sums do not change bits") {
  const auto problem = test_support::pendulum_cvt();
  const auto program = StepProgram::compile(problem.system, dalembert::make_method({"dla01", {}}),
                                            {.compensated = true, .wrap_angles = true});
  const std::vector<Point> alone = run_one_by_one(program, 1000);
  for (const int threads : {1, 2, 3, 8})
    check_same(alone, run_batch(program, {.width = 4, .threads = threads}, 1000));
}

TEST_CASE("A batch solves linear systems and keeps matrices as one trajectory does") {
  const auto check = [](const test_support::SmallSystem& problem, const MethodSpec& spec,
                        std::uint64_t count) {
    INFO("method ", label(spec));
    const auto program = StepProgram::compile(problem.system, make_method(spec));
    Stepper stepper(program, 0.1);
    Point alone = make_point(*program, problem.q, problem.v);
    CHECK(stepper.advance(alone, 0.0, 0, count).status == dalembert::StepStatus::ok);
    for (const BatchOptions& options : all_options()) {
      INFO(text(options));
      BatchStepper batch(program, 5, 0.1, options);
      for (std::size_t member = 0; member < 5; ++member) {
        Point start = make_point(*program, problem.q, problem.v);
        const double change = 0.1 * static_cast<double>(member);
        start.q[0] += change;
        for (double& v : start.v) v *= 1.0 - change;
        batch.set_point(member, start);
      }
      CHECK(batch.advance(0.0, 0, count).front().status == dalembert::StepStatus::ok);
      CHECK(bits(batch.point(0)) == bits(alone));
      CHECK(bits(batch.point(4)) != bits(alone));
    }
    return program;
  };
  for (const MethodSpec& spec : {MethodSpec{"dla01", {}}, MethodSpec{"dla", {{"alpha", 0.4}}}}) {
    const auto program = check(test_support::two_constraints(), spec, 2000);
    CHECK(program->tape().count(dalembert::TapeOperation::solve) > 0);
  }
  for (const MethodSpec& spec : {MethodSpec{"reduced-gradient", {}}, MethodSpec{"hamel", {}}}) {
    const auto program = check(test_support::chaotic(), spec, 200);
    CHECK(program->tape().loops.at(0).keeps_matrix());
  }
}
