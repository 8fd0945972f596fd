#include "linearisation/kernel.hpp"

namespace dalembert::study {

Eigen::MatrixXd kernel_of(const Eigen::MatrixXd& matrix, double zero) {
  const Eigen::Index columns = matrix.cols();
  if (matrix.rows() == 0 || columns == 0) return Eigen::MatrixXd::Identity(columns, columns);
  const Eigen::BDCSVD<Eigen::MatrixXd> decomposed(matrix, Eigen::ComputeFullV);
  const Eigen::VectorXd& sizes = decomposed.singularValues();
  Eigen::Index rank = 0;
  while (rank < sizes.size() && sizes[rank] > zero * sizes[0]) ++rank;
  return decomposed.matrixV().rightCols(columns - rank);
}

}  // namespace dalembert::study
