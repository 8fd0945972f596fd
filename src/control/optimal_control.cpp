#include "dalembert/control/optimal_control.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/ready_run.hpp"
#include "dalembert/sensitivity/differentiable.hpp"
#include "dalembert/sensitivity/start_tangent.hpp"
#include "newton_search.hpp"
#include "second_variation.hpp"

namespace dalembert {
namespace {

constexpr std::size_t fewest_steps = 16;  ///< of a grid on which searches begin
constexpr std::size_t most_kept = 8;      ///< stationary controls of different costs

/// A state that satisfies the constraints of one step would not satisfy those of the next.
void refuse_controlled_constraints(const System& system, const std::vector<std::size_t>& controls) {
  const Symbols s = system.symbols();
  const Vector constraints =
      concatenate({system.constraint(s.q, s.v, s.t), system.holonomic(s.q, s.t)});
  for (const std::size_t control : controls)
    if (any_depends_on(constraints, {s.parameter_list.at(control)}))
      throw RequestError("control \"" + system.description().parameters[control].name +
                         "\" of system \"" + system.name() +
                         "\" changes the constraints, which hold from one step to the next; "
                         "choose forces, or make it a coordinate");
}

std::vector<std::size_t> control_places(const System& system,
                                        const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Parameter& parameter : system.description().parameters)
    known.push_back(parameter.name);
  if (names.empty())
    throw RequestError("no control is named; name the parameters of system \"" + system.name() +
                       "\" that are chosen in each step");
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      throw RequestError("control \"" + name + "\" is no parameter of system \"" + system.name() +
                         "\"" + suggestion(name, known));
    places.push_back(static_cast<std::size_t>(found - known.begin()));
    if (std::ranges::count(names, name) > 1)
      throw RequestError("control \"" + name + "\" is named twice");
  }
  refuse_controlled_constraints(system, places);
  return places;
}

std::vector<SensitiveQuantity> listed(const std::optional<SensitiveQuantity>& quantity) {
  return quantity ? std::vector{*quantity} : std::vector<SensitiveQuantity>{};
}

