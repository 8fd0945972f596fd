// Orders of the Lobatto method of nonholonomic systems with any pair of tableaux, as predicted from
// p, q, r and R(inf), and of spark with those of Gauss and Radau.

#include "dalembert/method/stage/tableau.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/stage/spark.hpp"
#include "support/law.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

const char* const trapezoids = "0, 0, 0; 1/4, 1/4, 0; 1/4, 1/2, 1/4";
/// TR-BDF2 with gamma = 2 - sqrt 2.
const char* const tr_bdf2 =
    "0, 0, 0; 1 - sqrt(2)/2, 1 - sqrt(2)/2, 0; sqrt(2)/4, sqrt(2)/4, 1 - sqrt(2)/2";

Witness transmission_for_orders() {
  const SmallSystem cvt = pendulum_cvt();
  return {cvt.system, {1.0, 0.7, 0.3}, {-0.2, 0.4, 1.5}};
}

std::vector<Lobatto> pairs() {
  std::vector<Lobatto> all;
  for (const auto second : {Lobatto::Second::conjugate, Lobatto::Second::same}) {
    for (const char* nodes : {"0, 1/3, 2/3, 1", "0, 1/4, 1/2, 3/4, 1", "0, 3/5, 1"})
      all.push_back({.nodes = nodes, .second = second});
    for (const char* rows : {trapezoids, tr_bdf2})
      all.push_back({.tableau = rows, .second = second});
    for (const int stages : {3, 4}) all.push_back({.stages = stages, .second = second});
  }
  // Lobatto's IIIC, IIIC* and IIID, what a collocation tableau and its conjugate have between them,
  // and explicit ones of the stage orders 1.
  for (const char* rows :
       {"1/6, -1/3, 1/6; 1/6, 5/12, -1/12; 1/6, 2/3, 1/6", "0, 0, 0; 1/4, 1/4, 0; 0, 1, 0",
        "1/12, -1/6, 1/12; 3/16, 3/8, -1/16; 1/6, 2/3, 1/6", "0, 0, 0; 1/2, 0, 0; 0, 1, 0",
        "0, 0, 0; 1/2, 0, 0; 1, 0, 0"})
    all.push_back({.second_tableau = rows});
  return all;
}

}  // namespace

TEST_CASE("Any pair of tableaux has the orders that are predicted for it") {
  for (const Witness& witness : {witness_constant_mass(), transmission_for_orders()}) {
    const Orders bench(witness);
    for (const Lobatto& pair : pairs()) {
      const Method method(pair);
      for (const MeasuredOrder& order : bench.of(method)) {
        const bool is_met =
            order.verdict() == OrderVerdict::holds || order.verdict() == OrderVerdict::higher;
        CHECK_MESSAGE(is_met, witness.system.name(), ", ", label(method.spec()), ": ", order.what,
                      " ", order.text());
      }
    }
  }
}

TEST_CASE("A second tableau by its rows is what it is by name") {
  const auto facts = [](const char* rows) { return Lobatto{.second_tableau = rows}.facts(); };
  const Facts iiib = facts("1/6, -1/6, 0; 1/6, 1/3, 0; 1/6, 5/6, 0"),
              iiia = facts("0, 0, 0; 5/24, 1/3, -1/24; 1/6, 2/3, 1/6"),
              iiic = facts("1/6, -1/3, 1/6; 1/6, 5/12, -1/12; 1/6, 2/3, 1/6");
  CHECK(iiib.order == 4);
  CHECK(iiib.multiplier_order == 2);
  CHECK(iiib.symplectic == LagrangianKind::general);
  CHECK(iiia.order == 4);
  CHECK(!iiia.symplectic);
  CHECK(iiic.order == 3);
  CHECK(!iiic.symmetric);
  // The same steps as with the family's own name.
  const Orders bench(witness_constant_mass());
  const auto by_rows =
      bench.of(Method(Lobatto{.second_tableau = "1/6, -1/6, 0; 1/6, 1/3, 0; 1/6, 5/6, 0"}));
  const auto by_name = bench.of(Method(Lobatto{.multiplier = Lobatto::Multiplier::carried}));
  REQUIRE(by_rows.size() == by_name.size());
  for (std::size_t i = 0; i < by_rows.size(); ++i) CHECK(by_rows[i].text() == by_name[i].text());
  // A weight of zero leaves no conjugate, and a second tableau of one's own needs none.
  const char* const explicit_rows = "0, 0, 0; 1/2, 1/2, 0; 1/2, 0, 1/2";
  CHECK(Lobatto{.tableau = explicit_rows}.conflict());
  CHECK(!Lobatto{.tableau = explicit_rows, .second_tableau = explicit_rows}.conflict());
  const auto refusal = [](const Lobatto& method) { return method.conflict().value_or(""); };
  CHECK(refusal({.second_tableau = "0, 0; 1/2, 1/2"}).find("2 rows") != std::string::npos);
  CHECK(refusal({.second_tableau = "0, 0, 0; 1/2, 1/2, 0; 0, 1, 0"}).find("row 2") !=
        std::string::npos);
  CHECK(refusal({.second = Lobatto::Second::same, .second_tableau = "0, 0; 1/2, 1/2"})
            .find("not both") != std::string::npos);
}

