#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/method.hpp"

namespace dalembert {

/// The steady change of an integral at the beginning of a run, seen through a window.
struct WindowRate {
  std::string integral = {};  ///< "energy", or its name; empty from window_rate
  double rate = 0.0;          ///< per unit of time: of log |I|, or of I
  double error = 0.0;         ///< difference to the rate of the window's first half, and round-off
  double initial = 0.0;       ///< I at the start
  double time = 0.0;          ///< length of the window
  /// The rates through windows of half the length: at the beginning, in the middle, at the end.
  /// They tell how the rate changes.
  std::array<double, 3> halves{};
};

/// Measured quantity: the relative rate d(log |I|)/dt, or the absolute one dI/dt.
enum class RateScale { logarithm, linear };

/// An integral as an expression of the state.
using IntegralExpression = std::function<Expr(const Symbols&)>;

/// The rate at which a method changes an integral of the exact flow: the mean of its increments
/// from node to node over the time T with the weights exp(-1/(x(1 - x))), x = t/T. They suppress
/// oscillations faster than any power of (period/T), so that some hundred units of time give 3 to 4
/// digits, where a straight line needs a hundred times as much. Source: weighted means of
/// quasi-periodic signals, [DasSaikiSanderYorke2017]. Angles are not wrapped.
///
/// Parameters in the order of the description; if empty, the defaults with those that the start
/// sets. Throws RequestError if the method does not fit, is adaptive, or the start is not
/// admissible; rate and error are nan if a step was refused.
WindowRate window_rate(const System& system, const Method& method, const Start& start, double h,
                       const IntegralExpression& integral, double time = 500.0,
                       RateScale scale = RateScale::logarithm,
                       std::span<const double> parameters = {});

/// Rates of the energy and of every integral that the system declares, from one run, as
/// `window_rate`. `scale` is `linear` unless said otherwise: declared integrals may pass through
/// zero.
std::vector<WindowRate> window_rates(const System& system, const Method& method, const Start& start,
                                     double h, double time = 500.0,
                                     RateScale scale = RateScale::linear,
                                     std::span<const double> parameters = {});

}  // namespace dalembert
