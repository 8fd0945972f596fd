#include "dalembert/mechanics/group/chart.hpp"

#include "dalembert/error.hpp"
#include "unit/mechanics/group/support.hpp"

using namespace dalembert;
using namespace group_test;

namespace {

/// All kinds of factors, and a chart of a step on them.
struct ChartSetting {
  Configuration space{{{"R", Group::rotations()},
                       {"x", Group::line()},
                       {"S", Group::space_motions()},
                       {"B", Group::plane_motions()},
                       {"phi", Group::angle()},
                       {"P", Group::heisenberg()}}};
  std::size_t n = space.dof();
  GraphPointer graph = std::make_shared<Graph>();
  Vector a = make_symbols(graph, "a", n), total = make_symbols(graph, "s", n),
         x = make_symbols(graph, "x", n), u = make_symbols(graph, "u", n),
         m = make_symbols(graph, "m", n);
  Vector start = space.move(Retraction::cayley, space.identity(), a);
  numeric_test::Random random{31};

  Chart chart(Retraction kind, ChartBase base) const { return {space, start, total, kind, base}; }
  double largest_of(const Vector& expressions) {
    return largest(concatenate({a, total, x, u, m}), expressions, random_numbers(random, 5 * n));
  }
};

template <class Check>
void for_each_chart(Check check) {
  for (const Retraction kind : both_retractions) {
    for (const ChartBase base : {ChartBase::start, ChartBase::middle}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(static_cast<int>(base));
      ChartSetting s;
      check(s, s.chart(kind, base), kind, base);
    }
  }
}

bool all_same(const Vector& x, const Vector& y) {
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!same(x[i], y[i])) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("On R^n and angles a chart gives its arguments back, node by node") {
  const Configuration flat = Configuration::of_coordinates({{"x"}, {"phi", true}});
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector q = make_symbols(graph, "q", 2), total = make_symbols(graph, "s", 2),
               x = make_symbols(graph, "x", 2), u = make_symbols(graph, "u", 2),
               m = make_symbols(graph, "m", 2);
  const Vector sum = q + x;
  const std::size_t size = graph->size();
  for (const Retraction kind : both_retractions) {
    for (const ChartBase base : {ChartBase::start, ChartBase::middle}) {
      const Chart chart(flat, q, total, kind, base);
      CHECK(all_same(chart.point(x), sum));
      CHECK(all_same(chart.point(zeros(2)), q));
      CHECK(all_same(chart.velocity(x, u), u));
      CHECK(all_same(chart.rate(x, u), u));
      CHECK(all_same(chart.momentum(x, m), m));
      CHECK(all_same(chart.force(x, u, m, u), m));
      CHECK(all_same(chart.to_base(x, m), m));
      CHECK(all_same(chart.from_base(x, m), m));
    }
  }
  CHECK(graph->size() == size);  // nothing was built, not even on the way
}

TEST_CASE("Beside groups, lines and angles stay as they are") {
  for_each_chart([](ChartSetting& s, const Chart& chart, Retraction, ChartBase) {
    for (const std::size_t i : {std::size_t{3}, std::size_t{13}}) {  // x and phi
      const std::size_t stored = i == 3 ? 4 : 15;
      CHECK(same(chart.point(s.x)[stored], s.start[stored] + s.x[i]));
      CHECK(same(chart.velocity(s.x, s.u)[i], s.u[i]));
      CHECK(same(chart.rate(s.x, s.u)[i], s.u[i]));
      CHECK(same(chart.momentum(s.x, s.m)[i], s.m[i]));
      CHECK(same(chart.force(s.x, s.u, s.m, s.u)[i], s.m[i]));
      CHECK(same(chart.to_base(s.x, s.m)[i], s.m[i]));
      CHECK(same(chart.from_base(s.x, s.m)[i], s.m[i]));
    }
  });
}

TEST_CASE("A chart runs from the start of the step to its end") {
  for_each_chart([](ChartSetting& s, const Chart& chart, Retraction kind, ChartBase base) {
    CHECK(all_same(chart.point(zeros(s.n)), s.start));
    // The place x = 0 is the start also where it is not written as the constant.
    const Vector nowhere = substitute(chart.point(s.x), s.x, zeros(s.n));
    CHECK(s.largest_of(nowhere - s.start) < group_tolerance);
    const Vector half = 0.5 * s.total;
    const Vector end = base == ChartBase::start
                           ? s.space.move(kind, s.start, s.total)
                           : s.space.move(kind, s.space.move(kind, s.start, half), half);
    CHECK(s.largest_of(chart.point(s.total) - end) < group_tolerance);
  });
}

TEST_CASE("Velocities of a chart are those of its points, rates their inverse") {
  for_each_chart([](ChartSetting& s, const Chart& chart, Retraction, ChartBase) {
    const Vector eta = chart.velocity(s.x, s.u);
    const Vector variables = s.space.variables(chart.point(s.x));
    const Vector by_definition = directional_derivative(variables, s.x, s.u);
    CHECK(s.largest_of(by_definition - s.space.rates(variables) * eta) < group_tolerance);
    CHECK(s.largest_of(chart.rate(s.x, eta) - s.u) < group_tolerance);
  });
}

TEST_CASE("Momenta are dual to velocities, and carried to the base point and back") {
  for_each_chart([](ChartSetting& s, const Chart& chart, Retraction, ChartBase) {
    const Expr in_chart = dot(chart.momentum(s.x, s.m), s.u);
    const Expr in_body = dot(s.m, chart.velocity(s.x, s.u));
    CHECK(s.largest_of({in_chart - in_body}) < group_tolerance);
    CHECK(s.largest_of(chart.from_base(s.x, chart.to_base(s.x, s.m)) - s.m) < group_tolerance);
    CHECK(s.largest_of(chart.to_base(s.x, chart.from_base(s.x, s.m)) - s.m) < group_tolerance);
    // The same spatial momentum Ad*_{g^-1} m, seen from two places.
    const Vector carried = chart.from_base(s.total, chart.to_base(s.x, s.m));
    const auto spatial = [&](const Vector& q, const Vector& m) {
      Vector result;
      for (const Configuration::Factor& factor : s.space.factors()) {
        const Group& group = factor.group;
        const Vector back = group.inverse(slice(q, factor.storage, group.storage_size()));
        const Vector part = group.coadjoint(back, slice(m, factor.velocity, group.dimension()));
        result.insert(result.end(), part.begin(), part.end());
      }
      return result;
    };
    const Vector difference =
        spatial(chart.point(s.total), carried) - spatial(chart.point(s.x), s.m);
    CHECK(s.largest_of(difference) < group_tolerance);
  });
}

TEST_CASE("Forces of a chart are derivatives of its Lagrangian") {
  for_each_chart([](ChartSetting& s, const Chart& chart, Retraction, ChartBase) {
    const Vector variables = make_symbols(s.graph, "w", s.space.variable_count()),
                 eta = make_symbols(s.graph, "eta", s.n);
    Expr lagrangian = 0.0;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Expr speed = eta[i % s.n] * eta[(i + 2) % s.n];
      lagrangian += (1.0 + square(variables[i])) * speed;
      lagrangian += sin(variables[i] + 0.1 * double(i));
    }
    const Vector slopes = s.space.left_gradient(lagrangian, variables),
                 momenta = gradient(lagrangian, eta);
    const Vector at = concatenate({s.space.variables(chart.point(s.x)), chart.velocity(s.x, s.u)});
    const Vector names = concatenate({variables, eta});
    const Vector found =
        chart.force(s.x, s.u, substitute(slopes, names, at), substitute(momenta, names, at));
    const Vector expected = gradient(substitute(lagrangian, names, at), s.x);
    // Some hundred terms of size up to 10.
    CHECK(s.largest_of(found - expected) < 100 * group_tolerance);
  });
}

TEST_CASE("Charts refuse vectors of wrong size") {
  const Configuration space({{"R", Group::rotations()}});
  CHECK_THROWS_WITH_AS(Chart(space, zeros(3), zeros(3)),
                       "the start of the chart has 3 entries where 4 are needed", RequestError);
  const Chart chart(space, space.identity(), zeros(3));
  CHECK_THROWS_AS(chart.point(zeros(4)), RequestError);
  CHECK_THROWS_AS(chart.velocity(zeros(3), zeros(4)), RequestError);
  CHECK_THROWS_AS(chart.force(zeros(3), zeros(3), zeros(3), zeros(2)), RequestError);
}
