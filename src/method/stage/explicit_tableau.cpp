#include "explicit_tableau.hpp"

#include <initializer_list>
#include <utility>

namespace dalembert {
namespace {

using Fraction = std::pair<int, int>;
std::vector<Constant> fractions(std::initializer_list<Fraction> list) {
  std::vector<Constant> result;
  for (const auto& [above, below] : list)
    result.push_back(Constant{double(above)} / Constant{double(below)});
  return result;
}

ExplicitTableau with_nodes(std::vector<std::vector<Constant>> a, std::vector<Constant> b,
                           std::vector<Constant> error) {
  ExplicitTableau tableau{std::move(a), std::move(b), {}, std::move(error)};
  set_nodes(tableau);
  return tableau;
}

}  // namespace

void set_nodes(ExplicitTableau& tableau) {
  tableau.c.clear();
  for (const auto& row : tableau.a) {
    Constant sum{0.0};
    for (const Constant& entry : row) sum = sum + entry;
    tableau.c.push_back(sum);
  }
}

ExplicitTableau classical_tableau() {
  return with_nodes(
      {{}, fractions({{1, 2}}), fractions({{0, 1}, {1, 2}}), fractions({{0, 1}, {0, 1}, {1, 1}})},
      fractions({{1, 6}, {1, 3}, {1, 3}, {1, 6}}), {});
}

ExplicitTableau fehlberg_tableau() {
  const Fraction z{0, 1};
  return with_nodes(
      {{},
       fractions({{2, 27}}),
       fractions({{1, 36}, {1, 12}}),
       fractions({{1, 24}, z, {1, 8}}),
       fractions({{5, 12}, z, {-25, 16}, {25, 16}}),
       fractions({{1, 20}, z, z, {1, 4}, {1, 5}}),
       fractions({{-25, 108}, z, z, {125, 108}, {-65, 27}, {125, 54}}),
       fractions({{31, 300}, z, z, z, {61, 225}, {-2, 9}, {13, 900}}),
       fractions({{2, 1}, z, z, {-53, 6}, {704, 45}, {-107, 9}, {67, 90}, {3, 1}}),
       fractions(
           {{-91, 108}, z, z, {23, 108}, {-976, 135}, {311, 54}, {-19, 60}, {17, 6}, {-1, 12}}),
       fractions({{2383, 4100},
                  z,
                  z,
                  {-341, 164},
                  {4496, 1025},
                  {-301, 82},
                  {2133, 4100},
                  {45, 82},
                  {45, 164},
                  {18, 41}}),
       fractions({{3, 205}, z, z, z, z, {-6, 41}, {-3, 205}, {-3, 41}, {3, 41}, {6, 41}, z}),
       fractions({{-1777, 4100},
                  z,
                  z,
                  {-341, 164},
                  {4496, 1025},
                  {-289, 82},
                  {2193, 4100},
                  {51, 82},
                  {33, 164},
                  {12, 41},
                  z,
                  {1, 1}})},
      fractions({z,
                 z,
                 z,
                 z,
                 z,
                 {34, 105},
                 {9, 35},
                 {9, 35},
                 {9, 280},
                 {9, 280},
                 z,
                 {41, 840},
                 {41, 840}}),
      fractions({{-41, 840}, z, z, z, z, z, z, z, z, z, {-41, 840}, {41, 840}, {41, 840}}));
}

}  // namespace dalembert
