#include "dalembert/audit/rates/predicted_rates.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "audit/passenger_monodromy.hpp"
#include "audit/small_eigenvalues.hpp"
#include "dalembert/error.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

using Complex = std::complex<double>;

/// The passengers have (physical)/2 pairs that rotate: the exponents that turn most in the time,
/// half turns left aside. What else turns does so slowly.
std::vector<bool> rotating(const std::vector<Complex>& values, std::size_t physical) {
  std::vector<std::pair<double, std::size_t>> sines;
  for (std::size_t j = 0; j < values.size(); ++j)
    sines.emplace_back(-std::fabs(values[j].imag()) / std::abs(values[j]), j);
  std::sort(sines.begin(), sines.end());
  std::vector<bool> rotates(values.size(), false);
  for (std::size_t j = 0; j < physical / 2 * 2; ++j)
    rotates[sines[j].second] = sines[j].first < -1e-9;
  return rotates;
}

/// The mean of exp(rate t) over the steps over which the energy was averaged, with their weights.
Complex mean_growth(const PassengerMonodromy& monodromy, Complex rate) {
  Complex sum = 0.0;
  double weights = 0.0;
  for (std::uint64_t k = 1; k < monodromy.energy_steps; ++k) {
    const double weight = monodromy.energy_weight(k);
    sum += weight * std::exp(rate * (static_cast<double>(k) * monodromy.step));
    weights += weight;
  }
  return sum / weights;
}

PassengerExponents taken_apart(const PassengerMonodromy& monodromy) {
  const std::size_t n = monodromy.start.size();
  const SmallEigenvalues eigen = small_eigenvalues(monodromy.matrix, n);
  PassengerExponents result;
  result.alternates = monodromy.alternates;
  result.physical = monodromy.physical;
  result.step = monodromy.step;
  result.time = monodromy.time;
  result.driver_rate = monodromy.driver_rate;
  result.rotates = rotating(eigen.values, monodromy.physical);
  for (const Complex& value : eigen.values)
    result.exponents.push_back(std::log(value) / monodromy.time);
  std::vector<Complex> columns(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) columns[i * n + j] = eigen.vectors[j][i];
  const std::vector<Complex> weights =
      solve_complex(columns, std::vector<Complex>(monodromy.start.begin(), monodromy.start.end()));
  const auto form = [&](std::size_t j, std::size_t k) {
    Complex sum = 0.0;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        sum += std::conj(eigen.vectors[j][a]) * monodromy.energy[a * n + b] * eigen.vectors[k][b];
    // The form is a mean over turns in which the modes grow and beat.
    return sum / mean_growth(monodromy, std::conj(result.exponents[j]) + result.exponents[k]);
  };
  result.products.resize(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    result.energies.push_back(form(j, j).real());
    result.products[j * n + j] = std::norm(weights[j]) * result.energies[j];
    for (std::size_t k = 0; k < n; ++k) {
      // Those of which one rotates turn fast: neither a fit nor a window sees them.
      if (j == k || result.alternates || result.rotates[j] || result.rotates[k]) continue;
      result.products[j * n + k] = std::conj(weights[j]) * weights[k] * form(j, k);
    }
  }
  return result;
}

/// Twice the smoothed energy of the start after a time, and its rate.
std::pair<double, double> energy_at(const PassengerExponents& all, double t) {
  const std::size_t n = all.exponents.size();
  double energy = 0.0, change = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < n; ++k) {
      if (all.products[j * n + k] == Complex(0.0)) continue;
      const Complex rate = std::conj(all.exponents[j]) + all.exponents[k];
      const Complex term = all.products[j * n + k] * std::exp(rate * t);
      energy += term.real();
      change += (rate * term).real();
    }
  }
  return {energy, change};
}

