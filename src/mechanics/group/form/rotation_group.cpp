#include "mechanics/group/form/rotation_group.hpp"

#include "mechanics/group/form/quaternion.hpp"
#include "mechanics/group/form/rotation_formulas.hpp"

namespace dalembert {
namespace {

class RotationGroup final : public GroupForm {
 public:
  RotationGroup()
      : GroupForm({.name = "SO(3)",
                   .dimension = 3,
                   .storage = {{"_q0"}, {"_q1"}, {"_q2"}, {"_q3"}},
                   .variables = {"[1,1]", "[1,2]", "[1,3]", "[2,1]", "[2,2]", "[2,3]", "[3,1]",
                                 "[3,2]", "[3,3]"},
                   .matrix = {.size = 3, .first = 0}}) {}

  Vector identity() const override { return {1.0, 0.0, 0.0, 0.0}; }
  Vector product(const Vector& g, const Vector& k) const override {
    return quaternion_product(g, k);
  }
  Vector inverse(const Vector& g) const override { return conjugate(g); }
  Vector variables(const Vector& g) const override { return rotation_matrix(g).entries(); }
  Matrix rates(const Vector& variables) const override { return rotation_rates(variables); }
  Vector normalised(const Vector& g) const override { return normalised_quaternion(g); }
  Vector difference(const Vector& g, const Vector& k) const override {
    return quaternion_difference(g, k);
  }
  Vector adjoint(const Vector& g, const Vector& eta) const override {
    return rotation_matrix(g) * eta;
  }
  Vector coadjoint(const Vector& g, const Vector& mu) const override {
    return transpose(rotation_matrix(g)) * mu;
  }
  Vector infinitesimal_coadjoint(const Vector& eta, const Vector& mu) const override {
    return to_vector(cross(triple(mu), triple(eta)));
  }
  Vector retract(Retraction kind, const Vector& x) const override {
    return quaternion_of(kind, triple(x));
  }
  Vector tangent(Retraction kind, const Vector& x, const Vector& u) const override {
    return to_vector(rotation_tangent(kind, triple(x), triple(u), 1));
  }
  Vector tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const override {
    return to_vector(rotation_tangent(kind, triple(x), triple(m), -1));
  }
  Vector tangent_inverse(Retraction kind, const Vector& x, const Vector& eta) const override {
    return to_vector(rotation_tangent_inverse(kind, triple(x), triple(eta)));
  }
  Vector ray_tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const override {
    return to_vector(rotation_ray_tangent(kind, triple(x), triple(m)));
  }
  Vector transport(Retraction kind, const Vector& x, const Vector& mu, int sign) const override {
    return to_vector(rotated(kind, triple(x), triple(mu), -sign));
  }
};

}  // namespace

std::shared_ptr<const GroupForm> rotation_group() {
  return std::make_shared<const RotationGroup>();
}

}  // namespace dalembert
