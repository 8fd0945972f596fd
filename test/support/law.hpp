#pragma once
// The law: what a method's facts promise, measured on witness problems by the code of the audit.

#include <map>
#include <string>
#include <vector>

#include "dalembert/audit/exactness.hpp"
#include "dalembert/audit/orders.hpp"
#include "study/extended.hpp"
#include "support/witness.hpp"

namespace test_support {

/// The number type of the law tests: wide enough that round-off and a small defect are far apart.
using dalembert::study::Extended;

inline dalembert::AuditProblem audit_problem(const Witness& witness) {
  return dalembert::audit_problem(witness.system, witness.q, witness.v, true);
}

/// Whether a method is to be measured on a witness: it can be used, and its code is of moderate
/// size (a QR frame differentiated and sampled at many points is not, on the large witness).
inline bool fits(const dalembert::MethodSpec& spec, const Witness& witness) {
  const auto frame = spec.options.find("frame");
  const bool by_qr =
      frame != spec.options.end() && frame->second == dalembert::OptionValue(std::string("qr"));
  return !(witness.large && by_qr) && !dalembert::make_method(spec).misfit(witness.system);
}

/// Promises that a method does not keep on a witness, and modest ones.
inline std::vector<dalembert::Breach> exactness_breaches(const Witness& witness,
                                                         const dalembert::Method& method) {
  return breaches(dalembert::audit_exactness<Extended>(audit_problem(witness), method),
                  witness.complete);
}

/// One measured order with its promise.
struct MeasuredOrder {
  std::string what;
  dalembert::AuditFinding finding;

  dalembert::OrderVerdict verdict() const {
    using dalembert::AuditVerdict, dalembert::OrderVerdict;
    switch (finding.verdict) {
      case AuditVerdict::kept:
        return OrderVerdict::holds;
      case AuditVerdict::surplus:
        return OrderVerdict::higher;
      case AuditVerdict::broken:
        return OrderVerdict::broken;
      default:
        return OrderVerdict::not_measured;
    }
  }
  std::string text() const { return finding.value_text() + " for " + finding.promise_text(); }
};

/// The orders of q, v and lambda on one witness; empty if a step was refused.
class Orders {
 public:
  explicit Orders(const Witness& witness) : problem_(audit_problem(witness)), audit_(problem_) {}

  std::vector<MeasuredOrder> of(const dalembert::Method& method) const {
    std::vector<MeasuredOrder> orders;
    for (const dalembert::AuditFinding& finding : audit_.findings(problem_, method)) {
      if (finding.property.starts_with("order of "))
        orders.push_back({finding.property.substr(9), finding});
    }
    return orders;
  }

 private:
  dalembert::AuditProblem problem_;
  dalembert::OrderAudit<Extended> audit_;
};

/// The same with a first number of steps of one's choice.
template <class Number>
class OrderBench {
 public:
  OrderBench(const Witness& witness, double floor)
      : problem_(audit_problem(witness)), audit_(problem_), floor_(floor) {}

  struct Orders {
    dalembert::OrderSeries q, v, lambda;
    bool failed = false;
  };
  Orders measure(const dalembert::Method& method, std::uint64_t first_steps, int runs) const {
    const auto errors = audit_.template errors<Number>(problem_, method, first_steps, runs);
    if (!errors) return {{}, {}, {}, true};
    return {dalembert::fit_order((*errors)[0], floor_), dalembert::fit_order((*errors)[1], floor_),
            dalembert::fit_order((*errors)[2], 100.0 * floor_), false};
  }

 private:
  dalembert::AuditProblem problem_;
  dalembert::OrderAudit<Extended> audit_;
  double floor_;
};

inline constexpr double wide_floor = dalembert::AuditThresholds<Extended>::order_floor;

}  // namespace test_support
