#include "node_momentum.hpp"

namespace dalembert {

NodeMomentum::NodeMomentum(const Configuration& space, Retraction retraction, double alpha,
                           const Vector& velocity, const Vector& momentum, const Vector& force,
                           const Expr& h, Unknowns& unknowns, const std::string& name)
    : space_(space), retraction_(retraction) {
  const Constant rest = Constant{1.0} - Constant{alpha};
  before_ = h * (Expr(-rest) * velocity);
  after_ = h * (Expr(alpha) * velocity);
  impulse_ = h * force;
  first_ = unknowns.vector(name, momentum);
  const Vector second = first_ + impulse_;
  const Vector from_first = space.tangent_transpose(retraction_, after_, first_);
  const Vector from_second = space.tangent_transpose(retraction_, before_, second);
  const Vector share = Expr(rest) * from_second;
  const Vector both = Expr(alpha) * from_first + share;
  zero_ = both - momentum;
}

Vector NodeMomentum::leaving() const {
  return space_.coadjoint_against(retraction_, before_, first_ + impulse_);
}

Vector NodeMomentum::arriving() const {
  return space_.coadjoint_against(retraction_, after_, first_);
}

}  // namespace dalembert
