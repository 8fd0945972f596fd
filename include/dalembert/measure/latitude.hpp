#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "dalembert/measure/coupled_passengers.hpp"

namespace dalembert {

/// The hidden integral of nonholonomically coupled systems: a latitude.
///
/// In a coupled system a driver xi, which feels nothing of the others, moves in a potential W(xi),
/// and passengers x with a quadratic potential U(x) = x.K x/2 - f.x keep A(xi) x' = 0, where A(xi)
/// has the kernel k(xi), |k| = 1 in the metric of the mass. With K = kappa^T kappa of rank 2, f = K
/// x_0, y = kappa (x - x_0) and s = k.M x' the passenger's motion is u' = omega(xi) x u for u =
/// (y_1, y_2, s), omega = (-k_2, k_1, 0), (k_1, k_2) = kappa k(xi): a rotation of the sphere
/// |u|^2/2 = passenger energy. Over one period of the driver it adds up to a rotation about an axis
/// a(xi, xi'). Followed along the motion, the axis turns with u, so a.u is conserved: it is the
/// third integral, beside the energies of driver and passenger, for which no formula is known.
/// Source: [ModinVerdier2020], Eqs. (5) to (10), Theorem 4.2, Proposition 5.3 and Fig. 8, where it
/// is sampled once per period of the driver; here it is a function of the state at any time, hence
/// an integral along every sample of a run.
///
/// Accuracy: driver and rotation (a unit quaternion) are integrated by extrapolation of order 14
/// until the driver returns to its state, located by Newton's method, all to round-off; the axis
/// has the round-off of some 20 steps, about 1e-14, divided by `Axis::sharpness`. One evaluation
/// integrates one period of the driver: 1000 to 2000 evaluations of W' and k, below a millisecond.
///
/// One per thread.
class Latitude {
 public:
  /// Recognises the driver unless it is named. Parameters are the defaults if empty. Throws
  /// RequestError, saying what is in the way, if the system is not of this kind: constant
  /// mass, one driver apart from the rest, constraints linear in the passengers' velocities with
  /// coefficients of xi alone and a kernel of dimension one, K of rank 2, f in the range of K.
  explicit Latitude(const System& system, std::span<const double> parameters = {},
                    std::string_view driver = "");

  using Direction = std::array<double, 3>;

  /// The axis about which one period of the driver turns the passenger.
  struct Axis {
    Direction direction{};   ///< unit vector; its sign is continuous in the driver's state
    double period = 0.0;     ///< of the driver; infinite where it did not return
    double angle = 0.0;      ///< of the rotation about `direction`, in [0, 2 pi]
    double sharpness = 0.0;  ///< |sin(angle/2)|: near zero every direction is an axis
  };

  /// At a state of the driver. Where the driver does not return within 1e4 time units, or the
  /// equations cannot be integrated, the period is infinite and the direction nan. At an
  /// equilibrium of the driver: the axis of omega itself, period zero.
  Axis axis(double position, double velocity);
  /// Axis at a state of the system: the driver's position and velocity are among q and v.
  Axis axis(std::span<const double> q, std::span<const double> v) {
    return axis(q[driver()], v[driver()]);
  }

  /// u = (y_1, y_2, s); velocities off the constraint count by their part along k.
  Direction passenger(std::span<const double> q, std::span<const double> v);

  /// The integral a.u at a state.
  double operator()(std::span<const double> q, std::span<const double> v);
  /// a.u/|u|, the sine of the geographic latitude; nan for a passenger at rest.
  double sine(std::span<const double> q, std::span<const double> v);

  std::size_t driver() const { return coupled_.driver(); }  ///< index of the driver's coordinate
  /// The passengers' indices.
  const std::vector<std::size_t>& passengers() const { return coupled_.passengers(); }

 private:
  CoupledPassengers coupled_;
};

}  // namespace dalembert
