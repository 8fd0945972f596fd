#include "dalembert/expression/table/table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dalembert/error.hpp"
#include "expression/new_node.hpp"

namespace dalembert {
namespace {

void check_points(const std::string& name, const std::vector<double>& arguments,
                  const std::vector<double>& values) {
  const auto refuse = [&name](const std::string& what) {
    throw RequestError("the table \"" + name + "\" " + what);
  };
  if (arguments.size() != values.size()) {
    refuse("has " + std::to_string(arguments.size()) + " arguments and " +
           std::to_string(values.size()) + " values; it needs as many of both");
  }
  if (arguments.size() < 2)
    refuse("has " + std::to_string(arguments.size()) + " points; it needs at least 2");
  if (arguments.size() > Table::most_points) {
    refuse("has " + std::to_string(arguments.size()) + " points; at most " +
           std::to_string(Table::most_points) + " are allowed: leave out some");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    if (!std::isfinite(values[i]) || !std::isfinite(arguments[i]))
      refuse("has a point number " + number + " that is not finite");
    if (i > 0 && !(arguments[i] > arguments[i - 1])) {
      refuse("has an argument number " + number +
             " that is not greater than the one before it; arguments must increase");
    }
  }
}

/// The slopes of the not-a-knot spline at its points: the third derivative does not jump at the
/// second point and at the last but one. Three conditions at a time, by elimination without
/// pivoting, whose pivots are positive. With three points the parabola, with two the line.
std::vector<double> spline_slopes(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> h(n - 1), chord(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x[i + 1] - x[i];
    chord[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (n == 2) return {chord[0], chord[0]};
  if (n == 3) {
    const double bend = (chord[1] - chord[0]) / (h[0] + h[1]);
    return {chord[0] - bend * h[0], chord[0] + bend * h[0], chord[1] + bend * h[1]};
  }
  std::vector<double> diagonal(n), above(n), slope(n);
  const double first = h[0] + h[1], last = h[n - 2] + h[n - 3];
  diagonal[0] = h[1];
  above[0] = first;
  slope[0] = ((h[0] + 2.0 * first) * h[1] * chord[0] + h[0] * h[0] * chord[1]) / first;
  for (std::size_t i = 1; i < n; ++i) {
    const bool is_end = i == n - 1;
    const double below = is_end ? last : h[i];
    diagonal[i] = is_end ? h[n - 3] : 2.0 * (h[i - 1] + h[i]);
    above[i] = is_end ? 0.0 : h[i - 1];
    slope[i] = is_end ? (h[n - 2] * h[n - 2] * chord[n - 3] +
                         (2.0 * last + h[n - 2]) * h[n - 3] * chord[n - 2]) /
                            last
                      : 3.0 * (h[i] * chord[i - 1] + h[i - 1] * chord[i]);
    const double factor = below / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    slope[i] -= factor * slope[i - 1];
  }
  slope[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;)
    slope[i] = (slope[i] - above[i] * slope[i + 1]) / diagonal[i];
  return slope;
}

std::vector<double> spline_coefficients(const std::vector<double>& x,
                                        const std::vector<double>& y) {
  const std::vector<double> slope = spline_slopes(x, y);
  std::vector<double> result;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i], chord = (y[i + 1] - y[i]) / h;
    const double bend = (slope[i] + slope[i + 1] - 2.0 * chord) / h;
    result.insert(result.end(), {y[i], slope[i], (chord - slope[i]) / h - bend, bend / h});
  }
  return result;
}

std::vector<double> line_coefficients(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> result;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    result.insert(result.end(), {y[i], (y[i + 1] - y[i]) / (x[i + 1] - x[i]), 0.0, 0.0});
  return result;
}

}  // namespace

Table::Table(std::string name, std::vector<double> arguments, std::vector<double> values,
             Interpolation interpolation)
    : name_(std::move(name)),
      arguments_(std::move(arguments)),
      values_(std::move(values)),
      interpolation_(interpolation) {
  check_points(name_, arguments_, values_);
  coefficients_ = interpolation_ == Interpolation::linear
                      ? line_coefficients(arguments_, values_)
                      : spline_coefficients(arguments_, values_);
  if (!std::ranges::all_of(coefficients_, [](double c) { return std::isfinite(c); })) {
    throw RequestError("the table \"" + name_ +
                       "\" is too steep: its slopes are beyond the range of double precision");
  }
}

Expr look_up(const TablePointer& table, const Expr& argument, int derivative) {
  if (derivative < 0)
    throw RequestError("there is no derivative of order " + std::to_string(derivative) +
                       " of the table \"" + table->name() + "\"");
  if (derivative >= table->smooth_pieces_order()) return 0.0;
  if (argument.is_constant()) {
    const double at = argument.constant().as<double>();
    return numeric::table_value(table->view(), derivative, at);
  }
  GraphPointer graph = open_graph(argument);
  const NodeId id = graph->look_up(table, argument.id(), derivative);
  return {std::move(graph), id};
}

}  // namespace dalembert
