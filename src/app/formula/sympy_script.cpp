#include "sympy_script.hpp"

#include <optional>
#include <set>

#include "app/arguments/subject.hpp"
#include "app/page/page_text.hpp"
#include "dalembert/expression/notation/sympy.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/text/step_equations.hpp"
#include "dalembert/problem/formula/problem_formulas.hpp"
#include "dalembert/problem/make_system.hpp"
#include "sympy_text.hpp"

namespace dalembert::app {

using namespace study;

namespace {

std::vector<std::string> right_sides(const std::vector<Formula>& formulas) {
  std::vector<std::string> texts;
  for (const Formula& formula : formulas) texts.push_back(to_sympy(formula.right));
  return texts;
}

/// What SymPy may assume of a parameter.
std::string facts_of(const Parameter& parameter) {
  const bool is_positive = parameter.min > 0.0 || (parameter.min == 0.0 && parameter.min_exclusive);
  if (is_positive) return "positive=True";
  return parameter.min == 0.0 ? "nonnegative=True" : "real=True";
}

/// The script of a problem, part by part.
class ProblemScript {
 public:
  explicit ProblemScript(const System& system)
      : system_(system),
        formulas_(problem_formulas(system)),
        symbols_(system.symbols()),
        variables_(system.configuration().variable_names()),
        velocities_(system.configuration().velocity_names()) {}

  std::string text() const {
    std::string script = symbols_text() + parameters_text() + functions_text() + parts_text();
    script += system_.is_skew_gradient() ? skew_gradient_text() : lagrangian_text() + motion_text();
    return import_text(script) + script;
  }

 private:
  std::string symbols_text() const {
    std::string text = "# Time, positions and velocities.\n" + symbol_text("t");
    for (const std::string& name : variables_) text += symbol_text(name);
    text += list_text("coordinates", sympy_names(variables_));
    if (system_.is_skew_gradient()) return text;
    for (const std::string& name : velocities_) text += symbol_text(name);
    return text + list_text("velocities", sympy_names(velocities_));
  }
  std::string parameters_text() const {
    const std::vector<Parameter>& parameters = system_.description().parameters;
    std::string text = "\n# Parameters with their default values.\n", values;
    for (const Parameter& parameter : parameters) {
      text += symbol_text(parameter.name, facts_of(parameter));
      values += "    " + sympy_name(parameter.name) + ": " + to_sympy(parameter.value) + ",\n";
    }
    return text + "parameters = {" + (values.empty() ? "" : "\n") + values + "}\n";
  }
  /// Tables are functions of which SymPy knows nothing.
  std::string functions_text() const {
    Vector all;
    for (const auto* list :
         {&formulas_.parts, &formulas_.energies, &formulas_.structure, &formulas_.constraints,
          &formulas_.holonomic, &formulas_.reactions, &formulas_.forces, &formulas_.integrals})
      for (const Formula& formula : *list) all.push_back(formula.right);
    const std::set<std::string> functions = names_in(all).functions;
    std::string text;
    for (const std::string& name : functions) text += function_text(name);
    return text.empty() ? "" : "\n# Tables.\n" + text;
  }
  std::string parts_text() const {
    std::string text;
    for (const Formula& part : formulas_.parts)
      text += sympy_name(part.left) + " = " + to_sympy(part.right) + "\n";
    return text.empty() ? "" : "\n# Parts of the equations.\n" + text;
  }
  std::string integrals_text() const {
    std::string text = "integrals = {";
    for (const Formula& integral : formulas_.integrals)
      text += "\n    \"" + integral.left + "\": " + to_sympy(integral.right) + ",";
    return text + (formulas_.integrals.empty() ? "}\n" : "\n}\n");
  }
  std::string lagrangian_text() const {
    const std::vector<Formula>& energies = formulas_.energies;
    std::string text = "\n# The Lagrangian; what vanishes; forces by velocity.\nlagrangian = ";
    text += energies.size() == 1
                ? to_sympy(energies[0].right)
                : to_sympy(energies[0].right) + " - (" + to_sympy(energies[1].right) + ")";
    text += "\n" + list_text("constraints", right_sides(formulas_.constraints), "on velocities") +
            list_text("holonomic", right_sides(formulas_.holonomic), "on positions");
    return text + list_text("forces", forces()) + integrals_text();
  }
  /// One entry for each velocity, in the parts that the other formulas use: the next of `formulas`
  /// where the force is not zero.
  std::vector<std::string> by_velocity(const Vector& force, const std::vector<Formula>& formulas,
                                       std::size_t& next) const {
    std::vector<std::string> entries(system_.dof(), "0");
    for (std::size_t i = 0; i < force.size(); ++i)
      if (!force[i].is_constant(0.0)) entries[i] = to_sympy(formulas[next++].right);
    return entries;
  }
  std::vector<std::string> forces() const {
    std::size_t next = 0;
    return by_velocity(system_.mechanics().force, formulas_.forces, next);
  }
  /// The directions in which multipliers push; nothing where all constraints are ideal.
  std::string reactions_text() const {
    if (system_.traits().ideal) return "";
    std::string text = "reactions = [[diff(f, v) for v in velocities] for f in conditions]\n";
    const std::vector<Vector>& reactions = system_.mechanics().reactions;
    std::size_t next = 0;
    for (std::size_t k = 0; k < reactions.size(); ++k)
      if (!reactions[k].empty())
        text += "reactions[" + std::to_string(k) + "] = [" +
                joined(by_velocity(reactions[k], formulas_.reactions, next)) + "]\n";
    return text;
  }
  std::string accelerations_text() const {
    std::string text;
    std::vector<std::string> names;
    for (const std::string& velocity : velocities_) {
      // x_ddot, R_ddot[1]
      std::string name = velocity;
      name.replace(name.rfind("_dot"), 4, "_ddot");
      names.push_back(name);
      text += symbol_text(name);
    }
    return text + list_text("accelerations", sympy_names(names));
  }
  std::string multipliers_text() const {
    std::string text;
    for (const std::string& name : system_.multiplier_names()) text += symbol_text(name);
    return text + list_text("multipliers", sympy_names(system_.multiplier_names()));
  }
  /// On groups: how positions follow velocities, and ad*_v p.
  std::string group_text() const {
    const Configuration& configuration = system_.configuration();
    if (configuration.is_flat()) return "rates = velocities\n";
    const Vector rates = configuration.rates(symbols_.variables) * symbols_.v;
    const GraphPointer graph = symbols_.t.graph();
    std::string text = "# Rates of the positions, which velocities in the body frame give.\n" +
                       list_text("rates", sympy_texts(rates));
    Vector momenta;
    for (std::size_t i = 0; i < system_.dof(); ++i)
      momenta.push_back(make_symbol(graph, "momenta_" + std::to_string(i)));
    const Vector coadjoint = configuration.infinitesimal_coadjoint(symbols_.v, momenta);
    for (std::size_t i = 0; i < momenta.size(); ++i) {
      const std::string index = std::to_string(i);
      text += "momenta_" + index + " = diff(lagrangian, velocities[" + index + "])\n";
    }
    return text + list_text("coadjoint", sympy_texts(coadjoint));
  }
  std::string motion_text() const {
    const bool is_flat = system_.configuration().is_flat();
    const std::string slope =
        is_flat ? "diff(lagrangian, coordinates[i])"
                : "sum(diff(lagrangian, x)*diff(r, v) for x, r in zip(coordinates, rates))";
    return "\n# The equations of motion: each of `equations` vanishes.\n" + accelerations_text() +
           multipliers_text() + group_text() +
           R"py(

def rate(f):
    """The derivative of f along the motion."""
    return (diff(f, t) + sum(diff(f, x)*r for x, r in zip(coordinates, rates))
            + sum(diff(f, v)*a for v, a in zip(velocities, accelerations)))


conditions = [*constraints, *(rate(f) for f in holonomic)]
)py" + reactions_text() +
           R"py(equations = [
    rate(diff(lagrangian, v)) - )py" +
           slope + (is_flat ? "" : " - coadjoint[i]") + R"py( - forces[i]
    - sum()py" +
           (system_.traits().ideal ? "diff(f, v)*m for f, m in zip(conditions, multipliers)"
                                   : "r[i]*m for r, m in zip(reactions, multipliers)") +
           R"py()
    for i, v in enumerate(velocities)
]
equations += [rate(f) for f in conditions]

if __name__ == "__main__":
    for equation in equations:
        print("0 =", equation)
)py";
  }
  std::string skew_gradient_text() const {
    const Matrix& matrix = system_.mechanics().skew_gradient->structure;
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < matrix.rows(); ++i)
      rows.push_back("[" + joined(sympy_texts(matrix.row(i))) + "]");
    const std::string entries = "structure = Matrix([" + joined(rows) + "])\n";
    return "\n# zeta' = structure * gradient of the Hamiltonian.\nhamiltonian = " +
           to_sympy(formulas_.energies[0].right) + "\n" + entries + integrals_text() +
           "rates = structure*Matrix([diff(hamiltonian, x) for x in coordinates])\n" + R"py(
