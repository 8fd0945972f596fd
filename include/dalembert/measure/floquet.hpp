#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "dalembert/measure/coupled_passengers.hpp"

namespace dalembert {

/// The average of a nonholonomically coupled system over a period of its driver, after Floquet.
///
/// The variables u = (y, s, 1) of the passengers (`CoupledPassengers`; y has as many entries as the
/// stiffness matrix has ranks, m) move by u' = B(xi) u, where B lies in the Lie algebra of SO(m +
/// 1) with translations. Over one period T of the driver they are multiplied by the monodromy P =
/// exp(T G), so that in suitable coordinates, which turn with the driver, the motion is u' = G u
/// with constant G: a rotation of the sphere for a transmission, whose axis gives the latitude, and
/// a constant acceleration for a knife edge, which is zero just where its speed is bounded.
/// Source: [ModinVerdier2020], Eq. (10), Theorem 4.2, Eq. (21) and Prop. 5.4; G here is per unit of
/// time, not per period.
///
/// Accuracy: P to the round-off of some 20 steps, about 1e-14. G is the principal logarithm: the
/// rotations of P count by angles between -pi and pi, and near pi digits are lost.
///
/// One per thread.
class FloquetAverage {
 public:
  /// Throws RequestError like CoupledPassengers.
  explicit FloquetAverage(const System& system, std::span<const double> parameters = {},
                          std::string_view driver = "");

  /// The average over the period that begins at a state of the driver.
  struct Average {
    double period = 0.0;            ///< of the driver; infinite where it does not return
    std::vector<double> monodromy;  ///< P, by rows; nan where the driver does not return
    std::vector<double> generator;  ///< G, by rows; nan also where P turns by exactly pi
  };
  /// At an equilibrium of the driver: period zero, P the unit matrix, and G = B.
  Average at(double position, double velocity);
  /// Average at a state of the system: the driver's position and velocity are among q and v.
  Average at(std::span<const double> q, std::span<const double> v) {
    return at(q[coupled_.driver()], v[coupled_.driver()]);
  }

  /// Mean angular rate of the passengers (root of the sum of squares over several planes), or,
  /// without stiffness, the size of their mean acceleration along the kernel of the constraints. A
  /// function of the driver's energy alone, hence an integral.
  double rate(std::span<const double> q, std::span<const double> v);

  /// u = (y, s, 1) at a state.
  std::vector<double> variables(std::span<const double> q, std::span<const double> v);
  std::size_t size() const { return coupled_.rank() + 2; }  ///< of u

 private:
  CoupledPassengers coupled_;
};

}  // namespace dalembert
