#include "linearisation/steady_motion.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/numeric/extremes.hpp"
#include "linearisation/kernel.hpp"

namespace dalembert {
namespace {

using Decomposition = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

/// Singular values below this part of the largest one are zero: far above the round-off of slopes,
/// far below what tells motions apart.
constexpr double rank_tolerance = 1e-10;
/// Speeds along symmetries may change at no cost while the state stays near its start: their
/// columns are so much larger.
constexpr double cheap = 1e3;
/// In parts of the residual: so much that steps stay short beside the way to a state of rest.
constexpr double first_damping = 10.0;
/// Residuals below this are round-off of an ill conditioned motion at worst.
constexpr double found_below = 1e-10;

/// Fills in what is there at a state with these speeds; the residual of all equations.
Eigen::VectorXd look(const FieldGeometry& geometry, const std::vector<SymmetryField>& symmetries,
                     const Eigen::VectorXd& kept, SteadyMotion& motion) {
  const MotionValues& values = motion.values;
  const Eigen::Index size = values.rate.size(),
                     count = static_cast<Eigen::Index>(symmetries.size());
  motion.fields.resize(size, count);
  for (Eigen::Index j = 0; j < count; ++j)
    motion.fields.col(j) = geometry.lifted(symmetries[static_cast<std::size_t>(j)], motion.state.q,
                                           motion.state.v, values);
  Eigen::VectorXd residual(size + values.constraint.size() + kept.size());
  residual << values.rate - motion.fields * motion.speeds, values.constraint, values.kept - kept;
  return residual;
}

Eigen::MatrixXd moving_slope(const FieldGeometry& geometry,
                             const std::vector<SymmetryField>& symmetries,
                             const SteadyMotion& motion) {
  return motion.values.rate_slope -
         geometry.slope(motion_field(geometry, symmetries, motion), motion.values);
}

/// The derivative of all equations by the state and by the speeds.
Eigen::MatrixXd equations_slope(const SteadyMotion& motion) {
  const MotionValues& values = motion.values;
  const Eigen::Index size = motion.slope.rows(), constraints = values.constraint_slope.rows(),
                     kept = values.kept_slope.rows(), count = motion.fields.cols();
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size + constraints + kept, size + count);
  result.topLeftCorner(size, size) = motion.slope;
  result.topRightCorner(size, count) = -cheap * motion.fields;
  result.block(size, 0, constraints, size) = values.constraint_slope;
  result.bottomLeftCorner(kept, size) = values.kept_slope;
  return result;
}

/// The method of Levenberg and Marquardt: minimises |slope step + residual|^2 + damping |step|^2.
/// Damped in proportion to the residual it converges quadratically to a solution near its start
/// also where solutions lie together in families; Newton's steps would lead far away, to states of
/// rest for example, of all equations that are homogeneous in velocities.
Eigen::VectorXd damped_step(const Eigen::MatrixXd& slope, const Eigen::VectorXd& residual,
                            double damping) {
  const Eigen::Index rows = slope.rows(), columns = slope.cols();
  Eigen::MatrixXd equations(rows + columns, columns);
  equations << slope, std::sqrt(damping) * Eigen::MatrixXd::Identity(columns, columns);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(rows + columns);
  right.head(rows) = -residual;
  Decomposition decomposed;
  decomposed.setThreshold(rank_tolerance);
  decomposed.compute(equations);
  return decomposed.solve(right);
}

double largest_of(const Eigen::VectorXd& vector) {
  return vector.size() == 0 ? 0.0 : vector.cwiseAbs().maxCoeff();
}

/// The motions nearby along the kernel of the equations: whoever goes a finite way along it, and
/// back to the next steady motion, is still there if they are a family, and is back at the first if
/// the equations change along it with a higher power alone.
class Family {
 public:
  Family(const FieldGeometry& geometry, MotionSlopes& slopes, StateMover& mover,
         const std::vector<SymmetryField>& symmetries, const SteadyMotion& motion)
      : geometry_(geometry),
        slopes_(slopes),
        mover_(mover),
        symmetries_(symmetries),
        motion_(motion),
        kernel_(study::kernel_of(equations_of(motion), rank_tolerance)) {}

