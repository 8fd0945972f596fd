#include "formula_sheet.hpp"

#include <optional>

#include "app/page/page_text.hpp"
#include "app/page/problem_page.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/text/describe.hpp"
#include "dalembert/method/text/step_equations.hpp"
#include "dalembert/problem/formula/problem_formulas.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/units.hpp"

namespace dalembert::app {

using namespace study;

namespace {

void add_section(FormulaSheet& sheet, const std::string& title,
                 const std::vector<Formula>& formulas) {
  if (formulas.empty()) return;
  SheetSection section{title, {}};
  for (const Formula& formula : formulas)
    section.lines.push_back(
        {.left = formula.left, .right = formula.right, .multiplier = formula.multiplier});
  sheet.sections.push_back(std::move(section));
}

std::vector<SheetValue> parameter_values(const ProblemFile& problem) {
  std::vector<SheetValue> values;
  for (const Parameter& parameter : problem.parameters) {
    const std::string unit = problem.units.by_name.empty() ? "" : unit_of(problem, parameter.name);
    values.push_back({parameter.name, to_string(parameter.value) + (unit.empty() ? "" : " " + unit),
                      parameter.range_text(), parameter.description});
  }
  return values;
}

SheetSection words_of(const std::string& title, const std::vector<std::string>& lines) {
  SheetSection section{title, {}};
  for (const std::string& line : lines) section.lines.push_back({.words = line});
  return section;
}

}  // namespace

FormulaSheet problem_sheet(const ProblemFile& problem) {
  const System system = make_system(problem);
  const ProblemFormulas formulas = problem_formulas(system);
  FormulaSheet sheet{.name = in_one_line(problem.name),
                     .title = "",
                     .introduction = {problem.description},
                     .source = problem.source,
                     .coordinates = system.configuration().variable_names(),
                     .value_title = "Parameters",
                     .values = parameter_values(problem),
                     .sections = {},
                     .remarks = {}};
  add_section(sheet, "Parts of the equations", formulas.parts);
  add_section(sheet,
              system.is_skew_gradient()       ? "Hamiltonian"
              : formulas.energies.size() == 1 ? "Lagrangian"
                                              : "Lagrangian, L = T - V",
              formulas.energies);
  add_section(sheet, "Skew matrix, zeta' = Pi(zeta) dH(zeta)", formulas.structure);
  add_section(sheet, "Constraints", formulas.constraints);
  add_section(sheet, "Constraints on positions", formulas.holonomic);
  add_section(sheet, "Reactions of multipliers of 1", formulas.reactions);
  add_section(sheet, "Forces", formulas.forces);
  add_section(sheet, "Integrals", formulas.integrals);
  if (!problem.events.empty())
    sheet.remarks.push_back(words_of("Events", event_sentences(problem)));
  return sheet;
}

FormulaSheet method_sheet(const MethodSubject& subject) {
  const auto& [found, method] = subject;
  const MethodEntry& entry = *found;
  FormulaSheet sheet{.name = label(method.spec()),
                     .title = entry.title,
                     .introduction = entry.introduction(),
                     .source = entry.source,
                     .coordinates = {},
                     .value_title = "Options",
                     .values = {},
                     .sections = {{"Equations of one step", {}}},
                     .remarks = {}};
  for (const OptionInfo& option : entry.options) {
    sheet.values.push_back({option.name, "default " + option_text(option.default_value),
                            option_range(option), option.description, false});
  }
  for (const EquationLine& line : step_equations(method))
    sheet.sections.front().lines.push_back(
        {.words = line.words, .left = line.left, .right = line.right});
  sheet.remarks.push_back(words_of("Properties", describe_facts(method.facts())));
  sheet.remarks.push_back(words_of("Needs", {describe_requirements(method.requirements())}));
  return sheet;
}

FormulaSheet formula_sheet(const std::string& name, const std::string& option) {
  if (const std::optional<MethodSubject> found = find_method(name)) return method_sheet(*found);
  refuse_study(name, option);
  return problem_sheet(read_problem_of(name));
}

}  // namespace dalembert::app
