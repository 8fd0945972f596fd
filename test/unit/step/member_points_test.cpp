#include "dalembert/step/member_points.hpp"

#include <doctest/doctest.h>

#include "dalembert/error.hpp"
#include "support/batch_support.hpp"

using namespace dalembert;
using namespace batch_test;

namespace {

std::shared_ptr<const StepProgram> compiled(const char* method, const StepOptions& options = {}) {
  return StepProgram::compile(test_support::pendulum_cvt().system, make_method({method, {}}),
                              options);
}

/// Points after some steps, so that their turns and carries are not zero.
std::vector<Point> moved_points(const std::shared_ptr<const StepProgram>& program,
                                std::size_t members) {
  const auto problem = test_support::pendulum_cvt();
  std::vector<Point> points;
  Stepper stepper(program, 0.1);
  for (std::size_t i = 0; i < members; ++i) {
    const std::vector<double> v{0.0, 0.0, 3.0 + 0.1 * static_cast<double>(i)};
    points.push_back(make_point(*program, problem.q, v));
    static_cast<void>(stepper.advance(points.back(), 0.0, 0, 100));
  }
  return points;
}

}  // namespace

TEST_CASE("the points of members are kept with every number of a step") {
  for (const bool compensated : {false, true}) {
    for (const char* method : {"dla", "newmark", "fehlberg-78"}) {
      CAPTURE(method);
      const auto program = compiled(method, {.compensated = compensated});
      const std::vector<Point> points = moved_points(program, 5);
      MemberPoints kept(program);
      for (const Point& point : points) kept.push_back(point);
      REQUIRE(kept.size() == 5);
      CHECK(kept[2].turns[2] != 0.0);
      for (std::size_t i = 0; i < 5; ++i) CHECK(bits(kept[i]) == bits(points[i]));
      const MemberPoints same = kept.of(compiled(method, {.compensated = compensated}));
      CHECK(bits(same[4]) == bits(points[4]));
    }
  }
}

TEST_CASE("points of another size are refused") {
  const MemberPoints points(compiled("fehlberg-78"), 2);
  MemberPoints others(compiled("dla"), 2);
  CHECK_THROWS_AS(others.push_back(points[0]), RequestError);
  CHECK_THROWS_AS(static_cast<void>(points.of(compiled("dla"))), RequestError);
}

TEST_CASE("a batch steps some of many members, and leaves out which it is told to") {
  const auto program = compiled("dla");
  const std::vector<Point> points = moved_points(program, 90);
  MemberPoints all(program);
  for (const Point& point : points) all.push_back(point);
  for (const BatchOptions& options : all_options()) {
    CAPTURE(text(options));
    BatchStepper batch(program, 70, 0.1, options);
    MemberPoints after = all;
    // Neighbours, then some with gaps, fewer and more than a block.
    for (const std::size_t count : {70, 3, 45}) {
      std::vector<std::size_t> members(count);
      for (std::size_t i = 0; i < count; ++i) members[i] = count == 70 ? i + 11 : 2 * i;
      batch.set_points(all, members);
      batch.leave_out(1);
      const auto reports = batch.advance(10.0, 0, 7);
      batch.get_points(after, members);
      CHECK(reports[0].steps == 7);
      CHECK(reports[1].steps == 0);
      CHECK(bits(after[members[1]]) == bits(points[members[1]]));
      Stepper alone(program, 0.1);
      for (const std::size_t i : {std::size_t{0}, std::size_t{2}, count - 1}) {
        Point expected = points[members[i]], found = after[members[i]];
        static_cast<void>(alone.advance(expected, 10.0, 0, 7));
        CHECK(batch.time(i) == expected.t);
        found.t = expected.t;
        CHECK(bits(found) == bits(expected));
      }
    }
  }
}
