// Sharp facts of problems of the literature: closed forms, thresholds, equal motions of two files,
// and states of an independent computation.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/problem/load_problem.hpp"

using namespace dalembert;

namespace {

using Reals = std::vector<double>;
using Change = std::function<void(Start&)>;

/// A motion of a file, seen at its start and after some time.
class RollingMotion {
 public:
  RollingMotion(const std::string& name, const std::string& start, double duration,
                const NamedValues& parameters = {}, const Change& change = {})
      : problem_(load_problem(name, {.parameters = parameters})), start_(problem_.start(start)) {
    if (change) change(start_);
    start_ = prepare_start(problem_.system, start_);
    q = start_.q;
    v = start_.v;
    numbers_ = named_parameter_values(problem_.system, start_.parameters);
    first_energy = energy();
    ExactFlow<double> flow(problem_.system, numbers_);
    double t = 0.0;
    REQUIRE(flow.advance(t, q, v, duration));
  }
  double energy() {
    Evaluator evaluator(problem_.system, numbers_);
    return evaluator.energy(0.0, q, v);
  }
  const Start& start() const { return start_; }

  Reals q, v;
  double first_energy = 0.0;

 private:
  Problem problem_;
  Start start_;
  Reals numbers_;
};

/// The states were computed by collocation with steps of some hundredths, and are given to 12
/// digits or more; exact motions here are off by round-off that ten units of time enlarge.
void check_near(const Reals& found, const Reals& expected, double tolerance = 1e-10) {
  REQUIRE(found.size() >= expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(std::fabs(found[i] - expected[i]) < tolerance);
  }
}

/// The rotation matrix of a unit quaternion, by rows.
std::array<double, 9> matrix_of(const Reals& q) {
  const double a = q[0], b = q[1], c = q[2], d = q[3];
  return {
      a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
      2 * (b * c + a * d),           a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
      2 * (b * d - a * c),           2 * (c * d + a * b),           a * a - b * b - c * c + d * d};
}

/// Jellett's and Routh's integrals of the top with I2 = I1 = 0.4, or of what they become with
/// another I2 and the ball's centre at (a1, 0, 0.3).
std::array<double, 2> jellett_and_routh(const Reals& q, const Reals& v, double i2, double a1) {
  const std::array<double, 9> r = matrix_of(q);
  const double s1 = a1 - r[6], s2 = -r[7], s3 = 0.3 - r[8];
  const double jellett = 0.4 * v[0] * s1 + i2 * v[1] * s2 + 0.3 * v[2] * s3;
  const double routh = v[2] * std::sqrt(0.4 * 0.3 + 0.4 * (s1 * s1 + s2 * s2) + 0.3 * s3 * s3);
  return {jellett, routh};
}

}  // namespace

TEST_CASE("A ball in a vertical cylinder does not fall") {
  const RollingMotion rising("ball-in-cylinder", "rising", 10.0);
  CHECK(rising.first_energy == doctest::Approx(2.846).epsilon(1e-14));
  // z = z* + A cos(nu t) + B sin(nu t), nu = 2 sqrt(2/7).
  const double nu = 2.0 * std::sqrt(2.0 / 7.0), centre = -0.775;
  const double z = centre - centre * std::cos(10.0 * nu) + 0.2 / nu * std::sin(10.0 * nu);
  CHECK(std::fabs(rising.q[5] - z) < 1e-11);
  CHECK(std::fabs(rising.q[5] + 1.18626074818974) < 1e-11);
  CHECK(std::fabs(rising.q[4] - 20.0) < 1e-12);
  const RollingMotion level("ball-in-cylinder", "level", 10.0);
  CHECK(std::fabs(level.q[5]) < 1e-12);
}

TEST_CASE("A ball stays on the top of a sphere where it spins faster than sqrt(35 g b)/r") {
  const auto angle_after = [](double spin, double time) {
    const RollingMotion motion("ball-on-sphere", "spinning", time, {}, [&](Start& start) {
      start.q = {1.0, 0.0, 0.0, 0.0, 0.001, 0.0};
      // Body and space are the same at the start.
      start.v = {spin * std::sin(0.001), 0.0, spin * std::cos(0.001), 0.0, 0.0};
    });
    return motion.q[4];
  };
  // The threshold is 8.36660.
  CHECK(angle_after(8.0, 20.0) == doctest::Approx(0.0564).epsilon(2e-3));
  CHECK(angle_after(8.0, 40.0) == doctest::Approx(0.533).epsilon(2e-3));
  CHECK(angle_after(8.3, 40.0) == doctest::Approx(0.0785).epsilon(2e-3));
  CHECK(std::fabs(angle_after(8.4, 20.0)) < 0.0099);
  CHECK(std::fabs(angle_after(8.4, 40.0)) < 0.0099);
  const RollingMotion bowl("ball-on-sphere", "bowl", 5.0);
  CHECK(bowl.first_energy == doctest::Approx(0.756587924713704).epsilon(1e-13));
  check_near({bowl.q[4], bowl.q[5]}, {2.40325866582521, 4.54047189055395});
}

