#include "histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/problem/system_scope.hpp"

namespace dalembert::study {
namespace {

/// A number of a state: energy, an integral, or an expression.
class MemberQuantity {
 public:
  MemberQuantity(std::string name, const EnsemblePlan& plan)
      : evaluator_(plan.run.system, plan.run.parameters) {
    constexpr std::string_view ending = "_error";
    const auto& integrals = plan.run.system.mechanics().integrals;
    const auto is_kept = [&](std::string_view text) {
      return text == "energy" ||
             std::ranges::any_of(integrals, [&](const auto& entry) { return entry.first == text; });
    };
    if (name.ends_with(ending) && is_kept(name.substr(0, name.size() - ending.size()))) {
      is_error_ = true;
      name.resize(name.size() - ending.size());
    }
    is_energy_ = name == "energy";
    values_.resize(integrals.size());
    while (integral_ < integrals.size() && integrals[integral_].first != name) ++integral_;
    if (is_energy_ || integral_ < integrals.size()) return;
    const Symbols symbols = plan.run.system.symbols();
    const Scope scope = motion_scope(plan.run.system.configuration(), symbols);
    expression_ =
        StateFunction<double>(plan.run.system, symbols, {parse(name, scope)}, plan.run.parameters);
  }

  double operator()(const StateValues& initial, const StateValues& final) {
    return is_error_ ? at(final) - at(initial) : at(final);
  }

 private:
  double at(const StateValues& state) {
    if (is_energy_) return evaluator_.energy(state.t, state.q, state.v);
    if (expression_.output_count() > 0) return expression_(state.t, state.q, state.v).front();
    evaluator_.integrals(state.t, state.q, state.v, values_);
    return values_[integral_];
  }

  Evaluator evaluator_;
  StateFunction<double> expression_ = {};
  std::vector<double> values_;
  std::size_t integral_ = 0;
  bool is_error_ = false, is_energy_ = false;
};

/// A state with angles as they have turned.
StateValues unwrapped(const Point& point) {
  StateValues values{point.t, point.q, point.v, {}};
  for (std::size_t i = 0; i < point.q.size(); ++i)
    values.q[i] = numeric::unwrapped(point.q[i], point.turns[i]);
  return values;
}

/// The values of the members that got to the end. A state holds the members that have a start, in
/// their order.
std::vector<double> member_values(const std::string& quantity, const EnsemblePlan& plan,
                                  const EnsembleResult& result) {
  MemberQuantity value(quantity, plan);
  const double end = result.t.empty() ? 0.0 : result.t.back();
  std::vector<double> values;
  std::size_t next = 0;
  plan.starts->for_each([&](std::size_t, std::span<const double> q, std::span<const double> v) {
    if (next >= result.state.points.size()) return;
    const StateValues last = unwrapped(result.state.points[next++]);
    if (last.t < end - 0.5 * plan.run.step) return;
    const double found = value({0.0, {q.begin(), q.end()}, {v.begin(), v.end()}, {}}, last);
    if (std::isfinite(found)) values.push_back(found);
  });
  return values;
}

struct Bins {
  double first = 0.0, width = 1.0;
  std::size_t count = 1;
};

/// As many intervals as the root of the number of values, over all of them.
Bins bins_of(const std::vector<std::vector<double>>& groups) {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  std::size_t most = 1;
  for (const auto& values : groups) {
    most = std::max(most, values.size());
    for (const double value : values) {
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
  }
  if (!(least < largest)) return {least - 0.5, 1.0, 1};
  constexpr double fewest = 8.0, largest_number = 80.0;
  const double count =
      std::clamp(std::ceil(std::sqrt(static_cast<double>(most))), fewest, largest_number);
  return {least, (largest - least) / count, static_cast<std::size_t>(count)};
}

/// The outline of the columns, closed on the axis at both ends.
Curve outline(const std::vector<double>& values, const Bins& bins) {
  std::vector<double> counts(bins.count, 0.0);
  for (const double value : values) {
    const double place = std::floor((value - bins.first) / bins.width);
    ++counts[std::min(static_cast<std::size_t>(std::max(0.0, place)), bins.count - 1)];
  }
  Curve curve{{bins.first}, {0.0}};
  for (std::size_t k = 0; k < bins.count; ++k) {
    for (const std::size_t side : {k, k + 1}) {
      curve.t.push_back(bins.first + static_cast<double>(side) * bins.width);
      curve.values.push_back(counts[k]);
    }
  }
  curve.t.push_back(curve.t.back());
  curve.values.push_back(0.0);
  return curve;
}

}  // namespace

void check_histogram(const std::string& quantity, const EnsemblePlan& plan) {
  try {
    static_cast<void>(MemberQuantity(quantity, plan));
  } catch (const ParseError& error) {
    throw RequestError("cannot draw a histogram of \"" + quantity + "\" of problem \"" +
                       plan.run.system.name() + "\": " + error.what() +
                       "; energy, integrals and errors as energy_error stand alone");
  }
}

Picture picture_of_histograms(const PlotRequest& request, const std::vector<EnsemblePlan>& plans,
                              const std::vector<EnsembleResult>& results) {
  Picture picture;
  std::vector<std::string> labels;
  for (const EnsemblePlan& plan : plans)
    if (std::ranges::count(labels, plan.run.label) == 0) labels.push_back(plan.run.label);
  std::size_t left_out = 0;
  for (std::size_t row = 0; row < request.histograms.size(); ++row) {
    for (std::size_t column = 0; column < labels.size(); ++column) {
      PicturePanel panel{.title = labels[column], .row = row, .column = column};
      panel.x.label = request.histograms[row] + " at the end";
      panel.y.label = "members";
      std::vector<std::vector<double>> groups(plans.size());
      for (std::size_t i = 0; i < plans.size(); ++i) {
        if (plans[i].run.label != labels[column]) continue;
        groups[i] = member_values(request.histograms[row], plans[i], results[i]);
        if (row == 0) left_out += plans[i].starts->size() - groups[i].size();
      }
      const Bins bins = bins_of(groups);
      double highest = 1.0;
      for (std::size_t i = 0; i < plans.size(); ++i) {
        if (groups[i].empty()) continue;
        panel.curves.push_back(
            {picture.entry(plans[i].run.method.label), outline(groups[i], bins), CurveStyle::path});
        highest = std::max(highest, std::ranges::max(panel.curves.back().curve.values));
      }
      panel.y.range = {0.0, 1.05 * highest};
      picture.panels.push_back(std::move(panel));
    }
  }
  if (picture.legend.empty())
    throw RequestError("no member has got to the end; there is no histogram");
  if (left_out > 0)
    picture.notes.push_back(std::to_string(left_out) +
                            " members are left out: not at the end, or without a value");
  return picture;
}

}  // namespace dalembert::study
