#include "second_variation.hpp"

#include <cmath>

#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr Eigen::Index most_eigenvalues = 1500;
constexpr double zero = 1e-9;        ///< relative to the largest eigenvalue
constexpr double round_off = 1e-13;  ///< of eigenvalues where all of them are zero

/// How states follow changes of each control, with these: [variables x controls]. The slopes of the
/// steps by the states are -1 on the diagonal, and else below it.
Eigen::MatrixXd along_steps(const DiscreteControl& control, const SparseMatrix& slopes) {
  const auto states = static_cast<Eigen::Index>(control.step_count() * control.state_size()),
             n = static_cast<Eigen::Index>(control.state_size()),
             m = static_cast<Eigen::Index>(control.control_size()),
             chosen = static_cast<Eigen::Index>(control.step_count()) * m;
  std::vector<Eigen::Triplet<double>> by_states;
  Eigen::MatrixXd changes = Eigen::MatrixXd::Zero(states, chosen);
  for (Eigen::Index column = 0; column < slopes.outerSize(); ++column) {
    const Eigen::Index block = column / (n + m), place = column % (n + m);
    for (SparseMatrix::InnerIterator entry(slopes, column); entry; ++entry) {
      if (entry.row() >= states) continue;
      if (place < m) {
        changes(entry.row(), block * m + place) = -entry.value();
      } else {
        by_states.emplace_back(entry.row(), block * n + place - m, entry.value());
      }
    }
  }
  SparseMatrix steps(states, states);
  steps.setFromTriplets(by_states.begin(), by_states.end());
  steps.triangularView<Eigen::Lower>().solveInPlace(changes);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(slopes.cols(), chosen);
  for (Eigen::Index k = 0; k < static_cast<Eigen::Index>(control.step_count()); ++k) {
    result.block(k * (n + m), k * m, m, m).setIdentity();
    result.middleRows(k * (n + m) + m, n) = changes.middleRows(k * n, n);
  }
  return result;
}

/// Eigenvalues of the second variation along these changes, least first.
Eigen::VectorXd second_variation(const DiscreteControl& control, const ControlExpansion& at) {
  const Eigen::MatrixXd along = along_steps(control, at.defect_slopes);
  const auto conditions = static_cast<Eigen::Index>(control.end_count());
  Eigen::MatrixXd curvature = along.transpose() * (at.curvature * along);
  if (conditions > 0) {
    const Eigen::MatrixXd end = at.defect_slopes.bottomRows(conditions) * along;
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> decomposition(end.transpose());
    const Eigen::Index rank = decomposition.rank(), size = along.cols();
    if (rank == size) return Eigen::VectorXd();
    const Eigen::MatrixXd rotation =
        decomposition.householderQ() * Eigen::MatrixXd::Identity(size, size);
    const Eigen::MatrixXd kept = rotation.rightCols(size - rank);
    curvature = (kept.transpose() * curvature * kept).eval();
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(curvature, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

/// Whether y.H y > 0 for all y /= 0 with A y = 0: so it is exactly if H + r A^T A is positive
/// definite for some r (Finsler), which a decomposition without pivots shows.
bool is_positive_along(const SparseMatrix& curvature, const SparseMatrix& slopes) {
  const SparseMatrix squares = SparseMatrix(slopes.transpose()) * slopes;
  const double scale = numeric::larger(largest_entry(curvature), 1.0);
  Eigen::SimplicialLLT<SparseMatrix> decomposition;
  for (const double weight : {1e1, 1e3, 1e5, 1e7}) {
    decomposition.compute(curvature + weight * scale * squares);
    if (decomposition.info() == Eigen::Success) return true;
  }
  return false;
}

}  // namespace

double largest_entry(const Eigen::SparseMatrix<double>& matrix) {
  double result = 0.0;
  for (Eigen::Index i = 0; i < matrix.nonZeros(); ++i)
    result = numeric::larger(result, std::fabs(matrix.valuePtr()[i]));
  return result;
}

Extremum extremum_of(const DiscreteControl& control, const ControlExpansion& at) {
  SparseMatrix shift(at.curvature.rows(), at.curvature.cols());
  shift.setIdentity();
  shift *= zero * largest_entry(at.curvature);
  if (is_positive_along(at.curvature - shift, at.defect_slopes)) return Extremum::minimum;
  if (static_cast<Eigen::Index>(control.step_count() * control.control_size()) > most_eigenvalues)
    return is_positive_along(at.curvature + shift, at.defect_slopes) ? Extremum::family
                                                                     : Extremum::saddle;
  const Eigen::VectorXd values = second_variation(control, at);
  // Nothing is left to choose.
  if (values.size() == 0) return Extremum::minimum;
  const double least = values.minCoeff(), small = zero * values.cwiseAbs().maxCoeff() +
                                                  round_off * (1.0 + std::fabs(at.values.cost));
  return least > small ? Extremum::minimum : least > -small ? Extremum::family : Extremum::saddle;
}

}  // namespace dalembert