TEST_CASE("A rubber ball turns as Veselova's body with the inertia of its contact point") {
  const RollingMotion ball("rubber-chaplygin-ball", "tumbling", 10.0);
  const RollingMotion body("veselova", "generic", 10.0, {{"I1", 1.3}, {"I2", 1.4}, {"I3", 1.55}});
  check_near(body.q, {ball.q.begin(), ball.q.begin() + 4}, 1e-12);
  check_near(ball.q, {0.19939855868227, -0.670070723117508, 0.710851488539069, -0.0770428585788727,
                      -5.24682457205815, -7.83427091667661});
  CHECK(ball.first_energy == doctest::Approx(0.612462425327738).epsilon(1e-13));
}

TEST_CASE("A rubber ellipsoid rolls to the state of another computation") {
  const RollingMotion egg("rubber-ellipsoid", "rocking", 5.0);
  CHECK(egg.first_energy == doctest::Approx(0.976143794560246).epsilon(1e-13));
  check_near(egg.q, {0.253209371671307, 0.908061381287624, -0.214210187630838, -0.255780252222481});
}

TEST_CASE(
    "Chaplygin's top keeps Jellett's and Routh's integrals where it is symmetric, and only there") {
  RollingMotion top("chaplygin-top", "rising", 5.0);
  CHECK(top.first_energy == doctest::Approx(1.51461906765208).epsilon(1e-13));
  const std::array<double, 2> first = jellett_and_routh(top.start().q, top.start().v, 0.4, 0.0),
                              last = jellett_and_routh(top.q, top.v, 0.4, 0.0);
  check_near({first.begin(), first.end()}, {-0.323352912416716, 0.808514168386481}, 1e-13);
  check_near({last.begin(), last.end()}, {first.begin(), first.end()}, 1e-11);
  CHECK(top.energy() == doctest::Approx(top.first_energy).epsilon(1e-12));
  RollingMotion other("chaplygin-top", "unsymmetric", 5.0);
  CHECK(other.first_energy == doctest::Approx(1.50941676363806).epsilon(1e-13));
  const std::array<double, 2> before =
                                  jellett_and_routh(other.start().q, other.start().v, 0.45, 0.1),
                              after = jellett_and_routh(other.q, other.v, 0.45, 0.1);
  CHECK(std::fabs(after[0] - before[0]) > 1e-3);
  CHECK(std::fabs(after[1] - before[1]) > 1e-2);
}

TEST_CASE("A wheeled pendulum falls at its rate, and keeps its momentum while it does not turn") {
  const RollingMotion upright("wheeled-inverted-pendulum", "upright", 3.0);
  CHECK(std::fabs(upright.q[3] - 0.0111816176) < 1e-10);
  // Linearised: 1e-4 cosh(3 sigma), up to the third power of the angle.
  const double effective = 1.0 + 0.4 + 0.0125 / 0.0625;
  const double sigma = std::sqrt(0.5 / (0.25 + 0.06 - 0.25 / effective));
  CHECK(sigma == doctest::Approx(1.80333926933).epsilon(1e-11));
  CHECK(upright.q[3] == doctest::Approx(1e-4 * std::cosh(3.0 * sigma)).epsilon(1e-4));
  const RollingMotion turning("wheeled-inverted-pendulum", "turning", 5.0);
  CHECK(turning.first_energy == doctest::Approx(0.0395014507997).epsilon(1e-11));
  check_near(turning.q, {1.23060437645, 1.22180665374, 5.11805007406, 2.03445220538}, 1e-9);
  const RollingMotion falling("wheeled-inverted-pendulum", "falling", 2.0);
  const auto momentum = [&](const Reals& q, const Reals& v) {
    return effective * v[0] + 0.5 * std::cos(q[3]) * v[3];
  };
  CHECK(std::fabs(falling.v[2]) < 1e-13);
  CHECK(std::fabs(falling.q[3]) > 1.0);
  CHECK(std::fabs(momentum(falling.q, falling.v) - momentum(falling.start().q, falling.start().v)) <
        1e-12);
}

TEST_CASE("Veselova's problem in four dimensions has the state of another computation") {
  RollingMotion body("veselova-4", "turning", 5.0);
  CHECK(body.first_energy == doctest::Approx(0.9785).epsilon(1e-14));
  CHECK(std::fabs(body.q[15] - 0.209245735912602) < 1e-11);
  CHECK(body.energy() == doctest::Approx(0.9785).epsilon(1e-12));
}
