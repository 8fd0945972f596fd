#include "dalembert/reproduce/verdict.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace dalembert;
using namespace dalembert::reproduce;

TEST_CASE("a number meets its bounds only with its whole interval") {
  CHECK(Evidence{"order", 2.0, 0.05, 1.9, 2.1}.is_met());
  CHECK_FALSE(Evidence{"order", 2.0, 0.2, 1.9, 2.1}.is_met());
  CHECK_FALSE(Evidence{"order", 1.0, 0.0, 1.9, 2.1}.is_met());
  CHECK(Evidence{"error", 1e-15, 0.0, 0.0, 1e-14}.is_met());
}

TEST_CASE("numbers that are not finite meet no bound") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(Evidence{"order", nan}.is_met());
  CHECK_FALSE(Evidence{"order", 2.0, nan}.is_met());
  CHECK_FALSE(Evidence{"order", std::numeric_limits<double>::infinity()}.is_met());
}

TEST_CASE("a verdict needs every number of its form") {
  const Evidence shared{"shared", 1.0, 0.0, 0.0, 2.0};
  const Evidence published{"published", 1.0, 0.0, 0.0, 2.0, EvidenceRole::published};
  const Evidence missed{"published", 3.0, 0.0, 0.0, 2.0, EvidenceRole::published};
  const Evidence qualified{"qualified", 1.0, 0.0, 0.0, 2.0, EvidenceRole::qualified};
  const Evidence unqualified{"qualified", 3.0, 0.0, 0.0, 2.0, EvidenceRole::qualified};
  const Evidence shown{"shown", 9.0, 0.0, 0.0, 2.0, EvidenceRole::shown};
  CHECK(judge({shared, published}) == Verdict::holds);
  CHECK(judge({shared, published, shown}) == Verdict::holds);
  CHECK(judge({published, unqualified}) == Verdict::holds);
  CHECK(judge({shared, missed, qualified}) == Verdict::qualified);
  CHECK(judge({missed, qualified}) == Verdict::qualified);
  CHECK(judge({shared, missed}) == Verdict::fails);
  CHECK(judge({missed, unqualified}) == Verdict::fails);
}

TEST_CASE("a part that both forms share decides alone where it is missed") {
  const Evidence missed{"shared", 3.0, 0.0, 0.0, 2.0};
  const Evidence qualified{"qualified", 1.0, 0.0, 0.0, 2.0, EvidenceRole::qualified};
  CHECK(judge({missed, qualified}) == Verdict::fails);
}

TEST_CASE("nothing measured proves nothing") {
  CHECK(judge({}) == Verdict::fails);
  CHECK(judge({{"shown", 1.0, 0.0, 0.0, 2.0, EvidenceRole::shown}}) == Verdict::fails);
}

TEST_CASE("verdicts in words") {
  CHECK(verdict_text(Verdict::holds) == "holds");
  CHECK(verdict_text(Verdict::qualified) == "holds with a qualification");
  CHECK(verdict_text(Verdict::fails) == "fails");
}

TEST_CASE(
    "the decisive_evidence number is what keeps a statement from holding, else the first that "
    "decides") {
  const Evidence shown{"shown", 9.0, 0.0, 0.0, 2.0, EvidenceRole::shown};
  const Evidence met{"met", 1.0, 0.0, 0.0, 2.0};
  const Evidence missed{"missed", 3.0, 0.0, 0.0, 2.0, EvidenceRole::published};
  const Evidence qualified{"qualified", 1.0, 0.0, 0.0, 2.0, EvidenceRole::qualified};
  CHECK(decisive_evidence({shown, met, met}) == 1);
  CHECK(decisive_evidence({met, qualified, missed}) == 2);
  CHECK(decisive_evidence({shown, qualified}) == 2);
  CHECK(decisive_evidence({}) == 0);
}
