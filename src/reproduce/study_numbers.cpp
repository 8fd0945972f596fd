#include "study_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/expressions.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/paper/orders.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<std::string> read_texts(const DocumentNode* node,
                                    const std::vector<std::string>& otherwise) {
  if (node == nullptr) return otherwise;
  std::vector<std::string> texts;
  for (const DocumentNode& entry : as_list(*node)) texts.push_back(as_text(entry));
  return texts;
}

std::optional<double> read_number(const DocumentNode* node) {
  if (node == nullptr) return std::nullopt;
  return parse_constant(*node);
}

template <class Value>
Value read_word(const DocumentNode* node, Value otherwise,
                const std::vector<std::pair<std::string, Value>>& words) {
  if (node == nullptr) return otherwise;
  std::vector<std::string> known;
  for (const auto& [word, value] : words) {
    if (as_text(*node) == word) return value;
    known.push_back(word);
  }
  node->refuse("is " + node->found() + suggestion(as_text(*node), known));
}

/// What a claim asks of a number.
struct Demand {
  std::string claim;
  std::vector<std::string> methods;  ///< each for itself
  double least = -infinite, most = infinite;
  EvidenceRole role = EvidenceRole::both;
  std::string name = {};  ///< in a qualification

  Evidence evidence(const std::string& what, double value, double uncertainty = 0.0) const {
    return {what, value, uncertainty, least, most, role, name};
  }
};

Demand read_demand(TableReader& table) {
  Demand demand{.claim = as_text(table.require("claim")),
                .methods = read_texts(table.find("method"), {})};
  demand.least = read_number(table.find("least")).value_or(-infinite);
  demand.most = read_number(table.find("most")).value_or(infinite);
  demand.role = read_word<EvidenceRole>(table.find("role"), EvidenceRole::both,
                                        {{"both", EvidenceRole::both},
                                         {"published", EvidenceRole::published},
                                         {"qualified", EvidenceRole::qualified},
                                         {"shown", EvidenceRole::shown}});
  demand.name = table.text("name");
  return demand;
}

/// What is common to all entries.
struct StudyEntry {
  std::string study;
  std::vector<std::string> settings, quick_settings;
  bool has_picture = true, is_quick = true;

  std::vector<std::string> all_settings(const ReproductionEffort& effort) const {
    std::vector<std::string> all = settings;
    if (effort.quick) all.insert(all.end(), quick_settings.begin(), quick_settings.end());
    return all;
  }
};

/// Numbers by claim, in the order in which they are asked for.
void add(std::vector<ClaimFinding>& findings, const std::string& claim, Evidence evidence) {
  auto same = std::ranges::find(findings, claim, &ClaimFinding::claim);
  if (same == findings.end()) same = findings.insert(findings.end(), {claim, {}});
  same->evidence.push_back(std::move(evidence));
}

// Orders

/// Orders that are asked of methods of a study.
struct OrderDemand {
  Demand demand;
  std::vector<std::string> of;  ///< q, v, lambda
  /// Of the methods; nan where bounds are given instead.
  std::vector<double> orders;
};

OrderDemand read_order_demand(const DocumentNode& node) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  TableReader table(node);
  OrderDemand asked{
      .demand = read_demand(table), .of = read_texts(table.find("of"), {"q", "v"}), .orders = {}};
  const DocumentNode* order = table.find("order");
  if (order != nullptr && order->is_table()) {
    for (const auto& [method, value] : order->table()) {
      asked.demand.methods.push_back(method);
      asked.orders.push_back(parse_constant(value));
    }
  } else {
    table.require("method");
    const double all = order == nullptr ? nan : parse_constant(*order);
    asked.orders.assign(asked.demand.methods.size(), all);
  }
  for (const std::string& quantity : asked.of)
    if (quantity != "q" && quantity != "v" && quantity != "lambda")
      node.refuse("orders are those of q, v and lambda, not of \"" + quantity + "\"");
  table.finish();
  return asked;
}

void measure_orders_of(const OrderDemand& asked, const StudyOrders& orders,
                       std::vector<ClaimFinding>& findings) {
  for (std::size_t i = 0; i < asked.orders.size(); ++i) {
    const std::string& method = asked.demand.methods[i];
    for (const std::string& quantity : asked.of) {
      Evidence evidence = orders.measured(method, quantity, asked.orders[i], asked.demand.role);
      if (std::isnan(asked.orders[i])) {
        evidence.least = asked.demand.least;
        evidence.most = asked.demand.most;
      }
      evidence.name = asked.demand.name;
      add(findings, asked.demand.claim, std::move(evidence));
    }
  }
}

