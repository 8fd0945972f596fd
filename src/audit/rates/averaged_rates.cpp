#include "dalembert/audit/rates/averaged_rates.hpp"

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {
namespace {

/// x of least length with kappa x = y.
std::vector<double> position_of(const std::vector<std::vector<double>>& kappa,
                                std::vector<double> y, std::size_t n) {
  const std::size_t m = kappa.size();
  std::vector<double> gram(m * m, 0.0), pivots(m), x(n, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t l = 0; l < n; ++l) gram[i * m + j] += kappa[i][l] * kappa[j][l];
  if (m > 0) {  // of full rank: kappa has as many rows as K has ranks
    static_cast<void>(numeric::lu_factor(static_cast<int>(m), gram.data(), pivots.data()));
    numeric::lu_solve(static_cast<int>(m), gram.data(), pivots.data(), y.data());
  }
  for (std::size_t l = 0; l < n; ++l)
    for (std::size_t i = 0; i < m; ++i) x[l] += kappa[i][l] * y[i];
  return x;
}

}  // namespace

PassengerStates::PassengerStates(const System& system, std::span<const double> parameters,
                                 const std::string& what)
    : passengers(system, parameters, "", what), evaluator(system, parameters) {
  if (!passengers.rest())
    throw RequestError("system \"" + system.name() + "\" has no " + what +
                       ": a force on its passengers is balanced by no spring");
}

PassengerStates::State PassengerStates::rest(double position, double velocity) const {
  const std::size_t n = passengers.passengers().size();
  State state{std::vector<double>(n + 1, 0.0), std::vector<double>(n + 1, 0.0)};
  state.q[passengers.driver()] = position;
  state.v[passengers.driver()] = velocity;
  const auto x = position_of(passengers.root_of_stiffness(), *passengers.rest(), n);
  for (std::size_t l = 0; l < n; ++l) state.q[passengers.passengers()[l]] = x[l];
  return state;
}

PassengerStates::State PassengerStates::at(double position, double velocity, std::size_t column) {
  State state = rest(position, velocity);
  const std::vector<std::size_t>& indices = passengers.passengers();
  if (column < passengers.rank()) {
    std::vector<double> unit(passengers.rank(), 0.0);
    unit[column] = 1.0;
    const auto x = position_of(passengers.root_of_stiffness(), unit, indices.size());
    for (std::size_t l = 0; l < indices.size(); ++l) state.q[indices[l]] += x[l];
    return state;
  }
  // The kernel of the constraints: the longest of the projections of unit velocities.
  std::vector<double> best;
  double largest = 0.0;
  for (const std::size_t l : indices) {
    std::vector<double> unit(state.v.size(), 0.0);
    unit[l] = 1.0;
    std::vector<double> along = evaluator.projected_velocity(0.0, state.q, unit);
    const double speed = passengers.variables(state.q, along).back();
    if (std::fabs(speed) <= std::fabs(largest)) continue;
    largest = speed;
    best = std::move(along);
  }
  for (const std::size_t l : indices) state.v[l] = best[l] / largest;
  return state;
}

}  // namespace dalembert
