#include "dalembert/study/execution/failure_cause.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/audit/switches.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/measure/watch/multiplier_watch.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert::study {
namespace {

/// Radians between a wheel's axis and the normal: a step that turns it by as much meets the place
/// where its lowest point changes sides.
constexpr double almost_flat = 0.1;

/// How much smaller than at the start a pivot is that is called nearly zero: far more than along a
/// regular motion, far less than what is left of a step's digits.
constexpr double much_smaller = 1e-4;

/// How much larger than at the start accelerations are that are called grown.
constexpr double much_larger = 10.0;

double largest(std::span<const double> numbers) {
  double size = 0.0;
  for (const double number : numbers) size = numeric::larger(size, std::fabs(number));
  return size;
}

std::string lying_wheel(const RunPlan& plan, const Point& last) {
  ContactWatch contacts = plan.contacts;
  contacts.see(last.t, last.q, last.v);
  for (std::size_t i = 0; i < contacts.found().size(); ++i) {
    const ContactHistory& contact = contacts.found()[i];
    const auto& [x, y, z] = contact.lean;
    const double lean = numeric::hypot(x, y, z);
    if (!contact.has_lean || !(lean < almost_flat)) continue;
    return fmt::format(
        "the wheel of contact \"{}\" lies almost flat there ({:.2g} radians from it), where its "
        "lowest point changes sides and the coordinates of the contact end",
        contacts.names()[i], lean);
  }
  return "";
}

/// The equations for accelerations and multipliers, in the units of a first state.
class MotionMatrix {
 public:
  explicit MotionMatrix(const RunPlan& plan)
      : dof_(plan.system.dof()), size_(dof_ + plan.system.constraint_count()) {
    const Symbols s = plan.system.symbols();
    Vector entries = plan.system.mass(s.q, s.v, s.t).entries();
    if (size_ > dof_)
      entries = concatenate({entries, plan.system.constraint_matrix(s.q, s.v, s.t).entries()});
    function_ = StateFunction<double>(plan.system, s, entries, plan.parameters);
    see(0.0, plan.q, plan.v);
    for (std::size_t i = 0; i < size_; ++i) {
      const double size = largest(std::span(matrix_).subspan(i * size_, size_));
      scale_.push_back(size > 0.0 ? 1.0 / std::sqrt(size) : 1.0);
    }
  }

  /// The smallest pivot of the first rows and columns, relative to the largest: of dof() those of
  /// the mass, of size() all.
  double smallest_pivot(std::size_t size, double t, std::span<const double> q,
                        std::span<const double> v) {
    see(t, q, v);
    std::vector<double> part(size * size), rows(size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        part[i * size + j] = scale_[i] * scale_[j] * matrix_[i * size_ + j];
    return numeric::lu_factor(static_cast<int>(size), part.data(), rows.data()).pivot_ratio;
  }
  std::size_t dof() const { return dof_; }
  std::size_t size() const { return size_; }

 private:
  void see(double t, std::span<const double> q, std::span<const double> v) {
    const std::span<const double> found = function_(t, q, v);
    matrix_.assign(size_ * size_, 0.0);
    for (std::size_t i = 0; i < dof_; ++i) {
      std::ranges::copy(found.subspan(i * dof_, dof_), matrix_.begin() + i * size_);
      for (std::size_t k = dof_; k < size_; ++k)
        matrix_[i * size_ + k] = matrix_[k * size_ + i] = found[k * dof_ + i];
    }
  }

  std::size_t dof_, size_;
  StateFunction<double> function_;
  std::vector<double> matrix_, scale_;
};

std::string lost_rank(const RunPlan& plan, const Point& last) {
  if (plan.system.is_skew_gradient()) return "";
  MotionMatrix matrix(plan);
  const auto compare = [&](std::size_t size, const char* what) -> std::string {
    const double before = matrix.smallest_pivot(size, 0.0, plan.q, plan.v),
                 now = matrix.smallest_pivot(size, last.t, last.q, last.v);
    if (!(now < much_smaller * before)) return "";
    return fmt::format("{} there (a pivot of {:.1e}, of {:.1e} at the start)", what, now, before);
  };
  std::string mass = compare(matrix.dof(),
                             "the mass is nearly singular, as where coordinates end, such as two "
                             "angles at their pole,");
  if (!mass.empty() || matrix.size() == matrix.dof()) return mass;
  return compare(matrix.size(),
                 "the constraints are nearly dependent, or the mass nearly singular along them,");
}

std::string near_switch(const RunPlan& plan, const Point& last) {
  const AuditProblem here{plan.system, plan.parameters, last.q, last.v};
  const std::optional<Switch> found = first_switch(here, plan.step, plan.step);
  if (!found) return "";
  return "the " + found->part +
         " has pieces, and the step leads to a switch between them, where Newton's method and the "
         "order of any method end";
}

std::string violent_change(const RunPlan& plan, const Point& last) {
  ExactFlow<double> motion(plan.system, plan.parameters);
  std::vector<double> slope(plan.q.size() + plan.v.size());
  const auto acceleration = [&](double t, std::span<const double> q, std::span<const double> v) {
    motion.slope(t, q, v, slope);
    return largest(std::span<const double>(slope).subspan(q.size()));
  };
  const double before = acceleration(0.0, plan.q, plan.v),
               now = acceleration(last.t, last.q, last.v), velocity = largest(last.v);
  if (!(now * plan.step > velocity && now > much_larger * before)) return "";
  return fmt::format(
      "accelerations have grown to {:.2g} from {:.2g} at the start, so that one step would change "
      "the velocities, up to {:.2g}, by more than all of them: the motion may come to an end, as "
      "in a collision, or the step is too long",
      now, before, velocity);
}

}  // namespace

std::string failure_cause(const RunPlan& plan, const Point& last, const RunDiagnostics& found) {
  if (const auto furthest = furthest_multiplier(found.multipliers)) {
    const Departure& of = found.multipliers[*furthest];
    const std::string left = "the carried multiplier has left that of the motion";
    return of.scale > 0.0 ? left + fmt::format(" ({:.3g} times)", of.largest / of.scale) : left;
  }
  for (const auto& look : {lying_wheel, lost_rank, near_switch, violent_change}) {
    std::string cause = look(plan, last);
    if (!cause.empty()) return cause;
  }
  return "";
}

}  // namespace dalembert::study
