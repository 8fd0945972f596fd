// Discrete derivatives where constraints on positions stand beside those on velocities.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "study/extended.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// A particle on a sphere, in a potential that is not quadratic, with a blade.
System on_a_sphere() {
  TextSystem text = particle_in_space("on-a-sphere");
  text.potential = "z + x^4/4";
  text.constraints = {"x_dot + y*z_dot"};
  text.holonomic = {"(x^2 + y^2 + z^2 - 1)/2"};
  return define(text);
}

const std::vector<double> place{0.6, 0.0, -0.8}, speed{0.0, 0.5, 0.0};

}  // namespace

TEST_CASE("Energy and constraints on positions hold to round-off, their rates nearly") {
  using Wide = study::Extended;
  for (const GradientKind gradient : {GradientKind::gonzalez, GradientKind::mean_value}) {
    const System system = on_a_sphere();
    StepMap<Wide> map(system, DiscreteDerivative{.gradient = gradient}, {});
    BasicPoint<Wide> point = map.start(place, speed);
    const Wide energy = map.energy(point);
    for (int k = 0; k < 40; ++k) {
      REQUIRE(map.apply(point, Wide(0.125)));
      CHECK(largest_difference<Wide>({map.energy(point)}, {energy}) < 1e-28);
      const std::vector<Wide> found = map.constraint(point);
      CHECK(largest_difference<Wide>({found[2]}, {Wide(0.0)}) < 1e-29);
      // h^2 times accelerations of size one.
      CHECK(largest_difference<Wide>({found[0], found[1]}, {Wide(0.0), Wide(0.0)}) < 0.05);
    }
  }
}

TEST_CASE("On a surface that is no quadric the discrete gradient of the constraint does no work") {
  using Wide = study::Extended;
  TextSystem text = particle_in_space("on-a-quartic");
  text.potential = "z";
  text.constraints = {"x_dot + y*z_dot"};
  text.holonomic = {"(x^4 + 2*y^2 + z^4 - 1)/4"};
  StepMap<Wide> map(define(text), DiscreteDerivative{}, {});
  BasicPoint<Wide> point = map.start(std::vector<double>{0.6, 0.1, -0.9}, speed);
  const Wide energy = map.energy(point);
  // The slope in the middle is another direction than the discrete gradient: (h v)^3 of size 1e-4.
  for (int k = 0; k < 20; ++k) {
    REQUIRE(map.apply(point, Wide(0.125)));
    CHECK(largest_difference<Wide>({map.energy(point)}, {energy}) < 1e-28);
    CHECK(largest_difference<Wide>({map.constraint(point)[2]}, {Wide(0.0)}) < 1e-29);
  }
}

TEST_CASE("A step has the numbers of an independent implementation") {
  StepMap<double> map(on_a_sphere(), DiscreteDerivative{}, {});
  BasicPoint<double> point = map.start(place, speed);
  REQUIRE(map.apply(point, 0.1, 10));
  const std::vector<double> q{0.575930863298882, 0.405750898095565, -0.709697012389405},
      v{-0.0450696616137257, 0.255189974442311, 0.109679487318574};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(point.q[i] == doctest::Approx(q[i]).epsilon(1e-13));
    CHECK(point.v[i] == doctest::Approx(v[i]).epsilon(1e-12));
  }
  // Impulses divided by the step, which a nearly parallel pair of constraints determines.
  CHECK(point.lambda[0] == doctest::Approx(0.704470838214295).epsilon(1e-12));
  CHECK(point.lambda[1] == doctest::Approx(-0.902688098127283).epsilon(1e-12));
}
