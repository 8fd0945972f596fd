// A whole page: every field, hooks as const members or as values.
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Complete {
  enum class Kind { plain, fancy };

  double weight = 0.5;
  int stages = 2;
  bool dense = false;
  Kind kind = Kind::plain;
  std::string map = "q";

  static MethodPage<Complete> page() {
    return {.name = "complete",
            .aliases = {{"whole", "nobody"}},
            .title = "everything",
            .description = "A page with all its fields.",
            .source = "nobody",
            .formula = {"q1 = q0"},
            .facts = &Complete::facts,
            .requirements = Requirements{.handles_time = true},
            .equations = &Complete::equations,
            .carries = &Complete::names,
            .start = &Complete::start,
            .error_tolerance = &Complete::weight,
            .dense_output = std::vector<Constant>{},
            .options = {{"weight", &Complete::weight, "a number", 0.0, 1.0},
                        {"stages", &Complete::stages, "a whole number", 1, 8},
                        {"dense", &Complete::dense, "yes or no"},
                        {"kind", &Complete::kind, "a word",
                         Words<Kind>{{Kind::plain, "plain"}, {Kind::fancy, "fancy"}}},
                        {"map", &Complete::map, "an expression"}},
            .conflict = &Complete::conflict,
            .misfit = &Complete::misfit,
            .warning = &Complete::conflict};
  }
  Facts facts() const { return {.order = stages}; }
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) const {
    return {.zero = {}, .constraint = {}, .after = a};
  }
  std::vector<std::string> names(const System&) const { return {"x"}; }
  Vector start(const System&, const State& a) const { return {a.t}; }
  std::optional<std::string> conflict() const { return std::nullopt; }
  std::optional<std::string> misfit(const System&) const { return std::nullopt; }
};

Method make() { return Complete{.weight = 0.25}; }
