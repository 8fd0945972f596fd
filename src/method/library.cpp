#include "dalembert/method/library.hpp"

#include <algorithm>

#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/energy/collocation.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/in_chart.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
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
      method_types<Dla, Dla01, Leapfrog, DiscreteDerivative, Newmark, LieNewmark,
                   NewmarkComposition, VelocityDla, ReducedGradient, EnergyCollocation,
                   GonzalezFull, Lobatto, LieLobatto, Spark, VariationalRungeKutta, Shake, Adjoint,
                   Compose, InChart, DriverSplitting, FrameSplitting, SpeedSplitting, RungeKutta4,
                   Fehlberg78, Gauss, RadauIIA, LieMidpoint>();
  return all;
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

bool is_in_library(const std::string& name) {
  return std::ranges::any_of(methods(), [&](const MethodEntry& entry) {
    return entry.name == name || std::ranges::count(entry.aliases, name) > 0;
  });
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

const MethodEntry& method_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) {
    const auto& aliases = entry.aliases;
    if (entry.name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end())
      return entry;
    names.push_back(entry.name);
  }
  const std::string near = nearest_name(name, names);
  throw RequestError(
      "there is no method \"" + name + "\"; " +
      (near.empty() ? "known are " + joined_names(names) : "did you mean \"" + near + "\"?"));
}

Method make_method(const MethodSpec& spec) {
  if (spec.own == nullptr || is_in_library(spec.name)) return method_entry(spec.name).make(spec);
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
  return label(*std::get<std::shared_ptr<const MethodSpec>>(value));
}

std::string label(const MethodSpec& spec) {
  const auto& all = methods();
  const auto entry = std::ranges::find(all, spec.name, &MethodEntry::name);
  std::vector<OptionInfo> options;
  if (entry != all.end()) {
    options = entry->options;
  } else if (spec.own != nullptr) {
    options = spec.own->options;
  }
  const auto is_default = [&](const std::string& name, const OptionValue& value) {
    const auto option = find_option(options, name);
    return option != options.end() && option_text(option->default_value) == option_text(value);
  };
  std::vector<std::string> chosen;
  for (const auto& [name, value] : spec.options) {
    if (!is_default(name, value)) chosen.push_back(name + "=" + option_text(value));
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
