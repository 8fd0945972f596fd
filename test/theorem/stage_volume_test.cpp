// What Lobatto steps do to the volume of passengers without forces: determinants over their stages.
// Theorem 1 of doc/open-problems.md, last two rows.

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/audit/volume/passenger_volume.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "support/law.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Rows = NumberMatrix<Extended>;

constexpr std::size_t passengers_of_stages = 4;

/// Four passengers without forces under one or two constraints that a driver sets, which moves
/// uniformly: then the stages' drivers are known.
System free_passengers(std::size_t constraints) {
  TextSystem text;
  text.name = "free-passengers";
  text.coordinates = {"a", "x", "y", "z", "u"};
  text.kinetic = "(a_dot^2 + x_dot^2 + y_dot^2 + z_dot^2 + u_dot^2)/2";
  text.potential = "0";
  text.constraints = {"x_dot + sin(a)*y_dot + z_dot/2 + cos(2*a)*u_dot/3",
                      "cos(a)*x_dot/3 + 2*y_dot - sin(a)*z_dot + u_dot/4"};
  text.constraints.resize(constraints);
  return define(text);
}

/// A at a driver, [constraints, passengers].
Rows constraint_at(const Extended& a, std::size_t constraints) {
  using std::cos, std::sin;
  const Extended one(1.0), two(2.0), three(3.0), four(4.0);
  Rows rows{{one, sin(a), one / two, cos(two * a) / three},
            {cos(a) / three, two, -sin(a), one / four}};
  rows.resize(constraints);
  return rows;
}
/// Orthonormal columns that span its rows, as rows.
Rows normals_at(const Extended& a, std::size_t constraints) {
  using std::sqrt;
  Rows rows = constraint_at(a, constraints);
  const auto product = [](const std::vector<Extended>& x, const std::vector<Extended>& y) {
    Extended sum(0.0);
    for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
    return sum;
  };
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const Extended along = product(rows[i], rows[j]);
      for (std::size_t k = 0; k < passengers_of_stages; ++k)
        rows[j][k] = rows[j][k] - along * rows[i][k];
    }
    const Extended length = sqrt(product(rows[j], rows[j]));
    for (Extended& entry : rows[j]) entry = entry / length;
  }
  return rows;
}

Extended number(const Constant& x) { return Extended(x.high) + Extended(x.low); }

/// log |det| of the matrix of blocks weight(i, j) first_i second_j^T.
template <class Weight>
Extended log_of_blocks(const std::vector<Rows>& first, const std::vector<Rows>& second,
                       Weight weight) {
  using std::log;
  const std::size_t blocks = second.size(), m = second.front().size();
  Rows matrix(blocks * m, std::vector<Extended>(blocks * m, Extended(0.0)));
  for (std::size_t i = 0; i < blocks; ++i)
    for (std::size_t k = 0; k < blocks; ++k)
      for (std::size_t j = 0; j < first.size(); ++j)
        for (std::size_t a = 0; a < m; ++a)
          for (std::size_t b = 0; b < m; ++b)
            for (std::size_t l = 0; l < passengers_of_stages; ++l)
              matrix[i * m + a][k * m + b] =
                  matrix[i * m + a][k * m + b] + weight(i, j, k) * first[j][a][l] * second[k][b][l];
  const Extended det = determinant(matrix);
  return log(det < Extended(0.0) ? Extended(-det) : det);
}

struct StageStep {
  System system;
  std::vector<double> q{0.4, 0.1, -0.2, 0.3, 0.2}, v{0.9, 0.5, -0.4, 0.2, 0.3};
  Extended h{0.25};

  Extended measured(const MethodSpec& spec) const {
    StepMap<Extended> map(system, make_method(spec), {});
    BasicPoint<Extended> point = map.start(q, v);
    PassengerVolumeStep<Extended> volume(map, *find_coupling(system), point, true);
    return volume.advance(point, h).value().measured;
  }
  std::vector<Extended> drivers(const LobattoTableaux& tableaux) const {
    std::vector<Extended> places;
    for (const Constant& c : tableaux.c) places.push_back(Extended(q[0]) + number(c) * h * v[0]);
    return places;
  }
};

double size_of(const Extended& x) { return std::fabs(static_cast<double>(x)); }

}  // namespace

TEST_CASE("Lobatto's factor without forces is a quotient of determinants over its stages") {
  for (const std::size_t constraints : {1, 2}) {
    const StageStep step{free_passengers(constraints)};
    for (const int stages : {2, 3, 4}) {
      CAPTURE(stages);
      const LobattoTableaux tableaux = lobatto_tableaux(stages);
      std::vector<Rows> normals;
      for (const Extended& a : step.drivers(tableaux))
        normals.push_back(normals_at(a, constraints));
      // Of stages i, j < s the weights b_j - a_ij, of i, j > 1 the weights a_ij.
      const std::vector<Rows> early(normals.begin(), normals.end() - 1),
          late(normals.begin() + 1, normals.end());
      const auto before = [&](std::size_t i, std::size_t j, std::size_t k) {
        return i == j ? number(tableaux.b[k]) - number(tableaux.a[i][k]) : Extended(0.0);
      };
      const auto after = [&](std::size_t i, std::size_t j, std::size_t k) {
        return i == j ? number(tableaux.a[i + 1][k + 1]) : Extended(0.0);
      };
      const Extended formula =
          log_of_blocks(early, early, before) - log_of_blocks(late, late, after);
      const Extended measured = step.measured(
          {"lobatto",
           {{"stages", static_cast<double>(stages)}, {"multiplier", std::string("carried")}}});
      CHECK(size_of(measured - formula) < AuditThresholds<Extended>::exact_below);
      CHECK((stages == 2 ? size_of(formula) < 1e-30 : size_of(formula) > 1e-8));
    }
  }
}

TEST_CASE("The factor of spark without forces is a quotient of determinants over its stages") {
  for (const std::size_t constraints : {1, 2}) {
    const StageStep step{free_passengers(constraints)};
    for (const int stages : {2, 3, 4}) {
      CAPTURE(stages);
      const LobattoTableaux tableaux = lobatto_tableaux(stages);
      const std::vector<Extended> places = step.drivers(tableaux);
      // [sum_j b_j c_j^i ahat_jk A_j N_k], i, k < s, at drivers in their order and in the opposite.
      const auto log_at = [&](const std::vector<Extended>& nodes) {
        std::vector<Rows> rows, normals;
        for (const Extended& a : nodes) {
          rows.push_back(constraint_at(a, constraints));
          normals.push_back(normals_at(a, constraints));
        }
        normals.pop_back();
        return log_of_blocks(rows, normals, [&](std::size_t i, std::size_t j, std::size_t k) {
          Extended weight = number(tableaux.b[j]) * number(tableaux.a_hat[j][k]);
          for (std::size_t power = 0; power < i; ++power) weight = weight * number(tableaux.c[j]);
          return weight;
        });
      };
      const Extended formula = log_at({places.rbegin(), places.rend()}) - log_at(places);
      const Extended measured = step.measured({"spark", {{"stages", static_cast<double>(stages)}}});
      CHECK(size_of(measured - formula) < AuditThresholds<Extended>::exact_below);
      CHECK(size_of(formula) > 1e-10);
    }
  }
}
