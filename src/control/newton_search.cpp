#include "newton_search.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/numeric/extremes.hpp"
#include "second_variation.hpp"

namespace dalembert {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

double largest(const Eigen::VectorXd& vector) {
  return vector.size() == 0 ? 0.0 : vector.lpNorm<Eigen::Infinity>();
}

SparseMatrix identity(Eigen::Index size) {
  SparseMatrix result(size, size);
  result.setIdentity();
  return result;
}

/// What is small beside the second derivatives: more than their round-off.
double small_shift(const ControlExpansion& at) { return 1e-9 * largest_entry(at.curvature); }

/// The optimality system of a step of Newton's method,
///   (H  A^T) (dz)     (slope of the cost)
///   (A  0  ) (y )  = -(defects          ),
/// whose solution has the new multipliers y.
class SaddlePoint {
 public:
  /// With a shift s, H + s I stands in the place of H, and A dz - e (y - y_now) in that of A dz:
  /// where the system is singular, along a family of solutions or because conditions depend on
  /// each other, what it leaves open stays as it is.
  bool solve(const ControlExpansion& at, double shift, const Eigen::VectorXd& now) {
    const Eigen::Index n = at.cost_slope.size(), m = at.values.defects.size();
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](const SparseMatrix& matrix, Eigen::Index row, bool transposed) {
      for (Eigen::Index column = 0; column < matrix.outerSize(); ++column) {
        for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
          if (transposed) entries.emplace_back(entry.col(), row + entry.row(), entry.value());
          if (row == 0 || transposed)
            entries.emplace_back(row + entry.row(), entry.col(), entry.value());
        }
      }
    };
    add(at.curvature, 0, false);
    add(at.defect_slopes, n, true);
    const double slack = shift > 0.0 ? 1e-9 : 0.0;
    for (Eigen::Index i = 0; i < n; ++i) entries.emplace_back(i, i, shift);
    for (Eigen::Index i = n; i < n + m; ++i) entries.emplace_back(i, i, -slack);
    SparseMatrix matrix(n + m, n + m);
    matrix.setFromTriplets(entries.begin(), entries.end());
    solver_.compute(matrix);
    if (solver_.info() != Eigen::Success) return false;
    Eigen::VectorXd right(n + m);
    right << -at.cost_slope, -at.values.defects - slack * now;
    Eigen::VectorXd solution = solver_.solve(right);
    if (!solution.allFinite()) return false;
    solution += solver_.solve(right - matrix * solution);
    if (!solution.allFinite()) return false;
    change = solution.head(n);
    multipliers = solution.tail(m);
    return true;
  }

  Eigen::VectorXd change, multipliers;

 private:
  Eigen::SparseLU<SparseMatrix> solver_;
};

/// Far from a solution: controls with parts of the steps of Newton's method for the optimality
/// system, and the motions that follow them, down the merit J + nu |d|_1 of cost J and defects d.
/// States that are nonlinear in the time, as those of a body that turns many times, follow by
/// themselves. Where that ends nowhere: Newton's method for the augmented Lagrangian
///   J + y.d + (r/2) |d|^2
/// in states and controls at once. Both with a multiple of the identity that keeps steps where the
/// quadratic model holds. Close to a solution: whole steps for the optimality system.
class NewtonSearch {
 public:
  NewtonSearch(DiscreteControl& control, ControlledMotion motion, std::size_t iterations,
               const std::atomic<bool>* cancelled)
      : control_(control), iterations_(iterations), cancelled_(cancelled) {
    result_.motion = std::move(motion);
  }

