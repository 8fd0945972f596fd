#include "step_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// x^y with the same bits on every machine; 0 of 0.
double power(double x, double y) { return x > 0.0 ? numeric::exp(y * numeric::log(x)) : 0.0; }

/// The largest number of so many digits that is not above x > 0.
double rounded_down(double x, int digits) {
  const auto nearest = [digits](double value) {
    const std::string text = fmt::format("{:.{}e}", value, digits - 1);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const double near = nearest(x);
  return near <= x ? near : nearest(x - (near - x));
}

/// The tolerance of substeps of the second run, in parts of that of the first: of a method of order
/// eight its substeps are 4/3 as long.
constexpr double coarser = 10.0;
/// Errors of states are not looked at below this: round-off.
constexpr double least_error = 4e-15;
/// What is aimed at, in parts of the tolerance, and what is still taken: estimates are up to three
/// times too small.
constexpr double aim = 0.4, enough = 0.7;
/// Runs have nodes for a picture: a fourth of so many; of a method that divides its steps more,
/// each after one substep or several.
constexpr double least_quarters = 3.0, least_nodes = 200.0, most_substeps_between = 32.0;

/// How a part of the run was divided, and how well that did.
struct Division {
  double quarters = 0.0;   ///< a fourth of the number of steps
  double tolerance = 0.0;  ///< of substeps
  double error = infinity, error_of_first_half = infinity;
  double kept_until = 0.0, reached = 0.0;
  double cost_rate = 0.0, steps = 0.0;
  bool complete = false, ended = false, iterates = false;
};

class Search {
 public:
  Search(Trial& trial, double until, double tolerance, double budget, double most_cost)
      : trial_(trial),
        until_(until),
        tolerance_(tolerance),
        budget_(budget),
        most_cost_(most_cost),
        order_(trial.order()),
        spent_before_(trial.spent()) {}

  /// Nothing where steps of no size can be taken, or all are too dear.
  std::optional<StepChoice> choice();
  /// How far what was found keeps the tolerance.
  double kept_until() const { return best_.kept_until; }

 private:
  double scale() const {
    return trial_.divides() ? 1.0 / (coarser - 1.0) : 1.0 / (power(4.0 / 3.0, order_) - 1.0);
  }
  double target() const {
    return numeric::larger(least_error, enough * tolerance_ * (span_ / until_));
  }
  bool keeps(const Division& division) const { return division.error <= target(); }
  /// The factor by which more steps bring the error to what is aimed at.
  double factor(const Division& division) const {
    return power(division.error / (aim / enough * target()), 1.0 / order_);
  }
  double step(const Division& division) const { return span_ / (4.0 * division.quarters); }
  double most() const { return numeric::larger(budget_, 0.1 * until_ * best_.cost_rate); }
  /// How far errors may be followed.
  double affordable() const {
    constexpr double runs = 14.0;  // eight or so, each beside a coarser one
    return numeric::smaller(until_, most() / (runs * best_.cost_rate));
  }
  double spent() const { return trial_.spent() - spent_before_; }
  bool is_spent() const { return spent() > 2.0 * most(); }

  Division divided(double quarters, double tolerance);
  bool begin_with_steps();
  bool begin_with_substeps();
  bool settle_steps(double step);
  bool settle_substeps();
  void lengthen_steps();
  double error_at_end() const;
  void look_ahead();
  void look_at_order(const Division& a, const Division& b);
  double quarters_of_substeps(const Division& division);
  double least_quarters_of_part() const { return std::ceil(least_quarters * span_ / until_); }

  Trial& trial_;
  double until_, tolerance_, budget_, most_cost_, order_, spent_before_;
  double span_ = 0.0;                           ///< the part of the run that is looked at
  double too_few_ = 0.0;                        ///< quarters of the part that did not do
  double uncut_ = 0.0, uncut_tolerance_ = 0.0;  ///< a mean substep between nodes far apart
  Division best_;
};

/// A run over the part, and beside it one that is coarser; or finer, where that fails.
Division Search::divided(double quarters, double tolerance) {
  const auto m = static_cast<std::uint64_t>(quarters);
  const std::uint64_t every = std::max<std::uint64_t>(1, m / 16);
  const auto run = [&](std::uint64_t nodes, double own) {
    return trial_.run({.size = span_ / static_cast<double>(nodes * m),
                       .groups = m,
                       .nodes_in_group = nodes,
                       .every = every,
                       .tolerance = own,
                       .most_cost = trial_.divides() ? most() / 4.0 : infinity});
  };
  const Trace trace = run(nodes_in_group, tolerance);
  Division found;
  found.quarters = quarters;
  found.tolerance = tolerance;
  found.reached = trace.reached;
  found.cost_rate = trace.reached > 0.0 ? trace.cost / trace.reached : 0.0;
  found.steps = trace.steps;
  found.complete = trace.complete;
  found.ended = trace.ended;
  found.iterates = trace.iterates;
  if (!trace.complete) return found;
  double in_parts = scale();
  Trace other = run(coarser_nodes_in_group, coarser * tolerance);
  if (!other.complete && !trial_.divides()) {
    other = run(nodes_in_group + 1, 0.0);
    in_parts = 1.0 / (1.0 - power(4.0 / 5.0, order_));
  }
  if (!other.complete) return found;
  const Difference error = difference(trace, other, enough * tolerance_ / in_parts);
  found.error = in_parts * error.whole;
  found.error_of_first_half = in_parts * error.first_half;
  found.kept_until = error.kept * trace.reached;
  return found;
}

/// The error at the end of the run if its growth with time goes on as seen; that of a motion whose
/// errors grow exponentially is found out by the second run.
double Search::error_at_end() const {
  constexpr double steepest = 3.0;
  const double ratio = best_.error / best_.error_of_first_half;
  const bool is_seen = best_.error_of_first_half > least_error && std::isfinite(ratio);
  const double growth =
      is_seen ? std::clamp(numeric::log(ratio) / numeric::log(2.0), 1.0, steepest) : 1.0;
  return best_.error * power(until_ / span_, growth);
}

/// Takes steps as small as the end of the run needs, where only a part of it was looked at.
void Search::look_ahead() {
  const double missed = error_at_end() / (enough * tolerance_);
  if (!(missed > 1.0)) return;
  if (trial_.divides())
    best_.tolerance /= missed;
  else
    best_.quarters *= power(missed, 1.0 / order_);
  best_.error /= missed;
}

/// Switches lower the order that is seen.
void Search::look_at_order(const Division& a, const Division& b) {
  constexpr double round_off = 1e-11, sensible = 1e-2;
  const double ratio = b.quarters / a.quarters, coarse = a.error / scale(),
               fine = b.error / scale();
  if (!(coarse < sensible) || !(fine > round_off) || !(ratio > 1.2)) return;
  const double found = numeric::log(coarse / fine) / numeric::log(ratio);
  if (found < 0.6 * order_) order_ = numeric::larger(1.0, found);
}

/// A first part of the run, and steps that keep the tolerance there.
bool Search::begin_with_steps() {
  constexpr int levels = 16;
  constexpr double most_quarters = 16.0;
  span_ = until_ / 8.0;
  for (int level = 0; level < levels; ++level, span_ /= 8.0) {
    for (double quarters = 1.0; quarters <= most_quarters; quarters *= 2.0) {
      best_ = divided(quarters, 0.0);
      if (keeps(best_)) return true;
      // There are other candidates.
      if (most_cost_ < infinity && spent() > budget_) return false;
    }
    if (std::isfinite(best_.error) && best_.cost_rate * factor(best_) > 2.0 * most_cost_)
      return false;
  }
  return false;
}

/// A first part of the run that can be paid.
bool Search::begin_with_substeps() {
  constexpr int levels = 16;
  span_ = until_ / 8.0;
  for (int level = 0; level < levels; ++level, span_ /= 8.0) {
    best_ = divided(1.0, 0.1 * tolerance_);
    if (best_.complete) return true;
  }
  return false;
}

/// More steps until they keep the tolerance on the part; false where none do.
bool Search::settle_steps(double step) {
  // Steps that are shorter by so much tell whether errors shrink as they ought to.
  constexpr double much_shorter = 1.5;
  Division last, first, best, longer;
  int idle = 0;
  double quarters =
      numeric::larger(least_quarters_of_part(), std::ceil(span_ / (4.0 * step) * (1.0 - 1e-9)));
  too_few_ = 0.0;
  for (int tries = 0; tries < 16; ++tries) {
    const Division found = divided(quarters, 0.0);
    if (found.ended && found.reached < 0.9 * span_) {
      // An event ends the run.
      quarters = std::ceil(quarters * found.reached / span_);
      until_ = span_ = found.reached;
      continue;
    }
    if (last.quarters > 0.0) look_at_order(last, found);
    if (longer.quarters == 0.0 || quarters >= much_shorter * longer.quarters) {
      const double shrinks = power(longer.quarters / quarters, 0.3 * order_);
      idle = found.error > longer.error * shrinks ? idle + 1 : 0;
      longer = found;
    }
    if (found.error < best.error || best.quarters == 0.0) best = found;
    if (keeps(found)) break;
    too_few_ = quarters;
    if (std::isfinite(found.error) && !std::isfinite(first.error)) first = found;
    // What shrinks no more is not of the order of the method: a motion that forgets its start.
    const bool forgets = std::isfinite(first.error) && quarters >= 8.0 * first.quarters &&
                         found.error > first.error / 16.0;
    const bool stalls = forgets || (idle >= 2 && found.error < 1e-3);
    const bool ends = !found.complete && tries > 4 && found.reached < 1.05 * last.reached;
    if (ends) best.kept_until = 0.9 * found.reached;
    last = found;
    if (is_spent() && !stalls && !ends && idle == 0 && best.error < 1e-2) {
      // As far as the order tells, which is seen; the second run will show it.
      best.quarters = std::ceil(best.quarters * numeric::smaller(1e3, factor(best)));
      best.error = aim / enough * target();
    }
    if (stalls || ends || is_spent() || found.cost_rate > most_cost_) break;
    const bool is_far = !std::isfinite(found.error) || found.error > 1e-2;
    quarters = std::ceil(quarters * (is_far ? 2.0 : std::clamp(factor(found), 1.15, 4.0)) + 1e-9);
  }
  best_ = best;
  // Where round-off ends the search, the tolerance itself will do.
  return best_.error <= target() / enough;
}

/// Fewer steps as long as they keep the tolerance and cost less.
void Search::lengthen_steps() {
  constexpr int most_tries = 6;
  for (int tries = 0; tries < most_tries && !is_spent(); ++tries) {
    double quarters = std::ceil(best_.quarters * numeric::larger(0.3, factor(best_)) - 1e-9);
    if (quarters <= too_few_) quarters = std::ceil(std::sqrt(best_.quarters * too_few_));
    quarters = numeric::larger(quarters, least_quarters_of_part());
    if (quarters <= too_few_ || quarters > 0.9 * best_.quarters) break;
    const Division found = divided(quarters, 0.0);
    look_at_order(found, best_);
    if (keeps(found) && found.cost_rate < best_.cost_rate)
      best_ = found;
    else
      too_few_ = quarters;
  }
  // Iterations may converge so much sooner that shorter steps cost less.
  for (int tries = 0; best_.iterates && tries < 2 && !is_spent(); ++tries) {
    const Division found = divided(std::ceil(1.4 * best_.quarters), 0.0);
    if (!keeps(found) || found.cost_rate > best_.cost_rate) break;
    best_ = found;
  }
}

/// A fourth of the nodes that substeps have.
double Search::quarters_of_substeps(const Division& division) {
  double mean = division.reached / numeric::larger(1.0, division.steps);
  // Nodes that are close cut substeps.
  if (uncut_ == 0.0 || step(division) > 3.0 * mean) {
    uncut_ = mean;
    uncut_tolerance_ = division.tolerance;
  }
  mean = uncut_ * power(division.tolerance / uncut_tolerance_, 1.0 / order_);
  const double between = std::clamp(until_ / least_nodes, mean, most_substeps_between * mean);
  return numeric::larger(least_quarters_of_part(), std::ceil(span_ / (4.0 * between)));
}

/// The largest tolerance of substeps that keeps that of the run on the part; false where none does.
bool Search::settle_substeps() {
  constexpr double least_own = 1e-15;
  constexpr int most_tries = 12;
  double own = best_.tolerance, good = 0.0, bad = infinity;
  double quarters = quarters_of_substeps(best_);
  Division best;
  for (int tries = 0; tries < most_tries; ++tries) {
    const Division found = divided(quarters, own);
    if (tries == 0 && found.reached > 0.0 && found.reached < 0.9 * span_) {
      // An event, what may be spent, or a motion that goes on no further.
      span_ = found.reached * (found.complete ? 1.0 : 0.9);
      if (found.ended) until_ = span_;
      quarters = quarters_of_substeps(found);
      continue;
    }
    const bool is_good = keeps(found);
    const bool is_better = is_good ? !(good > own) : good == 0.0 && found.error < best.error;
    if (is_better || best.quarters == 0.0) best = found;
    if (is_good)
      good = numeric::larger(good, own);
    else
      bad = numeric::smaller(bad, own);
    quarters = quarters_of_substeps(found);
    const double wanted = aim / enough * target() / numeric::larger(found.error, 1e-300);
    double next = std::clamp(own * std::clamp(wanted, 1e-2, 30.0), least_own, tolerance_);
    if (next >= bad) next = good > 0.0 ? std::sqrt(good * bad) : 0.3 * bad;
    const bool is_settled = is_good && tries > 0 && next < 3.0 * own;
    if (is_settled || is_spent() || (!is_good && own <= least_own)) break;
    own = numeric::larger(least_own, next);
  }
  best_ = best;
  return best_.error <= target() / enough;
}

std::optional<StepChoice> Search::choice() {
  const bool divides = trial_.divides();
  if (!(divides ? begin_with_substeps() : begin_with_steps())) return std::nullopt;
  bool is_kept = false;
  for (bool is_first = true, proceed = best_.cost_rate <= most_cost_; proceed; is_first = false) {
    const double longer =
        step(best_) * std::clamp(power(target() / best_.error, 1.0 / order_), 1.0, 2.0);
    const double far = numeric::larger(span_, affordable());
    span_ = is_first && far >= until_ ? until_ : numeric::smaller(8.0 * span_, far);
    is_kept = divides ? settle_substeps() : settle_steps(longer);
    proceed = is_kept && span_ < affordable() && !is_spent() && best_.cost_rate <= most_cost_;
  }
  if (!std::isfinite(best_.error) || best_.cost_rate > most_cost_) return std::nullopt;
  if (is_kept && !divides) lengthen_steps();
  if (is_kept && span_ < until_) look_ahead();
  StepChoice choice;
  choice.step = rounded_down(step(best_), 2);
  if (divides) choice.tolerance = rounded_down(best_.tolerance, 1);
  choice.error = error_at_end();
  choice.cost = best_.cost_rate;
  choice.kept_until = is_kept ? infinity : best_.kept_until;
  choice.looked_until = span_;
  choice.check = {tolerance_, coarser * choice.tolerance, scale()};
  return choice;
}

}  // namespace

std::optional<StepChoice> search_step(Trial& trial, double until, double tolerance, double budget,
                                      double most_cost) {
  Search whole(trial, until, tolerance, budget, most_cost);
  std::optional<StepChoice> choice = whole.choice();
  if (choice && choice->kept_until >= until) return choice;
  // As far as the tolerance can be kept, its steps are of use.
  if (!(whole.kept_until() > 0.0)) return choice;
  const double kept_until = whole.kept_until();
  if (auto part = Search(trial, kept_until, tolerance, budget, most_cost).choice()) {
    part->kept_until = kept_until;
    return part;
  }
  return choice;
}

}  // namespace dalembert::study
