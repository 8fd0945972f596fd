#pragma once
// The table with a row for each method, for text, Markdown and HTML alike. Only for the sources of
// this room.

#include <string>
#include <vector>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"

namespace dalembert::study::audit_matrix {

/// A cell: what was measured, and whether that is good (kept), bad (a broken promise) or neither.
struct Cell {
  std::string text;
  enum class Tone { plain, good, weak, bad } tone = Tone::plain;
};

/// The properties that have a column, with their headings.
struct Column {
  std::string property, heading;
};
const std::vector<Column>& columns();

/// The measured properties of a method, by column.
std::vector<Cell> property_cells(const MethodAudit& method, const AuditSet& set);
/// The worst verdict of each long run.
std::vector<Cell> long_run_cells(const MethodAudit& method);
/// "6 of 8": the long runs on which every quantity stays, of those that the method fits; empty if
/// there are none.
std::string steady_runs(const MethodAudit& method);

/// The predicted drift of a quantity: "5.0e-05 +- 2e-06", with "modes" where it comes from those;
/// "-" without one.
std::string prediction_text(const DriftFinding& finding);
/// The largest predicted drift of the energy in the long runs, per unit of time and of the energy's
/// size: "3e-04", "none" where no prediction is larger than its error, "-" without predictions.
std::string predicted_drift(const MethodAudit& method);
/// Rows of method, long run, quantity, predicted and measured drift where these two differ by more
/// than their errors.
std::vector<std::vector<std::string>> surprises(const AuditReport& report);

/// Rows of method, property and detail.
std::vector<std::vector<std::string>> broken_promises(const AuditReport& report);
/// The same for what methods have on witnesses without promising it.
std::vector<std::vector<std::string>> unpromised_properties(const AuditReport& report);

Cell::Tone tone_of(AuditVerdict verdict);
Cell::Tone tone_of(LongRunVerdict verdict);

}  // namespace dalembert::study::audit_matrix
