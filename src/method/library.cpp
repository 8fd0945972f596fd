#include "dalembert/method/library.hpp"

#include <algorithm>

#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/energy/collocation.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/energy/hamel.hpp"
#include "dalembert/method/in_chart.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/node/generalized_alpha.hpp"
#include "dalembert/method/node/gni.hpp"
#include "dalembert/method/node/herglotz.hpp"
#include "dalembert/method/node/moser_veselov.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/splitting/driver_splitting.hpp"
#include "dalembert/method/splitting/frame_splitting.hpp"
#include "dalembert/method/splitting/speed_splitting.hpp"
#include "dalembert/method/stage/spark.hpp"
#include "dalembert/method/variational.hpp"
#include "dalembert/method/velocity_dla.hpp"

namespace dalembert {

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> all =
      method_types<Dla, Dla01, Leapfrog, Gni, DiscreteDerivative, GeneralizedAlpha, Herglotz,
                   MoserVeselov, Newmark, LieNewmark, NewmarkComposition, VelocityDla,
                   ReducedGradient, Hamel, EnergyCollocation, GonzalezFull, Lobatto, LieLobatto,
                   Spark, VariationalRungeKutta, Shake, Adjoint, Compose, InChart, DriverSplitting,
                   FrameSplitting, SpeedSplitting, RungeKutta4, Fehlberg78, Dop853, Gauss, RadauIIA,
                   LieMidpoint>();
  return all;
}

std::vector<std::string> MethodEntry::introduction() const {
  std::vector<std::string> paragraphs = use.sentences();
  paragraphs.push_back(description);
  return paragraphs;
}

