#pragma once
// The law: what a method's facts promise, measured on witness problems and bounded from both sides.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/measure/slope.hpp"
#include "dalembert/measure/step_map.hpp"
#include "dalembert/measure/symmetry.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "support/quad.hpp"
#include "support/witness.hpp"

namespace test_support {

/// The number type of the law tests: wide enough that round-off and a small defect are far apart.
/// A quantity is exact below `exact_defect`: round-off of many operations, and of the quadrature in
/// discrete gradients, which is made for double. One that is not exact is clearly above
/// `clear_defect`: local errors at h = 1/16.
#ifdef DALEMBERT_TEST_HAS_QUAD
using Wide = Quad;
inline constexpr double exact_defect = 1e-24, clear_defect = 1e-20, wide_floor = 1e-21;
#else
using Wide = long double;
inline constexpr double exact_defect = 1e-15, clear_defect = 1e-14, wide_floor = 1e-16;
#endif

/// Whether a method is to be measured on a witness: it can be used, and its code is of moderate
/// size (a QR frame differentiated and sampled at many points is not, on the large witness).
inline bool fits(const dalembert::MethodSpec& spec, const Witness& witness) {
  const bool reduced = spec.name == "reduced-gradient" || spec.name == "energy-collocation";
  return !(witness.large && reduced) && !dalembert::make_method(spec).misfit(witness.system);
}

/// A promise that a method does not keep, or a property that it has without promising it.
struct Breach {
  std::string property, detail;
};

inline std::string number_text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.3g", value);
  return buffer;
}

/// A property that holds to round-off or fails clearly: between the two is a breach as well.
inline void judge_exactness(std::vector<Breach>& breaches, const std::string& property,
                            bool promised, double defect) {
  const bool exact = defect <= exact_defect, clearly_not = defect >= clear_defect;
  if (promised && !exact) breaches.push_back({property, "defect " + number_text(defect)});
  if (!promised && !clearly_not)
    breaches.push_back({"not " + property, "defect only " + number_text(defect)});
}

/// Symmetry, reversibility, constraint and energy of one method on one witness.
inline std::vector<Breach> exactness_breaches(const Witness& witness,
                                              const dalembert::Method& method) {
  using namespace dalembert;
  const Facts facts = method.facts();
  StepMap<Wide> map(witness.system, method, witness.system.default_parameters());
  BasicPoint<Wide> start = map.start(witness.q, witness.v);
  const Wide h = Wide(1) / 16;
  std::vector<Breach> breaches;
  judge_exactness(breaches, "maps D to D", facts.maps_constraint_set,
                  constraint_defect(map, start, h, 4));
  if (conservation(witness.system).energy)
    judge_exactness(breaches, "energy", facts.exact_energy, energy_defect(map, start, h, 4));
  // A step away from the start a carried multiplier is no longer the exact one.
  static_cast<void>(map.apply(start, h));
  judge_exactness(breaches, "symmetry", facts.symmetric, symmetry_defect(map, start, h));
  if (witness.system.mechanics().reversal) {
    judge_exactness(breaches, "reversibility", facts.reversible,
                    reversibility_defect(map, start, h, *witness.system.mechanics().reversal));
  }
  return breaches;
}

/// Errors of a method for halved steps: the largest at four times up to t = 1, so that an error
/// that happens to cross zero hides nothing. The reference is Gauss collocation of order 12 with 64
/// steps (error about 1e-21).
template <class Number>
class OrderBench {
 public:
  /// `floor`: errors below it are round-off or the reference's own.
  OrderBench(const Witness& witness, double floor) : witness_(witness), floor_(floor) {
    using dalembert::Gauss, dalembert::Method;
    dalembert::StepMap<Number> map(witness.system, Method(Gauss{.stages = 6}), parameters());
    reference_ = *run(map, 64);
  }

  struct Orders {
    dalembert::OrderSeries q, v, lambda;
    bool failed = false;
  };
  Orders measure(const dalembert::Method& method, std::uint64_t first_steps, int runs) {
    dalembert::StepMap<Number> map(witness_.system, method, parameters());
    std::vector<double> errors[3];
    for (int k = 0; k < runs; ++k) {
      const auto found = run(map, first_steps << k);
      if (!found) return {{}, {}, {}, true};
      for (std::size_t part = 0; part < 3; ++part)
        errors[part].push_back(dalembert::largest_difference((*found)[part], reference_[part]));
    }
    return {dalembert::fit_order(errors[0], floor_), dalembert::fit_order(errors[1], floor_),
            dalembert::fit_order(errors[2], 100.0 * floor_), false};
  }

 private:
  using Parts = std::array<std::vector<Number>, 3>;  // q, v, lambda at four times

  std::vector<double> parameters() const { return witness_.system.default_parameters(); }
  std::optional<Parts> run(dalembert::StepMap<Number>& map, std::uint64_t steps) {
    dalembert::BasicPoint<Number> point = map.start(witness_.q, witness_.v);
    Parts parts;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const Number h = Number(1.0) / Number(static_cast<double>(steps));
      if (!map.apply(point, h, steps / 4)) return std::nullopt;
      const std::vector<Number> lambda = map.multiplier(point);
      parts[0].insert(parts[0].end(), point.q.begin(), point.q.end());
      parts[1].insert(parts[1].end(), point.v.begin(), point.v.end());
      parts[2].insert(parts[2].end(), lambda.begin(), lambda.end());
    }
    return parts;
  }

  Witness witness_;
  double floor_;
  Parts reference_;
};

/// The measured orders of q, v and lambda, with their promises.
struct MeasuredOrder {
  std::string what;
  dalembert::OrderSeries series;
  int promised;
  dalembert::OrderVerdict verdict() const { return dalembert::judge_order(series, promised); }
  std::string text() const {
    return dalembert::verdict_text(verdict()) + ": " + number_text(series.slope) + " +- " +
           number_text(series.uncertainty) + " for " + std::to_string(promised);
  }
};

/// Two benches on one witness: high orders need the wide number type.
class Orders {
 public:
  explicit Orders(const Witness& witness)
      : traits_(witness.system.traits()), low_(witness, 1e-16), high_(witness, wide_floor) {}

  /// Empty if a step was refused.
  std::vector<MeasuredOrder> of(const dalembert::Method& method) {
    const dalembert::Facts facts = method.facts();
    const int order = std::max(facts.order, facts.multiplier_order);
    return order >= 5 ? judged(high_.measure(method, 8, 4), facts)
                      : judged(low_.measure(method, 32, 4), facts);
  }

 private:
  template <class Measured>
  std::vector<MeasuredOrder> judged(const Measured& orders, const dalembert::Facts& facts) const {
    if (orders.failed) return {};
    return {{"q", orders.q, facts.order},
            {"v", orders.v, facts.order},
            {"lambda", orders.lambda, multiplier_order(facts, traits_)}};
  }
  dalembert::SystemTraits traits_;
  OrderBench<long double> low_;
  OrderBench<Wide> high_;
};

/// Orders of one method on one witness that are lower than promised, or not measurable.
inline std::vector<Breach> order_breaches(Orders& bench, const dalembert::Method& method) {
  const std::vector<MeasuredOrder> orders = bench.of(method);
  if (orders.empty()) return {{"order", "a step was refused"}};
  std::vector<Breach> breaches;
  for (const MeasuredOrder& order : orders) {
    const dalembert::OrderVerdict verdict = order.verdict();
    if (verdict == dalembert::OrderVerdict::broken ||
        verdict == dalembert::OrderVerdict::not_measured)
      breaches.push_back({"order of " + order.what, order.text()});
  }
  return breaches;
}

}  // namespace test_support
