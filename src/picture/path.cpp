#include "path.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/problem/system_scope.hpp"

namespace dalembert::study {
namespace {

constexpr std::size_t points_per_path = 4000;

/// One axis: a column of the records, or else an expression.
struct PathAxis {
  std::size_t column = 0;
  StateFunction<double> expression = {};

  PathAxis(const std::string& text, const RunPlan& plan) {
    const auto& names = plan.columns.names;
    const auto found = std::find(names.begin(), names.end(), text);
    column = static_cast<std::size_t>(found - names.begin());
    if (found != names.end()) return;
    const Symbols symbols = plan.system.symbols();
    const Scope scope = motion_scope(plan.system.configuration(), symbols);
    expression = StateFunction<double>(plan.system, symbols, {parse(text, scope)}, plan.parameters);
  }

  double at(std::span<const double> record, const RunPlan& plan) {
    if (expression.output_count() == 0) return record[column];
    const std::size_t q = plan.system.storage_count(), v = plan.system.velocity_count();
    return expression(record[0], record.subspan(1, q), record.subspan(1 + q, v)).front();
  }
};

}  // namespace

void check_path(const PathRequest& path, const RunPlan& plan) {
  for (const std::string& text : {path.x, path.y}) {
    try {
      static_cast<void>(PathAxis(text, plan));
    } catch (const ParseError& error) {
      throw RequestError("cannot plot \"" + text + "\" of problem \"" + plan.system.name() +
                         "\": " + error.what());
    }
  }
}

bool is_in_space(const PathRequest& path, const RunPlan& plan) {
  const auto is_position = [&](const std::string& text) {
    const auto& names = plan.columns.names;
    const auto column =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), text) - names.begin());
    if (column == names.size()) return text.find("_dot") == std::string::npos && text != "t";
    const std::size_t first = plan.columns.q_begin();
    return column >= first && column < first + plan.columns.q_count &&
           !plan.system.configuration().storage()[column - first].is_angle;
  };
  return is_position(path.x) && is_position(path.y);
}

Curve path_of(const PathRequest& path, const RunPlan& plan, std::span<const double> records,
              const PlotRequest& request) {
  PathAxis x(path.x, plan), y(path.y, plan);
  const std::size_t width = plan.columns.width(), total = records.size() / width;
  std::size_t begin = 0, count = total;
  while (begin < count && !is_within(request, records[begin * width])) ++begin;
  while (count > begin && !is_within(request, records[(count - 1) * width])) --count;
  const std::size_t stride = std::max<std::size_t>(1, (count - begin) / points_per_path);
  Curve curve;
  for (std::size_t row = begin; row < count; row += stride) {
    const std::span<const double> record = records.subspan(row * width, width);
    const double across = x.at(record, plan), up = y.at(record, plan);
    if (!std::isfinite(across) || !std::isfinite(up)) continue;
    curve.t.push_back(across);
    curve.values.push_back(up);
  }
  return curve;
}

std::vector<PathRequest> paths_in_space(const Configuration& configuration) {
  std::vector<PathRequest> paths;
  bool has_x = false, has_y = false;
  for (const Configuration::Factor& factor : configuration.factors()) {
    has_x = has_x || factor.name == "x";
    has_y = has_y || factor.name == "y";
    const std::vector<std::string> names = factor.group.variable_names(factor.name);
    const auto has = [&](const char* part) {
      return std::find(names.begin(), names.end(), factor.name + part) != names.end();
    };
    if (has("_x") && has("_y"))
      paths.push_back({factor.name + "_x", factor.name + "_y", "path of " + factor.name});
    if (has("[3,3]"))
      paths.push_back({factor.name + "[1,3]", factor.name + "[2,3]",
                       "third axis of " + factor.name + ", from above"});
  }
  if (has_x && has_y) paths.insert(paths.begin(), {"x", "y", "path in the plane"});
  return paths;
}

}  // namespace dalembert::study
