#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Numbers from a system's mechanics at given parameters: energy, constraint, integrals,
/// multiplier, projection, checks. One per thread. Nothing here allocates per call but the
/// functions that return vectors. Shapes: q [storage_count], v [dof] (empty in skew-gradient form),
/// lambda [constraint_count], integrals in the order of their declaration; RequestError for others.
class Evaluator {
 public:
  /// Parameters in the order of the description; the defaults if empty. RequestError if
  /// their number is wrong, or if one is outside its range.
  explicit Evaluator(System system, std::span<const double> parameters = {});
  Evaluator(const Evaluator& other);  ///< copies are independent
  Evaluator& operator=(const Evaluator& other);
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;
  ~Evaluator();

  const System& system() const;                ///< evaluated system
  std::span<const double> parameters() const;  ///< values in the order of the description
  /// New parameters, as those of the constructor; nothing is compiled again.
  void set_parameters(std::span<const double> parameters);

  /// Energy v.dL/dv - L at (q, v, t); the Hamiltonian in skew-gradient form.
  double energy(double t, std::span<const double> q, std::span<const double> v);
  /// Largest |Phi_i(q, v)|, |dphi_i/dt| and |phi_i(q)|; 0 without constraints.
  double constraint_error(double t, std::span<const double> q, std::span<const double> v);
  /// System::constraint, then System::holonomic.
  std::vector<double> constraint(double t, std::span<const double> q, std::span<const double> v);
  /// Values of the system's integrals in the order of their declaration, into `values`.
  void integrals(double t, std::span<const double> q, std::span<const double> v,
                 std::span<double> values);
  /// The continuous multiplier at (q, v), into `lambda`. Also for methods that report no multiplier
  /// of their own. Source: [JimenezScheurle2015], Eq. (23).
  void multiplier(double t, std::span<const double> q, std::span<const double> v,
                  std::span<double> lambda);
  /// The continuous acceleration v' at (q, v), [dof]. Source: [JimenezScheurle2015], Eq. (23).
  std::vector<double> acceleration(double t, std::span<const double> q, std::span<const double> v);
  /// The velocity nearest to v (metric of the mass) that satisfies linear or affine constraints.
  std::vector<double> projected_velocity(double t, std::span<const double> q,
                                         std::span<const double> v);
  /// The state nearest to (q, v), in the metric of the mass, that satisfies all constraints: first
  /// the position, then the velocity. RequestError, with the residual, where Newton's
  /// iteration finds none.
  std::pair<std::vector<double>, std::vector<double>> consistent_state(double t,
                                                                       std::span<const double> q,
                                                                       std::span<const double> v);
  /// The velocity with momentum p; RequestError where Newton's iteration finds none.
  std::vector<double> velocity_of_momentum(double t, std::span<const double> q,
                                           std::span<const double> p);

  /// Throws RequestError where no velocity can be looked for at q: what depends on the position
  /// alone is checked as in `check_regular`, with a velocity of zero where that is no restriction.
  void check_position(double t, std::span<const double> q);
  /// Throws RequestError if the mass matrix at (q, v) is singular, the constraints are
  /// dependent there, an expression is undefined, or (unless `allow_violation`) the constraints are
  /// violated by more than round-off. The message says which, where and by how much.
  void check_regular(double t, std::span<const double> q, std::span<const double> v,
                     bool allow_violation = false);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dalembert
