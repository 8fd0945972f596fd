#include "problem/space/space.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>

#include "dalembert/expression/query.hpp"
#include "dalembert/problem/expressions.hpp"
#include "problem/space/ordered_items.hpp"

namespace dalembert::study {
namespace {

void require_new_name(const DocumentNode& node, const std::string& name, const Scope& scope) {
  if (scope.names.contains(name) || scope.arrays.contains(name) || scope.matrices.contains(name) ||
      scope.sizes.contains(name) || scope.vectors.contains(name) || name == "pi") {
    node.refuse("defines \"" + name + "\", which is already the name of something else");
  }
}

void add_definition(const std::string& name, const DocumentNode& node, Scope& scope) {
  require_new_name(node, name, scope);
  scope.names.emplace(name, parse_expression(node, scope));
}

/// Evaluates expressions of positions at random ones, for the default parameters.
class RandomPositions {
 public:
  RandomPositions(const ProblemFile& problem, const Configuration& configuration,
                  const Symbols& symbols)
      : configuration_(configuration), from_(symbols.variables) {
    from_.insert(from_.end(), symbols.parameter_list.begin(), symbols.parameter_list.end());
    from_.push_back(symbols.t);
    for (const Parameter& parameter : problem.parameters) parameters_.push_back(parameter.value);
  }

  /// Functions that are analytic piece by piece vanish at a random position only if they vanish
  /// around it.
  bool vanishes(const Expr& expression) const {
    std::mt19937_64 generator(1);
    const auto number = [&] { return 4.0 * std::ldexp(double(generator() >> 11), -53) - 2.0; };
    for (int sample = 0; sample < 40; ++sample) {
      Vector displacement;
      for (std::size_t i = 0; i < configuration_.dof(); ++i) displacement.push_back(number());
      const Vector q =
          configuration_.move(Retraction::exponential, configuration_.identity(), displacement);
      const Vector values = concatenate({configuration_.variables(q), parameters_, {number()}});
      const Expr value = substitute(expression, from_, values);
      if (value.is_constant() && std::fabs(value.constant().high) < tolerance) return true;
    }
    return false;
  }

 private:
  /// Constants have 64 bits and more; sizes are of order one.
  static constexpr double tolerance = 1e-14;

  const Configuration& configuration_;
  Vector from_, parameters_;
};

/// Reads the tables one after the other as their names become known.
class SpaceReader {
 public:
  SpaceReader(const ProblemFile& problem, const Configuration& configuration,
              const Symbols& symbols, Scope& scope)
      : problem_(problem),
        configuration_(configuration),
        motion_(configuration, symbols),
        random_(problem, configuration, symbols),
        scope_(scope) {}

  SpaceParts read() {
    for (const auto& definition : problem_.definitions) {
      items_.push_back({&definition.second, {definition.first}, [this, &definition] {
                          add_definition(definition.first, definition.second, scope_);
                        }});
    }
    for (const auto& entry : problem_.space.vectors) {
      items_.push_back({&entry.second, {entry.first}, [this, &entry] {
                          require_new_name(entry.second, entry.first, scope_);
                          scope_.vectors.emplace(entry.first, read_vector(entry.second, scope_));
                        }});
    }
    bodies_.resize(problem_.space.bodies.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) add_body(i);
    contacts_.resize(problem_.space.contacts.size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) add_contact(i);
    make_in_order(std::move(items_));
    weigh();
    for (const Contact& contact : contacts_) keep(contact);
    for (const auto& [first, second] : problem_.space.joints) join(first, second);
    parts_.bodies = std::move(bodies_);
    parts_.contacts = std::move(contacts_);
    return std::move(parts_);
  }

