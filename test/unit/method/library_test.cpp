#include "dalembert/method/library.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <type_traits>

#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/text/describe.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

std::string refusal(const MethodSpec& spec) {
  try {
    make_method(spec);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}
bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

// What a temporary method says is no reference into it.
template <class Part>
constexpr bool is_value = std::is_object_v<Part>;
static_assert(is_value<decltype(Method().name())> && is_value<decltype(Method().facts())> &&
              is_value<decltype(Method().requirements())> &&
              is_value<decltype(Method().formula())> && is_value<decltype(Method().warning())> &&
              is_value<decltype(Method().interpolation_nodes())> &&
              is_value<decltype(Method().definition())>);

}  // namespace

TEST_CASE("Every method can be made with its defaults, labelled, and described") {
  for (const MethodEntry& entry : methods()) {
    INFO(entry.name);
    const Method method = make_method({entry.name, {}});
    CHECK(method.name() == entry.name);
    CHECK(label({entry.name, {}}) == entry.name);
    CHECK(describe_equations(method).size() >= 2);
    CHECK_FALSE(entry.source.empty());
    // When to use it and when not: clauses, which become sentences.
    CHECK(entry.use.sentences().size() == 2);
    CHECK((entry.use.when.back() != '.' && entry.use.otherwise.back() != '.'));
    // The whole specification gives the same method again.
    CHECK(label(make_method(method.spec()).spec()) == label(method.spec()));
  }
}

TEST_CASE("Equations in words are followed by those that run, with the fewest stages") {
  const std::vector<std::string> lines =
      describe_equations(Lobatto{.stages = 4, .multiplier = Lobatto::Multiplier::carried});
  const auto words_end = std::ranges::find(lines, "which for s = 2 are:");
  REQUIRE(words_end != lines.end());
  const auto prints = [&](const std::string& line) {
    return std::find(words_end, lines.end(), line) != lines.end();
  };
  // The leap-frog.
  CHECK(prints("a2 = 0.5*h*(A(q0)^T*lambda0 - V'(q0))"));
  CHECK(prints("0 = M*(V_1 - v0) - a2"));
  CHECK(prints("lambda1 = Lambda_2"));
}

TEST_CASE("Options that make no sense are refused with what is admissible") {
  CHECK(says(refusal({"dal", {}}), "did you mean \"dla\""));
  CHECK(says(refusal({"dla", {{"alpha", 1.5}}}), "must be in [0, 1]"));
  CHECK(says(refusal({"dla", {{"beta", 0.5}}}), "its options are alpha"));
  CHECK(says(refusal({"gauss", {{"stages", 2.5}}}), "whole number"));
  CHECK(says(refusal({"reduced-gradient", {{"gradient", std::string("gonzales")}}}),
             "must be one of gonzalez"));
  CHECK(says(refusal({"newmark", {{"beta", 0.25}, {"beta_prime", 0.25}}}), "does not converge"));
  CHECK(says(refusal({"velocity-dla", {{"node", std::string("q0 + q1")}}}), "(q, q) to (q, 0)"));
  CHECK(says(refusal({"velocity-dla", {{"node", std::string("q0 + ")}}}), "expected"));
  CHECK(Method(Newmark{.beta = 0.24, .beta_prime = 0.25}).warning().has_value());
  CHECK_FALSE(Newmark{}.warning().has_value());
}

TEST_CASE("A name of the literature stands for a method with its options, and for no other") {
  CHECK(says(refusal({"i-dla", {{"alpha", 0.3}}}), "is dla with alpha = 0.5, and not 0.3"));
  CHECK(label({"exact-discrete-average", {}}) == "exact-discrete-average");
  const Method average = make_method({"exact-discrete-average", {}});
  CHECK(label(average.spec()) == "exact-discrete-average");
  CHECK(label(make_method({"exact-discrete-gauss", {{"stages", 3.0}}}).spec()) ==
        "exact-discrete-gauss(stages=3)");
  CHECK(label(make_method({"rattle", {}}).spec()) == "leapfrog");
  CHECK(says(refusal({"exact-discrete-familly", {}}), "did you mean \"exact-discrete-family\""));
  // The momenta of a mass that varies are others than those of accelerations.
  const System varying = define({.name = "varying",
                                 .coordinates = {"x", "y"},
                                 .kinetic = "(1 + x^2)*(x_dot^2 + y_dot^2)/2",
                                 .potential = "y",
                                 .constraints = {"y_dot - x*x_dot"}});
  REQUIRE(average.misfit(varying));
  CHECK(says(*average.misfit(varying), "is another method than newmark(constraint=average)"));
  const System on_group = System::define(
      {.name = "body", .coordinates = {{"R", false, "SO(3)"}}}, [](const Symbols& s) {
        Mechanics m;
        m.kinetic = (square(s.v[0]) + square(s.v[1]) + square(s.v[2])) / 2.0;
        m.constraints = {s.v[2]};
        return m;
      });
  CHECK(average.misfit(on_group));
  CHECK_FALSE(make_method({"newmark", {}}).misfit(on_group));
}

TEST_CASE("Names and aliases are unique, and every page is complete") {
  std::set<std::string> names;
  std::size_t count = 0;
  for (const MethodEntry& entry : methods()) {
    INFO(entry.name);
    for (const std::string& text : {entry.title, entry.description, entry.source})
      CHECK_FALSE(text.empty());
    for (const OptionInfo& option : entry.options) CHECK_FALSE(option.description.empty());
    names.insert(entry.name);
    for (const Alias& alias : entry.aliases) {
      names.insert(alias.name);
      CHECK_FALSE(alias.source.empty());
      // Its options are admissible.
      const Method named = make_method({alias.name, {}});
      CHECK(named.name() == (alias.lagrangian ? alias.name : entry.name));
      CHECK(make_method(named.spec()).facts().order.get() == named.facts().order.get());
    }
    count += 1 + entry.aliases.size();
    // The page of the method that was made says the same.
    const MethodDefinition definition = make_method({entry.name, {}}).definition();
    CHECK(definition.title == entry.title);
    CHECK(definition.options.size() == entry.options.size());
  }
  CHECK(names.size() == count);
  CHECK(methods().size() == 33);
}
