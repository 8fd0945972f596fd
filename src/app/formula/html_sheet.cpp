#include "html_sheet.hpp"

#include <string>
#include <vector>

#include "dalembert/expression/notation/mathml.hpp"
#include "dalembert/picture/page/html_page.hpp"
#include "dalembert/version.hpp"

namespace dalembert::app {

using namespace study;

namespace {

constexpr const char* formula_style =
    "<style>.formulas{overflow-x:auto;border:0;font-size:1.1rem;width:auto}"
    ".formulas td{border:0;background:none;position:static;font-weight:400;padding:.35rem .2rem}"
    ".formulas td:first-child{text-align:right;white-space:nowrap}"
    ".formulas td:last-child{padding-left:2rem}.words{font-family:monospace}</style>\n";

std::string cell(const std::string& content) { return "<td>" + content + "</td>"; }

std::string equation_row(const SheetLine& line) {
  const std::string multiplier =
      line.multiplier.empty() ? "" : math_element(mathml_name(line.multiplier));
  return "<tr>" + cell(math_element(mathml_name(line.left))) + cell(math_element("<mo>=</mo>")) +
         cell(
             math_element("<mstyle displaystyle=\"true\">" + to_mathml(line.right) + "</mstyle>")) +
         cell(multiplier) + "</tr>\n";
}

/// Equations that follow each other are aligned at their signs.
void write_lines(HtmlPage& page, const std::vector<SheetLine>& lines) {
  std::string rows;
  const auto close = [&page, &rows] {
    if (!rows.empty())
      page.raw("<div class=\"scroll\"><table class=\"formulas\"><tbody>\n" + rows +
               "</tbody></table></div>\n");
    rows.clear();
  };
  for (const SheetLine& line : lines) {
    if (line.is_equation()) {
      rows += equation_row(line);
      continue;
    }
    close();
    page.raw("<p class=\"words\">" + html_escape(line.words) + "</p>\n");
  }
  close();
}

void write_coordinates(HtmlPage& page, const FormulaSheet& sheet) {
  if (sheet.coordinates.empty()) return;
  page.heading(2, "Coordinates");
  std::string names;
  for (const std::string& name : sheet.coordinates)
    names += (names.empty() ? "" : ", ") + math_element(mathml_name(name));
  page.raw("<p>" + names + "</p>\n");
}

void write_values(HtmlPage& page, const FormulaSheet& sheet) {
  if (sheet.values.empty()) return;
  page.heading(2, sheet.value_title);
  std::string rows;
  for (const SheetValue& value : sheet.values) {
    rows += "<tr>" +
            cell(value.is_symbol ? math_element(mathml_name(value.name))
                                 : "<code>" + html_escape(value.name) + "</code>") +
            cell(html_escape(value.value)) + cell(html_escape(value.range)) +
            cell(html_escape(value.description)) + "</tr>\n";
  }
  page.raw("<div class=\"scroll\"><table><tbody>\n" + rows + "</tbody></table></div>\n");
}

}  // namespace

std::string html_page(const FormulaSheet& sheet) {
  HtmlPage page(sheet.name);
  page.raw(formula_style);
  page.heading(1, sheet.name + (sheet.title.empty() ? "" : ": " + sheet.title));
  for (const std::string& paragraph : sheet.introduction) page.paragraph(paragraph);
  if (!sheet.source.empty()) page.paragraph("Source: " + sheet.source);
  write_coordinates(page, sheet);
  write_values(page, sheet);
  for (const SheetSection& section : sheet.sections) {
    page.heading(2, section.title);
    write_lines(page, section.lines);
  }
  for (const SheetSection& section : sheet.remarks) {
    page.heading(2, section.title);
    std::vector<std::string> words;
    for (const SheetLine& line : section.lines) words.push_back(line.words);
    page.list(words);
  }
  page.raw("<p class=\"quiet\">dalembert " + html_escape(version()) + "</p>\n");
  return page.text();
}

}  // namespace dalembert::app
