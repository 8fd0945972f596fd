#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/measure/extrapolation.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// A nonholonomically coupled system with one driver, reduced to the equations that its integrals
/// come from.
///
/// The driver xi, which feels nothing of the others, moves in a potential W(xi). The passengers x
/// have a constant mass M and the potential x.K x/2 - f.x, and keep A(xi) x' = 0, where A(xi) has a
/// kernel of dimension one, spanned by k(xi) with |k| = 1 in the metric of M. With K = kappa^T
/// kappa, y = kappa x and the speed s = k.M x' the passengers' motion is linear,
/// y' = kappa k s, s' = -(kappa k).y + k.f.
/// Source: [ModinVerdier2020], Def. 2.1, Eqs. (5) to (10); there M is one.
///
/// One per thread.
class CoupledPassengers {
 public:
  /// Recognises the driver unless it is named. Parameters are the defaults if empty. Throws
  /// RequestError if the system is not of this kind, saying that it has no `what` and what
  /// is in the way.
  CoupledPassengers(const System& system, std::span<const double> parameters,
                    std::string_view driver, const std::string& what);

  std::size_t driver() const { return driver_; }             ///< index of the driver's coordinate
  bool driver_is_angle() const { return driver_is_angle_; }  ///< wrapped at 2 pi
  /// The passengers' indices.
  const std::vector<std::size_t>& passengers() const { return passengers_; }
  std::size_t rank() const { return kappa_.size(); }                                    ///< of K
  const std::vector<std::vector<double>>& root_of_stiffness() const { return kappa_; }  ///< kappa
  /// kappa x_0, where f = K x_0; nothing if a part of f is balanced by no spring.
  const std::optional<std::vector<double>>& rest() const { return rest_; }

  /// The coefficients of the equations at a position of the driver.
  struct Coefficients {
    double acceleration;              ///< xi''
    std::span<const double> springs;  ///< kappa k, as many as the rank
    double force;                     ///< k.f
  };
  /// Valid until the next call.
  Coefficients at(double position);

  /// (y, s) at a state; a velocity off the constraint counts by its part along k.
  std::vector<double> variables(std::span<const double> q, std::span<const double> v);

 private:
  void recognise(const System& system, std::string_view driver, const std::string& what);
  void factor_stiffness(const std::vector<double>& stiffness);
  void balance_force(const std::vector<double>& force);

  std::size_t driver_ = 0;
  bool driver_is_angle_ = false;
  std::vector<std::size_t> passengers_;
  StateFunction<double> slope_;  ///< of xi alone -> xi'', k, k.f
  std::vector<double> at_driver_, rest_velocity_, results_, springs_;
  std::vector<double> mass_;                ///< of the passengers, by rows
  std::vector<std::vector<double>> kappa_;  ///< rows
  std::optional<std::vector<double>> rest_;
};

/// Integrates y = (xi, xi', ...) until the driver has returned to its first state, located by
/// Newton's method, and returns that time; y then is the state there. `motion` is called as
/// motion(span<const double> y, span<double> slope). Nothing if the driver does not return within
/// 1e4 units of time or the equations cannot be integrated. All to round-off (Extrapolation).
template <class Motion>
std::optional<double> until_return(Motion motion, bool driver_is_angle, std::vector<double>& y) {
  constexpr double longest_period = 1e4;
  const std::size_t size = y.size();
  std::vector<double> slope(size), before(size), change(size);
  motion(std::span<const double>(y), std::span<double>(slope));
  const double position = y[0], velocity = y[1], acceleration = slope[1];
  // The driver has returned when it crosses, in the direction of its motion, the line through its
  // first state that is perpendicular to the motion there, at that state.
  const auto offset = [&](std::span<const double> state) {
    const double distance = state[0] - position;
    return driver_is_angle ? std::remainder(distance, 2.0 * std::numbers::pi) : distance;
  };
  const auto event = [&](std::span<const double> state) {
    return offset(state) * velocity + (state[1] - velocity) * acceleration;
  };
  Extrapolation<double, Motion> solver(motion, size);
  double time = 0.0, farthest = 0.0, last = 0.0;
  while (time < longest_period) {
    before = y;
    const double h = solver.step(y, time == 0.0 ? 1.0 : longest_period);
    if (h == 0.0) return std::nullopt;
    const double now = event(y);
    farthest = numeric::larger(farthest, numeric::hypot(offset(y), y[1] - velocity));
    if (time > 0.0 && last < 0.0 && now >= 0.0) {
      double crossing = h * last / (last - now);
      for (int pass = 0; pass < 12; ++pass) {
        solver.change_over(before, crossing, change);
        for (std::size_t i = 0; i < size; ++i) y[i] = before[i] + change[i];
        motion(std::span<const double>(y), std::span<double>(slope));
        const double rate = y[1] * velocity + slope[1] * acceleration;
        const double next = std::clamp(crossing - event(y) / rate, 0.0, h);
        const bool done = std::fabs(next - crossing) <= 1e-15 * h;
        crossing = next;
        if (done) break;
      }
      if (numeric::hypot(offset(y), y[1] - velocity) <= 1e-6 * farthest) return time + crossing;
      y = before;
      if (!solver.advance(y, h)) return std::nullopt;
    }
    last = now;
    time += h;
  }
  return std::nullopt;
}

}  // namespace dalembert
