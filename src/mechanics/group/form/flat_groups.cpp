#include "mechanics/group/form/flat_groups.hpp"

namespace dalembert {
namespace {

/// Numbers with addition: every result is one of the arguments, a sum or a difference.
class FlatGroup final : public GroupForm {
 public:
  explicit FlatGroup(bool is_angle)
      : GroupForm({.name = is_angle ? "S^1" : "R",
                   .dimension = 1,
                   .storage = {{"", is_angle}},
                   .variables = {""},
                   .flat = true}) {}

  Vector product(const Vector& g, const Vector& k) const override { return g + k; }
  Vector inverse(const Vector& g) const override { return -g; }
  Matrix rates(const Vector&) const override { return Matrix::identity(1); }
  Vector adjoint(const Vector&, const Vector& eta) const override { return eta; }
  Vector coadjoint(const Vector&, const Vector& mu) const override { return mu; }
  Vector infinitesimal_coadjoint(const Vector&, const Vector&) const override { return zeros(1); }
  Vector retract(Retraction, const Vector& x) const override { return x; }
  Vector tangent(Retraction, const Vector&, const Vector& u) const override { return u; }
  Vector tangent_transpose(Retraction, const Vector&, const Vector& m) const override { return m; }
  Vector tangent_inverse(Retraction, const Vector&, const Vector& eta) const override {
    return eta;
  }
  Vector transport(Retraction, const Vector&, const Vector& mu, int) const override { return mu; }
};

}  // namespace

std::shared_ptr<const GroupForm> flat_group(bool is_angle) {
  return std::make_shared<const FlatGroup>(is_angle);
}

}  // namespace dalembert
