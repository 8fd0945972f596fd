// The coefficients of explicit Runge-Kutta methods against all order conditions, by rooted trees in
// wide arithmetic.
#include "method/stage/explicit_tableau.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "dalembert/numeric/extremes.hpp"
#include "method/stage/dop853_tableau.hpp"

using namespace dalembert;

namespace {

/// A rooted tree: its branches, in the order of their numbers among all trees.
struct Tree {
  std::vector<std::size_t> branches;
  int order = 1;
  double density = 1.0;  ///< gamma, an integer that a double holds
};

/// All rooted trees up to an order; the first is the root alone. Source: [HairerNorsettWanner1993],
/// Sect. II.2.
std::vector<Tree> trees_up_to(int most) {
  std::vector<Tree> trees{{}};
  // Of each order, roots with branches among the trees before, none before the last in a row.
  for (int order = 2; order <= most; ++order) {
    const std::size_t known = trees.size();
    std::vector<Tree> found;
    const auto extend = [&](auto&& self, Tree tree, std::size_t from) -> void {
      if (tree.order == order) {
        tree.density *= order;
        found.push_back(std::move(tree));
        return;
      }
      for (std::size_t i = from; i < known; ++i) {
        if (tree.order + trees[i].order > order) continue;
        Tree more = tree;
        more.branches.push_back(i);
        more.order += trees[i].order;
        more.density *= trees[i].density;
        self(self, std::move(more), i);
      }
    };
    extend(extend, Tree{}, 0);
    trees.insert(trees.end(), found.begin(), found.end());
  }
  return trees;
}

/// The largest error of sum b_i Phi_i(tree) = 1/gamma(tree), by order of the trees.
std::map<int, double> errors_of(const ExplicitTableau& tableau, const std::vector<Constant>& b,
                                int most) {
  const std::vector<Tree> trees = trees_up_to(most);
  const std::size_t stages = tableau.b.size();
  std::vector<std::vector<Constant>> elementary;
  std::map<int, double> errors;
  for (const Tree& tree : trees) {
    std::vector<Constant> phi(stages, Constant{1.0});
    for (const std::size_t branch : tree.branches) {
      for (std::size_t i = 0; i < stages; ++i) {
        Constant sum{0.0};
        for (std::size_t j = 0; j < i; ++j) sum = sum + tableau.a[i][j] * elementary[branch][j];
        phi[i] = phi[i] * sum;
      }
    }
    Constant sum{0.0};
    for (std::size_t i = 0; i < stages; ++i) sum = sum + b[i] * phi[i];
    const double error = std::fabs((sum - Constant{1.0} / Constant{tree.density}).high);
    errors[tree.order] = numeric::larger(errors[tree.order], error);
    elementary.push_back(std::move(phi));
  }
  return errors;
}

std::vector<Constant> difference(const std::vector<Constant>& b,
                                 const std::vector<Constant>& error) {
  std::vector<Constant> result;
  for (std::size_t i = 0; i < b.size(); ++i) result.push_back(b[i] - error[i]);
  return result;
}

/// Of this order, and of no higher one.
void check_order(const ExplicitTableau& tableau, const std::vector<Constant>& b, int order) {
  for (const auto& entry : errors_of(tableau, b, order + 1)) {
    const int of = entry.first;
    const double error = entry.second;
    CAPTURE(of);
    // Coefficients up to 44 with 30 digits, a few hundred products.
    if (of <= order) CHECK(error < 1e-26);
    if (of > order) CHECK(error > 1e-7);
  }
}

}  // namespace

TEST_CASE("There are as many rooted trees as there should be") {
  std::map<int, int> counts;
  for (const Tree& tree : trees_up_to(9)) ++counts[tree.order];
  const std::map<int, int> expected{{1, 1},  {2, 1},  {3, 2},   {4, 4},  {5, 9},
                                    {6, 20}, {7, 48}, {8, 115}, {9, 286}};
  CHECK(counts == expected);
}

TEST_CASE("The classical method has order 4, Fehlberg's 8 and 7") {
  const ExplicitTableau classical = classical_tableau(), fehlberg = fehlberg_tableau();
  check_order(classical, classical.b, 4);
  check_order(fehlberg, fehlberg.b, 8);
  check_order(fehlberg, difference(fehlberg.b, fehlberg.error), 7);
}

TEST_CASE("DOP853 has order 8, and its estimates are those of orders 5 and 3") {
  const ExplicitTableau tableau = dop853_tableau();
  REQUIRE(tableau.b.size() == 12);
  check_order(tableau, tableau.b, 8);
  check_order(tableau, difference(tableau.b, tableau.error), 5);
  check_order(tableau, difference(tableau.b, tableau.coarse_error), 3);
  // Nodes that are published as fractions.
  const auto node = [&](std::size_t i, double above, double below) {
    CHECK(std::fabs((tableau.c[i] - Constant{above} / Constant{below}).high) < 1e-28);
  };
  node(5, 1.0, 3.0);
  node(6, 1.0, 4.0);
  node(7, 4.0, 13.0);
  node(8, 127.0, 195.0);
  node(9, 3.0, 5.0);
  node(10, 6.0, 7.0);
  node(11, 1.0, 1.0);
}
