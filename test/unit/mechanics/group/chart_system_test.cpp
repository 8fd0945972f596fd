#include "dalembert/mechanics/chart_system.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "support/group_systems.hpp"

using namespace dalembert;

namespace {

/// The energy and the multipliers of a system.
Vector energy_and_multipliers(const System& system, const Symbols& s) {
  const Vector lambda = system.eliminated(s.q, s.v).lambda;
  return concatenate({{system.energy(s.q, s.v)}, lambda});
}

}  // namespace

TEST_CASE("A system in a chart has the energy and the multipliers of the system") {
  using namespace test_support;
  for (const GroupSystem& problem : {unicycle(), heavy_top(), suslov(), rolling_ball()}) {
    const ChartSystem chart = chart_system(problem.system, Retraction::cayley);
    const Configuration& space = problem.system.configuration();
    const Symbols s = chart.system.symbols(), o = problem.system.symbols();
    const Vector place = space.move(Retraction::cayley, chart.base, s.q);
    const Vector eta = space.tangent(Retraction::cayley, s.q, s.v);
    const Vector inputs = concatenate({s.q, s.v, s.parameter_list});
    CompiledFunction in_chart(inputs, energy_and_multipliers(chart.system, s)),
        original(concatenate({o.q, o.v, o.parameter_list}),
                 energy_and_multipliers(problem.system, o)),
        move(inputs, concatenate({place, eta}));
    // Some place and rate of the chart, around the start of the problem.
    std::vector<double> numbers;
    for (std::size_t i = 0; i < 2 * space.dof(); ++i) numbers.push_back(0.3 - 0.11 * double(i));
    const std::vector<double> parameters = problem.system.default_parameters();
    numbers = joined(joined(joined(numbers, parameters), problem.q), problem.q);
    const std::vector<double> found = in_chart(numbers),
                              wanted = original(joined(move(numbers), parameters));
    INFO(problem.system.name());
    REQUIRE(found.size() == 1 + problem.system.constraint_count());
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == doctest::Approx(wanted[i]).epsilon(1e-12));  // round-off
  }
}

TEST_CASE("The frame of a chart spans the constraint distribution there") {
  using namespace test_support;
  const GroupSystem problem = unicycle();
  const ChartSystem chart = chart_system(problem.system, Retraction::exponential, FrameKind::qr);
  const Symbols s = chart.system.symbols();
  const Matrix fields = Frame(chart.system, FrameKind::given, s.q).at(s.q);
  const Matrix product = chart.system.constraint_matrix(s.q) * fields;
  CompiledFunction defect(concatenate({s.q, s.parameter_list}), product.entries());
  const std::vector<double> x{0.4, -0.3, 0.2, 0.1};
  const std::vector<double> parameters = problem.system.default_parameters();
  for (const double entry : defect(joined(joined(joined(x, parameters), problem.q), problem.q)))
    CHECK(std::fabs(entry) < 1e-15);  // round-off
}

TEST_CASE("A system in skew-gradient form has no chart") {
  const System rotor =
      System::define({.name = "rotor", .coordinates = {{"x"}, {"y"}}}, [](const Symbols& s) {
        Matrix pi(2, 2);
        pi(0, 1) = 1.0;
        pi(1, 0) = -1.0;
        Mechanics m;
        m.skew_gradient = SkewGradient{dot(s.q, s.q) / 2.0, pi};
        return m;
      });
  CHECK_THROWS_WITH_AS(chart_system(rotor, Retraction::cayley),
                       doctest::Contains("a chart needs a Lagrangian"), RequestError);
}
