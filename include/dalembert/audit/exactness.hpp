#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/audit/audit.hpp"
#include "dalembert/audit/fibration.hpp"
#include "dalembert/audit/symmetry.hpp"
#include "dalembert/audit/symplecticity.hpp"
#include "dalembert/audit/volume/volume_chart.hpp"
#include "dalembert/measure/kept_energy.hpp"
#include "dalembert/measure/state_sizes.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// The part of the audit whose properties hold to round-off or fail clearly, on one problem: maps D
/// to D, energy and integrals, symmetry, reversibility, and where they make sense fibration, the
/// energies of drivers and passengers, symplecticity and volume. Everything is measured on a few
/// steps of a sixteenth of the problem's unit of time from the start, in the number type `Number`
/// (see `AuditThresholds`).
///
/// Round-off is relative to what is added up: of states to their largest entry, of constraints and
/// the energy to their terms, at the start and about where the
/// equations lead, of the symplectic form to the state and to its own entries; each at
/// least one.
template <class Number>
class ExactnessAudit {
 public:
  /// Throws RequestError if the method does not fit the system.
  ExactnessAudit(const AuditProblem& problem, const Method& method)
      : problem_(problem),
        method_(method),
        facts_(method.facts()),
        h_(Number(problem.time) / Number(DefectGrid::steps_per_time)),
        map_(problem.system, method, problem.parameters),
        start_(map_.start(problem.q, problem.v)),
        sizes_(problem.system, problem.parameters) {
    sizes_.see(start_.t, start_.q, start_.v);
    const Number time = h_ * Number(static_cast<double>(steps_));
    sizes_.see_after(time, start_.t, start_.q, start_.v);
    carried_size_ = sizes_.state();
    sizes_.grow(carried_size_, numeric::largest_size<Number>(start_.lambda));
  }

  /// All findings; a single broken one, "a step from the start", is the last if a step was refused.
  std::vector<AuditFinding> findings() {
    findings_.clear();
    conserved();
    // A step away from the start a carried multiplier is no longer the exact one.
    BasicPoint<Number> later = start_;
    if (!map_.apply(later, h_)) {
      findings_.push_back({.property = "a step from the start",
                           .promise = Promise::yes,
                           .value = std::numeric_limits<double>::infinity(),
                           .verdict = AuditVerdict::broken});
      return findings_;
    }
    reversed(later);
    coupled();
    geometric();
    return findings_;
  }

 private:
  static constexpr std::uint64_t steps_ = DefectGrid::steps;

  static Promise promise(bool promised) { return promised ? Promise::yes : Promise::no; }
  void judge(const std::string& property, Promise promise, double defect, double size) {
    using T = AuditThresholds<Number>;
    findings_.push_back(
        judge_defect(property, promise, defect, size * T::exact_below, size * T::clear_above));
  }
  /// The energy is promised to the round-off of double, where quadrature has no closed form.
  void judge_energy(const std::string& property, bool promised, double defect) {
    using T = AuditThresholds<Number>;
    const double exact_below =
        promised ? numeric::larger(T::exact_below, quadrature_round_off) : T::exact_below;
    findings_.push_back(judge_defect(property, promise(promised), defect,
                                     sizes_.energy() * exact_below,
                                     sizes_.energy() * T::clear_above));
  }
  const SystemTraits& traits() const { return problem_.system.traits(); }
  bool is_skew() const { return problem_.system.is_skew_gradient(); }

  void conserved() {
    if (problem_.system.constraint_count() > 0)
      judge("maps D to D", promise(facts_.maps_constraint_set),
            constraint_defect(map_, start_, h_, steps_), sizes_.constraint());
    if (problem_.keeps_energy)
      judge_energy("energy", facts_.exact_energy, energy_defect(map_, start_, h_, steps_));
    discrete_energy();
    const auto& integrals = problem_.system.mechanics().integrals;
    if (integrals.empty()) return;
    const std::vector<double> defects = integral_defects();
    for (std::size_t i = 0; i < integrals.size(); ++i)
      judge("integral " + integrals[i].first, Promise::none, defects[i], 1.0);
  }

