#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/measure/section.hpp"
#include "dalembert/mechanics/rank/redundancy.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/option.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert::study {

/// A quantity that a study follows along its runs beside energy, constraint and integrals; it
/// becomes one more column of the records and is reported as the integrals are.
struct QuantityChoice {
  std::string kind;         ///< latitude, discrete-energy, momentum, moving-energy, ...;
                            ///< expression: of multipliers or accelerations
  std::string name;         ///< of its column; of a recomputed multiplier, as lambda_recomputed_2
  std::string driver = {};  ///< of a latitude; recognised if empty
  std::vector<std::string> coordinates;  ///< of a discrete energy; the largest set if empty
  std::vector<DocumentNode> field;  ///< of a momentum or moving energy: expressions in q; or one
  Place place = {};                 ///< of its table
};

/// A statement about a column of the records that a study asks for.
struct ReportChoice {
  std::string kind;  ///< drift, growth-exponent, growth-rate or running-mean
  std::string of;    ///< name of the column
  /// Width of the window of a running mean [time]. Drift over the duration that is negligible, by
  /// default (-1) the oscillation; see judge_drift. Error up to which parts are left out of a
  /// growth rate; see growth_rate. First time of a growth exponent; see growth_exponent. Confidence
  /// of the intervals, in (0, 1).
  double window = 0.0, negligible = -1.0, floor = 0.0, first_time = 0.0, confidence = 0.95;
  Place place = {};  ///< of its table
};

/// A Poincare section that a study asks for: the states at which an expression passes zero.
struct SectionChoice {
  std::string name;  ///< of the section; a valid part of a file name
  DocumentNode of;   ///< an expression in t, coordinates, velocities and parameters
  Direction direction = Direction::rising;  ///< of the passage through zero
  Place place = {};                         ///< of its table
};

/// The tables [[diagnostic]] of a study.
struct DiagnosticChoices {
  std::vector<QuantityChoice> quantities;  ///< columns of their own, in the order of the study
  std::vector<SectionChoice> sections;     ///< of different names
  std::vector<ReportChoice> reports;       ///< statements about columns
  std::vector<TableEntry> expressions;     ///< of kind "expression": name and text
};

/// Result of a report: numbers by name, and a verdict or a reason why there is none.
struct DiagnosticReport {
  std::string kind, of;                                 ///< as of its ReportChoice
  std::vector<std::pair<std::string, double>> numbers;  ///< from, to, slope, low, high, ...
  std::string verdict, message;  ///< of a drift, else ""; reason for a report without numbers
};

/// Reads the [[diagnostic]] tables of a study of that problem. RequestError for unknown kinds and
/// keys.
DiagnosticChoices read_diagnostics(const DocumentNode* node, const ProblemFile& problem);

/// Name with which the columns of all multipliers that the motion has through a method's own (q, v)
/// are asked for; the columns are called lambda_recomputed_1, ... Source: [JimenezScheurle2015],
/// Remark 4.3.
inline constexpr const char* recomputed_multiplier = "lambda_recomputed";

/// Makes them quantities of the study, unless they are.
void follow_recomputed_multiplier(DiagnosticChoices& choices, const Place& place);

/// The quantities of a study for one of its systems: each recomputed multiplier for itself.
std::vector<QuantityChoice> quantities_of(const DiagnosticChoices& choices, const System& system);

/// A quantity of a run's samples. Those that are costly are evaluated at records only and keep
/// their value in between.
using Quantity = std::function<double(const Sample&, bool recorded)>;
/// RequestError, naming the place, if the system does not have the quantity. The method is that of
/// the run: some keep a discrete energy of their own. Where constraints follow from others,
/// expressions name the multipliers of all.
Quantity make_quantity(const QuantityChoice& choice, const System& system,
                       std::span<const double> parameters, const MethodSpec& method, double step,
                       const std::shared_ptr<const Redundancy>& redundancy = nullptr);

/// RequestError, naming the place, if the expression cannot be read.
Section make_section(const SectionChoice& choice, const System& system,
                     std::span<const double> parameters);

/// The report on the samples of a column.
DiagnosticReport make_report(const ReportChoice& choice, std::span<const double> t,
                             std::span<const double> y);

}  // namespace dalembert::study
