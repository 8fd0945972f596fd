// A user's file that instantiates what it can of the library's templates, compiled for a newer
// machine and with contraction: see CMakeLists.txt.
#include "arithmetic.hpp"

#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/numeric/compensated.hpp"
#include "dalembert/numeric/sinc.hpp"
#include "dalembert/numeric/small_ldlt.hpp"
#include "dalembert/step/basic_stepper.hpp"
#include "support/small_systems.hpp"

template class dalembert::BasicStepper<long double>;
template class dalembert::StepMap<double>;
template class dalembert::StepMap<long double>;

namespace user_file {
namespace {

using namespace dalembert;

/// Elementary functions, factorisations, angles, sums of numbers or lanes.
template <class T>
T functions(T x) {
  namespace n = numeric;
  T sine, cosine, turns = T(0.0), carry = T(0.0), angle = x * T(9.0);
  n::sincos(x, sine, cosine);
  T sum = sine + cosine + n::sin(x) + n::cos(x) + n::tan(x) + n::asin(x * T(0.1)) +
          n::acos(x * T(0.1)) + n::atan(x) + n::atan2(x, T(2.0)) + n::sinh(x) + n::cosh(x) +
          n::tanh(x) + n::exp(x) + n::log(x) + n::pow(x, T(1.5)) + n::sqrt(x) + n::abs(x) +
          n::floor(x) + n::round_to_nearest(x) + n::copysign(x, sine) + n::sinc_of_order(2, x) +
          n::sinhc_of_order(2, x) + n::sinc_root_of_order(1, x * x);
  n::wrap(angle, turns, carry);
  n::add(sum, carry, angle);
  T matrix[] = {sum, x, x, sum + x}, pivots[2], right_side[] = {x, turns};
  static_cast<void>(n::lu_factor(2, matrix, pivots));
  n::lu_solve(2, matrix, pivots, right_side);
  static_cast<void>(n::ldlt_factor(2, matrix));
  n::ldlt_solve(2, matrix, right_side);
  return right_side[0] + right_side[1];
}

/// The kernels themselves, on one number and on lanes.
template <class Number, int Groups>
double kernel(const StepProgram& program) {
  const StepView view = program.view();
  std::vector<Number> slots(program.slot_count() * Groups, Number(0.25)),
      workspace(program.workspace_size() * Groups + 1);
  AdvanceReport reports[Groups * numeric::lane_count<Number>];
  set_up_steps<Number, Groups>(view, slots.data(), workspace.data());
  take_steps<Number, Groups>(view, slots.data(), workspace.data(), 0, 3, reports);
  return static_cast<double>(numeric::get_lane(slots[0], 0));
}

}  // namespace

double use_everything() {
  const test_support::SmallSystem small = test_support::pendulum_cvt();
  const auto program = StepProgram::compile(small.system, Dla{.alpha = 0.4});
  BasicStepper<double> stepper(program, 0.1);
  BasicStepper<long double> long_stepper(program, 0.1L);
  Point point = stepper.make_point(small.q, small.v);
  auto long_point = long_stepper.make_point(small.q, small.v);
  static_cast<void>(stepper.advance(point, 0.0, 0, 5));
  static_cast<void>(long_stepper.advance(long_point, 0.0L, 0, 5));
  const Constant third = Constant{1.0} / Constant{3.0};
  return point.q[0] + static_cast<double>(long_point.q[0]) + kernel<double, 1>(*program) +
         kernel<numeric::Lanes<4>, 4>(*program) + kernel<numeric::Lanes<8>, 2>(*program) +
         functions(0.3) + static_cast<double>(functions(0.3L)) +
         functions(numeric::Lanes<8>(0.3)).get(0) + functions(numeric::Lanes<4>(0.3)).get(0) +
         sqrt(third * third + third).high;
}

}  // namespace user_file
