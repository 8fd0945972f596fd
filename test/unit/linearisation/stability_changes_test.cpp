// Where motions become stable: the published speeds of the bicycle, a top that falls asleep, a disk
// that rolls.
#include "dalembert/linearisation/stability_changes.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <vector>

#include "dalembert/problem/load_problem.hpp"

using namespace dalembert;

namespace {

using Motion = std::function<Linearisation(double)>;

std::vector<StabilityChange> changes_along(const std::vector<double>& values,
                                           const Motion& motion_at) {
  std::vector<Linearisation> motions;
  for (const double value : values) motions.push_back(motion_at(value));
  return stability_changes(values, motions, motion_at);
}

Motion straight_bicycle() {
  const Problem problem = load_problem("bicycle");
  const auto lineariser = std::make_shared<Lineariser>(problem.system);
  return [lineariser](double speed) {
    const std::vector<double> q(8, 0.0), v{speed, 0, 0, 0, 0, 0, -speed / 0.3, -speed / 0.35};
    return (*lineariser)(q, v);
  };
}

/// The roots of the published equations M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 for (lean, steer).
/// Source: [MeijaardPapadopoulosRuinaSchwab2007], Sect. 5.
Eigen::VectorXcd published_roots(double speed) {
  Eigen::Matrix2d mass, gravity, speeds, damping;
  mass << 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686;
  gravity << -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618;
  speeds << 0.0, 76.59734589573222, 0.0, 2.65431523794604;
  damping << 0.0, 33.86641391492494, -0.85035641456978, 1.68540397397560;
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Zero();
  matrix.topRightCorner<2, 2>().setIdentity();
  const Eigen::Matrix2d inverse = mass.inverse();
  matrix.bottomLeftCorner<2, 2>() = -inverse * (9.81 * gravity + speed * speed * speeds);
  matrix.bottomRightCorner<2, 2>() = -inverse * (speed * damping);
  return matrix.eigenvalues();
}

}  // namespace

TEST_CASE("The bicycle has the published roots at all speeds") {
  const Motion at = straight_bicycle();
  for (int k = 0; k <= 20; ++k) {
    const double speed = 0.5 * k;
    CAPTURE(speed);
    const Linearisation motion = at(speed);
    REQUIRE(motion.ok());
    CHECK(motion.distance < 1e-13);
    // Lean, steer and their rates, and the forward speed.
    REQUIRE(motion.modes.size() == 5);
    CHECK(motion.neutral == 1);
    CHECK(motion.family == 1);
    for (const std::complex<double>& root : published_roots(speed)) {
      double nearest = 1e300;
      for (const LinearMode& mode : motion.modes)
        nearest = std::min<double>(nearest, std::abs(mode.value - root));
      // The published entries have 14 digits after the point, and M is of condition 400; two roots
      // that meet near 0.7 m/s are the worst.
      CHECK(nearest < 1e-10);
    }
  }
  // Table 2 there, at 5 m/s.
  const Linearisation motion = at(5.0);
  for (const std::complex<double> root :
       {std::complex<double>(-14.07838969279822), std::complex<double>(-0.32286642900409),
        std::complex<double>(-0.77534188219585, 4.46486771378823)}) {
    double nearest = 1e300;
    for (const LinearMode& mode : motion.modes)
      nearest = std::min<double>(nearest, std::abs(mode.value - root));
    CHECK(nearest < 1e-11);
  }
}

TEST_CASE("The bicycle weaves and capsizes at the published speeds") {
  const auto changes = changes_along({3.0, 5.0, 7.0}, straight_bicycle());
  REQUIRE(changes.size() == 2);
  // Source: [MeijaardPapadopoulosRuinaSchwab2007], Sect. 6: weave and capsize speeds with 14
  // digits. The capsize root crosses as slowly as 0.14 per m/s, so that its round-off, 1e-12, moves
  // the speed by 1e-11.
  CHECK(std::fabs(changes[0].value - 4.29238253634111) < 1e-10);
  CHECK(std::fabs(changes[1].value - 6.02426201538837) < 2e-10);
  CHECK(changes[0].below == Stability::unstable);
  CHECK(changes[0].above == Stability::stable);
  CHECK(changes[1].above == Stability::unstable);
  CHECK(changes[0].root.imag() == doctest::Approx(3.43503384866144).epsilon(1e-9));
  CHECK(changes[1].root.imag() == 0.0);
}

TEST_CASE("A top that spins fast enough sleeps") {
  const Problem problem = load_problem("heavy-top", {.parameters = {{"I2", 0.7}}});
  Lineariser lineariser(problem.system);
  const auto changes = changes_along({1.0, 1.5, 2.0, 3.0, 4.0}, [&](double spin) {
    return lineariser(std::vector<double>{1, 0, 0, 0}, std::vector<double>{0, 0, spin});
  });
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].below == Stability::unstable);
  CHECK(changes[0].above == Stability::undecided);
  // (I3 spin)^2 = 4 I1 m g l. Growth begins like the root of the distance, and is told from
  // round-off from 1e-7 on.
  CHECK(std::fabs(changes[0].value - std::sqrt(4.0 * 0.7 * 0.5) / 0.5) < 1e-10);
}

TEST_CASE("A disk that rolls fast enough stays upright, with angles and on SO(3)") {
  // rate^2 = I_diameter m g r/(I_axis (I_axis + m r^2)), a third of g/r for a thin disk.
  const double critical = std::sqrt(1.0 / 3.0);
  const Problem angles = load_problem("tilting-disk"), group = load_problem("tilting-disk-so3");
  Lineariser with_angles(angles.system), on_group(group.system);
  const double root = std::sqrt(0.5);
  const Motion motions[] = {[&](double rate) {
                              return with_angles(std::vector<double>{0, 0, 1, 0, 0, 0},
                                                 std::vector<double>{rate, 0, 0, 0, 0, rate});
                            },
                            [&](double rate) {
                              return on_group(std::vector<double>{root, -root, 0, 0, 0, 0, 1},
                                              std::vector<double>{0, 0, rate, rate, 0, 0});
                            }};
  for (const Motion& at : motions) {
    const auto changes = changes_along({0.2, 1.1}, at);
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].below == Stability::unstable);
    CHECK(std::fabs(changes[0].value - critical) < 1e-10);
    // Below it falls at this rate.
    const double fall = std::sqrt((1.0 - 3.0 * 0.04) / 1.25);
    CHECK(std::fabs(at(0.2).growth() - fall) < 1e-11);
  }
}

TEST_CASE("Nothing is looked for beside a motion that was not found") {
  const Problem problem = load_problem("bicycle");
  const Motion at = straight_bicycle();
  std::vector<Linearisation> motions{at(3.0), at(5.0)};
  motions[1].status = Linearisation::Status::failed;
  CHECK(stability_changes(std::vector<double>{3.0, 5.0}, motions, at).empty());
}
