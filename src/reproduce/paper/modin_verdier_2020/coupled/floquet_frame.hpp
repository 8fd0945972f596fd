#pragma once
// Coupled systems in the coordinates that turn with their driver. Only for the sources of this
// room.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/measure/coupled_passengers.hpp"
#include "dalembert/measure/floquet.hpp"
#include "small_matrix.hpp"

namespace dalembert::reproduce {

/// The passengers' linear equation u' = B(t) u along one motion of the driver, with the change of
/// variables v = M(t) u, M(t) = exp(G t) Phi(t)^{-1}, that makes it v' = G v. Times count from the
/// state of the driver that is given, and may be negative. Source: [ModinVerdier2020], Theorem 4.2,
/// in units of time where the paper has periods.
class FloquetFrame {
 public:
  FloquetFrame(const System& system, std::span<const double> parameters, std::span<const double> q,
               std::span<const double> v);

  /// The same with the time counted from where the driver turns; nothing if it does not turn.
  std::optional<FloquetFrame> at_turning_point() const;

  double period() const { return average_.period; }
  SquareMatrix generator() const { return SquareMatrix(size(), average_.generator); }
  std::size_t size() const { return rank() + 2; }  ///< of u = (y, s, 1)
  std::size_t rank() const { return coupled_.rank(); }
  std::size_t driver_index() const { return coupled_.driver(); }
  std::size_t passengers() const { return coupled_.passengers().size(); }

  std::array<double, 2> driver(double t);      ///< position and velocity
  SquareMatrix backward(double t);             ///< Phi^{-1}
  SquareMatrix change_of_variables(double t);  ///< M
  std::vector<double> variables(std::span<const double> q, std::span<const double> v);

  /// The driver, and B, at equidistant times of a period.
  struct Samples {
    std::vector<std::array<double, 2>> driver;
    std::vector<SquareMatrix> coefficients;
  };
  Samples samples(std::size_t count);

 private:
  std::vector<double> first_state() const;
  void advance(std::vector<double>& y, double duration);
  SquareMatrix matrix_at(double position);

  const System* system_;
  std::vector<double> parameters_;
  CoupledPassengers coupled_;
  std::array<double, 2> start_;
  FloquetAverage::Average average_;
};

/// The least defect of the condition rho B(t) rho = -B(-t) over the choices of where t is zero on
/// the driver's motion, B being given at equidistant times of a period. Source: [ModinVerdier2020],
/// Eq. (24).
double reversal_condition_defect(const std::vector<SquareMatrix>& coefficients,
                                 const SquareMatrix& rho);

}  // namespace dalembert::reproduce
