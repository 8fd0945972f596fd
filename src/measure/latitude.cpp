#include "dalembert/measure/latitude.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/measure/extrapolation.hpp"

namespace dalembert {
namespace {

constexpr double longest_period = 1e4;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::size_t> all_but(std::size_t count, std::size_t index) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != index) others.push_back(i);
  }
  return others;
}

template <class T>
std::vector<T> pick(const std::vector<T>& values, const std::vector<std::size_t>& indices) {
  std::vector<T> picked;
  for (const std::size_t i : indices) picked.push_back(values[i]);
  return picked;
}

bool depends_on_any(const Vector& expressions, const Vector& symbols) {
  return std::any_of(expressions.begin(), expressions.end(),
                     [&](const Expr& e) { return depends_on(e, symbols); });
}

/// Why coordinate `driver` does not drive the others as in a coupled system; nothing if it does.
std::optional<std::string> misfit(const System& system, std::size_t driver) {
  const Symbols& s = system.symbols();
  const auto passengers = all_but(system.dof(), driver);
  const Vector x = pick(s.q, passengers), xi{s.q[driver]};
  const Matrix mass = system.mass(s.q), a = system.constraint_matrix(s.q);
  for (const std::size_t i : passengers) {
    if (!mass(i, driver).is_constant(0.0)) return "the mass couples it to the others";
  }
  for (std::size_t row = 0; row < a.rows(); ++row) {
    if (!a(row, driver).is_constant(0.0)) return "a constraint contains its velocity";
  }
  if (depends_on_any(a.entries(), x)) return "the constraints depend on other coordinates than it";
  const Vector force = gradient(system.potential(s.q), x);
  if (depends_on_any(force, xi)) return "the potential couples it to the others";
  if (depends_on_any(jacobian(force, x).entries(), s.q))
    return "the potential is not quadratic in the other coordinates";
  return std::nullopt;
}

[[noreturn]] void refuse(const System& system, const std::string& reason) {
  throw std::invalid_argument("system \"" + system.name() +
                              "\" has no latitude integral: " + reason);
}

void check_kind(const System& system) {
  const SystemTraits& traits = system.traits();
  if (traits.lagrangian != LagrangianKind::constant_mass)
    refuse(system, "its mass matrix is not constant");
  if (traits.constraints != ConstraintKind::linear)
    refuse(system, "it needs constraints linear in the velocities");
  if (traits.forced || traits.time_dependent)
    refuse(system, "it has external forces or depends on time");
  if (system.dof() != system.constraint_count() + 2)
    refuse(system, "the kernel of its constraints, the driver left aside, must have dimension one");
}

/// A vector in the kernel of A, smooth in what A depends on: its signed minors.
Vector kernel(const Matrix& a);

Expr determinant(const Matrix& a) {
  if (a.rows() == 0) return 1.0;
  Expr sum = 0.0;
  for (std::size_t j = 0; j < a.columns(); ++j) {
    Matrix minor(a.rows() - 1, a.columns() - 1);
    for (std::size_t row = 1; row < a.rows(); ++row) {
      for (std::size_t k = 0, column = 0; k < a.columns(); ++k) {
        if (k != j) minor(row - 1, column++) = a(row, k);
      }
    }
    const Expr term = a(0, j) * determinant(minor);
    sum = j % 2 == 0 ? sum + term : sum - term;
  }
  return sum;
}

Vector kernel(const Matrix& a) {
  Vector k;
  for (std::size_t j = 0; j < a.columns(); ++j) {
    Matrix minor(a.rows(), a.rows());
    for (std::size_t row = 0; row < a.rows(); ++row) {
      for (std::size_t i = 0, column = 0; i < a.columns(); ++i) {
        if (i != j) minor(row, column++) = a(row, i);
      }
    }
    k.push_back(j % 2 == 0 ? -determinant(minor) : determinant(minor));
  }
  return k;
}

double wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

}  // namespace

/// The driver (xi, xi') and the passenger's rotation, a unit quaternion that starts at one.
struct Latitude::Motion {
  Latitude& owner;
  void operator()(std::span<const double> y, std::span<double> slope) const {
    const auto [acceleration, k1, k2] = owner.driver_slope(y[0]);
    const double a = -k2 / 2.0, b = k1 / 2.0;  // half of omega
    slope[0] = y[1];
    slope[1] = acceleration;
    slope[2] = -a * y[3] - b * y[4];
    slope[3] = a * y[2] + b * y[5];
    slope[4] = b * y[2] - a * y[5];
    slope[5] = a * y[4] - b * y[3];
  }
};

