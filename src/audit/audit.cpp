#include "dalembert/audit/audit.hpp"

#include <cmath>
#include <cstdio>

#include "dalembert/mechanics/conservation.hpp"

namespace dalembert {
namespace {

std::string number_text(const char* format, double value) {
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace

bool flow_keeps_energy(const System& system, std::span<const double> q, std::span<const double> v) {
  return conservation(system, q, v).keeps_energy();
}

AuditProblem audit_problem(const System& system, std::vector<double> q, std::vector<double> v,
                           bool is_witness) {
  AuditProblem problem{system, system.default_parameters(), std::move(q), std::move(v)};
  problem.keeps_energy = flow_keeps_energy(system);
  problem.is_witness = is_witness;
  return problem;
}

std::string verdict_text(AuditVerdict verdict) {
  switch (verdict) {
    case AuditVerdict::kept:
      return "kept";
    case AuditVerdict::broken:
      return "BROKEN";
    case AuditVerdict::surplus:
      return "kept, not promised";
    case AuditVerdict::absent:
      return "not kept";
    case AuditVerdict::unclear:
      return "unclear";
    default:
      return "not measured";
  }
}

std::string AuditFinding::value_text() const {
  if (verdict == AuditVerdict::not_measured) return "-";
  if (is_order()) return number_text("%.2f", value) + " +- " + number_text("%.2f", uncertainty);
  const std::string number = value == 0.0 ? "0" : number_text("%.1e", value);
  return words.empty() ? number : number + ", " + words;
}

std::string AuditFinding::promise_text() const {
  if (is_order()) return std::to_string(promised_order);
  return promise == Promise::yes ? "yes" : promise == Promise::no ? "no" : "-";
}

AuditFinding judge_defect(std::string property, Promise promise, double defect, double exact_below,
                          double clear_above) {
  AuditFinding finding{.property = std::move(property), .promise = promise, .value = defect};
  if (std::isnan(defect)) return finding;
  const bool promised = promise == Promise::yes;
  if (defect <= exact_below) {
    finding.verdict = promised ? AuditVerdict::kept : AuditVerdict::surplus;
  } else if (promised) {
    finding.verdict = AuditVerdict::broken;
  } else {
    finding.verdict = defect >= clear_above ? AuditVerdict::absent : AuditVerdict::unclear;
  }
  return finding;
}

AuditFinding judge_slope(std::string property, int promised, const OrderSeries& series) {
  AuditFinding finding{.property = std::move(property),
                       .kind = AuditFinding::Kind::order,
                       .promise = Promise::yes,
                       .promised_order = promised,
                       .value = series.slope,
                       .uncertainty = series.uncertainty};
  const OrderVerdict found = judge_order(series, promised);
  if (found == OrderVerdict::holds) finding.verdict = AuditVerdict::kept;
  if (found == OrderVerdict::higher) finding.verdict = AuditVerdict::surplus;
  if (found == OrderVerdict::broken) finding.verdict = AuditVerdict::broken;
  return finding;
}

std::vector<Breach> breaches(const std::vector<AuditFinding>& findings, bool is_witness) {
  std::vector<Breach> found;
  for (const AuditFinding& finding : findings) {
    const std::string detail = finding.value_text() + ", promised " + finding.promise_text();
    const AuditVerdict verdict = finding.verdict;
    if (verdict == AuditVerdict::broken) found.push_back({finding.property, detail});
    if (!is_witness) continue;
    if (verdict == AuditVerdict::not_measured && finding.promise == Promise::yes)
      found.push_back({finding.property, "not measurable"});
    const bool is_modest = verdict == AuditVerdict::surplus || verdict == AuditVerdict::unclear;
    if (is_modest && finding.promise == Promise::no)
      found.push_back({"not " + finding.property, detail, false});
  }
  return found;
}

}  // namespace dalembert