 private:
  void add_body(std::size_t i) {
    const DocumentNode& node = problem_.space.bodies[i];
    const std::string name = name_of(node);
    std::vector<std::string> by_orientation, by_position;
    for (const char* part :
         {"axis_1", "axis_2", "axis_3", "angular_velocity", "body_angular_velocity"})
      by_orientation.push_back(name + "." + part);
    for (const char* part : {"position", "velocity", "point", "velocity_of"})
      by_position.push_back(name + "." + part);
    if (const DocumentNode* rotation = node.find("rotation")) {
      items_.push_back({rotation, by_orientation, [this, i, &node] { orient(i, node); }});
    } else {
      orient(i, node);
    }
    items_.push_back({&node, by_position, [this, i, &node] { place(i, node); }});
  }
  void orient(std::size_t i, const DocumentNode& node) {
    bodies_[i] = read_body_orientation(node, configuration_, scope_, motion_);
    offer_orientation(bodies_[i], scope_);
  }
  void place(std::size_t i, const DocumentNode& node) {
    read_body_position(bodies_[i], node, scope_, motion_);
    offer_position(bodies_[i], scope_);
  }

  void add_contact(std::size_t i) {
    const DocumentNode& node = problem_.space.contacts[i];
    const std::string name = name_of(node);
    std::vector<std::string> needs;
    if (const DocumentNode* body = node.find("body")) needs.push_back(as_text(*body) + ".position");
    items_.push_back({&node,
                      {name + ".point"},
                      [this, i, &node, name] {
                        contacts_[i] = read_contact(
                            node, bodies_, scope_, motion_,
                            [this](const Expr& height) { return random_.vanishes(height); });
                        scope_.vectors.emplace(name + ".point", contacts_[i].point);
                      },
                      needs});
  }

  /// The name of a table [[body]] or [[contact]], which no other has.
  std::string name_of(const DocumentNode& node) {
    TableReader table(node);
    const DocumentNode& entry = table.require("name");
    const std::string& name = as_text(entry);
    require_name(name, entry);
    if (std::ranges::count(names_, name) > 0) entry.refuse("is \"" + name + "\" a second time");
    names_.push_back(name);
    return name;
  }

  /// Kinetic energies, and weights where there is gravity.
  void weigh() {
    const bool has_gravity = problem_.space.gravity.has_value();
    const Vector gravity = has_gravity ? read_vector(*problem_.space.gravity, scope_) : zeros(3);
    if (motion_.has_velocity(gravity)) problem_.space.gravity->refuse("contains a velocity");
    if (has_gravity) parts_.gravity = gravity;
    for (const Body& body : bodies_) {
      parts_.kinetic += body.kinetic_energy();
      if (has_gravity) parts_.potential -= body.mass * dot(gravity, body.position);
    }
  }

  void keep(const Contact& contact) {
    const auto append = [](auto& list, const auto& more) {
      list.insert(list.end(), more.begin(), more.end());
    };
    append(parts_.constraints, contact.constraints);
    append(parts_.holonomic, contact.holonomic);
    const auto own =
        contact.names.begin() + static_cast<std::ptrdiff_t>(contact.constraints.size());
    parts_.constraint_names.insert(parts_.constraint_names.end(), contact.names.begin(), own);
    parts_.holonomic_names.insert(parts_.holonomic_names.end(), own, contact.names.end());
  }

  /// Two points are the same.
  void join(const DocumentNode& first, const DocumentNode& second) {
    const Vector there = read_vector(second, scope_);
    const Vector apart = read_vector(first, scope_) - there;
    if (motion_.has_velocity(apart)) first.refuse("contains a velocity");
    for (const Expr& entry : apart) {
      if (entry.is_constant(0.0)) continue;
      if (entry.is_constant()) first.refuse("and the other point can never be the same");
      parts_.holonomic.push_back(entry);
      parts_.holonomic_names.push_back("joint_" + std::to_string(++joint_rows_));
    }
  }

  const ProblemFile& problem_;
  const Configuration& configuration_;
  Motion motion_;
  RandomPositions random_;
  Scope& scope_;
  std::vector<NamedItem> items_;
  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
  std::vector<std::string> names_;
  SpaceParts parts_;
  std::size_t joint_rows_ = 0;
};

}  // namespace

void add_definitions(const ProblemFile& problem, Scope& scope) {
  for (const auto& [name, node] : problem.definitions) add_definition(name, node, scope);
}

SpaceParts read_space(const ProblemFile& problem, const Configuration& configuration,
                      const Symbols& symbols, Scope& scope) {
  if (problem.space.is_empty()) {
    add_definitions(problem, scope);
    return {};
  }
  return SpaceReader(problem, configuration, symbols, scope).read();
}

}  // namespace dalembert::study
