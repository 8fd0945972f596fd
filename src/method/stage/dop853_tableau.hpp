#pragma once
// The explicit Runge-Kutta method of order 8(5,3) among the baselines.

#include "method/stage/explicit_tableau.hpp"

namespace dalembert {

/// The method of order 8 of Dormand and Prince with its embedded ones of orders 5 and 3. Source of
/// the coefficients: [HairerNorsettWanner1993], Sect. II.10, code DOP853.
ExplicitTableau dop853_tableau();

}  // namespace dalembert
