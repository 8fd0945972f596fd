#include "linearisation/motion_slopes.hpp"

#include "dalembert/expression/derivative.hpp"

namespace dalembert {
namespace {

/// Ad of the inverse of each factor of a group, factor by factor along the diagonal.
Matrix right_translations(const Configuration& space, const Vector& q) {
  Matrix result(space.dof(), space.dof());
  for (const Configuration::Factor& factor : space.factors()) {
    const Group& group = factor.group;
    if (group.is_flat()) continue;
    const Vector inverse = group.inverse(slice(q, factor.storage, group.storage_size()));
    for (std::size_t j = 0; j < group.dimension(); ++j) {
      Vector unit = zeros(group.dimension());
      unit[j] = 1.0;
      const Vector column = group.adjoint(inverse, unit);
      for (std::size_t i = 0; i < column.size(); ++i)
        result(factor.velocity + i, factor.velocity + j) = column[i];
    }
  }
  return result;
}

Vector numbered_symbols(const GraphPointer& graph, const std::string& name, std::size_t count) {
  Vector symbols;
  for (std::size_t i = 0; i < count; ++i)
    symbols.push_back(make_symbol(graph, name + "_" + std::to_string(i + 1)));
  return symbols;
}

}  // namespace

bool MotionValues::is_finite() const {
  return rate.allFinite() && rate_slope.allFinite() && constraint.allFinite() &&
         constraint_slope.allFinite() && energy_slope.allFinite() && kept.allFinite() &&
         kept_slope.allFinite();
}

Eigen::MatrixXd SparseOutputs::in(std::span<const double> outputs) const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows, columns);
  for (std::size_t k = 0; k < places.size(); ++k)
    result(places[k].first, places[k].second) = outputs[first + k];
  return result;
}

MotionSlopes::MotionSlopes(const System& system, const std::vector<SensitiveQuantity>& keep)
    : system_(system),
      symbols_(system.symbols()),
      size_(static_cast<Eigen::Index>(system.dof() + system.velocity_count())),
      dof_(static_cast<Eigen::Index>(system.dof())) {
  const Symbols& s = symbols_;
  const GraphPointer graph = s.t.graph();
  const auto stored = [&](const Vector& values) { return system.at(values, s.q, s.v, s.t); };
  Vector acceleration, lambda, motion;
  if (system.is_skew_gradient()) {
    const Vector gradient_of_energy = gradient(stored({system.energy(s.q, s.v, s.t)}).front(), s.q);
    motion = system.structure(s.q) * gradient_of_energy;
  } else {
    acceleration = numbered_symbols(graph, "acceleration", system.dof());
    lambda = numbered_symbols(graph, "lambda", system.constraint_count());
    motion = stored(system.motion_residual(s.q, s.v, s.t, acceleration, lambda));
    constraint_ = add(
        stored(concatenate({system.constraint(s.q, s.v, s.t), system.holonomic(s.q, s.t)})), {});
  }
  const Vector solution = concatenate({acceleration, lambda});
  solution_count_ = solution.size();
  motion_ = add(motion, solution);
  energy_ = add(stored({system.energy(s.q, s.v, s.t)}), {});
  Vector kept;
  for (const SensitiveQuantity& quantity : keep) kept.push_back(quantity.function(s, lambda));
  kept_ = add(stored(kept), solution);
  const Configuration& space = system.configuration();
  if (!system.is_skew_gradient() && !space.is_flat()) {
    const Vector displacement = numbered_symbols(graph, "displacement", system.dof());
    frame_ = add_matrix(space.storage_rate(s.q, displacement), displacement);
    right_translation_ =
        add_dense(right_translations(space, s.q).entries(), space.dof(), space.dof());
  }
  function_ = {system, s, outputs_, {}, solution};
}

MotionSlopes::Block MotionSlopes::add(const Vector& values, const Vector& solution) {
  Block block;
  block.values = add_dense(values, values.size(), 1);
  block.by_position = add_matrix(values, symbols_.q);
  block.by_velocity = add_matrix(values, symbols_.v);
  block.by_solution = add_matrix(values, solution);
  return block;
}