ExperimentCode read_orders(const StudyEntry& entry, TableReader& table,
                           const DocumentNode& numbers) {
  const auto count = [&](const char* key, int otherwise) {
    const DocumentNode* node = table.find(key);
    return node == nullptr ? otherwise : static_cast<int>(as_whole(*node, 2, 20));
  };
  StudyOrders::Options options{.runs = count("runs", order_runs)};
  const int quick_runs = count("quick_runs", options.runs);
  options.extended =
      read_word(table.find("precision"), true, {{"extended", true}, {"double", false}});
  options.recomputed_multiplier =
      read_word(table.find("multiplier"), false, {{"own", false}, {"recomputed", true}});
  std::vector<OrderDemand> demands;
  for (const DocumentNode& number : as_list(numbers)) demands.push_back(read_order_demand(number));
  return [=](const ReproductionEffort& effort) {
    StudyOrders::Options chosen = options;
    if (effort.quick) chosen.runs = quick_runs;
    chosen.settings = entry.all_settings(effort);
    chosen.threads = effort.threads;
    const StudyOrders orders(entry.study, chosen);
    ExperimentOutcome outcome;
    if (entry.has_picture) outcome.pictures.push_back(orders.picture());
    for (const OrderDemand& asked : demands) measure_orders_of(asked, orders, outcome.findings);
    return outcome;
  };
}

// Runs

enum class Statistic { largest, largest_error, final, final_error, initial, drift };
enum class DriftWord { free, slow, clear };

/// How a number is read from the records of a run.
struct Reading {
  Statistic statistic = Statistic::largest_error;
  std::string column = "energy";
  std::string method, run;  ///< labels; "" for that of the number, and for the first run
  double from = -infinite, to = infinite;
};

/// The keys of a reading; what is not given is as in `otherwise`.
Reading read_reading(TableReader& table, Reading reading) {
  reading.statistic = read_word(table.find("statistic"), reading.statistic,
                                {{"largest", Statistic::largest},
                                 {"largest-error", Statistic::largest_error},
                                 {"final", Statistic::final},
                                 {"final-error", Statistic::final_error},
                                 {"initial", Statistic::initial},
                                 {"drift", Statistic::drift}});
  reading.column = table.text("column", reading.column);
  reading.run = table.text("run", reading.run);
  reading.from = read_number(table.find("from")).value_or(reading.from);
  reading.to = read_number(table.find("to")).value_or(reading.to);
  return reading;
}

/// A number of a run, also over or against that of another.
struct RunDemand {
  Demand demand;
  std::string what;
  Reading reading = {};
  std::optional<Reading> over = {};     ///< what it is divided by, in absolute value
  std::optional<Reading> against = {};  ///< whose column is taken from its own
  DriftWord drift = DriftWord::free;
  double negligible = 0.0;
};

std::optional<Reading> read_other(const DocumentNode* node, const Reading& otherwise) {
  if (node == nullptr) return std::nullopt;
  TableReader table(*node);
  Reading reading = read_reading(table, otherwise);
  reading.method = table.text("method");
  if (reading.statistic == Statistic::drift)
    node->refuse("divides by a number of a run; a drift is judged by itself");
  table.finish();
  return reading;
}

RunDemand read_run_demand(const DocumentNode& node) {
  TableReader table(node);
  RunDemand asked{.demand = read_demand(table), .what = as_text(table.require("what"))};
  table.require("method");
  asked.reading = read_reading(table, {});
  asked.over = read_other(table.find("over"), asked.reading);
  asked.against = read_other(table.find("against"), asked.reading);
  asked.drift = read_word(
      table.find("drift"), DriftWord::free,
      {{"free", DriftWord::free}, {"slow", DriftWord::slow}, {"clear", DriftWord::clear}});
  asked.negligible = read_number(table.find("negligible")).value_or(0.0);
  table.finish();
  return asked;
}

