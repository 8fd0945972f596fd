#pragma once
// The linear map of passengers over turns of their driver. Only for the sources of this room.

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/audit/rates/averaged_rates.hpp"
#include "dalembert/audit/step_map.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace dalembert {

/// What a method multiplies the passengers' coordinates by while their driver makes some turns.
struct PassengerMonodromy {
  std::vector<double> matrix;      ///< by rows
  std::vector<double> start;       ///< the coordinates of the start
  std::vector<double> energy;      ///< of coordinates, a form by rows: its mean over a few turns
  std::uint64_t energy_steps = 0;  ///< of these turns
  std::size_t physical = 0;  ///< the first coordinates, (y, s) or (y, M^(1/2) v): their squares
                             ///< add up to twice the energy
  bool alternates = false;  ///< what is beside (q, v) on the constraints changes its sign in a step
  double step = 0.0, time = 0.0;
  std::uint64_t steps = 0, turns = 0;
  double closure = 0.0, superposition = 0.0, driver_rate = 0.0;
  /// The weight of a step in that mean, not scaled.
  double energy_weight(std::uint64_t k) const {
    const double x = static_cast<double>(k) / static_cast<double>(energy_steps);
    return numeric::exp(-1.0 / (x * (1.0 - x)));
  }
  Start next = {};  ///< the passengers of the start with the driver where it is after these turns
};

/// Runs of one method from states of passengers over one start of the driver.
class PassengerRuns {
 public:
  PassengerRuns(const System& system, const Method& method, const Start& start, double h,
                std::span<const double> parameters);

  /// Over at most `most_turns` turns, of which a number is chosen that steps near h fit best. If
  /// another step is given, the new one is as far from it as that is from h, or further.
  PassengerMonodromy monodromy(std::uint64_t most_turns, std::optional<double> other_step = {});

 private:
  struct Turns {
    std::uint64_t turns, steps;
    double step;
  };
  Point run(Point point, double step, std::uint64_t steps);
  double lateness(double step, std::uint64_t steps);
  bool separates(std::uint64_t turns) const;
  PassengerMonodromy over(const Turns& turns);
  void set_mean_energy(PassengerMonodromy& monodromy);
  Turns tuned(std::uint64_t most_turns, std::optional<double> other_step);
  Point point_of(std::size_t column);
  bool changes_signs(const Point& rest, double step);
  std::vector<double> coordinates(const Point& point);

  StepMap<double> map_;
  PassengerStates states_;
  std::string names_;  ///< method and system, for messages
  Start start_;
  double h_, period_;
  bool is_angle_;
  bool leaves_constraints_;
  std::size_t driver_, extra_;  ///< coordinates beside (y, s)
  std::vector<double> slope_;   ///< of the driver at the start: xi', xi''
  std::vector<double> angles_;  ///< by which an exact turn rotates the passengers
};

}  // namespace dalembert
