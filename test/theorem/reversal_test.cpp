// A modified reversal that the leap-frog conserves on each closed orbit of the driver: it exists
// where nothing drifts, and so explains nothing. Theorem 8 of doc/open-problems.md.

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/numeric/extremes.hpp"
#include "reproduce/paper/open_problems/modified_reversal.hpp"
#include "support/passenger_turn.hpp"

using namespace dalembert;
using dalembert::reproduce::ModifiedReversal;
using test_support::PassengerTurn, test_support::Extended;

TEST_CASE("On a closed driver the leap-frog has a reversal near that of the exact motion") {
  // A rotation of the exact motion's kind, to round-off in wide numbers.
  const PassengerTurn nearly_exact({"driver-splitting", {}}, 1729);
  const ModifiedReversal::Rows exact =
      ModifiedReversal::reversal(nearly_exact, ModifiedReversal::unit(3));
  double before = 0.0;
  for (const std::uint64_t steps : {27, 55, 109}) {
    const PassengerTurn turn({"leapfrog"}, steps);
    const ModifiedReversal::Rows p = turn.matrix(),
                                 g = ModifiedReversal::invariant_form(turn.step()),
                                 r = ModifiedReversal::reversal(turn, g);
    CHECK(ModifiedReversal::distance(
              ModifiedReversal::product(
                  ModifiedReversal::product(ModifiedReversal::transposed(p), g), p),
              g) < 1e-30);  // what keeps it from drift
    CHECK(ModifiedReversal::distance(ModifiedReversal::product(r, r), ModifiedReversal::unit(4)) <
          1e-28);
    CHECK(ModifiedReversal::distance(ModifiedReversal::product(ModifiedReversal::product(r, p),
                                                               ModifiedReversal::product(r, p)),
                                     ModifiedReversal::unit(4)) < 1e-28);  // R P R = P^-1
    double off = 0.0;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        off = numeric::larger(off, std::fabs(static_cast<double>(r[i][j] - exact[i][j])));
    const double scaled = off / (turn.h() * turn.h());
    CHECK(scaled < 1.0);
    if (before > 0.0) CHECK(scaled < 1.5 * before);  // h^2
    before = scaled;
  }
}

TEST_CASE("A method that drifts has no reversal at all") {
  // A map that is similar to its inverse has the determinant one, up to its sign.
  const PassengerTurn drifting({"dla01"}, 53), steady({"leapfrog"}, 53);
  const double change = PassengerTurn::log_size(drifting.characteristic(Extended(0.0)));
  CHECK(change == doctest::Approx(2.2e-4).epsilon(0.03));
  CHECK(std::fabs(PassengerTurn::log_size(steady.characteristic(Extended(0.0)))) < 1e-29);
}
