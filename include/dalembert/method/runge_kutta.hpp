#pragma once

#include "dalembert/expression/quadrature.hpp"
#include "dalembert/method/method.hpp"

namespace dalembert {

/// The classical method of order 4 on the eliminated equations.
/// Source: [HairerNorsettWanner1993], Sect. II.1; equations: [JimenezScheurle2015], Eq. (23).
struct RungeKutta4 {
  std::string projection = "none", coordinates = "full";

  static constexpr std::string_view name = "runge-kutta-4";
  static std::vector<Option<RungeKutta4>> options();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Fehlberg's explicit method of order 8 with an error estimate of order 7, on the eliminated
/// equations. With a tolerance the substeps between two nodes of the grid are chosen so that the
/// estimate stays below it; without, it takes fixed steps. Reports the estimates as extra
/// quantities. Source: [Fehlberg1968], Table X.
struct Fehlberg78 {
  double tolerance = 1e-12;
  std::string projection = "none", coordinates = "full";

  static constexpr std::string_view name = "fehlberg-78";
  static std::vector<Option<Fehlberg78>> options();
  static std::vector<std::string> formula();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  std::vector<std::string> extra_names(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Gauss collocation, order 2 * stages, on the eliminated equations. Source:
/// [HairerLubichWanner2006], Sect. II.1.3.
struct Gauss {
  int stages = 2;
  std::string projection = "none", coordinates = "full";

  static constexpr std::string_view name = "gauss";
  static std::vector<Option<Gauss>> options();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Radau IIA collocation, order 2 * stages - 1, on the eliminated equations. Source:
/// [HairerWanner1996], Sect. IV.5.
struct RadauIIA {
  int stages = 2;
  std::string projection = "none", coordinates = "full";

  static constexpr std::string_view name = "radau-iia";
  static std::vector<Option<RadauIIA>> options();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