if __name__ == "__main__":
    for x, r in zip(coordinates, rates):
        print(str(x) + "' =", r)
)py";
  }

  const System& system_;
  ProblemFormulas formulas_;
  Symbols symbols_;
  std::vector<std::string> variables_, velocities_;
};

std::string comment(const std::string& text) { return "\n" + wrapped(text, "# "); }

}  // namespace

std::string problem_script(const ProblemFile& problem) {
  const System system = make_system(problem);
  return "# The problem " + in_one_line(problem.name) + " in SymPy, by dalembert.\n" +
         ProblemScript(system).text();
}

std::string method_script(const Method& method) {
  const std::vector<EquationLine> lines = step_equations(method);
  Vector all;
  std::set<std::string> parts;
  for (const EquationLine& line : lines) {
    if (!line.is_equation()) continue;
    all.push_back(line.right);
    parts.insert(line.left);
  }
  const ExpressionNames names = names_in(all);
  std::string script = "# Before and after the step.\n";
  for (const std::string& symbol : names.symbols)
    if (!parts.contains(symbol)) script += symbol_text(symbol);
  for (const std::string& function : names.functions) script += function_text(function);
  script += "\n# What vanishes, and what follows.\nequations = []\nafter = {}\n";
  for (const EquationLine& line : lines) {
    if (!line.is_equation()) {
      script += comment(line.words);
    } else if (line.left == "0") {
      script += "equations.append(" + to_sympy(line.right) + ")\n";
    } else if (names.symbols.contains(line.left)) {
      script += sympy_name(line.left) + " = " + to_sympy(line.right) + "\n";
    } else {
      script += "after[\"" + line.left + "\"] = " + to_sympy(line.right) + "\n";
    }
  }
  script += R"py(
if __name__ == "__main__":
    for equation in equations:
        print("0 =", equation)
    for name, value in after.items():
        print(name, "=", value)
)py";
  return "# One step of " + label(method.spec()) + " in SymPy, by dalembert.\n" +
         import_text(script) + script;
}

std::string sympy_script(const std::string& name, const std::string& option) {
  if (const std::optional<MethodSubject> found = find_method(name))
    return method_script(found->method);
  refuse_study(name, option);
  return problem_script(read_problem_of(name));
}

}  // namespace dalembert::app
