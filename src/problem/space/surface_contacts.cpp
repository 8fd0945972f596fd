#include "dalembert/problem/space/surface_contacts.hpp"

#include <algorithm>
#include <optional>

#include "problem/scope/extents.hpp"
#include "problem/space/space.hpp"

namespace dalembert::study {
namespace {

/// The contacts of a problem as expressions in its system's symbols.
class SurfaceContacts {
 public:
  SurfaceContacts(const ProblemFile& problem, const System& system, const Sizes& sizes,
                  const Redundancy* redundancy)
      : problem_(problem), system_(system), redundancy_(redundancy), symbols_(system.symbols()) {
    Scope scope =
        problem_scope(problem, symbols_, system.configuration(), extents_of(problem, sizes), sizes);
    parts_ = read_space(problem, system.configuration(), symbols_, scope);
  }

  const Symbols& symbols() const { return symbols_; }

  std::vector<SurfaceContact> all() const {
    std::vector<SurfaceContact> result;
    // Their heights come after the constraints on positions that the problem writes itself.
    const System& stated = redundancy_ != nullptr ? redundancy_->all() : system_;
    std::size_t row = stated.constraint_count() - parts_.holonomic.size();
    for (const Contact& contact : parts_.contacts) {
      if (contact.surface) result.push_back(of(contact, row));
      row += contact.holonomic.size();
    }
    return result;
  }

 private:
  /// `row` is that of its height among the multipliers, if it has one.
  SurfaceContact of(const Contact& contact, std::size_t row) const {
    const Surface& surface = *contact.surface;
    SurfaceContact result{contact.name, surface.height, surface.depth};
    if (!surface.axis.empty()) {
      const Expr along = dot(surface.axis, surface.normal);
      const Vector part = along * surface.normal;
      result.lean = surface.axis - part;
    }
    if (parts_.gravity.empty()) return result;
    if (!contact.holonomic.empty()) {
      result.normal_force = multiplier(row);
    } else if (carries_all()) {
      const Body& body = parts_.bodies.front();
      result.normal_force =
          force_along_normal(system_, symbols_, surface.normal, body.mass * body.velocity,
                             -body.mass * dot(parts_.gravity, surface.normal));
    }
    result.weight = mass() * sqrt(dot(parts_.gravity, parts_.gravity));
    return result;
  }

  /// Nothing of a constraint that shares its reaction with others.
  std::optional<Expr> multiplier(std::size_t row) const {
    if (redundancy_ != nullptr) {
      if (redundancy_->shared()[row]) return std::nullopt;
      const auto& kept = redundancy_->kept();
      row = static_cast<std::size_t>(std::ranges::find(kept, row) - kept.begin());
    }
    return system_.eliminated(symbols_.q, symbols_.v, symbols_.t).lambda.at(row);
  }

  /// Whether the contact is all that carries the only body, on which nothing but gravity acts.
  bool carries_all() const {
    return parts_.contacts.size() == 1 && parts_.bodies.size() == 1 && problem_.force.empty() &&
           problem_.constraints.empty() && problem_.holonomic.empty() && !problem_.kinetic &&
           !problem_.potential && !problem_.lagrangian;
  }

  Expr mass() const {
    Expr sum = 0.0;
    for (const Body& body : parts_.bodies) sum += body.mass;
    return sum;
  }
  const ProblemFile& problem_;
  const System& system_;
  const Redundancy* redundancy_;  ///< null where all constraints are independent
  Symbols symbols_;
  SpaceParts parts_;
};

bool has_shape(const DocumentNode& contact) { return contact.find("shape") != nullptr; }

}  // namespace

ContactWatch watch_contacts(const ProblemFile& problem, const System& system, const Sizes& sizes,
                            std::span<const double> parameters, const Redundancy* redundancy) {
  if (problem.system || !std::ranges::any_of(problem.space.contacts, has_shape)) return {};
  const SurfaceContacts contacts(problem, system, sizes, redundancy);
  return {system, contacts.symbols(), contacts.all(), parameters};
}

}  // namespace dalembert::study
