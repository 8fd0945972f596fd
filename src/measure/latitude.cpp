#include "dalembert/measure/latitude.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace dalembert {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr const char* what = "latitude integral";

}  // namespace

Latitude::Latitude(const System& system, std::span<const double> parameters,
                   std::string_view driver)
    : coupled_(system, parameters, driver, what) {
  const auto refuse = [&](const std::string& reason) {
    throw RequestError("system \"" + system.name() + "\" has no " + what + ": " + reason);
  };
  const std::size_t rank = coupled_.rank();
  if (rank != 2)
    refuse("the rank of the passengers' stiffness matrix is " +
           (rank > 2 ? "more than 2" : std::to_string(rank)) + "; a sphere needs 2");
  if (!coupled_.rest())
    refuse("the constant force on the passengers has a part that no spring balances");
}

Latitude::Axis Latitude::axis(double position, double velocity) {
  const CoupledPassengers::Coefficients at_start = coupled_.at(position);
  const double k1 = at_start.springs[0], k2 = at_start.springs[1];
  Axis result{{nan, nan, nan}, std::numeric_limits<double>::infinity(), nan, nan};
  if (velocity == 0.0 && at_start.acceleration == 0.0) {
    const double size = numeric::hypot(k1, k2);
    return {{-k2 / size, k1 / size, 0.0}, 0.0, 0.0, 1.0};
  }
  // The driver and the passenger's rotation, a unit quaternion that starts at one.
  const auto motion = [this](std::span<const double> y, std::span<double> slope) {
    const CoupledPassengers::Coefficients now = coupled_.at(y[0]);
    const double a = -now.springs[1] / 2.0, b = now.springs[0] / 2.0;  // half of omega
    slope[0] = y[1];
    slope[1] = now.acceleration;
    slope[2] = -a * y[3] - b * y[4];
    slope[3] = a * y[2] + b * y[5];
    slope[4] = b * y[2] - a * y[5];
    slope[5] = a * y[4] - b * y[3];
  };
  std::vector<double> y{position, velocity, 1.0, 0.0, 0.0, 0.0};
  const std::optional<double> period = until_return(motion, coupled_.driver_is_angle(), y);
  if (!period) return result;
  const double sine = numeric::hypot(y[3], y[4], y[5]);
  result.direction = {y[3] / sine, y[4] / sine, y[5] / sine};
  result.period = *period;
  result.angle = 2.0 * numeric::atan2(sine, y[2]);
  result.sharpness = sine / numeric::hypot(sine, y[2]);
  return result;
}

Latitude::Direction Latitude::passenger(std::span<const double> q, std::span<const double> v) {
  const std::vector<double> u = coupled_.variables(q, v);
  return {u[0] - (*coupled_.rest())[0], u[1] - (*coupled_.rest())[1], u[2]};
}

double Latitude::operator()(std::span<const double> q, std::span<const double> v) {
  const Direction a = axis(q, v).direction, u = passenger(q, v);
  return a[0] * u[0] + a[1] * u[1] + a[2] * u[2];
}

double Latitude::sine(std::span<const double> q, std::span<const double> v) {
  const Direction u = passenger(q, v);
  return (*this)(q, v) / numeric::hypot(u[0], u[1], u[2]);
}

}  // namespace dalembert
