#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/sweep/study_axes.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

Study swept_study(const std::string& sweep) {
  return read_study(parse_document(R"(
problem = "pendulum-cvt"
[parameters]
epsilon = [0.0, 0.5]
[initial]
q = [1, 1, 0]
v = [0, 0, 2]
[run]
step = [0.1, 0.05]
until = 2
[[method]]
name = "lobatto"
[[method]]
name = "dla"
[sweep]
)" + sweep,
                                   "text"));
}

}  // namespace

TEST_CASE("a sweep runs the whole study for each choice of its values, the last key fastest") {
  const Study study = swept_study("method.0.stages = [2, 3]\n\"initial.v.2\" = [1, \"3/2\", 2]\n");
  REQUIRE(study.variants.size() == 6);
  const std::vector<StudyAxis> axes = study_axes(study);
  std::vector<std::string> names;
  std::vector<std::size_t> sizes;
  for (const StudyAxis& axis : axes) {
    names.push_back(axis.name);
    sizes.push_back(axis.size());
  }
  CHECK(names == std::vector<std::string>{"stages", "v_2", "start", "epsilon", "method", "step"});
  CHECK(sizes == std::vector<std::size_t>{2, 3, 1, 2, 2, 2});
  CHECK(axes[1].numbers == std::vector<double>{1.0, 1.5, 2.0});
  // A swept option is no part of the method's name.
  CHECK(axes[4].texts == std::vector<std::string>{"lobatto", "dla"});

  const std::vector<RunPlan> plans = plan_runs(study);
  REQUIRE(plans.size() == 48);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const RunPlan& plan = plans[i];
    CHECK(plan.index == i);
    CHECK(plan.place == place_of(i, sizes));
    CHECK(plan.v[2] == axes[1].numbers[plan.place[1]]);
    CHECK(plan.step == axes[5].numbers[plan.place[5]]);
    CHECK(plan.parameters[0] == axes[3].numbers[plan.place[3]]);
    CHECK(plan.swept[0].number == axes[0].numbers[plan.place[0]]);
  }
  CHECK(plans[47].method.label == "dla");
  CHECK(plans[45].method.label == "lobatto");
  CHECK(plans[47].label == "stages = 3, v_2 = 2, epsilon = 0.5, h = 0.05");
}

TEST_CASE("runs of a sweep have the bits of studies with each of the values, and share programs") {
  const Study study = swept_study("method.0.stages = [2, 3]\nrun.compensated = [false, true]\n");
  const std::vector<RunPlan> plans = plan_runs(study);
  const std::vector<RunResult> results = execute_runs(plans, {});
  std::size_t next = 0;
  for (const char* stages : {"2", "3"}) {
    for (const char* compensated : {"false", "true"}) {
      const Study alone = swept_study(std::string("method.0.stages = [") + stages +
                                      "]\nrun.compensated = [" + compensated + "]\n");
      for (const RunResult& expected : execute_runs(plan_runs(alone), {})) {
        const RunResult& found = results.at(next++);
        CHECK(found.final.q == expected.final.q);
        CHECK(found.final.v == expected.final.v);
        CHECK(found.final.lambda == expected.final.lambda);
      }
    }
  }
  CHECK(next == results.size());

  // Where equations stay the same, a method is compiled once.
  std::set<const StepProgram*> programs;
  for (const RunPlan& plan : plan_runs(swept_study("initial.v = [[0, 0, 1], [0, 0, 2]]\n")))
    programs.insert(plan.program.get());
  CHECK(programs.size() == 2);
}

TEST_CASE("the text of a swept study is the study again") {
  const Study study =
      swept_study("\"method.0.stages\" = [3, 2]\nrun.wrap_angles = [true, false]\n");
  const Study again = read_study(parse_document(study.text, "stored"));
  CHECK(again.text == study.text);
  const std::vector<RunPlan> plans = plan_runs(study), read = plan_runs(again);
  REQUIRE(plans.size() == read.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    CHECK(plans[i].label == read[i].label);
    CHECK(plans[i].place == read[i].place);
    CHECK(plans[i].v == read[i].v);
  }
}