namespace {

/// The option of that name, or the end.
auto find_option(const std::vector<OptionInfo>& options, const std::string& name) {
  return std::find_if(options.begin(), options.end(),
                      [&](const OptionInfo& option) { return option.name == name; });
}

std::string joined_names(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

const Alias* find_alias(const MethodEntry& entry, const std::string& name) {
  const auto found = std::ranges::find(entry.aliases, name, &Alias::name);
  return found == entry.aliases.end() ? nullptr : &*found;
}

/// Options that a name stands for are no longer free.
MethodSpec meant(const MethodEntry& entry, const Alias& alias, const MethodSpec& spec) {
  MethodSpec result{entry.name, spec.options};
  for (const auto& [name, value] : alias.options) {
    const auto given = spec.options.find(name);
    if (given != spec.options.end() && option_text(given->second) != option_text(value)) {
      throw RequestError("method \"" + alias.name + "\" is " + entry.name + " with " + name +
                         " = " + option_text(value) + ", and not " + option_text(given->second) +
                         "; use \"" + entry.name + "\"");
    }
    result.options[name] = value;
  }
  return result;
}

/// The method that an alias stands for, on the systems for which it does.
Method make_alias(const MethodEntry& entry, const Alias& alias, const MethodSpec& spec) {
  const MethodSpec full = meant(entry, alias, spec);
  Method method = entry.make(full);
  if (!alias.lagrangian) return method;
  MethodDefinition definition = method.definition();
  definition.name = alias.name;
  Requirements& needs = definition.requirements;
  needs.lagrangian = std::min(needs.lagrangian, *alias.lagrangian);
  needs.handles_groups = false;
  needs.reason = "elsewhere \"" + alias.name + "\" is another method than " + label(full);
  return Method(std::move(definition));
}

}  // namespace

void check_options(const MethodSpec& spec, const std::vector<OptionInfo>& options) {
  for (const auto& [name, value] : spec.options) {
    const auto option = find_option(options, name);
    if (option != options.end()) {
      check_option(spec.name, *option, value);
      continue;
    }
    std::vector<std::string> known;
    for (const OptionInfo& info : options) known.push_back(info.name);
    throw RequestError(
        "method \"" + spec.name + "\" has no option \"" + name + "\"; " +
        (known.empty() ? "it has no options" : "its options are " + joined_names(known)));
  }
}

const MethodEntry* find_method(const std::string& name) {
  const auto found = std::ranges::find_if(methods(), [&](const MethodEntry& entry) {
    return entry.name == name || find_alias(entry, name) != nullptr;
  });
  return found == methods().end() ? nullptr : &*found;
}

/// Names of methods in other programs and books, with those that are here, or to take in their
/// place.
constexpr std::pair<std::string_view, std::string_view> names_elsewhere[] = {
    {"rk4", "runge-kutta-4"},       {"rk45", "dop853"},          {"ode45", "dop853"},
    {"dopri5", "dop853"},           {"dopri853", "dop853"},      {"rkf78", "fehlberg-78"},
    {"radau", "radau-iia"},         {"radau5", "radau-iia"},     {"verlet", "leapfrog"},
    {"stormer-verlet", "leapfrog"}, {"midpoint", "gauss"},       {"gauss-legendre", "gauss"},
    {"implicit-midpoint", "gauss"}, {"lobatto-iiia", "lobatto"}, {"rattle", "lobatto"}};

const MethodEntry& method_entry(const std::string& name) {
  if (const MethodEntry* entry = find_method(name)) return *entry;
  std::vector<std::string> names, all;
  for (const MethodEntry& entry : methods()) {
    names.push_back(entry.name);
    all.push_back(entry.name);
    for (const Alias& alias : entry.aliases) all.push_back(alias.name);
  }
  const std::string_view meant = meant_by(name, names_elsewhere);
  const std::string near = meant.empty() ? nearest_name(name, all) : std::string(meant);
  throw RequestError(
      "there is no method \"" + name + "\"; " +
      (near.empty() ? "known are " + joined_names(names) : "did you mean \"" + near + "\"?"));
}

Method make_method(const MethodSpec& spec) {
  if (spec.own == nullptr || find_method(spec.name) != nullptr) {
    const MethodEntry& entry = method_entry(spec.name);
    const Alias* alias = find_alias(entry, spec.name);
    return alias == nullptr ? entry.make(spec) : make_alias(entry, *alias, spec);
  }
  if (!spec.options.empty() && spec.options != spec.own->values) {
    throw RequestError("method \"" + spec.name +
                       "\" is not of the library; its options are chosen where it is made");
  }
  return Method(spec.own);
}

std::string option_text(const OptionValue& value) {
  if (const double* number = std::get_if<double>(&value)) return to_string(*number);
  if (const std::string* word = std::get_if<std::string>(&value)) {
    if (word->empty()) return "none";
    return word->find(',') == std::string::npos ? *word : "\"" + *word + "\"";
  }
  if (const auto* words = std::get_if<std::vector<std::string>>(&value))
    return words->empty() ? "none" : joined_names(*words);
  return label(*std::get<std::shared_ptr<const MethodSpec>>(value));
}

std::string label(const MethodSpec& spec) {
  const MethodEntry* entry = find_method(spec.name);
  std::map<std::string, OptionValue> defaults;
  if (entry != nullptr || spec.own != nullptr) {
    for (const OptionInfo& option : entry != nullptr ? entry->options : spec.own->options)
      defaults[option.name] = option.default_value;
  }
  const Alias* alias = entry == nullptr ? nullptr : find_alias(*entry, spec.name);
  if (alias != nullptr) {
    for (const auto& [name, value] : alias->options) defaults[name] = value;
  }
  std::vector<std::string> chosen;
  for (const auto& [name, value] : spec.options) {
    const auto usual = defaults.find(name);
    if (usual == defaults.end() || option_text(usual->second) != option_text(value))
      chosen.push_back(name + "=" + option_text(value));
  }
  return chosen.empty() ? spec.name : spec.name + "(" + joined_names(chosen) + ")";
}

std::vector<std::string> fitting_methods(const System& system) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) {
    if (!entry.make(MethodSpec{entry.name, {}}).misfit(system)) names.push_back(entry.name);
  }
  return names;
}

}  // namespace dalembert
