#include "problem/scope/own_scope.hpp"

#include "dalembert/problem/system_scope.hpp"
#include "problem/scope/extents.hpp"
#include "problem/space/space.hpp"

namespace dalembert::study {

Scope own_scope(const ProblemFile& problem, const System& system, const Sizes& sizes,
                const Symbols& symbols) {
  if (problem.system) return motion_scope(system.configuration(), symbols);
  Scope scope =
      problem_scope(problem, symbols, system.configuration(), extents_of(problem, sizes), sizes);
  if (symbols.v.empty()) {
    add_definitions(problem, scope);
  } else {
    static_cast<void>(read_space(problem, system.configuration(), symbols, scope));
  }
  return scope;
}

}  // namespace dalembert::study
