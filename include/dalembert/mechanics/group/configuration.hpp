#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dalembert/mechanics/group/group.hpp"

namespace dalembert {

/// A configuration space: a product of groups, each the place of one named element. A point is the
/// stored numbers of all factors one after the other, [storage_count]; velocities, momenta and
/// displacements have dof() entries, as many as the dimensions together; on R^n with angles both
/// are n.
///
/// Every operation is that of `Group` factor by factor. Where there are only lines and angles, the
/// results are the very expressions of vectors: `move` is q + x, `difference` q - r, and what maps
/// velocities or momenta returns its argument itself. Wrong sizes throw RequestError.
/// Immutable; to be shared between threads.
class Configuration {
 public:
  /// One factor, and where its parts begin among those of all factors.
  struct Factor {
    std::string name;          ///< name of the element
    Group group;               ///< place of the element
    std::size_t storage = 0;   ///< in the stored numbers
    std::size_t variable = 0;  ///< in the variables
    std::size_t velocity = 0;  ///< in velocities, momenta and displacements
  };

  Configuration() = default;
  /// The factors in order. RequestError if a name occurs twice.
  explicit Configuration(const std::vector<std::pair<std::string, Group>>& elements);
  /// The factors that a system names. RequestError for a group that there is not.
  static Configuration of_coordinates(const std::vector<Coordinate>& coordinates);

  const std::vector<Factor>& factors() const { return factors_; }  ///< in order
  std::size_t storage_count() const { return storage_count_; }     ///< number of stored numbers
  std::size_t variable_count() const { return variable_count_; }   ///< number of variables
  std::size_t dof() const { return dof_; }                         ///< dimension of the space
  /// True if all factors are lines and angles.
  bool is_flat() const { return flat_; }
  /// All stored numbers with their names, [storage_count]; see `Group::storage`.
  std::vector<Coordinate> storage() const;
  std::vector<std::string> variable_names() const;  ///< [variable_count]; see `Group`
  std::vector<std::string> velocity_names() const;  ///< [dof]; see `Group`
  /// The velocities as results name their columns: `x_dot`, `R_dot_1`.
  std::vector<std::string> velocity_columns() const;
  /// For people: "SO(3) x R^2".
  std::string text() const;

  /// The stored point where all elements are the units of their groups.
  Vector identity() const;
  /// The variables of a stored point, [variable_count].
  Vector variables(const Vector& q) const;
  /// The derivative of each variable along each left-invariant field, [variable_count x dof].
  Matrix rates(const Vector& variables) const;
  /// d_g f: the derivatives of a function of the variables, which are symbols, along the
  /// left-invariant fields, [dof].
  Vector left_gradient(const Expr& function, const Vector& variables) const;
  /// q tau(x).
  Vector move(Retraction kind, const Vector& q, const Vector& x) const;
  /// The rate of the stored numbers at q with velocity eta, [storage_count]; eta itself on R^n.
  Vector storage_rate(const Vector& q, const Vector& eta) const;
  /// Entries that vanish exactly where q and r are the same, if they are near each other, [dof].
  Vector difference(const Vector& q, const Vector& r) const;
  /// Stored point brought back to the groups where round-off has left them, [storage_count].
  Vector normalised(const Vector& q) const;
  /// Ad*_q mu, [dof].
  Vector coadjoint(const Vector& q, const Vector& mu) const;
  /// ad*_eta mu, [dof]; zeros on flat spaces.
  Vector infinitesimal_coadjoint(const Vector& eta, const Vector& mu) const;
  /// T(x) u, [dof]; T, S and DT are those of `Group`.
  Vector tangent(Retraction kind, const Vector& x, const Vector& u) const;
  /// T(x)^T m, [dof].
  Vector tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const;
  /// T(x)^-1 eta, [dof].
  Vector tangent_inverse(Retraction kind, const Vector& x, const Vector& eta) const;
  /// S(x)^T m, [dof].
  Vector ray_tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const;
  /// DT(x, u)^T m, [dof]; zeros on flat spaces.
  Vector tangent_gradient(Retraction kind, const Vector& x, const Vector& u, const Vector& m) const;
  /// Ad*_{tau(x)} mu, [dof].
  Vector coadjoint_along(Retraction kind, const Vector& x, const Vector& mu) const;
  /// Ad*_{tau(-x)} mu, [dof].
  Vector coadjoint_against(Retraction kind, const Vector& x, const Vector& mu) const;

 private:
  std::vector<Factor> factors_;
  std::size_t storage_count_ = 0, variable_count_ = 0, dof_ = 0;
  bool flat_ = true;
};

}  // namespace dalembert
