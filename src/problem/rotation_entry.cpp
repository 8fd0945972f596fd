// Rotations as starts write them.
#include "problem/rotation_entry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/problem/expressions.hpp"
#include "problem/nearest_rotation.hpp"

namespace dalembert::study {
namespace {

constexpr double quaternion_tolerance = 1e-6, matrix_tolerance = 1e-9;
constexpr const char* ask_for_projection = ", or ask for a projection with project = true";

Expr length_of(const Vector& entries) { return sqrt(dot(entries, entries)); }

/// The cosine of half the angle, then its sine along the axis.
Vector about_axis(const DocumentNode& axis_node, const DocumentNode& angle, const Scope& scope) {
  const Vector axis = read_constants(axis_node, 3, scope);
  const Expr length = length_of(axis);
  if (length.is_constant(0.0)) axis_node.refuse("is zero; an axis has a direction");
  const Expr half = read_constants(angle, 1, scope).front() / 2.0;
  const Expr sine = sin(half) / length;
  return {cos(half), sine * axis[0], sine * axis[1], sine * axis[2]};
}

Vector by_quaternion(const DocumentNode& node, const Scope& scope, bool project) {
  const Vector entries = read_constants(node, 4, scope);
  const Expr length = length_of(entries);
  const double value = length.constant().high;
  if (value == 0.0) node.refuse("is zero; a quaternion of length 1 is wanted");
  if (!project && std::fabs(value - 1.0) > quaternion_tolerance) {
    node.refuse("is a quaternion of length " + to_string(value) + "; it must have length 1" +
                ask_for_projection);
  }
  Vector unit;
  for (const Expr& entry : entries) unit.push_back(entry / length);
  return unit;
}

Vector by_matrix(const DocumentNode& node, const Scope& scope, bool project) {
  if (!node.is_array() || node.array().size() != 3)
    node.refuse("must be a list of 3 rows of 3 entries each");
  std::array<double, 9> matrix{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector row = read_constants(node.array()[i], 3, scope);
    for (std::size_t j = 0; j < 3; ++j) matrix[3 * i + j] = row[j].constant().high;
  }
  if (const double defect = rotation_defect(matrix); !project && !(defect <= matrix_tolerance)) {
    node.refuse("is no rotation: R^T R differs from 1 by " + to_string(defect) +
                "; at most 1e-9 is round-off" + ask_for_projection);
  }
  if (!project && determinant(matrix) < 0.0)
    node.refuse(std::string("is a reflection: its determinant is -1, not 1") + ask_for_projection);
  const NearestRotation nearest = nearest_rotation(matrix);
  if (!nearest.unique) node.refuse("has no single nearest rotation");
  return {nearest.quaternion.begin(), nearest.quaternion.end()};
}

}  // namespace

Vector read_constants(const DocumentNode& node, std::size_t count, const Scope& scope) {
  const std::vector<DocumentNode> nodes = as_list(node);
  const Vector entries = parse_expressions(nodes, scope);
  if (entries.size() != count) {
    node.refuse("has " + std::to_string(entries.size()) + " entries; it needs " +
                std::to_string(count));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!entries[i].is_constant() || !std::isfinite(entries[i].constant().high))
      node.refuse("has an entry " + std::to_string(i + 1) + " that is not a finite number");
  }
  return entries;
}

Vector read_rotation(TableReader& table, const Scope& scope, bool project) {
  const DocumentNode *axis = table.find("axis"), *angle = table.find("angle"),
                     *vector = table.find("rotation_vector"), *matrix = table.find("matrix"),
                     *quaternion = table.find("quaternion");
  const auto forms = {axis, vector, matrix, quaternion};
  if (std::ranges::count(forms, nullptr) != 3 || (axis == nullptr) != (angle == nullptr)) {
    table.finish();  // a key that is misspelt
    table.node().refuse(
        "is no rotation; write one of \"identity\", axis with angle, rotation_vector, quaternion "
        "and matrix");
  }
  if (axis != nullptr) return about_axis(*axis, *angle, scope);
  if (quaternion != nullptr) return by_quaternion(*quaternion, scope, project);
  if (matrix != nullptr) return by_matrix(*matrix, scope, project);
  return Group::rotations().retract(Retraction::exponential, read_constants(*vector, 3, scope));
}

}  // namespace dalembert::study
