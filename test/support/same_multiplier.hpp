#pragma once
// How far multipliers that are to be the same are from each other: of SHAKE and RATTLE, of a
// composition and its substeps, of an adjoint and its base.

#include <cstddef>
#include <utility>
#include <vector>

#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/variational.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/multiplier_bench.hpp"
#include "support/witness.hpp"

namespace test_support {

/// Round-off of some implicit solves, divided by the step, by its square where constraints on
/// positions hold; a term of the local error.
inline constexpr double same_multiplier = 1e-26, other_multiplier = 1e-6;
inline const dalembert::study::Extended composed_step = dalembert::study::Extended(1) / 16;

inline const dalembert::Method rattle = dalembert::VariationalRungeKutta{.stages = 2};

/// How far the multiplier that SHAKE reports is from the mean of those of RATTLE's two steps to the
/// old node, one from either side: the impulse there is half of both. No step leads to the start.
inline double distance_from_rattle(const Witness& witness, const dalembert::Method& shake) {
  WideMap one(witness.system, shake, {}), other(witness.system, rattle, {});
  WidePoint point = one.start(witness.q, witness.v), node = other.start(witness.q, witness.v);
  double largest = 0.0;
  for (int k = 0; k < 4; ++k) {
    WidePoint back = node;
    steps_of(other, back, composed_step);
    const WidePoint next = back;
    steps_of(other, back, -composed_step);
    steps_of(one, point, composed_step);
    const WideVector none(back.lambda.size(), dalembert::study::Extended(0));
    const WideVector mean = mean_of(k > 0 ? node.lambda : none, back.lambda);
    largest = dalembert::numeric::larger(largest, distance_of(point.lambda, mean));
    node = next;
  }
  return largest;
}

/// A composition and its substeps: methods and fractions of the step.
struct Composition {
  dalembert::Method whole;
  std::vector<std::pair<dalembert::Method, dalembert::study::Extended>> substeps;
};

inline Composition composition(const dalembert::Method& base, dalembert::Scheme scheme) {
  Composition result{dalembert::Compose{.base = base, .scheme = scheme}, {}};
  for (const dalembert::Constant& fraction : dalembert::composition_scheme(scheme).fractions)
    result.substeps.emplace_back(base, fraction.as<dalembert::study::Extended>());
  return result;
}

/// The largest difference between the multiplier of some steps of a composition and that of one of
/// its substeps, which are made one by one.
template <class Problem>
double distance_from_substep(const Problem& problem, const Composition& all, std::size_t substep) {
  WideMap whole(problem.system, all.whole, {});
  std::vector<WideMap> maps;
  for (const auto& entry : all.substeps)
    maps.emplace_back(problem.system, entry.first, std::vector<double>{});
  WidePoint at_once = whole.start(problem.q, problem.v);
  WidePoint one_by_one = maps.front().start(problem.q, problem.v);
  double largest = 0.0;
  for (int k = 0; k < 2; ++k) {
    steps_of(whole, at_once, composed_step);
    for (std::size_t i = 0; i < maps.size(); ++i) {
      steps_of(maps[i], one_by_one, all.substeps[i].second * composed_step);
      if (i != substep) continue;
      largest = dalembert::numeric::larger(largest, distance_of(at_once.lambda, one_by_one.lambda));
    }
  }
  return largest;
}

/// How far an adjoint's multiplier is from that of its base, which goes back from the new state.
template <class Problem>
double distance_from_base(const Problem& problem, const dalembert::Method& base,
                          const dalembert::Method& adjoint) {
  WideMap forward(problem.system, adjoint, {}), backward(problem.system, base, {});
  WidePoint point = forward.start(problem.q, problem.v);
  steps_of(forward, point, composed_step, 2);
  WidePoint back = backward.start(problem.q, problem.v);
  back.t = point.t;
  back.q = point.q;
  back.v = point.v;
  steps_of(backward, back, -composed_step);
  return distance_of(point.lambda, back.lambda);
}

}  // namespace test_support
