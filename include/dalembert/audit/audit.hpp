#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/measure/slope.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/numeric/round_off.hpp"

namespace dalembert {

/// A problem to audit methods on: a system with parameters and a start. v is brought onto the
/// constraints in the number type of the audit.
struct AuditProblem {
  System system;                         ///< on which methods are audited
  std::vector<double> parameters, q, v;  ///< parameters in the order of the description
  /// The unit of time: orders are measured up to here, defects with a step of a sixteenth of it.
  double time = 1.0;
  /// True if the exact flow keeps the energy; `flow_keeps_energy` unless you know better.
  bool keeps_energy = true;
  /// True if the exact flow keeps the volume of the constraint set; see `flow_keeps_volume`.
  bool keeps_volume = false;
  /// True if every term is present that a method may get wrong: a property that the method denies
  /// must fail here.
  bool is_witness = false;
};

/// True if the equations of motion keep the energy, as seen at states near (q, v); see
/// `conservation`.
bool flow_keeps_energy(const System& system, std::span<const double> q = {},
                       std::span<const double> v = {});

/// A problem with the default parameters.
AuditProblem audit_problem(const System& system, std::vector<double> q, std::vector<double> v,
                           bool is_witness = false);

/// Verdict of a measurement on a promise.
enum class AuditVerdict {
  kept,         ///< promised, and so
  broken,       ///< promised, and not so
  surplus,      ///< not promised, but so on this problem
  absent,       ///< not promised, and clearly not so
  unclear,      ///< not promised; between round-off and what a real defect makes
  not_measured  ///< the measurement decides nothing
};
/// "kept", "BROKEN", "kept, not promised", "not kept", "unclear", "not measured".
std::string verdict_text(AuditVerdict verdict);

/// Statement of a method about a property: it has it, denies it, or makes no statement.
enum class Promise { yes, no, none };

/// One property of a method, measured on one problem.
struct AuditFinding {
  std::string property;  ///< "order of q", "symmetry", "energy", "integral moving_energy", ...
  /// Meaning of `value`: a defect is zero where the property holds.
  enum class Kind { defect, order } kind = Kind::defect;
  Promise promise = Promise::none;                    ///< of the method
  int promised_order = 0;                             ///< of orders
  double value = 0.0;                                 ///< the measured order, or the defect
  double uncertainty = 0.0;                           ///< of an order, as OrderSeries::uncertainty
  AuditVerdict verdict = AuditVerdict::not_measured;  ///< on the promise
  /// Explanation of the value, where it is not a plain defect: "over turns".
  std::string words = {};

  bool is_order() const { return kind == Kind::order; }  ///< else a defect
  /// "1.99 +- 0.01", or a defect as "3.0e-30", with words where there are any.
  std::string value_text() const;
  /// "2", "yes", "no" or "-".
  std::string promise_text() const;
};

/// The unit of round-off of numbers with so many binary digits, 2^(1 - digits): that of a wide type
/// is no constant of the compiler, its number of digits is.
constexpr double unit_of_round_off(int digits) {
  double unit = 1.0;
  for (int i = 1; i < digits; ++i) unit *= 0.5;
  return unit;
}

/// A defect is round-off below `exact_below`: that of many operations, and for wide types that of
/// coefficients of 106 bits and of the quadrature in discrete gradients. Above `clear_above` it is
/// a real one: local errors at the step of the audit are larger.
template <class Number>
struct AuditThresholds {
  /// Unit of round-off of the number type.
  static constexpr double round = unit_of_round_off(std::numeric_limits<Number>::digits);
  /// A defect up to this, relative to the size of the quantity, is round-off.
  static constexpr double exact_below = round < 1e-28 ? 1e-24 : 1e4 * round;
  /// A defect from this on is a real one; in between it is unclear.
  static constexpr double clear_above = round < 1e-28 ? 1e-20 : 1e5 * round;
  /// Errors of a trajectory below it are not used for orders.
  static constexpr double order_floor = round < 1e-28 ? 1e-21 : 1e3 * round;
};

/// Step sizes with which orders are measured: up to the unit of time in `first_steps` equal steps,
/// twice, four and eight times as many.
struct OrderGrid {
  static constexpr int runs = 4;  ///< number of step sizes
  /// Number of steps of the first run: 8 where an order of 5 or more is promised, else 32.
  static std::uint64_t first_steps(const Facts& facts) {
    return facts.order.get() >= 5 || facts.multiplier_order >= 5 ? 8 : 32;
  }
};

/// Steps with which defects are measured: some steps of a part of the unit of time.
struct DefectGrid {
  static constexpr std::uint64_t steps = 4;       ///< number of steps from the start
  static constexpr double steps_per_time = 16.0;  ///< steps in the unit of time
};

/// Defect of the energy that a rule of quadrature leaves which is exact to round-off of double:
/// some units in each of the steps.
inline constexpr double quadrature_round_off = 64.0 * std::numeric_limits<double>::epsilon();

/// The finding for a defect that is round-off or clearly not.
AuditFinding judge_defect(std::string property, Promise promise, double defect, double exact_below,
                          double clear_above);
/// The finding for a measured slope.
AuditFinding judge_slope(std::string property, int promised, const OrderSeries& series);

/// A promise that a method does not keep, or, on a witness, a property that it has without
/// promising it: then the property begins with "not".
struct Breach {
  std::string property;   ///< as of the finding, or "not " before it
  std::string detail;     ///< the number and the promise, as "3e-05, promised yes"
  bool is_broken = true;  ///< false: kept without a promise
};
/// Breaches among findings: broken promises, and on a witness also promises that could not be
/// measured and properties that are denied but hold or are not clearly absent.
std::vector<Breach> breaches(const std::vector<AuditFinding>& findings, bool is_witness);

}  // namespace dalembert
