#include "mechanics/group/form/motion_groups.hpp"

#include "mechanics/group/form/motion_formulas.hpp"
#include "mechanics/group/form/quaternion.hpp"

namespace dalembert {
namespace {

/// Position and angle of a body in the plane.
class PlaneMotionGroup final : public GroupForm {
 public:
  PlaneMotionGroup()
      : GroupForm({.name = "SE(2)",
                   .dimension = 3,
                   .storage = {{"_angle", true}, {"_x"}, {"_y"}},
                   .variables = {"_angle", "_x", "_y", "[1,1]", "[1,2]", "[2,1]", "[2,2]"},
                   .matrix = {.size = 2, .first = 3}}) {}

  Vector product(const Vector& g, const Vector& k) const override {
    const Vector moved = turned(g[0], 1, {k[1], k[2]});
    return {g[0] + k[0], g[1] + moved[0], g[2] + moved[1]};
  }
  Vector inverse(const Vector& g) const override {
    const Vector back = turned(g[0], -1, {g[1], g[2]});
    return {-g[0], -back[0], -back[1]};
  }
  Vector variables(const Vector& g) const override {
    const Expr sine = sin(g[0]), cosine = cos(g[0]);
    return {g[0], g[1], g[2], cosine, -sine, sine, cosine};
  }
  Matrix rates(const Vector& variables) const override {
    Matrix result(7, 3);
    result(0, 0) = 1.0;
    for (std::size_t row = 0; row < 2; ++row) {
      const Expr &first = variables[3 + 2 * row], &second = variables[4 + 2 * row];
      result(1 + row, 1) = first;
      result(1 + row, 2) = second;
      result(3 + 2 * row, 0) = second;
      result(4 + 2 * row, 0) = -first;
    }
    return result;
  }
  Vector adjoint(const Vector& g, const Vector& eta) const override {
    const Vector v = turned(g[0], 1, {eta[1], eta[2]});
    const Expr first = g[2] * eta[0];
    const Expr second = g[1] * eta[0];
    return {eta[0], v[0] + first, v[1] - second};
  }
  Vector coadjoint(const Vector& g, const Vector& mu) const override {
    const Vector back = turned(g[0], -1, {mu[1], mu[2]});
    const Expr moment = difference_of_products(g[2], mu[1], g[1], mu[2]);
    return {mu[0] + moment, back[0], back[1]};
  }
  Vector infinitesimal_coadjoint(const Vector& eta, const Vector& mu) const override {
    const Expr moment = difference_of_products(mu[1], eta[2], mu[2], eta[1]);
    const Expr second = eta[0] * mu[1];
    return {moment, eta[0] * mu[2], -second};
  }
  Vector retract(Retraction kind, const Vector& x) const override {
    const Expr angle = kind == Retraction::cayley ? 2.0 * atan(0.5 * x[0]) : x[0];
    const Vector moved = translation_of(kind, in_space(x));
    return {angle, moved[0], moved[1]};
  }
  Vector tangent(Retraction kind, const Vector& x, const Vector& u) const override {
    return in_plane(motion_tangent(kind, in_space(x), in_space(u)));
  }
  Vector tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const override {
    return in_plane(motion_tangent_transpose(kind, in_space(x), in_space(m)));
  }
  Vector tangent_inverse(Retraction kind, const Vector& x, const Vector& eta) const override {
    return in_plane(motion_tangent_inverse(kind, in_space(x), in_space(eta)));
  }
  Vector ray_tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const override {
    return in_plane(motion_ray_tangent_transpose(kind, in_space(x), in_space(m)));
  }
  Vector transport(Retraction kind, const Vector& x, const Vector& mu, int sign) const override {
    return in_plane(motion_transport(kind, in_space(x), in_space(mu), sign));
  }

 private:
  /// x rotated by the angle, or back.
  static Vector turned(const Expr& angle, int sign, const Vector& x) {
    const Expr plus = sin(angle), cosine = cos(angle);
    const Expr sine = sign > 0 ? plus : -plus;
    const Expr first = difference_of_products(cosine, x[0], sine, x[1]);
    const Expr right = cosine * x[1];
    const Expr left = sine * x[0];
    return {first, left + right};
  }
  /// The plane is that of the first two axes of space: what vanishes there costs nothing.
  static Vector in_space(const Vector& x) { return {0.0, 0.0, x[0], x[1], x[2], 0.0}; }
  static Vector in_plane(const Vector& x) { return {x[2], x[3], x[4]}; }
};

/// Position and orientation of a body.
class SpaceMotionGroup final : public GroupForm {
 public:
  SpaceMotionGroup()
      : GroupForm({.name = "SE(3)",
                   .dimension = 6,
                   .storage = {{"_q0"}, {"_q1"}, {"_q2"}, {"_q3"}, {"_x"}, {"_y"}, {"_z"}},
                   .variables = {"[1,1]", "[1,2]", "[1,3]", "[2,1]", "[2,2]", "[2,3]", "[3,1]",
                                 "[3,2]", "[3,3]", "_x", "_y", "_z"},
                   .matrix = {.size = 3, .first = 0}}) {}

