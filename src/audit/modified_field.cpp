#include "dalembert/audit/modified_field.hpp"

#include "dalembert/error.hpp"

namespace dalembert {

void require_modified_field(const System& system, const Method& method) {
  if (method.tolerance() > 0.0)
    throw RequestError("method \"" + method.name() +
                       "\" has no modified field: it chooses its steps as it goes");
  if (system.traits().has_groups)
    throw RequestError("system \"" + system.name() +
                       "\" has no modified field here: it is one on " +
                       system.configuration().text());
  if (!method.facts().symmetric && method.facts().carries_multiplier)
    throw RequestError("method \"" + method.name() +
                       "\" has no modified field here: it is not symmetric, and no adjoint takes "
                       "its steps back because it carries its multiplier");
}

int steps_near_identity(const System& system, const Method& method) {
  const Facts facts = method.facts();
  const bool leaves = !facts.maps_constraint_set && system.nonholonomic_count() > 0;
  const bool carries = facts.carries_multiplier && system.constraint_count() > 0;
  return carries || leaves ? 2 : 1;
}

}  // namespace dalembert
