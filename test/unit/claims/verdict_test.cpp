#include "dalembert/claims/verdict.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "dalembert/error.hpp"

using namespace dalembert;
using namespace dalembert::study;

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
  CHECK(judge({}) == Verdict::undecided);
  CHECK(judge({{"shown", 1.0, 0.0, 0.0, 2.0, EvidenceRole::shown}}) == Verdict::undecided);
}

TEST_CASE("an interval that straddles a bound decides nothing") {
  const Evidence open{"open", 1.9, 0.2, 0.0, 2.0};
  CHECK_FALSE(open.is_met());
  CHECK_FALSE(open.is_missed());
  CHECK(Evidence{"high", 2.3, 0.2, 0.0, 2.0}.is_missed());
  CHECK(Evidence{"low", -0.3, 0.2, 0.0, 2.0}.is_missed());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(Evidence{"refused", nan, 0.0, 0.0, 2.0}.is_missed());
  const Evidence brief{"too few samples", nan, std::numeric_limits<double>::infinity(), 0.0, 2.0};
  CHECK_FALSE(brief.is_missed());
  CHECK_FALSE(brief.is_met());
}

TEST_CASE("what is open leaves the verdict open, unless another number decides") {
  const auto number = [](double value, double uncertainty, EvidenceRole role) {
    return Evidence{"number", value, uncertainty, 0.0, 2.0, role};
  };
  const Evidence met = number(1.0, 0.0, EvidenceRole::both),
                 missed = number(3.0, 0.0, EvidenceRole::both),
                 open = number(1.9, 0.2, EvidenceRole::both),
                 published_open = number(1.9, 0.2, EvidenceRole::published),
                 published_missed = number(3.0, 0.0, EvidenceRole::published),
                 qualified_met = number(1.0, 0.0, EvidenceRole::qualified),
                 qualified_open = number(1.9, 0.2, EvidenceRole::qualified),
                 qualified_missed = number(3.0, 0.0, EvidenceRole::qualified);
  CHECK(judge({met, open}) == Verdict::undecided);
  CHECK(judge({open, missed}) == Verdict::fails);
  CHECK(judge({published_open, qualified_met}) == Verdict::undecided);
  CHECK(judge({published_missed, qualified_open}) == Verdict::undecided);
  CHECK(judge({published_missed, qualified_open, qualified_missed}) == Verdict::fails);
  CHECK(judge({open, published_missed, qualified_met}) == Verdict::undecided);
  CHECK(decisive_evidence({met, open, missed}) == 2);
  CHECK(decisive_evidence({met, open}) == 1);
}

TEST_CASE("what the source leaves out cannot be decided, whatever else was measured") {
  const Evidence missing = not_stated("the step"), met{"met", 1.0, 0.0, 0.0, 2.0},
                 missed{"missed", 3.0, 0.0, 0.0, 2.0};
  CHECK(judge({met, missing}) == Verdict::undecidable);
  CHECK(judge({missed, missing}) == Verdict::undecidable);
  CHECK(verdict_text(Verdict::undecidable) == "cannot be decided");
  CHECK(decisive_evidence({met, missing}) == 1);
}

TEST_CASE("numbers fill a text with the digits that their uncertainty leaves") {
  std::vector<Evidence> evidence{named("slope", {"slope", 2.8312e-7, 3e-9}),
                                 named("power", {"power", 0.3121, 0.04}),
                                 named("count", {"count", 1200.0}),
                                 named("ratio", {"ratio", 11234.5}),
                                 named("coarse", {"coarse", 3.4, 20.0}),
                                 named("none", {"none", std::numeric_limits<double>::infinity()})};
  CHECK(with_numbers("by {slope} per time", evidence) == "by 2.83e-7 per time");
  CHECK(with_numbers("{power}, {count}", evidence) == "0.31, 1200");
  CHECK(with_numbers("{ratio}", evidence) == "11000");
  CHECK(with_numbers("{coarse}", evidence) == "3");
  CHECK(with_numbers("{none}", evidence) == "(not measurable)");
  CHECK(with_numbers("no number", {}) == "no number");
  CHECK(with_numbers("DLA^{1/2}, {count}", evidence) == "DLA^{1/2}, 1200");
  CHECK_THROWS_AS(with_numbers("{slop}", evidence), RequestError);
  CHECK_THROWS_AS(with_numbers("{}", evidence), RequestError);
  CHECK_THROWS_AS(with_numbers("{slope", evidence), RequestError);
}

TEST_CASE("names of numbers can be shown in their places") {
  const auto name = [](const std::string& of) { return "<" + of + ">"; };
  CHECK(with_each_name("{a}, F^{0,1}, {b c}", name) == "<a>, F^{0,1}, <b c>");
  CHECK(with_each_name("nothing", name) == "nothing");
  CHECK_THROWS_AS(with_each_name("{a", name), RequestError);
}

TEST_CASE("verdicts in words") {
  CHECK(verdict_text(Verdict::holds) == "holds");
  CHECK(verdict_text(Verdict::qualified) == "holds with a qualification");
  CHECK(verdict_text(Verdict::fails) == "fails");
  CHECK(verdict_text(Verdict::undecided) == "too short to decide");
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
