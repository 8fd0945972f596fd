// Audits a method of one's own: what it promises is measured as for the methods of the library.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/audit_text.hpp"
#include "dalembert/report/run_audit.hpp"
#include "trapezoidal.hpp"

namespace {

using namespace dalembert;
using namespace dalembert::study;
using example::Trapezoidal;

/// The trapezoidal rule with the force at the old position only, and still the same promises.
struct OneSided {
  static MethodPage<OneSided> page() {
    return {.name = "one-sided",
            .facts = Method(Trapezoidal{}).facts(),
            .equations = &OneSided::equations};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
    const Vector q = a.q + 0.5 * h * (a.v + v), middle = 0.5 * (a.q + q);
    return {.zero = s.mass(q) * (v - a.v) +
                    h * (s.potential_gradient(a.q) - s.constraint_force(middle, lambda)),
            .constraint = s.constraint(q, v),
            .after = {q, v, lambda}};
  }
};

}  // namespace

int main() try {
  const AuditSet set = audit_set_of(std::vector<std::string>{"witness-constant-mass"});
  const AuditReport report = run_audit(
      {{Method(Trapezoidal{}), "trapezoidal"}, {Method(OneSided{}), "one-sided"}}, set, {});
  std::fputs(audit_text(report).c_str(), stdout);
  return !report.methods[0].is_broken() && report.methods[1].is_broken() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