TEST_CASE("names of swept keys are short where nothing else is called so") {
  const auto names = [](const std::string& sweep) {
    std::vector<std::string> found;
    for (const SweptKey& key : swept_study(sweep).sweep) found.push_back(key.name);
    return found;
  };
  CHECK(names("run.step = [[0.1, 0.2], [0.3, 0.4]]") == std::vector<std::string>{"step"});
  CHECK(names("method.0.name = [\"gauss\", \"lobatto\"]") ==
        std::vector<std::string>{"method_0_name"});
  CHECK(names("method.0.stages = [2]\nmethod.1.alpha = [0.5]\nparameters.epsilon = [0]") ==
        std::vector<std::string>{"stages", "alpha", "epsilon"});
}

TEST_CASE("a method that does not fit for one value is refused there, and the others run") {
  const PlannedRuns planned =
      plan_fitting_runs(swept_study("method.0.name = [\"lobatto\", \"shake\"]"));
  CHECK(planned.plans.size() == 12);
  REQUIRE(planned.refused.size() == 4);
  for (const RefusedRun& run : planned.refused) {
    CHECK(run.swept.at(0).text == "shake");
    CHECK(run.place.at(0) == 1);
  }
}

TEST_CASE("swept methods are called by what they are, and by numbers where that differs") {
  const Study study = swept_study("method.0.name = [\"gauss\", \"lobatto\"]\n");
  CHECK(study_axes(study).at(3).texts == std::vector<std::string>{"method 1", "dla"});
  CHECK(plan_runs(study).back().method.label == "dla");
  CHECK(study.variants[0].methods[0].label == "gauss");
  CHECK(study.variants[1].methods[0].label == "lobatto");
}

TEST_CASE("an ensemble is swept as runs are") {
  const auto study = [](const std::string& energy, const std::string& sweep) {
    return read_study(
        parse_document("problem = \"chaotic\"\n[ensemble]\nsize = 3\nseed = 1\nenergy = " + energy +
                           "\n[run]\nstep = 0.1\nuntil = 1\n[[method]]\nname = \"dla01\"\n" + sweep,
                       "text"));
  };
  const auto plans = plan_ensembles(study("1", "[sweep]\nensemble.energy = [2.5, 3.06]\n"));
  REQUIRE(plans.size() == 2);
  CHECK(plans[1].run.index == 1);
  CHECK(plans[1].run.label == "energy = 3.06");
  const auto alone = plan_ensembles(study("3.06", ""));
  for (std::size_t i = 0; i < 3; ++i) CHECK((*plans[1].starts)[i].q == (*alone[0].starts)[i].q);
}

TEST_CASE("a sweep that is none is refused with its key") {
  const auto refusal = [](const std::string& sweep) {
    try {
      static_cast<void>(plan_runs(swept_study(sweep)));
    } catch (const RequestError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto has = [&](const std::string& sweep, const std::string& words) {
    const std::string found = refusal(sweep);
    INFO(found);
    CHECK(found.find(words) != std::string::npos);
  };
  has("", "is empty; it needs a key of the study");
  has("run.step = 0.1", "one value; [sweep] needs a list");
  has("run.step = []", "at least one value");
  has("problem = [\"chaotic\"]", "two problems");
  has("plot.error = [true]", "one picture");
  has("run.at = [[1], [2]]", "recorded alike");
  has("run.step = [[0.1, 0.2], [0.1]]", "changes how many runs the study has");
  has("method.0.stages = [2, 77]", "stages");
  has("run.stap = [1]", "unknown key");
  has("run.until = { from = 1, to = 2, count = 100000 }", "count");
  has("initial.row = [1]", "recorded start");
  has("initial = [{ csv = \"a.csv\" }]", "recorded start");
  has("run = [{ step = 0.1, until = 1 }]", "names a whole table; sweep keys of it, as run.step");
  has("\"run.step\" = [0.1]\nrun.step = [0.2]", "twice");
}
