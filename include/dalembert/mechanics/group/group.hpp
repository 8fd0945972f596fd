#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/expression/vector.hpp"
#include "dalembert/mechanics/coordinate.hpp"

namespace dalembert {

/// The maps tau from the algebra to the group by which a step moves. Both agree with the
/// exponential to second order, and tau(-x) = tau(x)^-1. Cayley's map is rational up to the norm of
/// a quaternion and reaches rotations below pi (2 pi in two halves); it is that of the adjoint
/// representation, which for SE(3) is not that of 4 x 4 matrices. The exponential is singular at 2
/// pi. On Heisenberg's group both are the exponential.
enum class Retraction { cayley, exponential };

class GroupForm;

/// A Lie group G of finite dimension n as data for equations: expressions, nothing else.
///
/// An element g is *stored* as numbers (a rotation as a unit quaternion); equations are written in
/// its *variables* (the entries of the rotation matrix). Velocities eta and momenta mu are n
/// numbers in the body frame (left trivialised): g' = g eta^, where ^ is the isomorphism of R^n
/// with the algebra. All is nondimensional unless the system says otherwise.
///
/// On the line and on angles every operation is the trivial expression itself, the very nodes of
/// its arguments: the product is g + k, tau(x) is x, T(x) u is u. Vectors of wrong size throw
/// RequestError, as do expressions that do not combine; results are in the graph of the arguments.
/// Immutable, cheap to copy, and safe to share between threads.
/// Source: [MartinDeDiegoSato2018], Sect. 6, for retractions and their tangents.
class Group {
 public:
  static Group line();       ///< R: numbers, with addition
  static Group angle();      ///< S^1 = SO(2): angles, with addition
  static Group rotations();  ///< SO(3), unit quaternions; variables: the matrix from body to space
  static Group plane_motions();  ///< SE(2): angle, then the origin of the body in space
  static Group space_motions();  ///< SE(3): unit quaternion, then the origin of the body in space
  /// H(3), Heisenberg's group: (x, y, z)(x', y', z') = (x + x', y + y', z + z' + (x y' - y x')/2).
  static Group heisenberg();
  /// The group of that name: R, S^1, SO(3), SE(2), SE(3), H(3). RequestError for others, with the
  /// nearest name.
  static Group named(std::string_view name);

  const std::string& name() const;  ///< as `named` takes it: "SO(3)"
  /// Dimension n of the group: the entries of velocities, momenta and displacements.
  std::size_t dimension() const;
  /// True for the line and the angle, where every operation is trivial.
  bool is_flat() const;
  /// The stored numbers of the element of that name: `R_q0` to `R_q3`; the name itself for flat
  /// groups.
  std::vector<Coordinate> storage(const std::string& element) const;
  std::size_t storage_size() const;  ///< number of stored numbers
  /// True if the first four stored numbers are a unit quaternion: SO(3) and SE(3).
  bool is_stored_as_quaternion() const;
  /// The variables as texts write them: `R[1,1]`, `R[1,2]`, ...; `B_x`; the name itself.
  std::vector<std::string> variable_names(const std::string& element) const;
  std::size_t variable_count() const;  ///< number of variables
  /// The velocities as texts write them: `R_dot[1]`, ...; `x_dot`.
  std::vector<std::string> velocity_names(const std::string& element) const;
  /// The square matrix among the variables, `R[i,j]`: its size, 0 if there is none, and the index
  /// of its first entry among the variables; the others follow row after row.
  struct MatrixVariables {
    std::size_t size = 0, first = 0;  ///< rows; index of the first entry
  };
  MatrixVariables matrix_variables() const;  ///< size 0 without a matrix

  /// The stored unit element.
  Vector identity() const;
  /// g k, [storage_size].
  Vector product(const Vector& g, const Vector& k) const;
  Vector inverse(const Vector& g) const;  ///< g^-1, [storage_size]
  /// The variables of a stored element, [variable_count].
  Vector variables(const Vector& g) const;
  /// The derivative of each variable along each left-invariant field, in terms of the variables:
  /// [variable_count x n], so that variables' = rates eta.
  Matrix rates(const Vector& variables) const;
  /// Stored element brought back to the group where round-off has left it: q (3 - q.q)/2 for a
  /// quaternion near length 1.
  Vector normalised(const Vector& g) const;
  /// n entries that vanish exactly where g and k are the same, if they are near each other; for
  /// k = g tau(x), their derivative in x is regular at x = 0. On flat groups g - k.
  Vector difference(const Vector& g, const Vector& k) const;

  /// Ad_g eta, where (Ad_g eta)^ = g eta^ g^-1.
  Vector adjoint(const Vector& g, const Vector& eta) const;
  /// Ad*_g mu, where Ad*_g is the transpose of Ad_g.
  Vector coadjoint(const Vector& g, const Vector& mu) const;
  /// ad*_eta mu, the transpose of ad_eta = [eta, .]: in free motion mu' = ad*_eta mu.
  Vector infinitesimal_coadjoint(const Vector& eta, const Vector& mu) const;

  /// tau(x), stored.
  Vector retract(Retraction kind, const Vector& x) const;
  /// T(x) u, the left-trivialised tangent: tau(x)^-1 D tau(x) u = (T(x) u)^. T(0) = 1, and
  /// Ad_{tau(x)} T(x) = T(-x).
  Vector tangent(Retraction kind, const Vector& x, const Vector& u) const;
  /// T(x)^T m.
  Vector tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const;
  /// T(x)^-1 eta.
  Vector tangent_inverse(Retraction kind, const Vector& x, const Vector& eta) const;
  /// S(x)^T m, where S(x), even in x, is T(x) on the ray through x and no more: S(x) x = T(x) x. It
  /// is 1 for the exponential, and 1/(1 + x.x/4) for Cayley's map of rotations.
  Vector ray_tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const;
  /// DT(x, u)^T m, the gradient of m . T(x) u in x.
  Vector tangent_gradient(Retraction kind, const Vector& x, const Vector& u, const Vector& m) const;
  /// Ad*_{tau(x)} mu, in fewer operations than by `coadjoint`.
  Vector coadjoint_along(Retraction kind, const Vector& x, const Vector& mu) const;
  /// Ad*_{tau(-x)} mu, the inverse of `coadjoint_along`, in fewer operations than by `coadjoint`.
  Vector coadjoint_against(Retraction kind, const Vector& x, const Vector& mu) const;

  friend bool operator==(const Group& x, const Group& y) { return x.form_ == y.form_; }

 private:
  explicit Group(std::shared_ptr<const GroupForm> form) : form_(std::move(form)) {}

  std::shared_ptr<const GroupForm> form_;
};

}  // namespace dalembert