SparseOutputs MotionSlopes::add_matrix(const Vector& values, const Vector& by) {
  SparseOutputs result{static_cast<Eigen::Index>(values.size()),
                       static_cast<Eigen::Index>(by.size()),
                       {},
                       outputs_.size()};
  const SparseRows<Expr> rows = sparse_jacobian(values, by);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [j, entry] : rows[i]) {
      result.places.emplace_back(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      outputs_.push_back(entry);
    }
  }
  return result;
}

SparseOutputs MotionSlopes::add_dense(const Vector& entries, std::size_t rows,
                                      std::size_t columns) {
  SparseOutputs result{
      static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns), {}, outputs_.size()};
  for (std::size_t k = 0; k < entries.size(); ++k) {
    result.places.emplace_back(static_cast<Eigen::Index>(k / columns),
                               static_cast<Eigen::Index>(k % columns));
    outputs_.push_back(entries[k]);
  }
  return result;
}

void MotionSlopes::set_parameters(std::span<const double> parameters) {
  function_.set_parameters(parameters);
}

Eigen::MatrixXd MotionSlopes::slope(const Block& block, std::span<const double> outputs,
                                    const Eigen::MatrixXd& frame) const {
  Eigen::MatrixXd result(block.values.rows, size_);
  if (result.rows() == 0) return result;
  const Eigen::MatrixXd by_position = block.by_position.in(outputs);
  result.leftCols(dof_) = frame.size() == 0 ? by_position : by_position * frame;
  result.rightCols(size_ - dof_) = block.by_velocity.in(outputs);
  return result;
}

MotionValues MotionSlopes::operator()(std::span<const double> q, std::span<const double> v) {
  // The equations are linear in accelerations and multipliers: a first look, where these are zero,
  // finds them, and a second one the slopes there.
  std::vector<double> solution(solution_count_, 0.0);
  std::span<const double> outputs = function_(0.0, q, v, solution);
  MotionValues result;
  result.rate.resize(size_);
  Eigen::PartialPivLU<Eigen::MatrixXd> equations;
  const bool is_mechanical = solution_count_ > 0;
  if (is_mechanical) {
    equations.compute(motion_.by_solution.in(outputs));
    const Eigen::VectorXd found = equations.solve(-motion_.values.in(outputs).col(0));
    result.rate << Eigen::Map<const Eigen::VectorXd>(v.data(), dof_), found.head(dof_);
    result.lambda = found.tail(found.size() - dof_);
    solution.assign(found.begin(), found.end());
    outputs = function_(0.0, q, v, solution);
  } else {
    result.rate = motion_.values.in(outputs).col(0);
  }
  const Eigen::MatrixXd frame = frame_.in(outputs);
  result.rate_slope = Eigen::MatrixXd::Zero(size_, size_);
  Eigen::MatrixXd solution_slope;
  if (is_mechanical) {
    solution_slope = equations.solve(-slope(motion_, outputs, frame));
    result.rate_slope.topRightCorner(dof_, dof_).setIdentity();
    result.rate_slope.bottomRows(dof_) = solution_slope.topRows(dof_);
  } else {
    result.rate_slope = slope(motion_, outputs, frame);
  }
  if (is_mechanical) {
    result.constraint = constraint_.values.in(outputs).col(0);
    result.constraint_slope = slope(constraint_, outputs, frame);
  } else {
    result.constraint_slope.resize(0, size_);
  }
  result.energy_slope = slope(energy_, outputs, frame);
  result.kept = kept_.values.in(outputs).col(0);
  result.kept_slope = slope(kept_, outputs, frame);
  if (is_mechanical && kept_.values.rows > 0)
    result.kept_slope += kept_.by_solution.in(outputs)*solution_slope;
  result.right_translation =
      frame.size() == 0 ? Eigen::MatrixXd::Zero(dof_, dof_) : right_translation_.in(outputs);
  return result;
}

}  // namespace dalembert