Latitude::Latitude(const System& system, std::span<const double> parameters,
                   std::string_view driver)
    : parameters_(parameters.begin(), parameters.end()) {
  if (parameters_.empty()) parameters_ = system.default_parameters();
  if (parameters_.size() != system.default_parameters().size())
    throw std::invalid_argument("system \"" + system.name() + "\" has " +
                                std::to_string(system.default_parameters().size()) +
                                " parameters, not " + std::to_string(parameters_.size()));
  const std::scoped_lock lock(system.mutex());
  check_kind(system);
  recognise(system, driver);
  passengers_ = all_but(system.dof(), driver_);
  driver_is_angle_ = system.description().coordinates[driver_].is_angle;

  const Symbols& s = system.symbols();
  const Vector x = pick(s.q, passengers_);
  const Matrix mass = system.mass(s.q), a = system.constraint_matrix(s.q);
  Matrix of_passengers(a.rows(), x.size()), inner(x.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t row = 0; row < a.rows(); ++row) of_passengers(row, i) = a(row, passengers_[i]);
    for (std::size_t j = 0; j < x.size(); ++j) inner(i, j) = mass(passengers_[i], passengers_[j]);
  }
  const Vector direction = kernel(of_passengers);
  const Vector k = (1.0 / sqrt(dot(direction, inner * direction))) * direction;
  const Vector force = gradient(system.potential(s.q), concatenate({x, Vector{s.q[driver_]}}));
  const Vector driver_acceleration{-force.back() / mass(driver_, driver_)};
  const Vector& given = system.parameter_symbols();
  slope_ = CompiledFunction(system.graph(), concatenate({given, Vector{s.q[driver_]}}),
                            concatenate({driver_acceleration, k}));

  const Vector outer = slice(force, 0, x.size());
  CompiledFunction at_origin(
      system.graph(), given,
      concatenate({jacobian(outer, x).entries(), substitute(outer, s.q, zeros(s.q.size())),
                   inner.entries()}));
  const std::vector<double> values = at_origin(parameters_);
  const auto begin = values.begin();
  const auto count = static_cast<std::ptrdiff_t>(x.size()), squared = count * count;
  stiffness_.assign(begin, begin + squared);
  for (auto entry = begin + squared; entry != begin + squared + count; ++entry)
    force_.push_back(-*entry);
  mass_.assign(begin + squared + count, values.end());
  try {
    factor_stiffness();
  } catch (const std::invalid_argument& reason) {
    refuse(system, reason.what());
  }
  arguments_ = parameters_;
  arguments_.push_back(0.0);
  results_.resize(1 + passengers_.size());
}

void Latitude::recognise(const System& system, std::string_view driver) {
  const auto& coordinates = system.description().coordinates;
  if (!driver.empty()) {
    const auto named = std::find_if(coordinates.begin(), coordinates.end(),
                                    [&](const Coordinate& c) { return c.name == driver; });
    if (named == coordinates.end())
      refuse(system, "it has no coordinate \"" + std::string(driver) + "\"");
    driver_ = static_cast<std::size_t>(named - coordinates.begin());
    if (const auto reason = misfit(system, driver_))
      refuse(system, "\"" + std::string(driver) + "\" is not its driver: " + *reason);
    return;
  }
  std::string reasons;
  for (driver_ = 0; driver_ < coordinates.size(); ++driver_) {
    const auto reason = misfit(system, driver_);
    if (!reason) return;
    reasons += (reasons.empty() ? "" : "; ") + coordinates[driver_].name + ": " + *reason;
  }
  refuse(system, "none of its coordinates is a driver of the others (" + reasons + ")");
}

/// kappa by two steps of Cholesky's factorization with pivoting, and kappa x_0.
void Latitude::factor_stiffness() {
  const std::size_t n = passengers_.size();
  std::vector<double> rest = stiffness_;
  const double largest = *std::max_element(rest.begin(), rest.end());
  const double round_off = 1e-12 * std::max(largest, 0.0);
  for (std::size_t step = 0; step <= 2; ++step) {
    std::size_t pivot = 0;
    double smallest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (rest[i * n + i] > rest[pivot * n + pivot]) pivot = i;
      smallest = std::min(smallest, rest[i * n + i]);
    }
    const bool more = rest[pivot * n + pivot] > round_off;
    if (smallest < -round_off)
      throw std::invalid_argument("the passengers' stiffness matrix is not positive semidefinite");
    if (more != (step < 2))
      throw std::invalid_argument("the rank of the passengers' stiffness matrix is " +
                                  std::string(more        ? "more than 2"
                                              : step == 0 ? "0"
                                                          : "1") +
                                  "; a sphere needs 2");
    if (!more) break;
    const double root = std::sqrt(rest[pivot * n + pivot]);
    for (std::size_t i = 0; i < n; ++i) kappa_[step].push_back(rest[pivot * n + i] / root);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) rest[i * n + j] -= kappa_[step][i] * kappa_[step][j];
    }
  }
  // f = kappa^T c by the normal equations.
  std::array<double, 3> gram{};
  std::array<double, 2> right{};
  for (std::size_t i = 0; i < n; ++i) {
    gram[0] += kappa_[0][i] * kappa_[0][i];
    gram[1] += kappa_[0][i] * kappa_[1][i];
    gram[2] += kappa_[1][i] * kappa_[1][i];
    for (std::size_t row = 0; row < 2; ++row) right[row] += kappa_[row][i] * force_[i];
  }
  const double determinant = gram[0] * gram[2] - gram[1] * gram[1];
  offset_ = {(gram[2] * right[0] - gram[1] * right[1]) / determinant,
             (gram[0] * right[1] - gram[1] * right[0]) / determinant};
  for (std::size_t i = 0; i < n; ++i) {
    const double rest_force = force_[i] - kappa_[0][i] * offset_[0] - kappa_[1][i] * offset_[1];
    if (std::fabs(rest_force) > 1e-10 * (1.0 + std::fabs(force_[i])))
      throw std::invalid_argument(
          "the constant force on the passengers has a part that no spring balances");
  }
}

