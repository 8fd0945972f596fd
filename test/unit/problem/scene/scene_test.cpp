// How problems look in numbers.
#include "dalembert/problem/scene/scene.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/document/library.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

ProblemFile problem_with(const std::string& picture) {
  return read_problem(parse_document(R"(
coordinates = ["x", "y"]
[parameters]
r = 2.0
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2)/2"
)" + picture,
                                     "test"),
                      "test");
}

std::vector<double> frame_of(const std::string& picture,
                             std::vector<SceneShape>* shapes = nullptr) {
  const ProblemFile problem = problem_with(picture);
  const System system = make_system(problem);
  Scene scene(problem, system, {}, {});
  if (shapes != nullptr) *shapes = scene.shapes();
  const std::vector<double> q{0.5, -0.25}, v{1.0, 3.0};
  const auto frame = scene.frame(0.0, q, v);
  return {frame.begin(), frame.end()};
}

void check_close(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  // Some products of numbers of order one.
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::fabs(found[i] - expected[i]) < 1e-14);
}

}  // namespace

TEST_CASE("Shapes of a plane are points, lines and circles of the state") {
  check_close(frame_of("[[picture.segment]]\nfrom = [0, 1]\nto = [\"x + y_dot\", \"r*y\"]"),
              {0, 1, 3.5, -0.5});
  check_close(
      frame_of("[[picture.wheel]]\nat = [\"x\", \"y\"]\nheading = \"pi/2\"\nlength = \"r\""),
      {0.5, -1.25, 0.5, 0.75});
  check_close(frame_of("[[picture.circle]]\ncentre = [\"x\", 0]\nradius = \"r\"\nangle = \"pi/2\""),
              {0.5, 0, 0, 2, -2, 0});
  std::vector<SceneShape> shapes;
  check_close(frame_of("[[picture.line]]\nx = [\"each(i, 1, 3, i*x)\"]\ny = [0, 1, 2]\nclosed = "
                       "true\ncolour = \"black\"\n[[picture.trail]]\nat = [1, 2]\nwidth = 4",
                       &shapes),
              {0.5, 0, 1, 1, 1.5, 2, 1, 2});
  REQUIRE(shapes.size() == 2);
  CHECK(shapes[0].is_closed);
  CHECK(shapes[0].colour.empty());
  CHECK(shapes[1].kind == ShapeKind::trail);
  CHECK(shapes[1].first == 6);
  CHECK(shapes[1].width == 4.0);
}

TEST_CASE("Circles in space stand at a right angle to their axis") {
  const std::vector<double> free = frame_of(
      "[picture]\nview = \"space\"\n[[picture.circle]]\ncentre = [0, 0, 0]\nradius = \"r\"\naxis = "
      "[\"x\", \"y\", 1]");
  const std::vector<double> axis{0.5, -0.25, 1.0};
  const auto dot = [](const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  REQUIRE(free.size() == 9);
  const double *u = free.data() + 3, *v = free.data() + 6;
  CHECK(std::fabs(dot(u, axis.data())) < 1e-14);
  CHECK(std::fabs(dot(v, axis.data())) < 1e-14);
  CHECK(std::fabs(dot(u, v)) < 1e-14);
  CHECK(std::fabs(dot(u, u) - 4.0) < 1e-14);
  CHECK(std::fabs(dot(v, v) - 4.0) < 1e-14);
  check_close(frame_of("[picture]\nview = \"space\"\n[[picture.circle]]\ncentre = \"[1, 2, "
                       "3]\"\nradius = 2\naxis = [0, 0, 3]\nspoke = [5, 0, 0]"),
              {1, 2, 3, 2, 0, 0, 0, 2, 0});
  check_close(frame_of("[picture]\nview = \"space\"\nfollow = [\"x\", \"y\", 7]\n[[picture.ball]]\n"
                       "centre = [0, 0, 1]\nradii = [1, 2, 3]"),
              {0, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0.5, -0.25, 7});
}

TEST_CASE("Shapes are repeated for each index") {
  std::vector<SceneShape> shapes;
  check_close(frame_of("[[picture.point]]\neach = \"k, 1, 3\"\nat = [\"k*x\", \"k\"]", &shapes),
              {0.5, 1, 1, 2, 1.5, 3});
  CHECK(shapes.size() == 3);
  CHECK_THROWS_AS(frame_of("[[picture.point]]\neach = \"x, 1, 3\"\nat = [0, 0]"), RequestError);
}

TEST_CASE("The pictures of the library are finite at every start") {
  std::size_t pictures = 0;
  for (const std::string& name : problem_names()) {
    const ProblemFile problem = read_problem_file(find_problem(name));
    if (!problem.scene) continue;
    CAPTURE(name);
    ++pictures;
    for (const StartEntry& start : problem.starts) {
      CAPTURE(start.name);
      const Sizes sizes = complete_sizes(problem, start.sizes);
      const System system = make_system(problem, sizes);
      const std::vector<double> parameters = start_parameters(problem, start);
      const Start ready = prepare_start(
          system, evaluate_start(problem, start, system, sizes, parameters), parameters);
      Scene scene(problem, system, sizes, parameters);
      for (const double number : scene.frame(0.0, ready.q, ready.v)) CHECK(std::isfinite(number));
    }
  }
  CHECK(pictures == 26);
}