  /// The energy that steps of this size keep in the place of the system's, where there is one.
  void discrete_energy() {
    auto energy =
        kept_energy<Number>(problem_.system, method_, static_cast<double>(h_), problem_.parameters);
    if (!energy) return;
    const auto at = [&](const BasicPoint<Number>& point) {
      return (*energy)(point.t, point.q, point.v, point.lambda).front();
    };
    BasicPoint<Number> point = start_;
    const Number first = at(point);
    double defect = 0.0;
    for (std::uint64_t k = 0; k < steps_; ++k) {
      if (!map_.apply(point, h_)) defect = std::numeric_limits<double>::infinity();
      defect = numeric::larger(defect, largest_difference<Number>({at(point)}, {first}));
    }
    judge_energy("discrete energy", true, defect);
  }

  std::vector<double> integral_defects() {
    const std::vector<Number> at_start = map_.integrals(start_);
    std::vector<double> largest(at_start.size(), 0.0);
    BasicPoint<Number> point = start_;
    for (std::uint64_t k = 0; k < steps_; ++k) {
      if (!map_.apply(point, h_))
        return std::vector<double>(at_start.size(), std::numeric_limits<double>::infinity());
      const std::vector<Number> now = map_.integrals(point);
      for (std::size_t i = 0; i < now.size(); ++i) {
        const double change = largest_difference<Number>({now[i]}, {at_start[i]});
        largest[i] = numeric::larger(largest[i], change);
      }
    }
    return largest;
  }

  void reversed(const BasicPoint<Number>& later) {
    judge("symmetry", promise(facts_.symmetric && !breaks_symmetry()),
          symmetry_defect(map_, later, h_), carried_size_);
    const std::optional<System::Reversal> signs = problem_.system.reversal();
    if (signs)
      judge("reversibility", promise(facts_.reversible && !breaks_symmetry()),
            reversibility_defect(map_, later, h_, *signs), carried_size_);
  }

  bool breaks_symmetry() const { return traits().has_groups && facts_.asymmetric_on_groups; }

  void coupled() {
    const std::optional<Coupling> coupling = find_coupling(problem_.system);
    if (!coupling) return;
    judge("fibration", promise(facts_.keeps_fibration),
          fibration_defect(map_, start_, h_, *coupling, steps_), sizes_.state());
    // A method that keeps the fibration moves the drivers as if the passengers rested in an
    // equilibrium; if it keeps the energy as well, it keeps that of the drivers, and the rest.
    const Promise both =
        facts_.exact_energy && facts_.keeps_fibration ? Promise::yes : Promise::none;
    const PartEnergyDefects defects = part_energy_defects(map_, start_, h_, *coupling, steps_);
    judge("energy of drivers", both, defects.drivers, sizes_.energy());
    judge("energy of passengers", both, defects.passengers, sizes_.energy());
  }

  void geometric() {
    if (is_skew() || traits().has_groups) return;
    const bool is_free = problem_.system.constraint_count() == 0 && !traits().forced;
    const bool is_symplectic = facts_.symplectic && traits().lagrangian <= *facts_.symplectic;
    if (is_free)
      judge("symplecticity", promise(is_symplectic), symplecticity_defect(map_, start_, h_),
            sizes_.state() * form_size());
    const bool stays = problem_.system.constraint_count() == 0 || facts_.maps_constraint_set;
    if (!problem_.keeps_volume || !stays) return;
    judge("volume", is_free && is_symplectic ? Promise::yes : Promise::none,
          std::fabs(volume_change_minus_one(map_, start_, h_)), sizes_.state());
  }
  double form_size() const {
    double size = 1.0;
    for (const auto& row :
         MomentumSlopes<Number>(problem_.system, problem_.parameters).form(start_))
      sizes_.grow(size, numeric::largest_size<Number>(row));
    return size;
  }

  const AuditProblem& problem_;
  Method method_;
  Facts facts_;
  Number h_;
  StepMap<Number> map_;
  BasicPoint<Number> start_;
  StateSizes<Number> sizes_;
  double carried_size_ = 1.0;  ///< of the state and a multiplier that is carried
  std::vector<AuditFinding> findings_;
};

/// The exactness audit of one method on one problem.
template <class Number>
std::vector<AuditFinding> audit_exactness(const AuditProblem& problem, const Method& method) {
  return ExactnessAudit<Number>(problem, method).findings();
}

}  // namespace dalembert
