#include "study/choice/method_entries.hpp"

#include <doctest/doctest.h>

#include "dalembert/document/toml.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/study/execution/continuation.hpp"
#include "dalembert/study/plan_runs.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

/// The explicit Euler method under a name of its own, on systems without constraints.
struct OwnEuler {
  double weight = 1.0;

  static MethodPage<OwnEuler> page() {
    return {.name = "own-euler",
            .facts = Facts{.order = 1},
            .requirements = Requirements{.constraints = ConstraintKind::linear},
            .equations = &OwnEuler::equations,
            .options = {{"weight", &OwnEuler::weight, "of the force", 0.0, 1.0}}};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector q = a.q + h * a.v;
    const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
    const Vector force = s.constraint_force(q, lambda) - weight * s.potential_gradient(a.q);
    return {.zero = s.mass(q) * (v - a.v) - h * force,
            .constraint = s.constraint(q, v),
            .after = {q, v, lambda}};
  }
};

Study study_with(const std::string& method, const std::vector<Method>& own) {
  return read_study(parse_document("problem = \"pendulum-cvt\"\n[initial]\nname = \"rotating\"\n"
                                   "[run]\nstep = 0.1\nsteps = 2\n[[method]]\n" +
                                       method,
                                   "text"),
                    std::filesystem::path(), own);
}

}  // namespace

TEST_CASE("a study names methods of one's own as those of the library") {
  const Method own{OwnEuler{.weight = 0.5}};
  const Study study = study_with("name = \"own-euler\"", {own});
  const RunPlan plan = plan_runs(study)[0];
  CHECK(plan.method.label == "own-euler(weight=0.5)");
  CHECK(std::get<double>(plan.program->method().definition().values.at("weight")) == 0.5);
  const Study again = continued_study(study.text, "copy", "1", study.own_methods);
  CHECK(plan_runs(again)[0].method.label == plan.method.label);
}

TEST_CASE("a method of one's own is the base of another, in a table and in a text") {
  const Method own{OwnEuler{}};
  for (const char* base : {"name = \"adjoint\"\nbase = \"own-euler\"",
                           "name = \"adjoint\"\nbase = { name = \"own-euler\" }"}) {
    const RunPlan plan = plan_runs(study_with(base, {own}))[0];
    CHECK(plan.method.label == "adjoint(base=own-euler)");
  }
  const Method adjoint =
      make_method({"adjoint", {{"base", std::make_shared<const MethodSpec>(own.spec())}}});
  CHECK(make_method(adjoint.spec()).facts().order == 1);
}

TEST_CASE("a method that is not known is refused, and so are options of one's own") {
  CHECK_THROWS_WITH_AS(study_with("name = \"own-euler\"", {}),
                       doctest::Contains("there is no method \"own-euler\""), RequestError);
  CHECK_THROWS_WITH_AS(study_with("name = \"own-euler\"\nweight = 0.1", {Method(OwnEuler{})}),
                       doctest::Contains("its options are chosen where it is made"), RequestError);
}
