#include "audit_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/audit_summary.hpp"

namespace dalembert::study::audit_matrix {
namespace {

int rank(LongRunVerdict verdict) { return static_cast<int>(verdict); }

LongRunVerdict worst(const LongRunAudit& run) {
  LongRunVerdict verdict = LongRunVerdict::exact;
  for (const DriftFinding& finding : run.findings)
    if (rank(finding.verdict) > rank(verdict)) verdict = finding.verdict;
  return verdict;
}

/// Symplecticity depends on the Lagrangian: promised for some, not for others.
Cell joined(const std::vector<PropertySummary>& summaries) {
  bool kept = false, absent = false, unclear = false;
  for (const PropertySummary& summary : summaries) {
    if (summary.verdict == AuditVerdict::broken) return {"BROKEN", Cell::Tone::bad};
    kept =
        kept || summary.verdict == AuditVerdict::kept || summary.verdict == AuditVerdict::surplus;
    absent = absent || summary.verdict == AuditVerdict::absent;
    unclear = unclear || summary.verdict == AuditVerdict::unclear;
  }
  if (kept && absent) return {"const. mass", Cell::Tone::good};
  if (unclear) return {"unclear", Cell::Tone::weak};
  if (kept) return {"yes", Cell::Tone::good};
  return absent ? Cell{"no"} : Cell{"-"};
}

/// Of several problems the one where most is lost.
Cell volume_cell(const std::vector<PropertySummary>& summaries) {
  const PropertySummary* worst = nullptr;
  const auto rank_of = [](const PropertySummary& summary) {
    if (summary.verdict == AuditVerdict::broken) return 4;
    if (summary.words.starts_with("no")) return 3;
    return summary.words.starts_with("every step") ? 1 : 2;
  };
  for (const PropertySummary& summary : summaries) {
    if (!summary.unmeasured.empty()) return {"-"};
    if (summary.problems > 0 && (worst == nullptr || rank_of(summary) > rank_of(*worst)))
      worst = &summary;
  }
  if (worst == nullptr) return {"-"};
  switch (rank_of(*worst)) {
    case 4:
      return {"BROKEN", Cell::Tone::bad};
    case 3:
      return {worst->words};
    case 2:
      return {worst->words,
              worst->words.starts_with("unclear") ? Cell::Tone::weak : Cell::Tone::good};
    default:
      return {worst->words, Cell::Tone::good};
  }
}

std::vector<std::vector<std::string>> breach_rows(const AuditReport& report, bool is_broken) {
  std::vector<std::vector<std::string>> rows;
  for (const MethodAudit& method : report.methods) {
    for (const Breach& breach : method.breaches(report.set)) {
      if (breach.is_broken != is_broken) continue;
      const std::string property =
          breach.is_broken ? breach.property : breach.property.substr(std::string("not ").size());
      rows.push_back({method.label, property, breach.detail});
    }
  }
  return rows;
}

}  // namespace

std::vector<std::vector<std::string>> broken_promises(const AuditReport& report) {
  return breach_rows(report, true);
}
std::vector<std::vector<std::string>> unpromised_properties(const AuditReport& report) {
  return breach_rows(report, false);
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all{{"order of q", "q"},
                                       {"order of v", "v"},
                                       {"order of lambda", "lambda"},
                                       {"recomputed lambda", "recomputed"},
                                       {"local order", "local"},
                                       {"maps D to D", "keeps D"},
                                       {"symmetry", "symmetric"},
                                       {"reversibility", "reversible"},
                                       {"energy", "energy"},
                                       {"fibration", "fibration"},
                                       {"symplecticity", "symplectic"},
                                       {"volume on D", "volume on D"},
                                       {"stable equilibria", "stays at equilibria"}};
  return all;
}

std::vector<Cell> property_cells(const MethodAudit& method, const AuditSet& set) {
  const std::vector<PropertySummary> summaries = summarize(method, set);
  std::vector<Cell> cells;
  for (const Column& column : columns()) {
    std::vector<PropertySummary> own;
    std::copy_if(summaries.begin(), summaries.end(), std::back_inserter(own),
                 [&](const PropertySummary& s) { return s.property == column.property; });
    if (column.property == "volume on D") {
      cells.push_back(volume_cell(own));
      continue;
    }
    if (own.empty() || !own.front().is_order) {
      cells.push_back(joined(own));
      continue;
    }
    const PropertySummary& order = own.front();
    const bool is_broken = order.verdict == AuditVerdict::broken;
    // Problems may be kinder than promised; the least slope is what one can rely on.
    cells.push_back({order.problems == 0 ? "-" : fmt::format("{:.1f}", order.least),
                     is_broken ? Cell::Tone::bad : Cell::Tone::plain});
    if (cells.back().text == "-0.0") cells.back().text = "0.0";
    if (is_broken) cells.back().text += " BROKEN";
  }
  return cells;
}

std::vector<Cell> long_run_cells(const MethodAudit& method) {
  std::vector<Cell> cells;
  for (const LongRunAudit& run : method.long_runs) {
    if (run.findings.empty()) {
      cells.push_back({"-"});
    } else {
      const LongRunVerdict verdict = worst(run);
      cells.push_back({verdict_text(verdict), tone_of(verdict)});
    }
  }
  return cells;
}

std::string steady_runs(const MethodAudit& method) {
  int steady = 0, fitting = 0;
  for (const LongRunAudit& run : method.long_runs) {
    if (run.findings.empty()) continue;
    ++fitting;
    if (rank(worst(run)) <= rank(LongRunVerdict::free)) ++steady;
  }
  return fitting == 0 ? "" : fmt::format("{} of {}", steady, fitting);
}

std::string prediction_text(const DriftFinding& finding) {
  if (!finding.predicted) return "-";
  const auto& [slope, error, by_modes, rest, rest_size] = *finding.predicted;
  // As many digits as the error leaves.
  const int digits = std::fabs(slope) > 100.0 * error ? 3 : 1;
  return fmt::format("{:.{}e} +- {:.0e}{}", slope, digits, error, by_modes ? " modes" : "");
}

std::string predicted_drift(const MethodAudit& method) {
  double largest = 0.0;
  bool is_predicted = false;
  for (const LongRunAudit& run : method.long_runs) {
    for (const DriftFinding& finding : run.findings) {
      if (finding.quantity != "energy" || !finding.predicted) continue;
      is_predicted = true;
      const double slope = std::fabs(finding.predicted->slope);
      const double size = numeric::larger(1.0, std::fabs(finding.initial));
      if (slope > finding.predicted->error) largest = numeric::larger(largest, slope / size);
    }
  }
  if (!is_predicted) return "-";
  return largest > 0.0 ? fmt::format("{:.0e}", largest) : "none";
}

std::vector<std::vector<std::string>> surprises(const AuditReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const MethodAudit& method : report.methods) {
    for (std::size_t i = 0; i < method.long_runs.size(); ++i) {
      for (const DriftFinding& finding : method.long_runs[i].findings) {
        if (finding.agrees()) continue;
        rows.push_back({method.label, report.set.long_runs[i].problem.label, finding.quantity,
                        "predicted " + prediction_text(finding),
                        fmt::format("measured {:.1e} +- {:.0e}", finding.drift.slope.value,
                                    finding.drift.sure_slope.uncertainty()),
                        fmt::format("beyond the prediction {:.1e} to {:.1e}",
                                    finding.predicted->rest.low, finding.predicted->rest.high)});
      }
    }
  }
  return rows;
}

Cell::Tone tone_of(AuditVerdict verdict) {
  switch (verdict) {
    case AuditVerdict::kept:
    case AuditVerdict::surplus:
      return Cell::Tone::good;
    case AuditVerdict::broken:
      return Cell::Tone::bad;
    case AuditVerdict::unclear:
      return Cell::Tone::weak;
    default:
      return Cell::Tone::plain;
  }
}

Cell::Tone tone_of(LongRunVerdict verdict) {
  switch (verdict) {
    case LongRunVerdict::exact:
    case LongRunVerdict::free:
      return Cell::Tone::good;
    default:
      return Cell::Tone::weak;
  }
}

}  // namespace dalembert::study::audit_matrix
