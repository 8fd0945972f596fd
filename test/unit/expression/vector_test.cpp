// Sizes that do not fit are refused with both sizes, in every build.

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"

using namespace dalembert;

namespace {

template <class Make>
void check_refused(const Make& make, const std::string& function, const std::string& sizes) {
  try {
    static_cast<void>(make());
    FAIL_CHECK("accepted: ", function);
  } catch (const RequestError& error) {
    const std::string message = error.what();
    CHECK_MESSAGE(message.find(function) != std::string::npos, message);
    CHECK_MESSAGE(message.find(sizes) != std::string::npos, message);
  }
}

}  // namespace

TEST_CASE("Vectors and matrices of other sizes are refused") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector x{make_symbol(graph, "x"), make_symbol(graph, "y")}, long_one = zeros(3);
  const Matrix square(2, 2), wide(2, 3);
  check_refused([&] { return x + long_one; }, "sum", "2 entries and 3 entries");
  check_refused([&] { return x - long_one; }, "difference", "2 entries and 3 entries");
  check_refused([&] { return dot(x, {x[0]}); }, "product", "2 entries and 1 entry");
  check_refused([&] { return wide * x; }, "matrix and a vector", "2 x 3 and 2 entries");
  check_refused([&] { return wide * square; }, "matrices", "2 x 3 and 2 x 2");
  check_refused([&] { return square + wide; }, "matrices", "2 x 2 and 2 x 3");
  check_refused([&] { return slice(x, 1, 2); }, "slice", "2 to 3 of 2 entries");
  check_refused([&] { return substitute(x, x, {x[0]}); }, "substitute", "1 entry where 2 are");
  check_refused([&] { return directional_derivative(x, x, long_one); }, "direction",
                "3 entries where 2 are");
  check_refused([&] { return solve_linear(Matrix::identity(2), long_one); }, "right-hand side",
                "3 entries where 2 are");
}