  Vector identity() const override { return {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}; }
  Vector product(const Vector& g, const Vector& k) const override {
    const Vector moved = rotation_matrix(quaternion(g)) * origin(k);
    const Vector position = origin(g) + moved;
    return concatenate({quaternion_product(quaternion(g), quaternion(k)), position});
  }
  Vector inverse(const Vector& g) const override {
    const Vector back = transpose(rotation_matrix(quaternion(g))) * origin(g);
    return concatenate({conjugate(quaternion(g)), -back});
  }
  Vector variables(const Vector& g) const override {
    return concatenate({rotation_matrix(quaternion(g)).entries(), origin(g)});
  }
  Matrix rates(const Vector& variables) const override {
    Matrix result(12, 6);
    const Matrix turning = rotation_rates(variables);
    for (std::size_t i = 0; i < 9; ++i) {
      for (std::size_t k = 0; k < 3; ++k) result(i, k) = turning(i, k);
      result(9 + i / 3, 3 + i % 3) = variables[i];
    }
    return result;
  }
  Vector normalised(const Vector& g) const override {
    return concatenate({normalised_quaternion(quaternion(g)), origin(g)});
  }
  Vector difference(const Vector& g, const Vector& k) const override {
    const Vector apart = origin(g) - origin(k);
    return concatenate({quaternion_difference(quaternion(g), quaternion(k)), apart});
  }
  Vector adjoint(const Vector& g, const Vector& eta) const override {
    const Matrix r = rotation_matrix(quaternion(g));
    const Vector angular = r * slice(eta, 0, 3);
    const Vector about = to_vector(cross(triple(g, 4), triple(angular)));
    const Vector along = r * slice(eta, 3, 3);
    return concatenate({angular, about + along});
  }
  Vector coadjoint(const Vector& g, const Vector& mu) const override {
    const Matrix back = transpose(rotation_matrix(quaternion(g)));
    const Vector about = to_vector(cross(triple(g, 4), triple(mu, 3)));
    const Vector moment = slice(mu, 0, 3) - about;
    const Vector angular = back * moment;
    return concatenate({angular, back * slice(mu, 3, 3)});
  }
  Vector infinitesimal_coadjoint(const Vector& eta, const Vector& mu) const override {
    const Vector from_origin = to_vector(cross(triple(mu, 3), triple(eta, 3)));
    const Vector from_angular = to_vector(cross(triple(mu), triple(eta)));
    const Vector angular = from_angular + from_origin;
    return concatenate({angular, to_vector(cross(triple(mu, 3), triple(eta)))});
  }
  Vector retract(Retraction kind, const Vector& x) const override {
    const Vector position = translation_of(kind, x);
    return concatenate({quaternion_of(kind, triple(x)), position});
  }
  Vector tangent(Retraction kind, const Vector& x, const Vector& u) const override {
    return motion_tangent(kind, x, u);
  }
  Vector tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const override {
    return motion_tangent_transpose(kind, x, m);
  }
  Vector tangent_inverse(Retraction kind, const Vector& x, const Vector& eta) const override {
    return motion_tangent_inverse(kind, x, eta);
  }
  Vector ray_tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const override {
    return motion_ray_tangent_transpose(kind, x, m);
  }
  Vector transport(Retraction kind, const Vector& x, const Vector& mu, int sign) const override {
    return motion_transport(kind, x, mu, sign);
  }

 private:
  static Vector quaternion(const Vector& g) { return slice(g, 0, 4); }
  static Vector origin(const Vector& g) { return slice(g, 4, 3); }
};

}  // namespace

std::shared_ptr<const GroupForm> plane_motion_group() {
  return std::make_shared<const PlaneMotionGroup>();
}

std::shared_ptr<const GroupForm> space_motion_group() {
  return std::make_shared<const SpaceMotionGroup>();
}

}  // namespace dalembert
