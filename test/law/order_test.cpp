// Orders in q, v, the multipliers and the local error, over all methods and suitable witnesses,
// from both sides: no witness shows a lower order than promised, and not all of them show a higher
// one.

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "support/law.hpp"
#include "support/measured_methods.hpp"
#include "support/small_systems.hpp"
#include "support/variants.hpp"

using namespace dalembert;
using namespace test_support;

TEST_CASE("Orders of q, v, multipliers and the local error are those promised") {
  struct Seen {
    int exactly = 0, higher = 0;
    std::string text;
  };
  std::map<std::string, Seen> seen;
  MeasuredMethods measured;
  for (const Witness& witness : {witness_constant_mass(), witness_coupled_mass(),
                                 witness_two_constraints(), witness_general()}) {
    const AuditProblem problem = audit_problem(witness);
    const OrderAudit<Extended> audit(problem);
    for (const MethodSpec& spec :
         method_variants(witness.large ? Variants::defaults : Variants::each_option)) {
      if (!fits(spec, witness)) continue;
      measured.add(spec);
      const std::string which = witness.system.name() + ", " + label(spec);
      for (const AuditFinding& finding : audit.findings(problem, make_method(spec))) {
        const bool keeps = finding.verdict == AuditVerdict::kept;
        const std::string text = finding.value_text() + " for " + finding.promise_text();
        CHECK_MESSAGE((keeps || finding.verdict == AuditVerdict::surplus), which, ", ",
                      finding.property, " ", text);
        Seen& entry = seen[label(spec) + ", " + finding.property];
        ++(keeps ? entry.exactly : entry.higher);
        entry.text = text;
      }
    }
  }
  // Those of systems without constraints, and of coupled ones: general_order_test.cpp,
  // driver_splitting_test.cpp, speed_splitting_test.cpp.
  measured.check(of_free_systems + of_coupled_systems);
  for (const auto& entry : seen)
    CHECK_MESSAGE(entry.second.exactly > 0, entry.first,
                  " is higher than promised on every witness ", entry.second.text);
}

TEST_CASE("Methods whose stages are found by sweeps have their orders") {
  const SmallSystem small = chaotic();
  const Witness witness{small.system, small.q, small.v};
  const AuditProblem problem = audit_problem(witness);
  const OrderAudit<Extended> audit(problem);
  for (const MethodSpec& spec :
       {MethodSpec{"gauss", {{"stages", 3.0}}},
        {"gauss", {{"stages", 4.0}, {"coordinates", std::string("quasi-velocity")}}},
        {"radau-iia", {{"stages", 4.0}}},
        {"energy-collocation", {{"stages", 2.0}, {"frame", std::string("given")}}},
        {"energy-collocation", {{"stages", 3.0}, {"frame", std::string("given")}}}}) {
    const Method method = make_method(spec);
    REQUIRE(!StepProgram::compile(small.system, method)->tape().stages.empty());
    const std::vector<AuditFinding> findings = audit.findings(problem, method);
    CHECK(findings.size() == 5);  // q, v, both multipliers, the local error
    for (const AuditFinding& finding : findings)
      CHECK_MESSAGE(finding.verdict == AuditVerdict::kept, label(spec), ", ", finding.property, " ",
                    finding.value_text(), " for ", finding.promise_text());
  }
}
