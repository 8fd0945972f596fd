#pragma once
// Methods that make the steps of another one and report another multiplier.

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dalembert/method/method.hpp"

namespace test_support {

/// One step as its method writes it, for whoever says something else of its multiplier.
struct WrittenStep {
  const dalembert::System& system;
  const dalembert::State& before;
  const dalembert::State& after;
  const dalembert::Unknowns& unknowns;
  const dalembert::Expr& h;

  /// The multiplier that the method reports, or that of the motion at the new node.
  dalembert::Vector honest() const {
    if (!after.lambda.empty()) return after.lambda;
    return system.eliminated(after.q, after.v, before.t + h).lambda;
  }
  dalembert::Vector of_the_motion_at_the_old_node() const {
    return system.eliminated(before.q, before.v, before.t).lambda;
  }
  /// The first unknown of that name.
  dalembert::Vector unknown(const std::string& name) const {
    for (const dalembert::Unknowns::Group& group : unknowns.groups()) {
      if (group.name == name) return group.value;
    }
    throw std::runtime_error("there is no unknown " + name);
  }
};

/// The same steps under another report. What a step needs of the honest multiplier is carried
/// beside it.
inline dalembert::Method reporting(
    const dalembert::Method& honest,
    const std::function<dalembert::Vector(const WrittenStep&)>& report) {
  using namespace dalembert;
  MethodDefinition definition = honest.definition();
  definition.pieces = {};
  definition.carries = [honest](const System& s) {
    std::vector<std::string> names = honest.carried_names(s);
    for (std::size_t i = 0; i < s.constraint_count(); ++i)
      names.push_back("honest_" + std::to_string(i + 1));
    return names;
  };
  definition.start = [honest](const System& s, const State& start) {
    return concatenate({honest.carried_start(s, start), start.lambda});
  };
  definition.equations = [honest, report](const System& s, const State& before, Unknowns& u,
                                          const Expr& h) {
    State own = before;
    const std::size_t count = honest.carried_names(s).size();
    own.carried = slice(before.carried, 0, count);
    own.lambda = slice(before.carried, count, s.constraint_count());
    Equations step = honest.equations(s, own, u, h);
    const Vector kept = step.after.lambda.empty() ? own.lambda : step.after.lambda;
    const Vector said = report(WrittenStep{s, own, step.after, u, h});
    step.after.carried = concatenate({step.after.carried, kept});
    step.after.lambda = said;
    return step;
  };
  return Method(definition);
}

/// The other sign.
inline dalembert::Method with_the_other_sign(const dalembert::Method& honest) {
  return reporting(honest, [](const WrittenStep& step) { return -1.0 * step.honest(); });
}

/// The impulse of a step in the place of the force.
inline dalembert::Method with_impulses(const dalembert::Method& honest) {
  return reporting(honest, [](const WrittenStep& step) { return step.h * step.honest(); });
}

/// The multiplier of the motion at the old node.
inline dalembert::Method a_step_late(const dalembert::Method& honest) {
  return reporting(honest, &WrittenStep::of_the_motion_at_the_old_node);
}

/// An unknown of the step: that of another stage, another substep, the middle of the step.
inline dalembert::Method with_unknown(const dalembert::Method& honest, const std::string& name) {
  return reporting(honest, [name](const WrittenStep& step) { return step.unknown(name); });
}

}  // namespace test_support