  SearchResult operator()() {
    const auto first = control_.values(result_.motion);
    if (!first) return ended(SearchResult::Status::failed, control_.refusal());
    const ControlledMotion start = result_.motion;
    if (goes_along_motions()) return ended(SearchResult::Status::converged, "");
    if (is_cancelled()) return ended(SearchResult::Status::stopped, "");
    result_.motion = start;
    shift_ = 0.0;
    weight_ = 10.0 * numeric::larger(1.0, std::fabs(first->cost)) /
              numeric::larger(1.0, 0.5 * first->defects.squaredNorm());
    Eigen::VectorXd multipliers = result_.motion.multipliers;
    double tolerance = 1e-1 * (1.0 + std::fabs(first->cost)), defect_before = infinity;
    while (result_.iterations < iterations_) {
      if (is_near(multipliers)) return ended(SearchResult::Status::converged, "");
      if (is_cancelled()) return ended(SearchResult::Status::stopped, "");
      const auto values = minimise(multipliers, tolerance);
      if (!values) return ended(SearchResult::Status::failed, control_.refusal());
      multipliers += weight_ * values->defects;
      const double defect = largest(values->defects);
      if (defect > 0.25 * defect_before) weight_ *= 5.0;
      defect_before = defect;
      tolerance = numeric::larger(1e-6, 0.2 * tolerance);
    }
    const bool arrives = defect_before < 1e-4 * (1.0 + largest(control_.variables(result_.motion)));
    return ended(SearchResult::Status::failed,
                 fmt::format("after {} iterations of Newton's method {} {:.2g}", result_.iterations,
                             arrives ? "the motion is not stationary: a derivative is"
                                     : "the motion misses its end or its steps by",
                             arrives ? slope_ : defect_before));
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  bool is_cancelled() const { return cancelled_ != nullptr && *cancelled_; }

  SearchResult ended(SearchResult::Status status, std::string reason) {
    result_.status = status;
    result_.reason = std::move(reason);
    return std::move(result_);
  }

  /// Search along the motions that follow their controls; true where it ends at a solution. It
  /// takes a part of the iterations, so that enough are left for the other.
  bool goes_along_motions() {
    const std::size_t most_steps = iterations_ / 5;
    Eigen::VectorXd multipliers = result_.motion.multipliers;
    double penalty = 1.0;
    bool was_whole = true;
    while (result_.iterations < most_steps && !is_cancelled()) {
      if (was_whole && is_near(multipliers)) return true;
      result_.motion.multipliers = multipliers;
      const auto at = control_.expand(result_.motion);
      if (!at) return false;
      ++result_.iterations;
      const std::optional<double> part = step_down(*at, multipliers, penalty);
      if (!part) return false;
      was_whole = *part == 1.0 && shift_ == 0.0;
      multipliers += *part * (step_.multipliers - multipliers);
    }
    return false;
  }

  /// Takes a part of a step down the merit, with a shift where the cost is not convex along it; the
  /// part, or none where no step leads down.
  std::optional<double> step_down(const ControlExpansion& at, const Eigen::VectorXd& multipliers,
                                  double& penalty) {
    constexpr double least_shift = 1e-6, most_shift = 1e10, least_part = 1e-3, descent = 1e-4;
    const double off = at.values.defects.lpNorm<1>();
    for (shift_ = shift_ <= least_shift ? 0.0 : 0.2 * shift_; shift_ < most_shift;
         shift_ = numeric::larger(least_shift, 8.0 * shift_)) {
      if (!step_.solve(at, shift_, multipliers)) continue;
      const Eigen::VectorXd& change = step_.change;
      const double bend = change.dot(at.curvature * change) + shift_ * change.squaredNorm(),
                   slope = at.cost_slope.dot(change);
      if (!(bend >= 1e-8 * change.squaredNorm())) continue;
      if (off > 0.0) penalty = numeric::larger(penalty, 2.0 * (slope + 0.5 * bend) / off);
      const double expected = slope - penalty * off, now = at.values.cost + penalty * off;
      if (!(expected < 0.0)) continue;
      for (double part = 1.0; part >= least_part; part *= 0.5) {
        ControlledMotion next = control_.followed(result_.motion, change, part);
        const auto values = control_.values(next);
        if (!values) continue;
        if (!(values->cost + penalty * values->defects.lpNorm<1>() <=
              now + descent * part * expected))
          continue;
        result_.motion = std::move(next);
        return part;
      }
    }
    shift_ = 0.0;
    return std::nullopt;
  }

  /// J + y.d + (r/2)|d|^2 at a motion; infinity where there is none.
  double augmented(const ControlledMotion& motion, const Eigen::VectorXd& multipliers) {
    const auto values = control_.values(motion);
    return values ? values->cost + multipliers.dot(values->defects) +
                        0.5 * weight_ * values->defects.squaredNorm()
                  : infinity;
  }

  /// Steps down the augmented Lagrangian until its slope is below the tolerance. Values at the
  /// motion that it ends with; none where it cannot be expanded.
  std::optional<ControlValues> minimise(const Eigen::VectorXd& multipliers, double tolerance) {
    for (int i = 0; i < 40 && result_.iterations < iterations_ && !is_cancelled(); ++i) {
      const auto values = control_.values(result_.motion);
      if (!values) return std::nullopt;
      result_.motion.multipliers = multipliers + weight_ * values->defects;
      const auto at = control_.expand(result_.motion);
      if (!at) return std::nullopt;
      ++result_.iterations;
      const Eigen::VectorXd slope =
          at->cost_slope + at->defect_slopes.transpose() * result_.motion.multipliers;
      slope_ = largest(slope);
      if (slope_ <= tolerance) return values;
      const SparseMatrix squares = SparseMatrix(at->defect_slopes.transpose()) * at->defect_slopes;
      if (!descend(at->curvature + weight_ * squares, slope, multipliers)) return values;
    }
    return control_.values(result_.motion);
  }

  bool descend(const SparseMatrix& curvature, const Eigen::VectorXd& slope,
               const Eigen::VectorXd& multipliers) {
    const double now = augmented(result_.motion, multipliers);
    const SparseMatrix unit = identity(slope.size());
    Eigen::SimplicialLLT<SparseMatrix> decomposition;
    for (; shift_ < 1e14; shift_ = numeric::larger(1e-4, 4.0 * shift_)) {
      decomposition.compute(curvature + shift_ * unit);
      if (decomposition.info() != Eigen::Success) continue;
      const Eigen::VectorXd change = -decomposition.solve(slope);
      const double expected = -slope.dot(change) - 0.5 * change.dot(curvature * change);
      const ControlledMotion next = control_.moved(result_.motion, change, 1.0);
      const double gain = now - augmented(next, multipliers);
      if (!(gain > 1e-2 * expected)) {
        // Nothing is left to gain but round-off.
        if (expected <= 1e-13 * (1.0 + std::fabs(now))) return false;
        continue;
      }
      result_.motion = next;
      if (gain > 0.7 * expected) shift_ = shift_ < 1e-4 ? 0.0 : shift_ / 5.0;
      return true;
    }
    shift_ = 0.0;
    return false;
  }

  /// Whether whole steps of Newton's method for the optimality system lead to a solution from here,
  /// each to less than half of what is left. Else the motion stays where it is. Where solutions
  /// form a family, as by a symmetry, the system is singular along it without a small shift.
  bool is_near(const Eigen::VectorXd& multipliers) {
    const ControlledMotion kept = result_.motion;
    for (const bool shifted : {false, true}) {
      result_.motion.multipliers = multipliers;
      if (goes_to_solution(shifted)) return true;
      result_.motion = kept;
    }
    return false;
  }

  bool goes_to_solution(bool shifted) {
    double rest = infinity, size_before = infinity;
    for (int i = 0; i < 30; ++i) {
      const auto at = control_.expand(result_.motion);
      if (!at) return false;
      const Eigen::VectorXd slope =
          at->cost_slope + at->defect_slopes.transpose() * result_.motion.multipliers;
      result_.cost = at->values.cost;
      result_.defect = largest(at->values.defects);
      result_.residual = largest(slope);
      const double left = numeric::larger(result_.defect, result_.residual);
      const double scale = 1.0 + largest(control_.variables(result_.motion));
      if (!(left <= 0.5 * rest) && !(size_before < 1e-8 * scale)) return false;
      if (!step_.solve(*at, shifted ? small_shift(*at) : 0.0, result_.motion.multipliers))
        return false;
      const double size = largest(step_.change);
      // Round-off: nothing is won any more.
      const bool is_exact =
          result_.defect <= 1e-11 * scale &&
          result_.residual <= 1e-11 * (scale + largest(result_.motion.multipliers));
      if (is_exact &&
          (size <= 1e-15 * scale || (size <= 1e-9 * scale && size >= 0.5 * size_before)))
        return true;
      ++result_.iterations;
      result_.motion = control_.moved(result_.motion, step_.change, 1.0);
      result_.motion.multipliers = step_.multipliers;
      rest = left;
      size_before = size;
    }
    return false;
  }

  DiscreteControl& control_;
  std::size_t iterations_;
  const std::atomic<bool>* cancelled_;
  SearchResult result_;
  SaddlePoint step_;
  double weight_ = 0.0, shift_ = 0.0;
  double slope_ = infinity;  ///< of the augmented Lagrangian, the last
};

}  // namespace

SearchResult newton_search(DiscreteControl& control, ControlledMotion motion,
                           std::size_t iterations, const std::atomic<bool>* cancelled) {
  return NewtonSearch(control, std::move(motion), iterations, cancelled)();
}

}  // namespace dalembert
