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
  enum class Interpolation : std::uint8_t { spline, linear };
  /// The most points a table may have.
  static constexpr std::size_t most_points = 100'000;

  /// RequestError unless there are as many values as arguments, from two to `most_points`, all
  /// finite, and arguments increase.
  Table(std::string name, std::vector<double> arguments, std::vector<double> values,
        Interpolation interpolation = Interpolation::spline);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// Whether name, points and interpolation are the same.
  bool operator==(const Table& other) const {
    if (this == &other) return true;
    return name_ == other.name_ && arguments_ == other.arguments_ && values_ == other.values_ &&
           interpolation_ == other.interpolation_;
  }

  const std::string& name() const { return name_; }
  /// As derivatives are printed: "push'".
  std::string name(int derivative) const {
    return name_ + std::string(static_cast<std::size_t>(derivative), '\'');
  }
  const std::vector<double>& arguments() const { return arguments_; }
  const std::vector<double>& values() const { return values_; }
  Interpolation interpolation() const { return interpolation_; }
  /// Derivatives of this order and above are zero.
  int smooth_pieces_order() const { return interpolation_ == Interpolation::linear ? 2 : 4; }
  /// Valid as long as the table lives.
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
/// its right.
Expr look_up(const TablePointer& table, const Expr& argument, int derivative = 0);

}  // namespace dalembert
