#include "dalembert/study/diagnostic.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/document/node.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/measure/discrete_energy.hpp"
#include "dalembert/measure/drift.hpp"
#include "dalembert/measure/floquet.hpp"
#include "dalembert/measure/followed_quantity.hpp"
#include "dalembert/measure/kept_energy.hpp"
#include "dalembert/measure/latitude.hpp"
#include "dalembert/measure/section.hpp"
#include "dalembert/problem/event/event_entry.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/system_scope.hpp"
#include "reaction_expression.hpp"

namespace dalembert::study {
namespace {

/// Columns that are made by a quantity of their own come first.
const std::vector<std::string> kinds{
    "latitude", "floquet-rate",    "discrete-energy",       "constraint-rate",
    "momentum", "moving-energy",   "recomputed-multiplier", "expression",
    "drift",    "growth-exponent", "growth-rate",           "running-mean",
    "section"};
constexpr std::ptrdiff_t quantity_kinds = 7;

std::vector<std::string> texts(const DocumentNode* node) {
  std::vector<std::string> list;
  if (node == nullptr) return list;
  for (const DocumentNode& entry : as_list(*node)) list.push_back(as_text(entry));
  return list;
}

double number_in(const DocumentNode* node, double otherwise, double above,
                 const std::string& range) {
  if (node == nullptr) return otherwise;
  const double value = parse_constant(*node);
  if (!(value > above)) node->refuse("is " + node->found() + "; it must be " + range);
  return value;
}

/// What depends on the state alone is treated as the problem's integrals are.
void read_expression(TableReader& table, const ProblemFile& problem, DiagnosticChoices& choices) {
  const std::string name = as_text(table.require("name"));
  const DocumentNode& expression = table.require("expression");
  if (mentions_reactions(expression, problem)) {
    choices.quantities.push_back({"expression", name, "", {}, {expression}, expression.place});
  } else {
    choices.expressions.push_back({name, expression});
  }
}

void read_quantity(const std::string& kind, TableReader& table, DiagnosticChoices& choices) {
  QuantityChoice choice{kind, "", "", {}, {}, table.node().place};
  if (kind == "recomputed-multiplier") {
    choice.name = recomputed_multiplier;
    choices.quantities.push_back(std::move(choice));
    return;
  }
  std::string column = kind;
  std::replace(column.begin(), column.end(), '-', '_');
  choice.name = table.text("name", column);
  if (kind == "latitude" || kind == "floquet-rate") choice.driver = table.text("driver");
  if (kind == "discrete-energy") choice.coordinates = texts(table.find("coordinates"));
  if (kind == "momentum" || kind == "moving-energy") choice.field = as_list(table.require("field"));
  choices.quantities.push_back(std::move(choice));
}

void read_report(const std::string& kind, TableReader& table, DiagnosticChoices& choices) {
  ReportChoice choice{
      .kind = kind, .of = as_text(table.require("of")), .place = table.node().place};
  if (kind == "running-mean") {
    choice.window = number_in(&table.require("window"), 0.0, 0.0, "> 0");
  } else {
    const DocumentNode* confidence = table.find("confidence");
    choice.confidence = number_in(confidence, 0.95, 0.0, "between 0 and 1");
    if (choice.confidence >= 1.0) confidence->refuse("must be between 0 and 1");
  }
  if (kind == "drift") choice.negligible = number_in(table.find("negligible"), -1.0, 0.0, "> 0");
  if (kind == "growth-rate") choice.floor = number_in(table.find("floor"), 0.0, 0.0, "> 0");
  if (kind == "growth-exponent")
    choice.first_time = number_in(table.find("first_time"), 0.0, 0.0, "> 0");
  choices.reports.push_back(std::move(choice));
}

void read_section(TableReader& table, DiagnosticChoices& choices) {
  SectionChoice choice{table.text("name", "section"), table.require("of"), Direction::rising,
                       table.node().place};
  if (const DocumentNode* node = table.find("direction")) choice.direction = read_direction(*node);
  // It becomes part of the names of files and of groups in them.
  if (!is_name_for_files(choice.name)) table.require("name").refuse(name_for_files_rule);
  for (const SectionChoice& other : choices.sections) {
    if (other.name == choice.name)
      throw RequestError(choice.place.text(),
                         "a section is named \"" + choice.name +
                             "\" already; give this one another name with the key \"name\"");
  }
  choices.sections.push_back(std::move(choice));
}

Quantity follow_field(const QuantityChoice& choice, const System& system,
                      std::span<const double> parameters) {
  const VectorField field = [&](const Symbols& symbols) {
    const Scope scope = position_scope(system.configuration(), symbols);
    Vector entries;
    for (const DocumentNode& entry : choice.field)
      entries.push_back(parse_expression(entry, scope));
    return entries;
  };
  FollowedQuantity quantity = choice.kind == "momentum"
                                  ? FollowedQuantity::momentum(system, field, parameters)
                                  : FollowedQuantity::moving_energy(system, field, parameters);
  return [quantity](const Sample& sample, bool) mutable {
    return quantity(sample.t, sample.point->q, sample.v).value;
  };
}

Quantity follow_latitude(const QuantityChoice& choice, const System& system,
                         std::span<const double> parameters) {
  return [latitude = Latitude(system, parameters, choice.driver), last = 0.0](
             const Sample& sample, bool recorded) mutable {
    if (recorded) last = latitude(sample.point->q, sample.v);
    return last;
  };
}

Quantity follow_floquet_rate(const QuantityChoice& choice, const System& system,
                             std::span<const double> parameters) {
  return [average = FloquetAverage(system, parameters, choice.driver), last = 0.0](
             const Sample& sample, bool recorded) mutable {
    if (recorded) last = average.rate(sample.point->q, sample.v);
    return last;
  };
}

Quantity follow_constraint_rate(const System& system, std::span<const double> parameters) {
  return [rate = ConstraintRate(system, parameters), last = 0.0](const Sample& sample,
                                                                 bool recorded) mutable {
    if (recorded) last = rate(sample.t, sample.point->q, sample.v, sample.lambda);
    return last;
  };
}

/// The energy that the method of the run says to keep; else that of the leap-frog.
Quantity follow_discrete_energy(const QuantityChoice& choice, const System& system,
                                std::span<const double> parameters, const MethodSpec& method,
                                double step) {
  auto own = choice.coordinates.empty()
                 ? kept_energy<double>(system, make_method(method), step, parameters)
                 : std::nullopt;
  if (own) {
    return [energy = std::move(*own)](const Sample& sample, bool) mutable {
      return energy(sample.t, sample.point->q, sample.v, sample.lambda).front();
    };
  }
  return [energy = DiscreteEnergy(system, parameters, choice.coordinates), step](
             const Sample& sample, bool) mutable {
    return energy.at_node(sample.q, sample.v, sample.lambda, step);
  };
}

void report_estimate(const std::string& name, const Estimate& estimate, DiagnosticReport& report) {
  report.numbers.insert(report.numbers.end(), {{name, estimate.value},
                                               {"low", estimate.low},
                                               {"high", estimate.high},
                                               {"confidence", estimate.confidence}});
}

void report_drift(const ReportChoice& choice, std::span<const double> t, std::span<const double> y,
                  DiagnosticReport& report) {
  DriftOptions options;
  options.confidence = choice.confidence;
  options.batches = std::clamp<std::size_t>(t.size() / 8, 6, options.batches);
  const Drift drift = fit_drift(t, y, options);
  report_estimate("slope", drift.slope, report);
  const double negligible = choice.negligible > 0.0 ? choice.negligible : drift.oscillation;
  report.numbers.insert(
      report.numbers.end(),
      {{"change", drift.change()}, {"oscillation", drift.oscillation}, {"negligible", negligible}});
  const double ignored = numeric::larger(choice.negligible, 0.0);
  report.verdict = verdict_text(judge_drift(drift, negligible, ignored));
}

void report_growth(const ReportChoice& choice, std::span<const double> t,
                   std::span<const double> error, DiagnosticReport& report) {
  const bool power = choice.kind == "growth-exponent";
  const Growth growth = power ? growth_exponent(t, error, choice.first_time, choice.confidence)
                              : growth_rate(t, error, choice.floor, 24, choice.confidence);
  report_estimate(power ? "exponent" : "rate", growth.value, report);
  report.numbers.insert(report.numbers.end(),
                        {{"factor", growth.factor}, {"misfit", growth.misfit}});
}

void report_mean(const ReportChoice& choice, std::span<const double> t,
                 std::span<const double> error, DiagnosticReport& report) {
  const Series mean = running_mean(t, error, choice.window);
  if (mean.y.empty()) throw RequestError("no window lies within the records");
  report.numbers.insert(report.numbers.end(), {{"window", choice.window},
                                               {"largest", largest_error(mean.y, 0.0)},
                                               {"final", mean.y.back()}});
}

}  // namespace

DiagnosticChoices read_diagnostics(const DocumentNode* node, const ProblemFile& problem) {
  DiagnosticChoices choices;
  if (node == nullptr) return choices;
  for (const DocumentNode& entry : as_list(*node)) {
    TableReader table(entry);
    const DocumentNode& kind_node = table.require("kind");
    const std::string kind = as_text(kind_node);
    const auto known = std::find(kinds.begin(), kinds.end(), kind);
    if (known == kinds.end())
      kind_node.refuse("is \"" + kind + "\", which is no diagnostic" + suggestion(kind, kinds));
    if (kind == "expression") {
      read_expression(table, problem, choices);
    } else if (kind == "section") {
      read_section(table, choices);
    } else if (known - kinds.begin() < quantity_kinds) {
      read_quantity(kind, table, choices);
    } else {
      read_report(kind, table, choices);
    }
    table.finish();
  }
  return choices;
}

void follow_recomputed_multiplier(DiagnosticChoices& choices, const Place& place) {
  for (const QuantityChoice& choice : choices.quantities)
    if (choice.kind == "recomputed-multiplier") return;
  choices.quantities.push_back({"recomputed-multiplier", recomputed_multiplier, "", {}, {}, place});
}

std::vector<QuantityChoice> quantities_of(const DiagnosticChoices& choices, const System& system) {
  std::vector<QuantityChoice> all;
  for (const QuantityChoice& choice : choices.quantities) {
    if (choice.kind != "recomputed-multiplier") {
      all.push_back(choice);
      continue;
    }
    if (system.constraint_count() == 0)
      throw RequestError(choice.place.text(), "diagnostic \"recomputed-multiplier\": problem \"" +
                                                  system.name() + "\" has no constraints");
    for (std::size_t i = 1; i <= system.constraint_count(); ++i) {
      all.push_back(choice);
      all.back().name += "_" + std::to_string(i);
    }
  }
  return all;
}

Quantity make_quantity(const QuantityChoice& choice, const System& system,
                       std::span<const double> parameters, const MethodSpec& method, double step,
                       const std::shared_ptr<const Redundancy>& redundancy) {
  try {
    if (choice.kind == "latitude") return follow_latitude(choice, system, parameters);
    if (choice.kind == "floquet-rate") return follow_floquet_rate(choice, system, parameters);
    if (choice.kind == "expression" || choice.kind == "recomputed-multiplier")
      return follow_reactions(choice, system, parameters, redundancy);
    if (choice.kind == "constraint-rate") return follow_constraint_rate(system, parameters);
    if (choice.kind == "discrete-energy")
      return follow_discrete_energy(choice, system, parameters, method, step);
    return follow_field(choice, system, parameters);
  } catch (const RequestError& error) {
    throw error.at(choice.place.text() + ": diagnostic \"" + choice.name + "\"");
  }
}

Section make_section(const SectionChoice& choice, const System& system,
                     std::span<const double> parameters) {
  const SectionFunction event = make_section_function(
      system,
      [&](const Symbols& s) {
        return parse_expression(choice.of, motion_scope(system.configuration(), s));
      },
      parameters);
  return {system, event, choice.direction, parameters};
}

DiagnosticReport make_report(const ReportChoice& choice, std::span<const double> t,
                             std::span<const double> y) {
  DiagnosticReport report{choice.kind, choice.of, {}, "", ""};
  if (!t.empty()) report.numbers = {{"from", t.front()}, {"to", t.back()}};
  std::vector<double> times(t.begin(), t.end()), error;
  for (const double value : y) error.push_back(std::fabs(value - y.front()));
  try {
    if (choice.kind == "drift") {
      report_drift(choice, t, y, report);
    } else if (choice.kind == "running-mean") {
      report_mean(choice, t, error, report);
    } else {
      report_growth(choice, t, error, report);
    }
  } catch (const RequestError& reason) {
    report.message = reason.what();
  }
  return report;
}

}  // namespace dalembert::study
