#include "mechanics/group/form/heisenberg_group.hpp"

#include "mechanics/group/form/triple.hpp"

namespace dalembert {
namespace {

/// Half the area x y' - y x' that two elements or velocities span.
Expr half_area(const Vector& g, const Vector& k) {
  return 0.5 * difference_of_products<Expr>(g[0], k[1], g[1], k[0]);
}

/// u with half the area subtracted from its last entry.
Vector without_area(const Vector& u, const Expr& area) { return {u[0], u[1], u[2] - area}; }

/// Both retractions are the identity of coordinates: they are those of the exponential.
class HeisenbergGroup final : public GroupForm {
 public:
  HeisenbergGroup()
      : GroupForm({.name = "H(3)",
                   .dimension = 3,
                   .storage = {{"_x"}, {"_y"}, {"_z"}},
                   .variables = {"_x", "_y", "_z"}}) {}

  Vector product(const Vector& g, const Vector& k) const override {
    const Expr area = half_area(g, k);
    const Vector sum = g + k;
    return {sum[0], sum[1], sum[2] + area};
  }
  Vector inverse(const Vector& g) const override { return -g; }
  Matrix rates(const Vector& variables) const override {
    Matrix result = Matrix::identity(3);
    result(2, 0) = -0.5 * variables[1];
    result(2, 1) = 0.5 * variables[0];
    return result;
  }
  Vector adjoint(const Vector& g, const Vector& eta) const override {
    const Expr bracket = difference_of_products<Expr>(g[0], eta[1], g[1], eta[0]);
    return {eta[0], eta[1], eta[2] + bracket};
  }
  Vector coadjoint(const Vector& g, const Vector& mu) const override {
    const Expr first = g[1] * mu[2];
    const Expr second = g[0] * mu[2];
    return {mu[0] - first, mu[1] + second, mu[2]};
  }
  Vector infinitesimal_coadjoint(const Vector& eta, const Vector& mu) const override {
    const Expr first = eta[1] * mu[2];
    return {-first, eta[0] * mu[2], 0.0};
  }
  Vector retract(Retraction, const Vector& x) const override { return x; }
  Vector tangent(Retraction, const Vector& x, const Vector& u) const override {
    return without_area(u, half_area(x, u));
  }
  Vector tangent_transpose(Retraction, const Vector& x, const Vector& m) const override {
    const Expr half = 0.5 * m[2];
    const Expr first = half * x[1];
    const Expr second = half * x[0];
    return {m[0] + first, m[1] - second, m[2]};
  }
  Vector tangent_inverse(Retraction, const Vector& x, const Vector& eta) const override {
    return without_area(eta, -half_area(x, eta));
  }
  Vector transport(Retraction, const Vector& x, const Vector& mu, int sign) const override {
    return coadjoint(sign > 0 ? x : -x, mu);
  }
};

}  // namespace

std::shared_ptr<const GroupForm> heisenberg_group() {
  return std::make_shared<const HeisenbergGroup>();
}

}  // namespace dalembert
