#include "dalembert/method/stage/tableau.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/stage/spark.hpp"

using namespace dalembert;

namespace {

struct BothProperties {
  TableauProperties conjugate, same;
};
BothProperties of_tableau(const Tableau& tableau) {
  return {tableau_properties(tableau, conjugate_tableau(tableau.a, tableau.b)),
          tableau_properties(tableau, tableau.a)};
}

std::string refusal_of(const Lobatto& method) {
  try {
    static_cast<void>(Method(method));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Lobatto's tableaux have the simplifying conditions of the literature") {
  for (int s = 2; s <= 8; ++s) {
    CAPTURE(s);
    const LobattoTableaux own = lobatto_tableaux(s);
    const Tableau a{own.a, own.b, own.c}, b{own.a_hat, own.b, own.c};
    const TableauProperties first = tableau_properties(a, own.a_hat),
                            second = tableau_properties(b, own.a);
    CHECK(first.quadrature == 2 * s - 2);
    CHECK(first.stage == s);
    CHECK(first.adjoint == s - 2);
    CHECK(first.paired == s);
    CHECK(second.stage == s - 2);
    CHECK(second.adjoint == s);
    CHECK(first.is_symmetric);
    CHECK(first.starts_at_node);
    CHECK(first.is_regular);
    CHECK(first.ends_at_node);
    CHECK(first.at_infinity == doctest::Approx(s % 2 == 0 ? -1.0 : 1.0).epsilon(1e-12));
    CHECK_FALSE(second.starts_at_node);
    // The published orders.
    CHECK(predicted_orders(first, true).states == 2 * s - 2);
    CHECK(predicted_orders(first, true).multiplier == (s % 2 == 0 ? s : s - 1));
  }
}

TEST_CASE("Gauss and Radau IIA have theirs") {
  for (int s = 1; s <= 6; ++s) {
    CAPTURE(s);
    const BothProperties gauss = of_tableau(gauss_tableau(s)),
                         radau = of_tableau(radau_iia_tableau(s));
    CHECK(gauss.same.quadrature == 2 * s);
    CHECK(gauss.same.stage == s);
    CHECK(gauss.same.adjoint == s);
    CHECK(gauss.conjugate.is_symmetric);
    CHECK(radau.same.quadrature == 2 * s - 1);
    CHECK(radau.same.stage == s);
    CHECK(radau.same.adjoint == s - 1);
    CHECK(radau.same.ends_at_node);
    CHECK_FALSE(radau.same.is_symmetric);
  }
}

TEST_CASE("Collocation at any nodes has its limit at infinity and its predicted orders") {
  struct Case {
    const char* nodes;
    double at_infinity;
    TableauOrders conjugate, same;
  };
  for (const Case& entry :
       {Case{"0, 1/3, 2/3, 1", -1.0, {2, 2}, {4, 4}},
        Case{"0, 1/4, 1/2, 3/4, 1", 1.0, {4, 2}, {6, 4}},
        Case{"0, (1 - sqrt(2)/2)/2, 1/2, (1 + sqrt(2)/2)/2, 1", 1.0, {4, 2}, {6, 4}},
        Case{"0, 3/5, 1", 2.0 / 3.0, {2, 1}, {3, 3}},
        Case{"0, 3/10, 3/4, 1", -7.0 / 9.0, {4, 2}, {5, 4}}}) {
    CAPTURE(entry.nodes);
    const Tableau tableau = collocation_tableau(tableau_numbers(entry.nodes));
    const auto [conjugate, same] = of_tableau(tableau);
    CHECK(same.at_infinity == doctest::Approx(entry.at_infinity).epsilon(1e-13));
    CHECK(predicted_orders(conjugate, true).states == entry.conjugate.states);
    CHECK(predicted_orders(conjugate, true).multiplier == entry.conjugate.multiplier);
    CHECK(predicted_orders(same, false).states == entry.same.states);
    CHECK(predicted_orders(same, false).multiplier == entry.same.multiplier);
    CHECK(same.starts_at_node);
    CHECK(same.ends_at_node);
  }
  const Tableau thirds = collocation_tableau(tableau_numbers("0, 1/3, 2/3, 1"));
  CHECK(tableau_text(thirds, of_tableau(thirds).conjugate) ==
        "4 stages: B(4), C(4), D(0), CC2(1); H1, H2, H3; R(inf) = -1; symmetric");
}

TEST_CASE("Rows of a tableau are read exactly") {
  const Tableau two = tableau_of_rows("0, 0, 0; 1/4, 1/4, 0; 1/4, 1/2, 1/4");
  CHECK(two.c[1].high == 0.5);
  CHECK(two.b[1].high == 0.5);
  const auto [conjugate, same] = of_tableau(two);
  CHECK(same.quadrature == 2);
  CHECK(same.stage == 2);
  CHECK(same.adjoint == 0);
  CHECK(predicted_orders(conjugate, true).multiplier == 0);  // it does not converge
  CHECK(predicted_orders(same, false).multiplier == 2);
  // 1/3 to 106 bits.
  const Constant third = tableau_numbers("1/3").front();
  CHECK((Constant{3.0} * third - Constant{1.0}).high == 0.0);
}

TEST_CASE("Tableaux that make no sense are refused with what is wrong") {
  const auto starts = [](const Lobatto& method, const std::string& text) {
    CHECK(refusal_of(method).find("method \"lobatto\" " + text) == 0);
    CAPTURE(refusal_of(method));
    CHECK_FALSE(refusal_of(method).empty());
  };
  starts({.nodes = "0, 0.6, 1"}, "has the decimal number");
  starts({.nodes = "0, x, 1"}, "cannot read its coefficients");
  starts({.nodes = "0, 2/3, 1/3, 1"}, "has nodes that do not ascend");
  CHECK_THROWS_WITH_AS(collocation_tableau({Constant{1.0}}),
                       "needs at least two nodes, as in \"0, 1/2, 1\"", RequestError);
  starts({.nodes = "1/5, 1/2, 1"}, "needs nodes from 0 to 1");
  starts({.nodes = "0, 1/2, 4/5"}, "needs nodes from 0 to 1");
  starts({.nodes = "1"}, "needs nodes from 0 to 1");
  starts({.tableau = "1/4, 1/4; 1/2, 1/2"}, "needs a tableau whose first row is zero (H1)");
  starts({.tableau = "0, 0; 1/2, 1/4"}, "needs a tableau whose last row holds weights");
  starts({.nodes = "0, 1/2, 1", .tableau = "0, 0; 1/2, 1/2"}, "takes nodes or a tableau, not both");
  starts({.tableau = "0, 0; 1/2"}, "has 1 numbers in row 2");
  starts({.tableau = "0, 0; 1, 0"}, "has no conjugate: the weight b_2 is zero");
  starts({.tableau = "0, 0; 1, 0", .second = Lobatto::Second::same},
         "needs a tableau that is regular without its first row and column (H2)");
  starts({.stages = 5, .nodes = "0, 1/2, 1"}, "has stages = 5 and 3 stages in its tableau");
  starts({.nodes = "0, 1/3, 1", .multiplier = Lobatto::Multiplier::exact},
         "takes another multiplier than the carried one");
  CHECK(refusal_of({.stages = 3, .nodes = "0, 1/2, 1"}).empty());
  const auto warning = Method(Lobatto{.nodes = "0, 2/5, 1"}).warning();
  REQUIRE(warning);
  CHECK(warning->find("R(inf) = 1.5") != std::string::npos);
  CHECK_FALSE(Method(Lobatto{.nodes = "0, 3/5, 1"}).warning());
  CHECK_THROWS_WITH_AS(
      Method(Spark{.stages = 1}),
      "method \"spark\" needs two stages or more with Lobatto's tableaux, which "
      "hold both ends of the step; one stage goes with tableau = gauss or radau-iia",
      RequestError);
}

TEST_CASE("Lobatto's nodes, typed in, are Lobatto's method") {
  const Lobatto typed{.nodes = "0, (1 - sqrt(5)/5)/2, (1 + sqrt(5)/5)/2, 1"},
      own{.stages = 4, .multiplier = Lobatto::Multiplier::carried};
  CHECK(typed.facts().order.get() == own.facts().order.get());
  CHECK(typed.facts().multiplier_order == own.facts().multiplier_order);
  CHECK(label(Method(typed).spec()) ==
        "lobatto(nodes=\"0, (1 - sqrt(5)/5)/2, (1 + sqrt(5)/5)/2, 1\")");
}
