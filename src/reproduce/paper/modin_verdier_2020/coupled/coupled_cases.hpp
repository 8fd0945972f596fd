#pragma once
// The systems of Table 1 of Modin and Verdier 2020, as problems of the library. Only for the
// sources of this room.

#include <string>
#include <vector>

#include "dalembert/mechanics/problem.hpp"
#include "dalembert/mechanics/start.hpp"
#include "floquet_frame.hpp"

namespace dalembert::reproduce {

/// A motion of a coupled system.
struct CoupledCase {
  CoupledCase(std::string label, const std::string& problem, const std::string& start,
              double epsilon = 0.0);

  FloquetFrame frame() const { return {system, {}, start.q, start.v}; }
  /// Time counted from where the driver turns, if it does, else from the start.
  FloquetFrame symmetric_frame() const;

  std::string label;
  System system;
  Start start;
};

/// A column of Table 1, as printed, with the motions that it is measured on.
struct TableColumn {
  std::string name;
  std::size_t group_dimension, fibre, actions, angles;
  std::vector<double> rho;  ///< signs of (y, v) under the reversal
  std::vector<CoupledCase> motions;

  /// diag(rho, 1) on u = (y, v, 1).
  SquareMatrix reversal() const;
};
std::vector<TableColumn> table_columns();

/// The transmission with a rotating driver is reversed by these signs of (y_1, y_2, v) instead.
SquareMatrix rotating_reversal();

/// Motions without epsilon = 0: where the reversal is seen, where it is not, and the knife edge.
CoupledCase oscillating_transmission(double epsilon);
CoupledCase rotating_transmission(double epsilon);
CoupledCase bent_knife_edge();

}  // namespace dalembert::reproduce
