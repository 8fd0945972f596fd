#include "dalembert/mechanics/watched_quantities.hpp"

namespace dalembert {

Vector watched_quantities(const System& system, const Symbols& symbols) {
  Vector quantities{system.energy(symbols.q, symbols.v)};
  if (system.constraint_count() + system.holonomic_count() > 0) {
    quantities = concatenate({quantities, system.constraint(symbols.q, symbols.v, symbols.t),
                              system.holonomic(symbols.q, symbols.t)});
  }
  for (const auto& [name, integral] : system.mechanics().integrals) quantities.push_back(integral);
  return quantities;
}

}  // namespace dalembert
