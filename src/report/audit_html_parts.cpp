#include "audit_html_parts.hpp"

#include <cctype>

#include "audit_matrix.hpp"
#include "dalembert/report/audit_report.hpp"

namespace dalembert::study::audit_html_parts {

using audit_matrix::Cell;

const char* style_of(Cell::Tone tone) {
  switch (tone) {
    case Cell::Tone::good:
      return "good";
    case Cell::Tone::weak:
      return "weak";
    case Cell::Tone::bad:
      return "bad";
    default:
      return "";
  }
}

HtmlCell cell_of(const Cell& cell) { return {cell.text, style_of(cell.tone)}; }

std::string anchor(const MethodAudit& method) {
  std::string text = "method-";
  for (const char c : method.label) text += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return text;
}

}  // namespace dalembert::study::audit_html_parts
