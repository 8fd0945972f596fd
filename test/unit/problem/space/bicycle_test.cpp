// The bicycle's linear equations about straight running are the published ones.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/numeric/small_lu.hpp"
#include "dalembert/problem/load_problem.hpp"

using namespace dalembert;

namespace {

// Source: Meijaard, Papadopoulos, Ruina and Schwab 2007, Sect. 5: M q'' + v C1 q' + (g K0 + v^2 K2)
// q = 0 for q = (lean, steer).
using Two = std::array<std::array<double, 2>, 2>;
constexpr Two linear_mass{{{80.81722, 2.31941332208709}, {2.31941332208709, 0.29784188199686}}};
constexpr Two gravity_stiffness{
    {{-80.95, -2.59951685249872}, {-2.59951685249872, -0.80329488458618}}};
constexpr Two speed_stiffness{{{0.0, 76.59734589573222}, {0.0, 2.65431523794604}}};
constexpr Two linear_damping{{{0.0, 33.86641391492494}, {-0.85035641456978, 1.68540397397560}}};
constexpr double weave_speed = 4.29238253634111, capsize_speed = 6.02426201538837;

/// Indices of the coordinates.
struct Of {
  static constexpr std::size_t x = 0, y = 1, psi = 2, phi = 3, theta = 4, delta = 5, theta_R = 6,
                               theta_F = 7;
};

/// The state with that lean, steer and their rates, at a forward speed: the pitch and all other
/// velocities follow from the constraints.
struct Riding {
  std::vector<double> q = std::vector<double>(8), v = std::vector<double>(8);
};

/// Solves the constraints for five velocities.
void complete_velocity(Evaluator& bicycle, Riding& state) {
  const std::array<std::size_t, 5> free{Of::y, Of::psi, Of::theta, Of::theta_R, Of::theta_F};
  for (const std::size_t i : free) state.v[i] = 0.0;
  std::vector<double> right = bicycle.constraint(0.0, state.q, state.v);
  right.resize(5);
  std::vector<double> matrix(25), pivot(5);
  for (std::size_t j = 0; j < 5; ++j) {
    std::vector<double> v = state.v;
    v[free[j]] = 1.0;
    const std::vector<double> there = bicycle.constraint(0.0, state.q, v);
    for (std::size_t i = 0; i < 5; ++i) matrix[5 * i + j] = there[i] - right[i];
  }
  static_cast<void>(numeric::lu_factor(5, matrix.data(), pivot.data()));
  numeric::lu_solve(5, matrix.data(), pivot.data(), right.data());
  for (std::size_t j = 0; j < 5; ++j) state.v[free[j]] = -right[j];
}

Riding riding(Evaluator& bicycle, double speed, const std::array<double, 4>& lean_steer_rates) {
  Riding state;
  state.q[Of::phi] = lean_steer_rates[0];
  state.q[Of::delta] = lean_steer_rates[1];
  for (int iteration = 0; iteration < 4; ++iteration) {
    const auto height = [&](double pitch) {
      state.q[Of::theta] = pitch;
      return bicycle.constraint(0.0, state.q, state.v).back();
    };
    const double pitch = state.q[Of::theta], here = height(pitch);
    state.q[Of::theta] = pitch - here * 1e-3 / (height(pitch + 1e-3) - here);
  }
  state.v[Of::x] = speed;
  state.v[Of::phi] = lean_steer_rates[2];
  state.v[Of::delta] = lean_steer_rates[3];
  complete_velocity(bicycle, state);
  return state;
}

using Four = std::array<std::array<double, 4>, 4>;

/// d/dt (lean, steer, rates) by central differences.
Four linear_equations(Evaluator& bicycle, double speed) {
  Four a{};
  a[0][2] = a[1][3] = 1.0;
  // The error of the quotient is of order h^2 times third derivatives, some 1e-6 below.
  const double h = 1e-4;
  for (std::size_t j = 0; j < 4; ++j) {
    std::array<double, 4> forward{}, backward{};
    forward[j] = h;
    backward[j] = -h;
    const Riding ahead = riding(bicycle, speed, forward), behind = riding(bicycle, speed, backward);
    const std::vector<double> up = bicycle.acceleration(0.0, ahead.q, ahead.v),
                              down = bicycle.acceleration(0.0, behind.q, behind.v);
    a[2][j] = (up[Of::phi] - down[Of::phi]) / (2.0 * h);
    a[3][j] = (up[Of::delta] - down[Of::delta]) / (2.0 * h);
  }
  return a;
}

/// Coefficients of the characteristic polynomial, the leading 1 first (Faddeev and LeVerrier).
std::array<double, 5> characteristic_polynomial(const Four& a) {
  std::array<double, 5> c{1.0};
  Four m{};
  for (std::size_t k = 1; k <= 4; ++k) {
    for (std::size_t i = 0; i < 4; ++i) m[i][i] += c[k - 1];
    Four next{};
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        for (std::size_t l = 0; l < 4; ++l) next[i][j] += a[i][l] * m[l][j];
      }
    }
    m = next;
    c[k] = -(m[0][0] + m[1][1] + m[2][2] + m[3][3]) / double(k);
  }
  return c;
}