/// What must vanish of x - end, such that the state is the end: as many conditions as the
/// constraint set has dimensions. Others follow, because every step ends on it.
Eigen::MatrixXd end_directions(const System& system, const Method& method,
                               const StepExpansion& steps, std::span<const double> parameters,
                               const Start& end, double time) {
  const std::size_t stored = system.storage_count() + system.velocity_count();
  StartTangent<double> tangent(system, method, {}, parameters);
  const std::size_t count = tangent.direction_size();
  Eigen::MatrixXd along(static_cast<Eigen::Index>(stored), static_cast<Eigen::Index>(count));
  std::vector<double> direction(count);
  for (std::size_t j = 0; j < count; ++j) {
    std::ranges::fill(direction, 0.0);
    direction[j] = 1.0;
    const std::span<const double> found = tangent(time, end.q, end.v, direction);
    for (std::size_t i = 0; i < stored; ++i)
      along(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = found[i];
  }
  Eigen::JacobiSVD<Eigen::MatrixXd> decomposition(along, Eigen::ComputeThinU);
  decomposition.setThreshold(1e-9);
  const Eigen::Index rank = decomposition.rank();
  Eigen::MatrixXd result =
      Eigen::MatrixXd::Zero(rank, static_cast<Eigen::Index>(steps.state_size()));
  result.leftCols(static_cast<Eigen::Index>(stored)) =
      decomposition.matrixU().leftCols(rank).transpose();
  return result;
}

using Controls = std::vector<Eigen::VectorXd>;

/// Controls on a grid of another number of steps over the same time: their means along its steps.
Controls on_grid(const Controls& controls, std::size_t steps) {
  const std::size_t given = controls.size();
  Controls result(steps, Eigen::VectorXd::Zero(controls.front().size()));
  // Times in units of 1/(given steps), so that they are whole.
  for (std::size_t j = 0; j < steps; ++j) {
    const std::size_t begin = j * given, end = begin + given;
    for (std::size_t k = begin / steps; k * steps < end; ++k) {
      const std::size_t from = std::max<std::size_t>(begin, k * steps),
                        to = std::min<std::size_t>(end, (k + 1) * steps);
      result[j] += static_cast<double>(to - from) / static_cast<double>(given) * controls[k];
    }
  }
  return result;
}

/// Values at nodes, between which they are linear, at the nodes of another grid.
std::vector<Eigen::VectorXd> at_nodes(const std::vector<Eigen::VectorXd>& values,
                                      std::size_t steps) {
  const std::size_t given = values.size() - 1;
  std::vector<Eigen::VectorXd> result;
  for (std::size_t j = 0; j <= steps; ++j) {
    const std::size_t k = std::min<std::size_t>(j * given / steps, given - 1);
    const double part = static_cast<double>(j * given - k * steps) / static_cast<double>(steps);
    result.emplace_back((1.0 - part) * values[k] + part * values[k + 1]);
  }
  return result;
}

/// A motion on a grid of more steps, near one on a coarser grid.
ControlledMotion refined(const ControlledMotion& coarse, std::size_t steps) {
  ControlledMotion fine{at_nodes(coarse.states, steps), on_grid(coarse.controls, steps), {}};
  const Eigen::Index n = coarse.states.front().size(),
                     given = static_cast<Eigen::Index>(coarse.steps()),
                     count = static_cast<Eigen::Index>(steps),
                     rest = coarse.multipliers.size() - n * given;
  // Multipliers of steps belong to the nodes at their ends.
  std::vector<Eigen::VectorXd> costates{coarse.multipliers.head(n)};
  for (Eigen::Index k = 0; k < given; ++k)
    costates.emplace_back(coarse.multipliers.segment(k * n, n));
  costates = at_nodes(costates, steps);
  fine.multipliers.resize(n * count + rest);
  for (Eigen::Index k = 0; k < count; ++k)
    fine.multipliers.segment(k * n, n) = costates[static_cast<std::size_t>(k) + 1];
  fine.multipliers.tail(rest) = coarse.multipliers.tail(rest);
  return fine;
}

class ControlSearch {
 public:
  ControlSearch(const Problem& problem, const Method& method, const StartChoice& start,
                const ControlOptions& options)
      : options_(options),
        count_(step_count(method, options)),
        run_(problem, method, start, options.parameters, options.step),
        places_(control_places(run_.system, options.by)),
        steps_(run_.system, run_.method, places_, options.step, run_.parameters),
        cost_(functions(listed(options.cost))),
        end_{{}, {}, functions(options.end_conditions), functions(listed(options.end_cost))},
        start_(steps_.state_of(first_point(steps_.stepper(), run_.evaluator, run_.start))) {
    refuse_acting_events(problem);
    for (const std::vector<double>& guess : options.guesses)
      if (guess.size() != count_ * places_.size())
        throw RequestError("a guess has " + std::to_string(guess.size()) + " numbers; " +
                           std::to_string(count_) + " steps with " +
                           std::to_string(places_.size()) + " controls need " +
                           std::to_string(count_ * places_.size()));
    if (cost_.size() == 0 && end_.cost.size() == 0)
      throw RequestError("nothing is to be least: give a cost or an end_cost");
    if (options.end) set_end(options.end->in(problem));
    result_.by = options.by;
  }

  OptimalControl operator()() {
    std::vector<std::size_t> grids{count_};
    while (grids.back() >= 2 * fewest_steps) grids.push_back((grids.back() + 1) / 2);
    while (!grids.empty() && found_.empty()) {
      // What no grid of few steps has, one of more may have.
      search(grids.back());
      grids.pop_back();
      if (is_stopped()) return ended(OptimalControl::Status::stopped, "");
    }
    if (found_.empty()) return ended(OptimalControl::Status::failed, failure());
    while (!grids.empty()) {
      refine(grids.back());
      grids.pop_back();
      if (is_stopped()) return ended(OptimalControl::Status::stopped, "");
      if (found_.empty()) return ended(OptimalControl::Status::failed, failure());
    }
    show();
    return ended(OptimalControl::Status::ok, "");
  }

 private:
  static std::size_t step_count(const Method& method, const ControlOptions& options) {
    const StepCount count = asked_steps(options.step, options.until, options.steps);
    if (count.last > 0.0)
      throw RequestError("until is " + to_string(options.until) + ", no multiple of the step " +
                         to_string(options.step) +
                         ", and controls are those of equal steps; choose a multiple");
    if (method.tolerance() > 0.0)
      throw RequestError("method \"" + method.name() +
                         "\" divides its steps to keep its tolerance; choose one with steps of "
                         "one size");
    return static_cast<std::size_t>(count.whole);
  }

  SmoothFunctions functions(const std::vector<SensitiveQuantity>& quantities) const {
    return {run_.system, quantities, places_, steps_.state_size(), run_.parameters};
  }

  void set_end(const Start& wanted) {
    const double time = options_.step * static_cast<double>(count_);
    try {
      const Start end = prepare_start(run_.evaluator, wanted, time);
      end_.directions =
          end_directions(run_.system, run_.method, steps_, run_.parameters, end, time);
      end_.state = steps_.state_of(steps_.stepper().make_point(end.q, end.v));
    } catch (const RequestError& error) {
      throw RequestError("no motion can end there: " + std::string(error.what()));
    }
  }

  bool is_stopped() const { return options_.cancelled != nullptr && *options_.cancelled; }

  /// Cosines of the whole time, the faster the smaller.
  Controls random_controls(std::size_t count) {
    constexpr std::size_t waves = 4;
    const auto number = [this] {  // within [-1, 1]
      return static_cast<double>(random_() >> 11) * 0x1p-52 - 1.0;
    };
    Controls result(count, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(places_.size())));
    for (std::size_t j = 0; j < places_.size(); ++j) {
      for (std::size_t wave = 0; wave < waves; ++wave) {
        const double size = options_.control_scale * number() / static_cast<double>(wave + 1);
        for (std::size_t k = 0; k < count; ++k) {
          const double angle = std::numbers::pi * static_cast<double>(wave) *
                               (static_cast<double>(k) + 0.5) / static_cast<double>(count);
          result[k][static_cast<Eigen::Index>(j)] += size * numeric::cos(angle);
        }
      }
    }
    return result;
  }

  /// The motion with random controls, smaller ones where steps are refused.
  ControlledMotion random_motion(DiscreteControl& control, std::size_t count) {
    constexpr int most_halvings = 8;
    Controls controls = random_controls(count);
    ControlledMotion motion = control.motion(start_, controls);
    for (int i = 0; i < most_halvings && !control.values(motion); ++i) {
      for (Eigen::VectorXd& step : controls) step *= 0.5;
      motion = control.motion(start_, controls);
    }
    return motion;
  }

  Controls guessed_controls(const std::vector<double>& guess, std::size_t count) const {
    Controls result(count_);
    for (std::size_t k = 0; k < count_; ++k)
      result[k] = Eigen::Map<const Eigen::VectorXd>(guess.data() + k * places_.size(),
                                                    static_cast<Eigen::Index>(places_.size()));
    return on_grid(result, count);
  }

  /// On a grid of fewer steps they are longer.
  double step_of(std::size_t count) const {
    return count == count_
               ? options_.step
               : options_.step * static_cast<double>(count_) / static_cast<double>(count);
  }

  void search(std::size_t count) {
    DiscreteControl control(steps_, cost_, end_, count, step_of(count));
    random_.seed(options_.seed);
    result_.trials = result_.converged = 0;
    reason_.clear();
    for (std::size_t i = 0; i < options_.guesses.size() + options_.trials && !is_stopped(); ++i) {
      ControlledMotion begin =
          i < options_.guesses.size()
              ? control.motion(start_, guessed_controls(options_.guesses[i], count))
              : random_motion(control, count);
      SearchResult found =
          newton_search(control, std::move(begin), options_.iterations, options_.cancelled);
      ++result_.trials;
      if (options_.trials_done != nullptr) ++*options_.trials_done;
      note(std::move(found));
    }
  }

  /// Keeps one result for each cost.
  void note(SearchResult found) {
    if (found.status == SearchResult::Status::failed && reason_.empty()) reason_ = found.reason;
    if (found.status != SearchResult::Status::converged) return;
    ++result_.converged;
    keep(std::move(found));
  }
  void keep(SearchResult found) {
    const double close = 1e-8 * (1.0 + std::fabs(found.cost));
    if (std::ranges::any_of(found_, [&](const SearchResult& other) {
          return std::fabs(other.cost - found.cost) <= close;
        }))
      return;
    found_.push_back(std::move(found));
    std::ranges::stable_sort(found_, {}, &SearchResult::cost);
    if (found_.size() > most_kept) found_.pop_back();
  }

  void refine(std::size_t count) {
    DiscreteControl control(steps_, cost_, end_, count, step_of(count));
    for (SearchResult& coarse : std::exchange(found_, {})) {
      SearchResult found = newton_search(control, refined(coarse.motion, count),
                                         options_.iterations, options_.cancelled);
      if (found.status == SearchResult::Status::converged) {
        found.iterations += coarse.iterations;
        keep(std::move(found));
      } else if (found_.empty()) {
        reason_ = found.reason;
      }
    }
  }

  std::string failure() const {
    return "of " + std::to_string(result_.trials) + " searches for optimal controls of system \"" +
           run_.system.name() + "\" with method \"" + run_.method.name() +
           "\" none has ended at stationary ones: " + reason_;
  }

  void show() {
    const SearchResult& best = found_.front();
    const ControlledMotion& motion = best.motion;
    DiscreteControl control(steps_, cost_, end_, count_, options_.step);
    const auto costates = control.costates(motion);
    const std::size_t n = run_.system.storage_count(), m = run_.system.velocity_count();
    for (std::size_t k = 0; k <= count_; ++k) {
      const double* x = motion.states[k].data();
      result_.t.push_back(static_cast<double>(k) * options_.step);
      result_.q.insert(result_.q.end(), x, x + n);
      result_.v.insert(result_.v.end(), x + n, x + n + m);
      result_.constraint =
          numeric::larger(result_.constraint,
                          run_.evaluator.constraint_error(result_.t.back(), {x, n}, {x + n, m}));
      if (costates) {
        const double* p = (*costates)[k].data();
        result_.costate.insert(result_.costate.end(), p, p + n + m);
      }
      if (k == count_) break;
      const double* c = motion.controls[k].data();
      result_.controls.insert(result_.controls.end(), c, c + places_.size());
    }
    result_.cost = best.cost;
    result_.residual = best.residual;
    result_.defect = best.defect;
    if (const auto at = control.expand(motion)) result_.extremum = extremum_of(control, *at);
    result_.iterations = best.iterations;
    for (const SearchResult& found : found_) result_.stationary_costs.push_back(found.cost);
    std::ranges::sort(result_.stationary_costs);
  }

  OptimalControl ended(OptimalControl::Status status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return std::move(result_);
  }

  const ControlOptions& options_;
  std::size_t count_;
  ReadyRun run_;
  std::vector<std::size_t> places_;
  StepExpansion steps_;
  SmoothFunctions cost_;
  ControlEnd end_;
  Eigen::VectorXd start_;
  std::mt19937_64 random_;
  std::vector<SearchResult> found_;  ///< the best first
  std::string reason_;
  OptimalControl result_;
};

}  // namespace

OptimalControl optimal_control(const Problem& problem, const Method& method,
                               const StartChoice& start, const ControlOptions& options) {
  return ControlSearch(problem, method, start, options)();
}

}  // namespace dalembert
