// Elements of groups, and their velocities, as starts write them.
#include "problem/group_entry.hpp"

#include <string>

#include "problem/rotation_entry.hpp"

namespace dalembert::study {
namespace {

/// The constants at keys of a table; RequestError for one that is missing.
Vector constants_at(TableReader& table, std::initializer_list<const char*> keys,
                    const Scope& scope) {
  Vector result;
  for (const char* key : keys)
    result.push_back(read_constants(table.require(key), 1, scope).front());
  return result;
}

/// The numbers of a table, as its group stores them.
Vector stored_element(TableReader& table, const Group& group, const Scope& scope, bool project) {
  if (group == Group::rotations()) return read_rotation(table, scope, project);
  if (group == Group::plane_motions()) return constants_at(table, {"angle", "x", "y"}, scope);
  if (group == Group::heisenberg()) return constants_at(table, {"x", "y", "z"}, scope);
  const Vector origin = constants_at(table, {"x", "y", "z"}, scope);
  return concatenate({read_rotation(table, scope, project), origin});
}

/// What `{ space = [...] }` has, and the parts of it that turn with the body: vectors of as many
/// entries as the matrix has rows, after what no rotation changes.
struct SpaceForm {
  std::size_t fixed, vectors;
};

SpaceForm space_form(const DocumentNode& node, const Group& group) {
  if (group == Group::rotations()) return {0, 1};
  if (group == Group::plane_motions()) return {1, 1};
  if (group == Group::space_motions()) return {0, 2};
  node.refuse("gives a velocity along axes of space, which " + group.name() + " does not have");
}

Vector along_body_axes(const DocumentNode& node, const Group& group, const Vector& element,
                       const Scope& scope) {
  const SpaceForm form = space_form(node, group);
  const Vector given = read_constants(node, group.dimension(), scope);
  const Vector variables = group.variables(element);
  const Group::MatrixVariables place = group.matrix_variables();
  Matrix rotation(place.size, place.size);
  rotation.entries() = slice(variables, place.first, place.size * place.size);
  const Matrix to_body = transpose(rotation);
  Vector result = slice(given, 0, form.fixed);
  for (std::size_t k = 0; k < form.vectors; ++k) {
    const Vector turned = to_body * slice(given, form.fixed + k * place.size, place.size);
    result.insert(result.end(), turned.begin(), turned.end());
  }
  return result;
}

}  // namespace

Vector read_group_element(const DocumentNode& node, const Group& group, const Scope& scope,
                          bool project) {
  if (node.is_text() && as_text(node) == "identity") return group.identity();
  if (!node.is_table()) {
    node.refuse("must be \"identity\" or a table that describes an element of " + group.name() +
                ", not " + node.found());
  }
  TableReader table(node);
  const Vector element = stored_element(table, group, scope, project);
  table.finish();
  return element;
}

Vector read_group_velocity(const DocumentNode& node, const Group& group, const Vector& element,
                           const Scope& scope) {
  if (node.is_table()) {
    TableReader table(node);
    const Vector velocity = along_body_axes(table.require("space"), group, element, scope);
    table.finish();
    return velocity;
  }
  if (!node.is_array() || node.array().size() != group.dimension()) {
    node.refuse("must be a list of the " + std::to_string(group.dimension()) +
                " velocities of an element of " + group.name() +
                " in the body frame, or { space = [...] }");
  }
  return read_constants(node, group.dimension(), scope);
}

}  // namespace dalembert::study
