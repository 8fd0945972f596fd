#pragma once
// Vectors on which the rows of a matrix vanish. Only for the sources of this room.

#include <cstddef>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// A basis X of the vectors with A X = 0, n x (n - m), and Y with Y X = 1.
struct NullVectors {
  Matrix basis, inverse;
  Vector signs;     ///< symbols for the signs of reflections
  Vector switches;  ///< numbers whose signs they are
};

/// The basis by elimination of one row after the other, valid wherever the rows are independent. A
/// row with an entry that is never zero gives one component by the others; of two entries (a, b)
/// the vector (b, -a) of length one is left; of more, if (a, b) = f (sin u, cos u), the others give
/// what lies along (a, b). Only where nothing of this is known a reflection is taken, as in a QR
/// factorization. Rows with few entries come first.
NullVectors null_vectors(const Matrix& a, const GraphPointer& graph);

}  // namespace dalembert
