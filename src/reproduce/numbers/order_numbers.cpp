#include "order_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/problem/expressions.hpp"
#include "reproduce/paper/orders.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

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
  if (order != nullptr) asked.demand.refuse_bounds_beside("order");
  if (order == nullptr) asked.demand.require_bounds();
  if (order != nullptr && order->is_table()) {
    if (!asked.demand.methods.empty())
      node.refuse("has method beside orders by method; leave one out");
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

}  // namespace

ExperimentCode read_order_numbers(const StudyEntry& entry, TableReader& table,
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

}  // namespace dalembert::reproduce
