#include "discrete_control.hpp"

#include <cmath>

namespace dalembert {
namespace {

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

/// The last of the controls stands at the end, too.
std::size_t control_at(const ControlledMotion& motion, std::size_t k) {
  return k < motion.steps() ? k : motion.steps() - 1;
}

}  // namespace

std::optional<std::size_t> DiscreteControl::place(std::size_t k, std::size_t j,
                                                  std::size_t i) const {
  if (i >= state_size()) return control_place(j) + (i - state_size());
  if (k == 0) return std::nullopt;
  return state_place(k) + i;
}

Eigen::VectorXd DiscreteControl::multiplier(const ControlledMotion& motion, std::size_t k) const {
  return motion.multipliers.segment(index(k * state_size()), index(state_size()));
}

Eigen::VectorXd DiscreteControl::end_defects(const ControlledMotion& motion) {
  const Eigen::VectorXd& x = motion.states.back();
  Eigen::VectorXd result(index(end_count()));
  const Eigen::Index given = end_.directions.rows();
  if (given > 0) result.head(given) = end_.directions * (x - end_.state);
  const std::span<const double> conditions =
      end_.conditions.values(time(count_), x, motion.controls.back());
  for (std::size_t i = 0; i < conditions.size(); ++i) result[given + index(i)] = conditions[i];
  return result;
}

ControlledMotion DiscreteControl::motion(const Eigen::VectorXd& start,
                                         const std::vector<Eigen::VectorXd>& controls) {
  ControlledMotion result{{start}, controls, Eigen::VectorXd::Zero(index(defect_count()))};
  for (std::size_t k = 0; k < count_; ++k) {
    const auto after = steps_.after(k, result.states.back(), controls[k]);
    result.states.push_back(after && after->allFinite() ? *after : result.states.back());
  }
  return result;
}

std::optional<ControlValues> DiscreteControl::values(const ControlledMotion& motion) {
  ControlValues result{0.0, Eigen::VectorXd(index(defect_count()))};
  for (std::size_t k = 0; k < count_; ++k) {
    const auto after = steps_.after(k, motion.states[k], motion.controls[k]);
    if (!after) return std::nullopt;
    result.defects.segment(index(k * state_size()), index(state_size())) =
        *after - motion.states[k + 1];
    if (cost_.size() == 0) continue;
    for (const std::size_t node : {k, k + 1})
      result.cost +=
          0.5 * h_ * cost_.values(time(node), motion.states[node], motion.controls[k]).front();
  }
  result.defects.tail(index(end_count())) = end_defects(motion);
  const Eigen::VectorXd& last = motion.controls.back();
  if (end_.cost.size() > 0)
    result.cost += end_.cost.values(time(count_), motion.states.back(), last).front();
  if (!std::isfinite(result.cost) || !result.defects.allFinite()) return std::nullopt;
  return result;
}

void DiscreteControl::add(const ExpandedNumber& number, double weight, std::size_t k, std::size_t j,
                          ControlExpansion& result) {
  const auto size = static_cast<std::size_t>(number.slope.size());
  for (std::size_t a = 0; a < size; ++a) {
    const auto row = place(k, j, a);
    if (!row) continue;
    result.cost_slope[index(*row)] += weight * number.slope[index(a)];
    for (std::size_t b = 0; b < size; ++b) {
      const auto column = place(k, j, b);
      const double value = number.curvature(index(a), index(b));
      if (column && value != 0.0)
        curvatures_.emplace_back(index(*row), index(*column), weight * value);
    }
  }
}

bool DiscreteControl::expand_steps(const ControlledMotion& motion, ControlExpansion& result) {
  const std::size_t n = state_size(), width = n + control_size();
  ExpandedStep step;
  for (std::size_t k = 0; k < count_; ++k) {
    if (!steps_.expand(k, motion.states[k], motion.controls[k], multiplier(motion, k), step))
      return false;
    result.values.defects.segment(index(k * n), index(n)) = step.after - motion.states[k + 1];
    for (std::size_t a = 0; a < width; ++a) {
      const auto column = place(k, k, a);
      if (!column) continue;
      for (std::size_t i = 0; i < n; ++i)
        slopes_.emplace_back(index(k * n + i), index(*column), step.slopes(index(i), index(a)));
      for (std::size_t b = 0; b < width; ++b) {
        if (const auto row = place(k, k, b))
          curvatures_.emplace_back(index(*row), index(*column), step.curvature(index(b), index(a)));
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      slopes_.emplace_back(index(k * n + i), index(state_place(k + 1) + i), -1.0);
  }
  return true;
}

void DiscreteControl::expand_cost(const ControlledMotion& motion, ControlExpansion& result) {
  for (std::size_t k = 0; cost_.size() > 0 && k < count_; ++k) {
    for (const std::size_t node : {k, k + 1}) {
      const ExpandedNumber cost =
          cost_.expand(0, time(node), motion.states[node], motion.controls[k]);
      result.values.cost += 0.5 * h_ * cost.value;
      add(cost, 0.5 * h_, node, k, result);
    }
  }
}

void DiscreteControl::expand_end(const ControlledMotion& motion, ControlExpansion& result) {
  const std::size_t n = state_size(), last = control_at(motion, count_), first = count_ * n;
  const Eigen::VectorXd& x = motion.states.back();
  const Eigen::VectorXd& c = motion.controls.back();
  result.values.defects.tail(index(end_count())) = end_defects(motion);
  const Eigen::Index given = end_.directions.rows();
  for (Eigen::Index i = 0; i < given; ++i)
    for (std::size_t j = 0; j < n; ++j)
      slopes_.emplace_back(index(first) + i, index(state_place(count_) + j),
                           end_.directions(i, index(j)));
  ControlExpansion unused;
  for (std::size_t i = 0; i < end_.conditions.size(); ++i) {
    const ExpandedNumber condition = end_.conditions.expand(i, time(count_), x, c);
    const Eigen::Index row = index(first) + given + index(i);
    // A condition may also be one on the last controls.
    for (std::size_t j = 0; j < n + control_size(); ++j)
      slopes_.emplace_back(row, index(*place(count_, last, j)), condition.slope[index(j)]);
    // Its second derivatives count with its multiplier, its slopes are those of a defect.
    unused.cost_slope = Eigen::VectorXd::Zero(index(variable_count()));
    add(condition, motion.multipliers[row], count_, last, unused);
  }
  if (end_.cost.size() == 0) return;
  const ExpandedNumber cost = end_.cost.expand(0, time(count_), x, c);
  result.values.cost += cost.value;
  add(cost, 1.0, count_, last, result);
}

std::optional<ControlExpansion> DiscreteControl::expand(const ControlledMotion& motion) {
  const Eigen::Index variables = index(variable_count()), defects = index(defect_count());
  ControlExpansion result;
  result.values.defects = Eigen::VectorXd::Zero(defects);
  result.cost_slope = Eigen::VectorXd::Zero(variables);
  slopes_.clear();
  curvatures_.clear();
  if (!expand_steps(motion, result)) return std::nullopt;
  expand_cost(motion, result);
  expand_end(motion, result);
  result.defect_slopes.resize(defects, variables);
  result.defect_slopes.setFromTriplets(slopes_.begin(), slopes_.end());
  result.curvature.resize(variables, variables);
  result.curvature.setFromTriplets(curvatures_.begin(), curvatures_.end());
  if (!std::isfinite(result.values.cost) || !result.values.defects.allFinite() ||
      !result.cost_slope.allFinite())
    return std::nullopt;
  return result;
}

ControlledMotion DiscreteControl::moved(const ControlledMotion& motion,
                                        const Eigen::VectorXd& change, double size) const {
  ControlledMotion result = motion;
  for (std::size_t k = 0; k < count_; ++k) {
    result.controls[k] += size * change.segment(index(control_place(k)), index(control_size()));
    result.states[k + 1] += size * change.segment(index(state_place(k + 1)), index(state_size()));
  }
  return result;
}

ControlledMotion DiscreteControl::followed(const ControlledMotion& motion,
                                           const Eigen::VectorXd& change, double size) {
  std::vector<Eigen::VectorXd> controls = motion.controls;
  for (std::size_t k = 0; k < count_; ++k)
    controls[k] += size * change.segment(index(control_place(k)), index(control_size()));
  return this->motion(motion.states.front(), controls);
}

Eigen::VectorXd DiscreteControl::variables(const ControlledMotion& motion) const {
  Eigen::VectorXd result(index(variable_count()));
  for (std::size_t k = 0; k < count_; ++k) {
    result.segment(index(control_place(k)), index(control_size())) = motion.controls[k];
    result.segment(index(state_place(k + 1)), index(state_size())) = motion.states[k + 1];
  }
  return result;
}

std::optional<std::vector<Eigen::VectorXd>> DiscreteControl::costates(
    const ControlledMotion& motion) {
  // Where the Lagrangian is stationary the multiplier of a step is the derivative of what follows,
  // and of the part of the step's cost that its end has.
  std::vector<Eigen::VectorXd> result(count_ + 1);
  const auto cost_slope = [&](std::size_t node, std::size_t k) {
    if (cost_.size() == 0) return Eigen::VectorXd(Eigen::VectorXd::Zero(index(state_size())));
    const ExpandedNumber cost =
        cost_.expand(0, time(node), motion.states[node], motion.controls[k]);
    return Eigen::VectorXd(0.5 * h_ * cost.slope.head(index(state_size())));
  };
  for (std::size_t k = 0; k < count_; ++k)
    result[k + 1] = cost_slope(k + 1, k) - multiplier(motion, k);
  ExpandedStep step;
  if (!steps_.expand(0, motion.states[0], motion.controls[0], multiplier(motion, 0), step))
    return std::nullopt;
  result[0] = -step.slopes.leftCols(index(state_size())).transpose() * multiplier(motion, 0) -
              cost_slope(0, 0);
  return result;
}

}  // namespace dalembert
