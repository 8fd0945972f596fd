#include "dalembert/method/page.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/variational.hpp"
#include "dalembert/method/velocity_dla.hpp"
#include "dalembert/run/integrate.hpp"

using namespace dalembert;

namespace {

/// What is said when the method is made; empty if nothing.
template <class M>
std::string typed_refusal(const M& method) {
  try {
    static_cast<void>(Method(method));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}
std::string refusal_by_name(const std::string& name, const std::string& option,
                            const OptionValue& value) {
  try {
    static_cast<void>(make_method({name, {{option, value}}}));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

System oscillator() {
  return System::define({.name = "oscillator", .coordinates = {{"x"}}}, [](const Symbols& s) {
    return Mechanics{.kinetic = 0.5 * square(s.v[0]), .potential = 0.5 * square(s.q[0])};
  });
}

/// x1 = x0 + h v0, v1 = v0 - h x1, given as values.
MethodDefinition euler() {
  return {.name = "euler",
          .facts = Facts{.order = 1},
          .equations = [](const System& s, const State& a, Unknowns&, const Expr& h) -> Equations {
            const Vector q = a.q + h * a.v;
            return {.zero = {}, .constraint = {}, .after = {q, a.v - h * s.potential_gradient(q)}};
          }};
}

}  // namespace

TEST_CASE("Numbers out of their range are refused alike by type and by name") {
  const std::string text = "option \"alpha\" of method \"dla\" is 7; it must be in [0, 1]";
  CHECK(typed_refusal(Dla{.alpha = 7.0}) == text);
  CHECK(refusal_by_name("dla", "alpha", 7.0) == text);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(typed_refusal(Dla{.alpha = nan}).empty());
  CHECK(typed_refusal(Lobatto{.stages = 1}) ==
        "option \"stages\" of method \"lobatto\" is 1; it must be in [2, 8]");
  CHECK_FALSE(typed_refusal(Gauss{.stages = 17}).empty());
  CHECK_FALSE(typed_refusal(Fehlberg78{.tolerance = -1.0}).empty());
  CHECK(typed_refusal(Dla{.alpha = 0.4}).empty());
}

TEST_CASE("Words stand for choices, and yes and no for bools") {
  const std::string text =
      "option \"form\" of method \"lobatto\" is \"hamilton\"; it must be one of lagrangian, "
      "hamiltonian";
  CHECK(refusal_by_name("lobatto", "form", std::string("hamilton")) == text);
  CHECK(typed_refusal(Lobatto{.form = static_cast<Lobatto::Form>(7)}).find("it must be one of") !=
        std::string::npos);
  CHECK(refusal_by_name("lobatto", "dense_output", std::string("maybe")).find("no, yes") !=
        std::string::npos);
  const Method by_name = make_method({"lobatto", {{"dense_output", std::string("yes")}}});
  CHECK(label(by_name.spec()) == "lobatto(dense_output=yes)");
  CHECK(label(Method(Lobatto{.dense_output = true}).spec()) == label(by_name.spec()));
  CHECK(label(Method(Newmark{.constraint = Newmark::Constraint::average}).spec()) ==
        "newmark(constraint=average)");
  CHECK(typed_refusal(ReducedGradient{.frame = static_cast<FrameKind>(7)})
            .find("it must be one of") != std::string::npos);
}

TEST_CASE("Every word of every option makes a method that says the same word") {
  std::size_t words = 0;
  for (const MethodEntry& entry : methods()) {
    for (const OptionInfo& option : entry.options) {
      for (const std::string& word : option.choices) {
        INFO(entry.name, ".", option.name, " = ", word);
        try {
          const Method method = make_method({entry.name, {{option.name, word}}});
          CHECK(option_text(method.spec().options.at(option.name)) == word);
          ++words;
        } catch (const RequestError&) {
          // What goes with another base, or other tableaux, than the default.
          CHECK((entry.name == "compose" || entry.name == "spark"));
        }
      }
    }
  }
  CHECK(words > 50);
}

TEST_CASE("Options that do not go together are refused by type, too") {
  CHECK(typed_refusal(Newmark{.beta = 0.25, .beta_prime = 0.25}).find("does not converge") !=
        std::string::npos);
  CHECK(typed_refusal(VariationalRungeKutta{.stages = 1}).find("two stages or more") !=
        std::string::npos);
  CHECK(typed_refusal(VelocityDla{.node = "q0 + q1"}).find("(q, q) to (q, 0)") !=
        std::string::npos);
  CHECK(typed_refusal(Compose{.base = Dla{.alpha = 0.4}}).find("symmetric and of order 2") !=
        std::string::npos);
  CHECK(typed_refusal(Compose{.base = Method()}).find("must be a method") != std::string::npos);
  const auto differences = ReducedGradient::Derivative::finite_difference;
  CHECK(typed_refusal(
            ReducedGradient{.gradient = GradientKind::mean_value, .derivative = differences})
            .find("gonzalez") != std::string::npos);
  CHECK(typed_refusal(ReducedGradient{.derivative = differences}).empty());
}

TEST_CASE("What is not said is not promised and not handled") {
  const Facts facts{.order = 1};
  CHECK_FALSE((facts.symmetric || facts.reversible || facts.maps_constraint_set ||
               facts.exact_energy || facts.carries_multiplier || facts.keeps_fibration));
  CHECK(facts.multiplier_order == 0);
  CHECK_FALSE(facts.symplectic);
  const Requirements needs;
  CHECK(needs.lagrangian == LagrangianKind::constant_mass);
  CHECK(needs.constraints == ConstraintKind::linear);
  CHECK_FALSE((needs.handles_time || needs.handles_force || needs.handles_holonomic ||
               needs.handles_skew_gradient));
}

TEST_CASE("A method made of values runs like one made of a type") {
  const Method method(euler());
  CHECK(method.name() == "euler");
  const System system = oscillator();
  CHECK_FALSE(method.misfit(system));
  Stepper stepper(StepProgram::compile(system, method), 0.1);
  Stepper twin(StepProgram::compile(system, Dla{.alpha = 0.0}), 0.1);
  const std::vector<double> q{1.0}, v{0.5};
  Point point = stepper.make_point(q, v), other = twin.make_point(q, v);
  CHECK(stepper.advance(point, 0.0, 0, 10).status == StepStatus::ok);
  CHECK(twin.advance(other, 0.0, 0, 10).status == StepStatus::ok);
  CHECK(point.q[0] == doctest::Approx(other.q[0]).epsilon(1e-14));  // the same map, other bits
}

TEST_CASE("Definitions that make no sense are refused") {
  const auto says = [](const MethodDefinition& definition) -> std::string {
    try {
      static_cast<void>(Method(definition));
    } catch (const RequestError& error) {
      return error.what();
    }
    return "";
  };
  MethodDefinition nameless = euler(), empty = euler(), orderless = euler(), chosen = euler();
  nameless.name = "";
  empty.equations = std::function<Equations(const System&, const State&, Unknowns&, const Expr&)>();
  orderless.facts.order = 0;
  chosen.options = {{.name = "weight", .description = "", .default_value = 0.5, .max = 1.0}};
  chosen.values = {{"weight", 2.0}};
  CHECK(says(nameless) == "a method needs a name");
  CHECK(says(empty) == "method \"euler\" has no equations");
  CHECK(says(orderless) == "method \"euler\" promises order 0; it must be at least 1");
  CHECK(says(chosen) == "option \"weight\" of method \"euler\" is 2; it must be in [0, 1]");
  chosen.values = {{"weight", 1.0}};
  CHECK(says(chosen).empty());
}

TEST_CASE("Steps that do not keep what was announced are refused") {
  const System system = oscillator();
  MethodDefinition carries = euler(), adaptive = euler(), dense = euler();
  carries.carries = [](const System&) { return std::vector<std::string>{"memory"}; };
  adaptive.error_tolerance = 1e-6;
  dense.dense_output = {Constant{0.0}, Constant{0.5}, Constant{1.0}};
  for (const MethodDefinition& definition : {carries, adaptive, dense})
    CHECK_THROWS_AS(StepProgram::compile(system, Method(definition)), RequestError);
}

TEST_CASE("Estimates of errors and dense output are what their methods give, and nothing else") {
  const System system = oscillator();
  const auto fehlberg = StepProgram::compile(system, Fehlberg78{});
  CHECK(fehlberg->error_count() == 2);
  CHECK(fehlberg->carried_count() + fehlberg->dense_count() == 0);
  const auto lobatto = StepProgram::compile(system, Lobatto{.stages = 3, .dense_output = true});
  CHECK(lobatto->dense_count() == 4);  // q and v at two nodes within the step
  CHECK(lobatto->carried_count() + lobatto->error_count() == 0);
  const auto shake = StepProgram::compile(system, Shake{});
  CHECK(shake->carried_count() == 1);
  CHECK(shake->error_count() + shake->dense_count() == 0);
}
