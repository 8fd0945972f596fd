#include "reproduce/reproduce.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "dalembert/claims/paper_file.hpp"

using namespace dalembert;
using namespace dalembert::reproduce;
using namespace dalembert::study;

TEST_CASE("a qualification is filled where its numbers tell what it says") {
  ClaimRecord record;
  record.verdict = Verdict::qualified;
  record.qualification = "by {slope}";
  ClaimRow row{record, {named("slope", {"slope", 0.5})}, Verdict::qualified};
  CHECK(row.qualification() == "by 0.50");
  row.verdict = Verdict::undecided;
  CHECK(row.qualification().empty());
  row.record.verdict = Verdict::undecided;
  CHECK(row.qualification() == "by 0.50");
  row.verdict = Verdict::holds;
  CHECK(row.qualification().empty());
}

TEST_CASE("a claim's number stands for the experiment that measures it") {
  const std::vector<ExperimentChoice> chosen = choose_experiments("001-B.5");
  REQUIRE(chosen.size() == 1);
  CHECK(chosen[0].paper->name == "celledoni-2019");
  CHECK(chosen[0].experiment->name == "figure-3");
  CHECK_THROWS_AS(choose_experiments("001-B.99"), RequestError);
}

TEST_CASE("every recorded claim belongs to an experiment, and every experiment has one") {
  std::set<std::string> known, claimed;
  for (const Paper& paper : papers()) {
    for (const Experiment& experiment : paper.experiments)
      known.insert(paper.name + "/" + experiment.name);
  }
  const ClaimLibrary library = read_claims();
  for (const ClaimRecord& record : library.claims) {
    CHECK_MESSAGE(known.contains(record.paper + "/" + record.experiment), record.id);
    claimed.insert(record.paper + "/" + record.experiment);
  }
  CHECK(claimed == known);
  for (const Misprint& misprint : library.misprints) {
    const bool is_known = std::any_of(papers().begin(), papers().end(), [&](const Paper& paper) {
      return paper.name == misprint.paper;
    });
    CHECK_MESSAGE(is_known, misprint.where);
  }
}
