#include "dalembert/run/dense_output.hpp"

#include "dalembert/error.hpp"
#include "dalembert/numeric/angles.hpp"

namespace dalembert {

DenseOutput::DenseOutput(const StepProgram& program)
    : dof_(program.dof()), lambda_count_(program.lambda_count()) {
  for (const Constant& node : program.method().interpolation_nodes()) nodes_.push_back(node.high);
  if (nodes_.empty()) {
    throw RequestError("method \"" + program.method().name() +
                       "\" gives no dense output; lobatto does with dense_output = "
                       "\"yes\"");
  }
  // Barycentric weights.
  for (const double x : nodes_) {
    double product = 1.0;
    for (const double y : nodes_) product *= x == y ? 1.0 : x - y;
    weights_.push_back(1.0 / product);
  }
}

InterpolatedState DenseOutput::at(const Point& before, const Point& after, double fraction) const {
  const std::size_t width = 2 * dof_ + lambda_count_, last = nodes_.size() - 1;
  const auto position = [](const Point& point, std::size_t i) {
    return numeric::unwrapped(point.q[i], point.turns[i]);
  };
  // Positions as increments over the step, then velocities, then multipliers.
  const auto value = [&](std::size_t node, std::size_t i) {
    if (node > 0 && node < last) return after.dense[(node - 1) * width + i];
    if (i < dof_) return node == 0 ? 0.0 : position(after, i) - position(before, i);
    const Point& end = node == 0 ? before : after;
    return i < 2 * dof_ ? end.v[i - dof_] : end.lambda[i - 2 * dof_];
  };
  std::vector<double> basis(nodes_.size(), 0.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    if (fraction == nodes_[k]) {
      basis.assign(nodes_.size(), 0.0);
      basis[k] = sum = 1.0;
      break;
    }
    sum += basis[k] = weights_[k] / (fraction - nodes_[k]);
  }
  std::vector<double> values(width, 0.0);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    for (std::size_t i = 0; i < width; ++i) values[i] += basis[k] / sum * value(k, i);
  }
  InterpolatedState state{before.t + fraction * (after.t - before.t), {}, {}, {}};
  for (std::size_t i = 0; i < dof_; ++i) state.q.push_back(position(before, i) + values[i]);
  const auto rest = values.begin() + static_cast<std::ptrdiff_t>(dof_);
  state.v.assign(rest, rest + static_cast<std::ptrdiff_t>(dof_));
  state.lambda.assign(rest + static_cast<std::ptrdiff_t>(dof_), values.end());
  return state;
}

}  // namespace dalembert