/// Modes from exponents. Those that rotate are a pair, one entry for both. Of the others those that
/// hold least energy belong to what is carried beside the passengers.
std::vector<RateMode> modes_of(const PassengerExponents& all) {
  std::vector<std::pair<double, RateMode>> slow;
  std::vector<RateMode> modes;
  double total = 0.0;
  const std::size_t n = all.exponents.size();
  for (std::size_t j = 0; j < n; ++j) {
    const double rate = 2.0 * all.exponents[j].real();
    const double energy = all.energies[j], share = all.products[j * n + j].real();
    total += share;
    if (!all.rotates[j]) {
      slow.push_back({energy, {rate, 0.0, 0.0, share, RateMode::Kind::axis}});
    } else if (all.exponents[j].imag() > 0.0) {
      modes.push_back({rate, 0.0, 0.0, 2.0 * share, RateMode::Kind::pair});
    }
  }
  std::sort(slow.begin(), slow.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t j = 0; j < slow.size(); ++j) {
    if (j + all.physical < all.exponents.size()) slow[j].second.kind = RateMode::Kind::multiplier;
    modes.push_back(slow[j].second);
  }
  for (RateMode& mode : modes) mode.share /= total;
  std::sort(modes.begin(), modes.end(),
            [](const RateMode& a, const RateMode& b) { return a.kind < b.kind; });
  return modes;
}

/// A driver that comes back to its start as closely has returned: round-off of some thousand steps,
/// each of which turns it on for the rest of the time, leaves 1e-9 at most.
constexpr double returned = 1e-8;

/// The slope of least squares through y(t) over [0, duration].
template <class Curve>
double slope_over(double duration, Curve y) {
  constexpr int samples = 400;
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < samples; ++i) {
    const double x = (i + 0.5) / samples - 0.5;
    sum += x * y((x + 0.5) * duration);
    squares += x * x;
  }
  return sum / (squares * duration);
}

}  // namespace

std::string kind_text(RateMode::Kind kind) {
  switch (kind) {
    case RateMode::Kind::axis:
      return "axis";
    case RateMode::Kind::pair:
      return "pair";
    default:
      return "multiplier";
  }
}

std::vector<RateMode> PassengerExponents::modes() const { return modes_of(*this); }

double PassengerExponents::energy_after(double t) const { return 0.5 * energy_at(*this, t).first; }

double PredictedRates::fitted_rate(double duration) const {
  return slope_over(duration, [&](double t) { return std::log(energy_at(map, t).first); });
}

double PredictedRates::initial_energy() const { return map.energy_after(0.0); }

double PredictedRates::initial_rate() const {
  const auto [energy, change] = energy_at(map, 0.0);
  return change / energy;
}

double PredictedRates::error() const {
  double largest = 0.0;
  for (const RateMode& mode : modes)
    if (mode.share > 1e-6) largest = numeric::larger(largest, mode.error);
  return largest;
}

PredictedRates predicted_rates(const System& system, const Method& method, const Start& start,
                               double h, std::span<const double> parameters) {
  PassengerRuns runs(system, method, start, h, parameters);
  const PassengerMonodromy monodromy = runs.monodromy(60),
                           less = runs.monodromy(24, monodromy.step);
  PredictedRates rates;
  rates.map = taken_apart(monodromy);
  rates.other = taken_apart(less);
  if (monodromy.closure > returned) {
    PassengerRuns next(system, method, monodromy.next, h, parameters);
    rates.later = taken_apart(next.monodromy(60));
  }
  rates.modes = rates.map.modes();
  const std::vector<RateMode> others = rates.other.modes();
  const double walk = 16.0 * std::numeric_limits<double>::epsilon() *
                      std::sqrt(static_cast<double>(monodromy.steps)) / monodromy.time;
  const double further =
      numeric::larger(1.0, std::fabs((monodromy.step - h) / (less.step - monodromy.step)));
  for (std::size_t j = 0; j < rates.modes.size(); ++j) {
    rates.modes[j].error = walk;
    if (j < others.size())
      rates.modes[j].step_error = further * std::fabs(rates.modes[j].rate - others[j].rate) + walk;
  }
  rates.step = monodromy.step;
  rates.steps = monodromy.steps;
  rates.turns = monodromy.turns;
  rates.period = monodromy.time / static_cast<double>(monodromy.turns);
  rates.closure = monodromy.closure;
  rates.superposition = monodromy.superposition;
  rates.driver_rate = monodromy.driver_rate;
  return rates;
}

}  // namespace dalembert