TEST_CASE("What a pair loses with the conjugate it has with the tableau itself") {
  const OrderBench<Extended> bench(witness_constant_mass(), wide_floor);
  const auto orders_of = [&](const Lobatto& pair) { return bench.measure(Method(pair), 16, 3); };
  const Lobatto thirds{.nodes = "0, 1/3, 2/3, 1"};
  Lobatto same = thirds;
  same.second = Lobatto::Second::same;
  const auto lost = orders_of(thirds), kept = orders_of(same);
  CHECK(lost.q.slope < 2.2);
  CHECK(kept.q.slope > 3.8);
  // Errors at h = 1/64, measured in another program: 1.5e-6 and 1.4e-10.
  const double ratio = lost.q.errors.back() / kept.q.errors.back();
  CHECK(lost.q.errors.back() == doctest::Approx(1.5e-6).epsilon(0.05));
  CHECK(kept.q.errors.back() == doctest::Approx(1.4e-10).epsilon(0.05));
  CHECK(ratio > 1e3);
  // A multiplier that does not converge, and one that does.
  const auto stuck = orders_of({.tableau = trapezoids}),
             free = orders_of({.tableau = trapezoids, .second = Lobatto::Second::same});
  CHECK(std::fabs(stuck.lambda.slope) < 0.15);
  CHECK(free.lambda.slope == doctest::Approx(2.0).epsilon(0.05));
}

TEST_CASE(
    "spark has order 2 s with Gauss' tableaux, 2 s - 1 with Radau's, 2 s - 2 with Lobatto's") {
  for (const Witness& witness : {witness_constant_mass(), witness_general()}) {
    const Orders bench(witness);
    for (const Spark& spark :
         {Spark{.stages = 1, .tableau = Spark::Nodes::gauss},
          Spark{.stages = 2, .tableau = Spark::Nodes::gauss},
          Spark{.stages = 3, .tableau = Spark::Nodes::gauss},
          Spark{.stages = 2, .tableau = Spark::Nodes::radau_iia},
          Spark{.stages = 3, .tableau = Spark::Nodes::radau_iia},
          Spark{.stages = 2, .tableau = Spark::Nodes::radau_iia, .second = Spark::Second::same},
          Spark{.stages = 4,
          .second = Spark::Second::iiic,
          .constraint_tableau = Spark::Constraints::iiic},
          Spark{.stages = 3,
          .second = Spark::Second::iiic_star,
          .constraint_tableau = Spark::Constraints::iiid},
          Spark{.stages = 2, .second = Spark::Second::same},
          Spark{.stages = 3, .second = Spark::Second::same},
          Spark{.stages = 3,
          .second = Spark::Second::same,
          .constraint_tableau = Spark::Constraints::iiic}}) {
      const Method method(spark);
      for (const MeasuredOrder& order : bench.of(method)) {
        const bool is_met =
            order.verdict() == OrderVerdict::holds || order.verdict() == OrderVerdict::higher;
        CHECK_MESSAGE(is_met, witness.system.name(), ", ", label(method.spec()), ": ", order.what,
                      " ", order.text());
      }
      for (const Breach& breach : exactness_breaches(witness, method))
        CHECK_MESSAGE(!breach.is_broken, label(method.spec()), ": ", breach.property);
    }
  }
}
