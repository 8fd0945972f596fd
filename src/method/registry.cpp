#include "dalembert/method/registry.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/method/composition.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/energy.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/variational.hpp"
#include "dalembert/method/velocity_dla.hpp"

namespace dalembert {
namespace {

template <class M>
OptionInfo info_of(const Option<M>& option) {
  OptionInfo info;
  info.name = option.name;
  info.description = option.description;
  info.min = option.min;
  info.max = option.max;
  info.choices = option.choices;
  info.whole = option.whole;
  info.default_value = option.get(M{});
  return info;
}

/// Throws unless the value is admissible for the option.
void check_value(const std::string& method, const OptionInfo& option, const OptionValue& value) {
  const auto refuse = [&](const std::string& problem) {
    throw RequestError("option \"" + option.name + "\" of method \"" + method + "\" " + problem);
  };
  if (std::holds_alternative<double>(option.default_value)) {
    const double* number = std::get_if<double>(&value);
    if (number == nullptr) return refuse("must be a number");
    if (!(*number >= option.min && *number <= option.max)) {
      refuse("is " + to_string(*number) + "; it must be in [" + to_string(option.min) + ", " +
             to_string(option.max) + "]");
    }
    if (option.whole && *number != std::floor(*number))
      refuse("must be a whole number, not " + to_string(*number));
  } else if (std::holds_alternative<std::string>(option.default_value)) {
    const std::string* word = std::get_if<std::string>(&value);
    if (word != nullptr && option.choices.empty()) return;
    std::string allowed;
    for (const std::string& choice : option.choices) {
      if (word != nullptr && *word == choice) return;
      allowed += (allowed.empty() ? "" : ", ") + choice;
    }
    refuse((word != nullptr ? "is \"" + *word + "\"; it must be one of " : "must be one of ") +
           allowed);
  } else if (!std::holds_alternative<std::shared_ptr<const MethodSpec>>(value)) {
    refuse("must be a method, as { name = \"dla\", alpha = 0.5 }");
  }
}

template <class M>
Method make(const MethodSpec& spec) {
  M method;
  std::vector<std::string> known;
  if constexpr (requires { M::options(); }) {
    for (const Option<M>& option : M::options()) {
      known.emplace_back(option.name);
      if (const auto given = spec.options.find(known.back()); given != spec.options.end()) {
        check_value(spec.name, info_of(option), given->second);
        option.set(method, given->second);
      }
    }
  }
  for (const auto& [name, value] : spec.options) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string allowed;
    for (const std::string& option : known) allowed += (allowed.empty() ? "" : ", ") + option;
    throw RequestError("method \"" + spec.name + "\" has no option \"" + name + "\"; " +
                       (known.empty() ? "it has no options" : "its options are " + allowed));
  }
  // A type may refuse combinations of options that are admissible one by one.
  if constexpr (requires { method.check_options(); }) method.check_options();
  return Method(method);
}

template <class M>
MethodEntry entry(std::string title, std::string description, std::string source) {
  MethodEntry result{std::string(M::name), {}, std::move(title), std::move(description),
                     std::move(source),    {}, make<M>};
  if constexpr (requires { M::alias; }) result.aliases.emplace_back(M::alias);
  if constexpr (requires { M::options(); }) {
    for (const Option<M>& option : M::options()) result.options.push_back(info_of(option));
  }
  return result;
}

std::string value_text(const OptionValue& value) {
  if (const double* number = std::get_if<double>(&value)) return to_string(*number);
  if (const std::string* word = std::get_if<std::string>(&value)) return *word;
  return label(*std::get<std::shared_ptr<const MethodSpec>>(value));
}

}  // namespace

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> all{
      entry<Dla>("discrete Lagrange-d'Alembert method with weight alpha",
                 "The discrete Lagrange-d'Alembert principle with the constraint force at an "
                 "intermediate point. Explicit up to "
                 "the multipliers for alpha = 0.",
                 "ModinVerdier2020, Eq. (27); CortesMartinez2001"),
      entry<Dla01>("symmetric composition of the two one-sided DLA methods",
                   "Half a step of DLA with alpha = 0 followed by half a step with alpha = 1, "
                   "written as one step.",
                   "ModinVerdier2020, Eq. (29); McLachlanPerlmutter2006; SI-DLA of Celledoni2019"),
      entry<Leapfrog>("nonholonomic leap-frog",
                      "Half a kick with the old multiplier, a drift, half a kick with the new one. "
                      "For a quadratic potential and "
                      "constant mass it has an exact discrete energy. With holonomic constraints "
                      "it is RATTLE.",
                      "ModinVerdier2020, Eq. (30), corrected; McLachlanPerlmutter2006; "
                      "FerraroIglesiasMartin2008; Andersen1983"),
      entry<DiscreteDerivative>("discrete derivative of the potential",
                                "Keeps the energy to round-off. The constraint holds for the mean "
                                "velocity, so the new velocity "
                                "satisfies it only nearly. With the mean-value gradient driver and "
                                "passenger of a coupled system "
                                "keep their energies separately.",
                                "ModinVerdier2020, A.3; Gonzalez1996"),
      entry<Newmark>("nonholonomic Newmark family",
                     "Two expansions of the position with weights beta and beta', a discrete "
                     "constraint between the nodes and the "
                     "exact one at the new node. Order 2 for beta = beta' and alpha = 1/2.",
                     "AnahorySimoes2022, Def. 3.1"),
      entry<NewmarkComposition>(
          "symmetric composition of two explicit Newmark half steps",
          "F with alpha = 0 followed by F with alpha = 1, half a step each, beta = beta' = 0.",
          "AnahorySimoes2022, Sect. 3.3"),
      entry<VelocityDla>("velocity integrator of a finite-difference map",
                         "The discrete Lagrange-d'Alembert principle for the discrete Lagrangian h "
                         "L(node, velocity), with any map "
                         "from pairs of positions to a node and a velocity.",
                         "JimenezScheurle2015, Sects. 5 and 6"),
      entry<ReducedGradient>("discrete gradient on D*",
                             "A discrete gradient of the energy in positions and the momenta of a "
                             "frame of the constraint "
                             "distribution: energy and constraint hold to round-off.",
                             "Celledoni2019, Sects. 2 and 3"),
      entry<EnergyCollocation>("energy-preserving collocation on D*",
                               "High order with exact energy and exact constraint. One stage is "
                               "the mean-value reduced gradient. "
                               "With an orthonormal frame driver and passenger of a coupled system "
                               "keep their energies separately.",
                               "CohenHairer2011 on the equations of Celledoni2019, Sect. 2"),
      entry<GonzalezFull>(
          "discrete gradient on T*Q with the constraint at the midpoint",
          "Keeps the energy to round-off; the velocity leaves the constraint by a bounded amount.",
          "Celledoni2019, Eq. (15)"),
      entry<Lobatto>("Lobatto method with any number of stages",
                     "Order 2 s - 2 for linear, affine and nonlinear constraints and any regular "
                     "Lagrangian. Carries the multiplier, which "
                     "starts with its exact value; an error in it is not damped, and can grow "
                     "where the mass depends on q, unless multiplier = \"exact\" starts every "
                     "step anew. Two stages: the leap-frog.",
                     "MartinDeDiegoSato2018, Eq. (14)"),
      entry<Spark>("SPARK method with Lobatto tableaux",
                   "Constraints hold in a weighted mean over the stages and at the new node.",
                   "Jay2009"),
      entry<VariationalRungeKutta>(
          "variational partitioned Runge-Kutta method",
          "Symplectic; for systems without constraints or with holonomic ones. Lobatto pairs (two "
          "stages: Stormer-Verlet, and RATTLE with constraints) or Gauss nodes.",
          "MarsdenWest2001, Sect. 2.6; Jay1996"),
      entry<Shake>("SHAKE, the position form of RATTLE",
                   "The velocity that it carries is corrected only by the next step; its positions "
                   "are those of RATTLE.",
                   "RyckaertCiccottiBerendsen1977"),
      entry<Adjoint>("adjoint of another method", "The inverse of the base with the step reversed.",
                     "HairerLubichWanner2006, Def. II.3.1"),
      entry<Compose>("symmetric composition of another method",
                     "Several steps of a symmetric base of order 2, forward and backward, that add "
                     "up to one step of higher order.",
                     "Yoshida1990; Suzuki1990; KahanLi1997; SuzukiUmeno1993"),
      entry<RungeKutta4>("classical Runge-Kutta method on the eliminated equations",
                         "What a user would do without a structure-preserving method.",
                         "HairerNorsettWanner1993, Sect. II.1"),
      entry<Fehlberg78>(
          "adaptive explicit method of order 8 on the eliminated equations",
          "Substeps of its own between the nodes of the grid, as small as the tolerance asks for.",
          "Fehlberg1968, Table X"),
      entry<Gauss>("Gauss collocation on the eliminated equations",
                   "Symmetric, implicit, order twice the number of stages.",
                   "HairerLubichWanner2006, Sect. II.1.3"),
      entry<RadauIIA>("Radau IIA collocation on the eliminated equations",
                      "Stiffly accurate, implicit, order 2 s - 1.", "HairerWanner1996, Sect. IV.5"),
  };
  return all;
}

