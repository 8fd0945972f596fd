#include "dalembert/study/plan_runs.hpp"

#include <doctest/doctest.h>

#include <set>

#include "dalembert/document/toml.hpp"
#include "dalembert/study/study_file.hpp"
#include "sixteen_runs.hpp"

using namespace dalembert;
using namespace dalembert::study;
using test_support::sixteen_runs;

TEST_CASE("a study expands to starts x parameters x methods x steps") {
  const std::vector<RunPlan> plans = plan_runs(sixteen_runs());
  REQUIRE(plans.size() == 16);
  CHECK(plans[0].label == "oscillating, epsilon = 0, h = 0.1");
  CHECK(plans[1].step == doctest::Approx(0.0785398));
  CHECK(plans[1].steps == 50);
  CHECK(plans[1].end() == 4.0);
  CHECK(plans[0].steps == 40);
  CHECK(plans[0].last_step == 0.0);
  CHECK(plans[2].method.spec.name == "leapfrog");
  CHECK(plans[4].parameters == std::vector<double>{0.5});
  CHECK(plans[8].start == "rotating");
  CHECK(plans[0].columns.names.size() == plans[0].columns.width());
  CHECK(plans[0].columns.names[plans[0].columns.energy()] == "energy");
}

TEST_CASE("a pair of system and method is compiled once") {
  std::set<const StepProgram*> programs;
  for (const RunPlan& plan : plan_runs(sixteen_runs())) programs.insert(plan.program.get());
  CHECK(programs.size() == 2);
}

TEST_CASE("records are as many as asked for, else at most ten thousand and the start") {
  CHECK(plan_runs(sixteen_runs())[0].record_every == 5);
  Study longer = sixteen_runs();
  longer.record_every.reset();
  longer.step_count = 25001;
  CHECK(plan_runs(longer)[0].record_every == 3);
}

TEST_CASE("columns follow the order t, q, v, lambda, energy, constraint, integrals") {
  const RecordColumns columns = plan_runs(sixteen_runs())[0].columns;
  CHECK(columns.names == std::vector<std::string>{"t", "x1", "x2", "xi", "x1_dot", "x2_dot",
                                                  "xi_dot", "lambda_1", "energy", "constraint",
                                                  "driver_energy", "passenger_energy"});
  CHECK(columns.motion_names().size() == 7);
  CHECK(columns.integral_count() == 2);
}

TEST_CASE("columns of multipliers have their names, and are found by their numbers, too") {
  const std::string text =
      "problem = \"rolling-coin\"\n[run]\nstep = 0.1\nsteps = 2\n"
      "[initial]\nname = \"upright\"\n[[method]]\nname = \"lobatto\"\n"
      "[[diagnostic]]\nkind = \"expression\"\nname = \"grip\"\nexpression = \"ground_1^2\"\n"
      "[[diagnostic]]\nkind = \"expression\"\nname = \"lean\"\nexpression = \"theta\"\n"
      "[[diagnostic]]\nkind = \"drift\"\nof = \"lambda_2\"\n";
  const RunPlan plan = plan_runs(read_study(parse_document(text, "coin.toml"), "."))[0];
  const RecordColumns& columns = plan.columns;
  CHECK(columns.names[columns.lambda_begin()] == "ground_1");
  CHECK(columns.own_name("lambda_2") == "ground_2");
  CHECK(columns.own_name("ground_2") == "ground_2");
  CHECK(columns.own_name("lambda_3") == "lambda_3");
  REQUIRE(plan.quantities.size() == 1);
  CHECK(plan.quantities[0].name == "grip");
  CHECK(plan.reports[0].of == "ground_2");
  CHECK(columns.unit(0) == "nondimensional");
  CHECK(columns.unit(columns.width()).empty());
}

TEST_CASE(
    "a method that does not fit and a start off its constraint are refused with their place") {
  const auto message = [](const std::string& changed) -> std::string {
    try {
      plan_runs(read_study(parse_document(changed, "text")));
    } catch (const RequestError& error) {
      return error.place() + " | " + error.what();
    }
    return "";
  };
  const std::string run = "[run]\nstep = 0.1\nuntil = 1.0\n[[method]]\nname = ";
  const std::string unfit =
      message("problem = \"suslov\"\ninitial.name = \"generic\"\n" + run + "\"dla\"\n");
  CHECK(unfit.starts_with("text:6 | text:6: "));
  CHECK(unfit.find("methods that fit: ") != std::string::npos);
  const std::string off = message(
      "problem = \"pendulum-cvt\"\n[initial]\nq = [1, 1, 0]\nv = [1, 0, 0]\n" + run + "\"dla\"\n");
  CHECK(off.starts_with("text:2 | text:2: "));
}

TEST_CASE("a start at rest is refused with the place of a method that cannot begin there") {
  const std::string text =
      "problem = \"pendulum-cvt\"\n[initial]\nq = [1, 1, 0]\nv = [0, 0, 0]\n[run]\nstep = "
      "0.1\nsteps = "
      "5\n[[method]]\nname = \"dla\"\n[[method]]\nname = \"speed-splitting\"\n";
  const Study study = read_study(parse_document(text, "text"));
  const std::string refusal =
      "text:10: method \"speed-splitting\" cannot start at rest: it divides the velocity by the "
      "speed; choose a start that moves, or driver-splitting";
  CHECK_THROWS_WITH_AS(plan_runs(study), refusal.c_str(), RequestError);
  const PlannedRuns planned = plan_fitting_runs(study);
  CHECK(planned.plans.size() == 1);
  REQUIRE(planned.refused.size() == 1);
  CHECK(planned.refused[0].reason == refusal);
}

TEST_CASE("ensembles share their starts over methods and steps, and leave q and v to the members") {
  const std::vector<EnsemblePlan> plans = plan_ensembles(read_study(
      parse_document("problem = \"chaotic\"\n[ensemble]\nsize = 3\nseed = 8\nenergy = "
                     "3\n[run]\nstep = [0.1, 0.05]\n"
                     "steps = 5000\n[[method]]\nname = \"dla\"\n[[method]]\nname = \"leapfrog\"\n",
                     "text")));
  REQUIRE(plans.size() == 4);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    CHECK(plans[i].run.index == i);
    CHECK(plans[i].starts == plans[0].starts);
    CHECK(plans[i].run.q.empty());
    CHECK(plans[i].run.record_every == 5);
  }
  CHECK(plans[0].starts->size() == 3);
}

TEST_CASE("Large ensembles have fewer records, of which their file can have more") {
  const auto record_every = [](const std::string& size, const std::string& records) {
    const auto plans = plan_ensembles(
        read_study(parse_document("problem = \"particle-free\"\n[ensemble]\nsize = " + size +
                                      "\nseed = 1\nenergy = 1\n[run]\nstep = 0.1\nsteps = 10000\n" +
                                      records + "[[method]]\nname = \"dla\"\n",
                                  "text")));
    return plans.at(0).run.record_every;
  };
  CHECK(record_every("10000", "") == 10);    // 1000 records
  CHECK(record_every("20000", "") == 20);    // 500
  CHECK(record_every("200000", "") == 100);  // 100, and not 50
  CHECK(record_every("20000", "record_every = 1\n") == 1);
}