/// Vanishes where a pair of eigenvalues is imaginary (Hurwitz).
double weave_margin(const std::array<double, 5>& c) {
  return c[1] * c[2] * c[3] - c[3] * c[3] - c[1] * c[1] * c[4];
}

}  // namespace

TEST_CASE("The bicycle's linear equations have the published matrices") {
  const Problem problem = load_problem("bicycle");
  CHECK(problem.system.nonholonomic_count() == 4);
  CHECK(problem.system.holonomic_count() == 1);
  Evaluator bicycle(problem.system);
  // The error of the quotients, 1e-6, times the mass of 81; the published numbers have 13 digits.
  constexpr double tolerance = 81e-6;
  for (const double speed : {0.0, 3.0, 5.0}) {
    CAPTURE(speed);
    const Four a = linear_equations(bicycle, speed);
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t column = 0; column < 2; ++column) {
        CAPTURE(row);
        CAPTURE(column);
        // M times the accelerations' slopes are minus stiffness and damping.
        const double stiffness =
            linear_mass[row][0] * a[2][column] + linear_mass[row][1] * a[3][column];
        const double rate =
            linear_mass[row][0] * a[2][column + 2] + linear_mass[row][1] * a[3][column + 2];
        CHECK(std::fabs(stiffness + 9.81 * gravity_stiffness[row][column] +
                        speed * speed * speed_stiffness[row][column]) < tolerance);
        CHECK(std::fabs(rate + speed * linear_damping[row][column]) < tolerance);
      }
    }
  }
}

TEST_CASE("The bicycle weaves, capsizes and has the published eigenvalues") {
  Evaluator bicycle(load_problem("bicycle").system);
  const auto at = [&](double speed) {
    return characteristic_polynomial(linear_equations(bicycle, speed));
  };
  using Complex = std::complex<double>;
  const auto c = at(5.0);
  for (const Complex value : {Complex(-14.07838969279822), Complex(-0.32286642900409),
                              Complex(-0.77534188219585, 4.46486771378823)}) {
    const Complex slope = ((4.0 * value + 3.0 * c[1]) * value + 2.0 * c[2]) * value + c[3];
    const Complex rest = (((value + c[1]) * value + c[2]) * value + c[3]) * value + c[4];
    CHECK(std::abs(rest / slope) < 1e-5);  // how far the nearest eigenvalue is
  }
  // The speeds change by about as much as the coefficients, by 1e-6.
  constexpr double around = 1e-5;
  CHECK(weave_margin(at(weave_speed - around)) < 0.0);
  CHECK(weave_margin(at(weave_speed + around)) > 0.0);
  CHECK(at(capsize_speed - around)[4] > 0.0);
  CHECK(at(capsize_speed + around)[4] < 0.0);
}
