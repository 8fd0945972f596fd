#pragma once

#include <string>
#include <vector>

#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "problem/space/body.hpp"
#include "problem/space/contact.hpp"

namespace dalembert::study {

/// What bodies, contacts and joints add to a system.
struct SpaceParts {
  Expr kinetic = 0.0, potential = 0.0;
  Vector constraints = {}, holonomic = {};
  std::vector<std::string> constraint_names = {}, holonomic_names = {};
  std::vector<Body> bodies = {};
  std::vector<Contact> contacts = {};
  Vector gravity = {};  ///< along the axes of space, [3]; empty if there is none
};

/// Puts all that has a name (definitions, vectors, bodies, contact points) into the scope, and
/// returns what bodies and contacts add. RequestError with file, table and key.
SpaceParts read_space(const ProblemFile& problem, const Configuration& configuration,
                      const Symbols& symbols, Scope& scope);

/// Adds [definitions] to a scope, in their order.
void add_definitions(const ProblemFile& problem, Scope& scope);

}  // namespace dalembert::study