/// xi'', and kappa k(xi); leaves k in results_[1...].
std::array<double, 3> Latitude::driver_slope(double position) {
  arguments_.back() = position;
  slope_(arguments_, results_);
  std::array<double, 3> slope{results_[0], 0.0, 0.0};
  for (std::size_t i = 0; i < passengers_.size(); ++i) {
    slope[1] += kappa_[0][i] * results_[1 + i];
    slope[2] += kappa_[1][i] * results_[1 + i];
  }
  return slope;
}

Latitude::Axis Latitude::axis(double position, double velocity) {
  const auto [acceleration, k1, k2] = driver_slope(position);
  Axis result{{nan, nan, nan}, std::numeric_limits<double>::infinity(), nan, nan};
  if (velocity == 0.0 && acceleration == 0.0) {
    const double size = std::hypot(k1, k2);
    return {{-k2 / size, k1 / size, 0.0}, 0.0, 0.0, 1.0};
  }
  // The driver has returned when it crosses, in the direction of its motion, the line through its
  // first state that is perpendicular to the motion there, at that state.
  const auto offset = [&](std::span<const double> y) {
    const double distance = y[0] - position;
    return driver_is_angle_ ? wrapped(distance) : distance;
  };
  const auto event = [&](std::span<const double> y) {
    return offset(y) * velocity + (y[1] - velocity) * acceleration;
  };
  Extrapolation<double, Motion> solver(Motion{*this}, 6);
  std::array<double, 6> y{position, velocity, 1.0, 0.0, 0.0, 0.0}, before{}, change{};
  double time = 0.0, farthest = 0.0, last = 0.0;
  while (time < longest_period) {
    before = y;
    const double h = solver.step(y, time == 0.0 ? 1.0 : longest_period);
    if (h == 0.0) return result;
    const double now = event(y);
    farthest = std::max(farthest, std::hypot(offset(y), y[1] - velocity));
    if (time > 0.0 && last < 0.0 && now >= 0.0) {
      double crossing = h * last / (last - now);
      for (int pass = 0; pass < 12; ++pass) {
        solver.change_over(before, crossing, change);
        for (std::size_t i = 0; i < 6; ++i) y[i] = before[i] + change[i];
        const double slope = y[1] * velocity + driver_slope(y[0])[0] * acceleration;
        const double next = std::clamp(crossing - event(y) / slope, 0.0, h);
        const bool done = std::fabs(next - crossing) <= 1e-15 * h;
        crossing = next;
        if (done) break;
      }
      if (std::hypot(offset(y), y[1] - velocity) <= 1e-6 * farthest) {
        const double sine = std::hypot(y[3], y[4], y[5]);
        result.direction = {y[3] / sine, y[4] / sine, y[5] / sine};
        result.period = time + crossing;
        result.angle = 2.0 * std::atan2(sine, y[2]);
        result.sharpness = sine / std::hypot(sine, y[2]);
        return result;
      }
      for (std::size_t i = 0; i < 6; ++i) y[i] = before[i];
      if (!solver.advance(y, h)) return result;
    }
    last = now;
    time += h;
  }
  return result;
}

Latitude::Direction Latitude::passenger(std::span<const double> q, std::span<const double> v) {
  driver_slope(q[driver_]);
  const std::size_t n = passengers_.size();
  Direction u{-offset_[0], -offset_[1], 0.0};
  for (std::size_t i = 0; i < n; ++i) {
    u[0] += kappa_[0][i] * q[passengers_[i]];
    u[1] += kappa_[1][i] * q[passengers_[i]];
    for (std::size_t j = 0; j < n; ++j)
      u[2] += results_[1 + i] * mass_[i * n + j] * v[passengers_[j]];
  }
  return u;
}

double Latitude::operator()(std::span<const double> q, std::span<const double> v) {
  const Direction a = axis(q, v).direction, u = passenger(q, v);
  return a[0] * u[0] + a[1] * u[1] + a[2] * u[2];
}

double Latitude::sine(std::span<const double> q, std::span<const double> v) {
  const Direction u = passenger(q, v);
  return (*this)(q, v) / std::hypot(u[0], u[1], u[2]);
}

}  // namespace dalembert
