#include "latex_sheet.hpp"

#include <cctype>
#include <string_view>
#include <vector>

#include "app/page/page_text.hpp"
#include "dalembert/expression/notation/latex.hpp"

namespace dalembert::app {
namespace {

/// About as many letters of a formula as fill a line of a page.
constexpr std::size_t full_line = 65;

int depth_change(std::string_view rest) {
  if (rest.starts_with("\\begin{")) return 2;  // with its own brace, which closes
  if (rest.starts_with("\\end{")) return -2;
  if (rest.front() == '{' || rest.front() == '(' || rest.front() == '[') return 1;
  if (rest.front() == '}' || rest.front() == ')' || rest.front() == ']') return -1;
  return 0;
}

/// Where the terms of a sum end: signs that stand in no brackets.
std::vector<std::size_t> ends_of_terms(const std::string& formula) {
  std::vector<std::size_t> ends;
  int depth = 0;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    const std::string_view rest = std::string_view(formula).substr(i);
    depth += depth_change(rest);
    if (depth == 0 && i > 0 && (rest.starts_with(" + ") || rest.starts_with(" - ")))
      ends.push_back(i);
  }
  return ends;
}

/// About how many letters a reader sees: a command is one, what it encloses counts.
std::size_t shown_letters(std::string_view latex) {
  std::size_t count = 0;
  bool in_command = false;
  for (const char c : latex) {
    const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    if (c == '\\') {
      ++count;
      in_command = true;
      continue;
    }
    in_command = in_command && is_letter;
    if (!in_command && std::string_view("{}^_ &").find(c) == std::string_view::npos) ++count;
  }
  return count;
}

/// A long sum goes on in further lines.
std::string in_lines(const std::string& formula) {
  std::string text;
  std::size_t begin = 0, last = 0;
  std::vector<std::size_t> ends = ends_of_terms(formula);
  ends.push_back(formula.size());
  for (const std::size_t end : ends) {
    const std::string_view line = std::string_view(formula).substr(begin, end - begin);
    if (last > begin && shown_letters(line) > full_line) {
      text += formula.substr(begin, last - begin) + " \\\\\n    &\\quad";
      begin = last;
    }
    last = end;
  }
  return text + formula.substr(begin);
}

std::string equation_text(const SheetLine& line) {
  const std::string multiplier =
      line.multiplier.empty() ? "" : " \\qquad [" + latex_name(line.multiplier) + "]";
  return "  " + latex_name(line.left) + " &= " + in_lines(to_latex(line.right)) + multiplier;
}

/// Equations that follow each other are aligned.
std::string aligned(const std::vector<SheetLine>& lines) {
  std::string text, block;
  const auto close = [&text, &block] {
    if (!block.empty()) text += "\\begin{align*}\n" + block + "\n\\end{align*}\n";
    block.clear();
  };
  for (const SheetLine& line : lines) {
    if (line.is_equation()) {
      block += (block.empty() ? "" : " \\\\\n") + equation_text(line);
      continue;
    }
    close();
    text += (text.empty() ? "" : "\n") +
            wrapped("{\\ttfamily\\raggedright " + latex_text(line.words) + "\\par}", "");
  }
  close();
  return text;
}

std::string section_text(const std::string& title) {
  return "\n\\subsection*{" + latex_text(title) + "}\n";
}

std::string item(const std::string& text) { return "  \\item " + text + "\n"; }

std::string itemize(const std::string& items) {
  return "\\begin{itemize}\n" + items + "\\end{itemize}\n";
}

std::string values_text(const FormulaSheet& sheet) {
  if (sheet.values.empty()) return "";
  std::string items;
  for (const SheetValue& value : sheet.values) {
    const std::string name = value.is_symbol ? "$" + latex_name(value.name) + "$: "
                                             : "\\texttt{" + latex_text(value.name) + "}: ";
    items += item(name + latex_text(value.value) + ", " + latex_text(value.range) +
                  (value.description.empty() ? "" : "; " + latex_text(value.description)));
  }
  return section_text(sheet.value_title) + itemize(items);
}

std::string coordinates_text(const FormulaSheet& sheet) {
  std::string names;
  for (const std::string& name : sheet.coordinates)
    names += (names.empty() ? "$" : ", $") + latex_name(name) + "$";
  return names.empty() ? "" : section_text("Coordinates") + wrapped(names, "");
}

std::string remarks_text(const SheetSection& section) {
  std::string items;
  for (const SheetLine& line : section.lines) items += item(latex_text(line.words));
  return section_text(section.title) + itemize(items);
}

}  // namespace

std::string latex_page(const FormulaSheet& sheet) {
  std::string text = "% " + sheet.name + ", by dalembert; needs \\usepackage{amsmath}\n";
  text += "\\section*{" + latex_text(sheet.name) +
          (sheet.title.empty() ? "" : ": " + latex_text(sheet.title)) + "}\n";
  for (const std::string& paragraph : sheet.introduction)
    text += wrapped(latex_text(paragraph), "") + "\n";
  if (!sheet.source.empty()) text += wrapped("Source: " + latex_text(sheet.source), "");
  text += coordinates_text(sheet) + values_text(sheet);
  for (const SheetSection& section : sheet.sections)
    text += section_text(section.title) + aligned(section.lines);
  for (const SheetSection& section : sheet.remarks) text += remarks_text(section);
  return text;
}

std::string latex_equations(const FormulaSheet& sheet) {
  std::string text = "% " + sheet.name + ", by dalembert; needs \\usepackage{amsmath}\n";
  for (const SheetSection& section : sheet.sections)
    text += "% " + section.title + "\n" + aligned(section.lines);
  return text;
}

}  // namespace dalembert::app