  /// Without moves along the symmetries, and speeds that change nothing.
  std::size_t dimension() {
    const auto count = static_cast<Eigen::Index>(symmetries_.size());
    if (kernel_.cols() <= count) return 0;
    Eigen::Index found = 0;
    // Families may end soon, and equations may change with a high power.
    for (const double way : {0.1, 0.01}) found = std::max<Eigen::Index>(found, reached(way));
    return static_cast<std::size_t>(found > count ? found - count : 0);
  }

 private:
  /// The equations without what is kept.
  static Eigen::MatrixXd equations_of(const SteadyMotion& motion) {
    const Eigen::Index rows = motion.slope.rows() + motion.values.constraint_slope.rows();
    return equations_slope(motion).topRows(rows);
  }

  /// The number of independent directions in which steady motions lie so far away.
  Eigen::Index reached(double way) {
    Eigen::MatrixXd moves = Eigen::MatrixXd::Zero(kernel_.cols(), kernel_.cols());
    for (Eigen::Index k = 0; k < kernel_.cols(); ++k)
      if (const auto move = nearest(way * kernel_.col(k)))
        moves.col(k) = kernel_.transpose() * *move / way;
    constexpr double still_there = 0.3;
    const Eigen::VectorXd sizes = Eigen::BDCSVD<Eigen::MatrixXd>(moves).singularValues();
    return (sizes.array() > still_there).count();
  }

  /// The move to the steady motion that is next to one that has moved; nothing where none is.
  std::optional<Eigen::VectorXd> nearest(Eigen::VectorXd move) {
    constexpr double nothing_left = 1e-12;
    constexpr int most_iterations = 12;
    const Eigen::Index size = motion_.slope.rows();
    const Eigen::VectorXd kept = motion_.values.kept;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      SteadyMotion there = motion_;
      there.state = mover_.moved(motion_.state, move.head(size));
      there.values = slopes_(there.state.q, there.state.v);
      if (!there.values.is_finite()) return std::nullopt;
      there.speeds = motion_.speeds + cheap * move.tail(motion_.speeds.size());
      there.slope = Eigen::MatrixXd::Zero(size, size);
      const Eigen::VectorXd residual =
          look(geometry_, symmetries_, kept, there).head(size + there.values.constraint.size());
      if (largest_of(residual) <= nothing_left * (1.0 + largest_of(there.values.rate))) return move;
      there.slope = moving_slope(geometry_, symmetries_, there);
      Decomposition decomposed;
      decomposed.setThreshold(rank_tolerance);
      decomposed.compute(equations_of(there));
      move -= decomposed.solve(residual);
    }
    return std::nullopt;
  }

  const FieldGeometry& geometry_;
  MotionSlopes& slopes_;
  StateMover& mover_;
  const std::vector<SymmetryField>& symmetries_;
  const SteadyMotion& motion_;
  Eigen::MatrixXd kernel_;
};

/// Of all speeds that move the state alike those whose frame turns least in space: who moves along
/// sees the frequencies that are seen in space. A body that spins about an axis of its own is such
/// a state, which turning in space and turning within the body move alike.
void take_frame_at_rest(const std::vector<SymmetryField>& symmetries, SteadyMotion& motion) {
  constexpr double alike = 1e-9;
  if (motion.fields.cols() == 0) return;
  const Eigen::MatrixXd kernel = study::kernel_of(motion.fields, alike);
  if (kernel.cols() == 0) return;
  const Eigen::Index dof = symmetries.front().right.size();
  Eigen::MatrixXd turning(dof + dof * dof, motion.fields.cols());
  for (Eigen::Index j = 0; j < turning.cols(); ++j) {
    const SymmetryField& field = symmetries[static_cast<std::size_t>(j)];
    turning.col(j) << field.right, field.linear.reshaped();
  }
  Decomposition decomposed;
  decomposed.setThreshold(rank_tolerance);
  decomposed.compute(turning * kernel);
  motion.speeds -= kernel * decomposed.solve(turning * motion.speeds);
}

}  // namespace