const MethodEntry& method_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) {
    const auto& aliases = entry.aliases;
    if (entry.name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end()) {
      return entry;
    }

    names.push_back(entry.name);
  }
  const std::string near = nearest_name(name, names);
  std::string known;
  for (const std::string& candidate : names) known += (known.empty() ? "" : ", ") + candidate;
  throw RequestError("there is no method \"" + name + "\"; " +
                     (near.empty() ? "known are " + known : "did you mean \"" + near + "\"?"));
}

Method make_method(const MethodSpec& spec) { return method_entry(spec.name).make(spec); }

std::string label(const MethodSpec& spec) {
  const auto& all = methods();
  const auto entry = std::find_if(all.begin(), all.end(),
                                  [&](const MethodEntry& e) { return e.name == spec.name; });
  std::string text;
  for (const auto& [name, value] : spec.options) {
    if (entry != all.end()) {
      const auto info =
          std::find_if(entry->options.begin(), entry->options.end(),
                       [&, &name = name](const OptionInfo& option) { return option.name == name; });
      if (info != entry->options.end() && value_text(info->default_value) == value_text(value))
        continue;
    }
    text += (text.empty() ? "" : ", ") + name + "=" + value_text(value);
  }
  return text.empty() ? spec.name : spec.name + "(" + text + ")";
}

std::vector<std::string> fitting_methods(const System& system) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) {
    if (!entry.make(MethodSpec{entry.name, {}}).misfit(system)) names.push_back(entry.name);
  }
  return names;
}

}  // namespace dalembert
