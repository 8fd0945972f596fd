#pragma once
// What Anahory Simoes et al. 2022 print in closed form. Only for the sources of this folder.

#include <vector>

#include "dalembert/claims/verdict.hpp"

namespace dalembert::reproduce {

/// Eqs. (19) and (20), the composition for the free particle.
std::vector<study::Evidence> particle_formulas();
/// The multipliers and the positions of F^{0,0,0} before Prop. 3.8, on the transmission.
std::vector<study::Evidence> explicit_formulas();
/// Sect. 5.3: what a step of the composition costs, in steps of Newmark's method.
std::vector<study::Evidence> composition_cost();

}  // namespace dalembert::reproduce
