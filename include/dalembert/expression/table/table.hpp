#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/expression/expr.hpp"
#include "dalembert/numeric/table_lookup.hpp"

namespace dalembert {

/// A function of one argument that is given by points: measured forces, recorded steering. Between
/// the points it is the cubic spline through them, twice differentiable and without a knot at the
/// second and the last but one ("not-a-knot"), or made of straight lines; outside it keeps its
/// first and last value. Immutable.
class Table {
 public:
  /// Course between the points: cubic spline or straight lines.
  enum class Interpolation : std::uint8_t { spline, linear };
  /// The most points a table may have.
  static constexpr std::size_t most_points = 100'000;

  /// RequestError unless there are as many values as arguments, from two to `most_points`, all
  /// finite, arguments increase, and slopes are within the range of double.
  Table(std::string name, std::vector<double> arguments, std::vector<double> values,
        Interpolation interpolation = Interpolation::spline);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// True if name, points and interpolation are the same.
  bool operator==(const Table& other) const {
    if (this == &other) return true;
    return name_ == other.name_ && arguments_ == other.arguments_ && values_ == other.values_ &&
           interpolation_ == other.interpolation_;
  }

  const std::string& name() const { return name_; }  ///< name in texts
  /// Name of a derivative of this order as it is printed: "push'".
  std::string name(int derivative) const {
    return name_ + std::string(static_cast<std::size_t>(derivative), '\'');
  }
  /// Arguments of the points, increasing.
  const std::vector<double>& arguments() const { return arguments_; }
  /// Values at these arguments.
  const std::vector<double>& values() const { return values_; }
  /// Course between the points.
  Interpolation interpolation() const { return interpolation_; }
  /// Order from which on derivatives are zero: 2 for lines, 4 for the spline.
  int smooth_pieces_order() const { return interpolation_ == Interpolation::linear ? 2 : 4; }
  /// Plain pointers to the table, valid as long as it lives.
  numeric::TableView view() const {
    return {arguments_.data(), coefficients_.data(), values_.size() - 1, values_.back()};
  }

 private:
  std::string name_;
  std::vector<double> arguments_, values_, coefficients_;
  Interpolation interpolation_;
};
using TablePointer = std::shared_ptr<const Table>;

/// The table, or a derivative of it, at an argument. Derivatives at a point of a table are those to
/// its right. RequestError for a negative order.
Expr look_up(const TablePointer& table, const Expr& argument, int derivative = 0);

}  // namespace dalembert
