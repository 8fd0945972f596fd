#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/audit/modified_field.hpp"
#include "dalembert/measure/coupled_passengers.hpp"
#include "dalembert/measure/latitude.hpp"

namespace dalembert {

/// A mode of the passengers' motion over the turns of their driver.
struct RateMode {
  /// Direction of a mode.
  enum class Kind {
    axis,       ///< along the axis about which a turn rotates the passengers
    pair,       ///< the two that rotate about it
    multiplier  ///< of data carried beside (q, v), or of a deviation from the constraints
  };
  double rate = 0.0;        ///< of the passengers' energy in this mode, d(log E)/dt
  double error = 0.0;       ///< round-off of the steps, which adds up like a random walk
  double step_error = 0.0;  ///< possible error of the rate at the step that was asked for: its
                            ///< difference at the step of another number of turns
  double share = 0.0;       ///< of the energy of the start, 0 to 1
  Kind kind = Kind::axis;   ///< direction
};
/// "axis", "pair" or "multiplier".
std::string kind_text(RateMode::Kind kind);

/// The map of the passengers over some turns of the driver, taken apart, and a start in it.
struct PassengerExponents {
  std::vector<std::complex<double>> exponents;  ///< log mu/time
  /// Contributions of each two modes of the start to twice its energy, smoothed over a turn, by
  /// rows; zero where smoothing leaves nothing.
  std::vector<std::complex<double>> products;
  std::vector<double> energies;  ///< twice those of the modes with vectors of length one
  std::vector<bool> rotates;     ///< true for a mode that is one of a pair of passengers
  bool alternates = false;       ///< true if those of the multiplier change their sign in a step
  std::size_t physical = 0;      ///< number of modes that are not of the multiplier
  double step = 0.0;             ///< at which the driver closes
  double time = 0.0;             ///< of the turns
  double driver_rate = 0.0;      ///< d/dt of the driver's energy

  /// The modes with their rates and shares, the axis first.
  std::vector<RateMode> modes() const;
  /// The passengers' energy after a time, smoothed over a turn.
  double energy_after(double t) const;
};

/// The exponents of a method on the passengers of a coupled system.
struct PredictedRates {
  std::vector<RateMode> modes;  ///< the axis first
  double step = 0.0;         ///< the step at which the driver closes, within 1e-3 of the one asked
  std::uint64_t steps = 0;   ///< until it does
  std::uint64_t turns = 0;   ///< of the driver meanwhile
  double period = 0.0;       ///< of the driver as the method moves it
  double closure = 0.0;      ///< distance of the driver to its start after these steps
  double superposition = 0;  ///< by how much the passengers' step is not linear, relative

  /// The slope of the straight line of least squares through log E over the time `duration`, from
  /// the mixture of modes that the start is.
  double fitted_rate(double duration) const;
  /// The rate at the beginning: the mean of the modes' rates by their shares, and what modes that
  /// do not rotate make together.
  double initial_rate() const;
  /// The passengers' energy of the start, smoothed over a turn.
  double initial_energy() const;
  double driver_rate = 0.0;  ///< d/dt of the driver's energy
  double error() const;      ///< largest error of modes that have a share of 1e-6 and more

  PassengerExponents map;    ///< basis of modes, fits and rates
  PassengerExponents other;  ///< over another number of turns, with another step
  /// Over the turns that follow, where the driver has not returned to its start: a method that
  /// damps or drives it changes the rates with it.
  std::optional<PassengerExponents> later;
};

/// The method's own exponents, without an expansion: the step is tuned so that a number of steps is
/// a number of turns of the driver, the passengers' linear map over them is found column by column,
/// and the logarithms of its eigenvalues over the time are the modes. Drivers that the method damps
/// or drives do not close: `closure` says by how much. Source: Floquet's theorem for the map;
/// [ModinVerdier2020], Theorem 4.2 for the system.
///
/// Parameters in the order of the description; if empty, the defaults with those that the start
/// sets. Throws RequestError, saying what is in the way: a system that is not coupled with linear
/// passengers and one driver (`CoupledPassengers`), a force on passengers that no spring balances,
/// a driver that does not return, a method with adaptive steps, or one whose drivers feel the
/// passengers, a refused step.
PredictedRates predicted_rates(const System& system, const Method& method, const Start& start,
                               double h, std::span<const double> parameters = {});

/// The leading term of the modes' rates: coefficient times h^power.
struct AveragedRates {
  int power = 0;       ///< p, the method's order
  double axis = 0.0;   ///< 2 <w.A_p w>
  double pair = 0.0;   ///< <tr A_p - w.A_p w>
  double error = 0.0;  ///< difference to the means over half as many points
  /// Rate of the mode along the axis at the step size h.
  double axis_at(double h) const { return axis * std::pow(h, power); }
  /// Rate of the pair that rotates at the step size h.
  double pair_at(double h) const { return pair * std::pow(h, power); }
};

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {
/// First-order averaging: with f~ = f + h^p A_p z + ... on the passengers z = (y, s) (see
/// `CoupledPassengers`), whose exact motion turns them about the axis w, the energies of the modes
/// change at these rates; the means are over one exact turn of the driver. The driver's own f_p
/// drops out. `points` of the turn, equidistant in time: the mean converges exponentially. In
/// double by default; 113 bits give more digits where p is 4 or more. Systems as for Latitude.
/// RequestError also for a method that carries a multiplier whose errors stay: that is a slow
/// variable of its own, which the first average does not know (lobatto with an odd number of
/// stages).
template <class Number = double>
AveragedRates averaged_rates(const System& system, const Method& method, const Start& start,
                             std::span<const double> parameters = {}, int points = 48);
}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE

}  // namespace dalembert

#include "dalembert/audit/rates/averaged_rates.hpp"