SymmetryField motion_field(const FieldGeometry& geometry,
                           const std::vector<SymmetryField>& symmetries,
                           const SteadyMotion& motion) {
  SymmetryField along = SymmetryField::zero(geometry.dof());
  for (std::size_t j = 0; j < symmetries.size(); ++j)
    along.add(motion.speeds[static_cast<Eigen::Index>(j)], symmetries[j]);
  return along;
}

SteadyMotion find_steady_motion(const FieldGeometry& geometry, MotionSlopes& slopes,
                                StateMover& mover, const StateMover::State& start,
                                const std::vector<SymmetryField>& symmetries) {
  SteadyMotion motion{start, slopes(start.q, start.v), {}};
  const Eigen::VectorXd kept = motion.values.kept,
                        constraint_sizes = motion.values.constraint_slope.rowwise().norm();
  const auto count = static_cast<Eigen::Index>(symmetries.size());
  motion.speeds = Eigen::VectorXd::Zero(count);
  Eigen::VectorXd residual = look(geometry, symmetries, kept, motion);
  if (count > 0) {
    Decomposition fields;
    fields.setThreshold(rank_tolerance);
    fields.compute(motion.fields);
    motion.speeds = fields.solve(motion.values.rate);
    residual = look(geometry, symmetries, kept, motion);
  }
  const Eigen::Index size = slopes.size();
  const auto relative = [&](const SteadyMotion& there, const Eigen::VectorXd& rest) {
    return largest_of(rest) /
           (1.0 + numeric::larger(largest_of(there.values.rate), largest_of(kept)));
  };
  motion.residual = relative(motion, residual);
  double damping = first_damping;
  for (int iteration = 0; iteration < 200 && motion.residual > 0.0; ++iteration) {
    motion.slope = moving_slope(geometry, symmetries, motion);
    const Eigen::VectorXd step =
        damped_step(equations_slope(motion), residual, damping * residual.norm());
    SteadyMotion next = motion;
    next.state = mover.moved(motion.state, step.head(size));
    next.values = slopes(next.state.q, next.state.v);
    next.speeds = motion.speeds + cheap * step.tail(count);
    const bool is_defined = next.values.is_finite();
    const Eigen::VectorXd rest = is_defined ? look(geometry, symmetries, kept, next) : residual;
    if (is_defined && rest.norm() < residual.norm()) {
      // Steps that gain little are too short for the smallest slopes.
      if (rest.norm() > 0.5 * residual.norm()) damping = numeric::larger(0.3 * damping, 1e-8);
      motion = std::move(next);
      residual = rest;
      motion.residual = relative(motion, residual);
    } else if (motion.residual < found_below) {
      break;  // at round-off, where the residual no longer shrinks
    } else {
      damping *= 5.0;
      if (damping > 1e12) break;
    }
  }
  // Rest is a double root of equations that are quadratic in velocities, found to half of the
  // digits.
  const auto square = [](const std::vector<double>& v) {
    double sum = 0.0;
    for (const double entry : v) sum += entry * entry;
    return sum;
  };
  if (motion.residual < found_below && square(motion.state.v) < 1e-6 * (1.0 + square(start.v))) {
    SteadyMotion rest = motion;
    rest.state.v.assign(rest.state.v.size(), 0.0);
    rest.values = slopes(rest.state.q, rest.state.v);
    rest.speeds.setZero();
    if (rest.values.is_finite()) {
      rest.residual = relative(rest, look(geometry, symmetries, kept, rest));
      if (rest.residual <= motion.residual) motion = std::move(rest);
    }
  }
  for (Eigen::Index i = 0; i < constraint_sizes.size(); ++i)
    motion.singular = motion.singular ||
                      motion.values.constraint_slope.row(i).norm() < 1e-4 * constraint_sizes[i];
  motion.found = motion.residual < found_below && !motion.singular;
  if (motion.found) take_frame_at_rest(symmetries, motion);
  motion.slope = moving_slope(geometry, symmetries, motion);
  if (motion.found) motion.family = Family(geometry, slopes, mover, symmetries, motion).dimension();
  return motion;
}

}  // namespace dalembert