/// The records of a column within the times; its change since the start for an error.
Curve records_of(const StudyRuns& runs, std::size_t run, const Reading& reading) {
  const bool is_error = reading.statistic == Statistic::largest_error ||
                        reading.statistic == Statistic::final_error ||
                        reading.statistic == Statistic::drift;
  const Curve all = is_error ? runs.change(run, reading.column) : runs.column(run, reading.column);
  Curve within;
  for (std::size_t i = 0; i < all.t.size(); ++i) {
    if (all.t[i] <= reading.from || all.t[i] > reading.to) continue;
    within.t.push_back(all.t[i]);
    within.values.push_back(all.values[i]);
  }
  return within;
}

/// nan for a run that the numbers refused.
double value_of(const StudyRuns& runs, std::size_t run, const Reading& reading,
                const Curve& curve) {
  if (runs.results()[run].status != RunResult::Status::ok || curve.values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  switch (reading.statistic) {
    case Statistic::initial:
      return curve.values.front();
    case Statistic::final:
    case Statistic::final_error:
      return curve.values.back();
    case Statistic::largest:
    case Statistic::largest_error:
    case Statistic::drift:
      break;
  }
  return largest(curve);
}

Evidence measured(const RunDemand& asked, const StudyRuns& runs, const std::string& method) {
  const auto find = [&](const Reading& reading) {
    return runs.find(reading.method.empty() ? method : reading.method, reading.run);
  };
  const std::size_t run = find(asked.reading);
  std::string what = asked.what + ", " + method;
  if (!asked.reading.run.empty()) what += ", " + asked.reading.run;
  Curve curve = records_of(runs, run, asked.reading);
  if (asked.reading.statistic == Statistic::drift) {
    const auto judge = asked.drift == DriftWord::free   ? free_of_drift
                       : asked.drift == DriftWord::slow ? drifts_slowly
                                                        : drifts;
    Evidence evidence = judge(what, curve, asked.demand.role, asked.negligible);
    evidence.name = asked.demand.name;
    return evidence;
  }
  if (asked.against) {
    const Curve other = records_of(runs, find(*asked.against), *asked.against);
    if (other.t != curve.t) curve.values.clear();
    for (std::size_t i = 0; i < curve.values.size(); ++i) curve.values[i] -= other.values[i];
  }
  double value = value_of(runs, run, asked.reading, curve);
  if (asked.over) {
    const std::size_t below = find(*asked.over);
    value /= std::fabs(value_of(runs, below, *asked.over, records_of(runs, below, *asked.over)));
  }
  return asked.demand.evidence(what, value);
}

ExperimentCode read_runs(const StudyEntry& entry, const DocumentNode& numbers) {
  std::vector<RunDemand> demands;
  for (const DocumentNode& number : as_list(numbers)) demands.push_back(read_run_demand(number));
  return [=](const ReproductionEffort& effort) {
    const StudyRuns runs(entry.study, effort, entry.all_settings(effort));
    ExperimentOutcome outcome;
    if (entry.has_picture) outcome.pictures.push_back(runs.picture());
    for (const RunDemand& asked : demands)
      for (const std::string& method : asked.demand.methods)
        add(outcome.findings, asked.demand.claim, measured(asked, runs, method));
    return outcome;
  };
}

}  // namespace

ExperimentCode read_study_numbers(const DocumentNode& entry) {
  TableReader table(entry);
  StudyEntry common{.study = as_text(table.require("study")),
                    .settings = read_texts(table.find("set"), {}),
                    .quick_settings = read_texts(table.find("quick_set"), {})};
  if (const DocumentNode* picture = table.find("picture"))
    common.has_picture = as_boolean(*picture);
  const bool are_orders =
      read_word(&table.require("measure"), true, {{"orders", true}, {"runs", false}});
  const DocumentNode& numbers = table.require("numbers");
  if (const DocumentNode* quick = table.find("quick")) common.is_quick = as_boolean(*quick);
  const ExperimentCode code =
      are_orders ? read_orders(common, table, numbers) : read_runs(common, numbers);
  table.finish();
  return [code, place = entry.place.text(),
          is_quick = common.is_quick](const ReproductionEffort& effort) {
    if (effort.quick && !is_quick) return ExperimentOutcome{};
    try {
      return code(effort);
    } catch (const RequestError& error) {
      throw error.at(place);
    }
  };
}

}  // namespace dalembert::reproduce
