#pragma once
// What a group computes. Only for the sources of this room; sizes have been checked, and all
// arguments are in one graph.

#include <string>
#include <vector>

#include "dalembert/mechanics/group/group.hpp"

namespace dalembert {

/// What there is to know of a group beside its operations. Names are endings, to be appended to the
/// name of the element.
struct GroupShape {
  std::string name;
  std::size_t dimension = 0;
  std::vector<Coordinate> storage;
  std::vector<std::string> variables;
  Group::MatrixVariables matrix = {};
  bool flat = false;
};

class GroupForm {
 public:
  explicit GroupForm(GroupShape shape) : shape_(std::move(shape)) {}
  GroupForm(const GroupForm&) = delete;
  GroupForm& operator=(const GroupForm&) = delete;
  virtual ~GroupForm() = default;

  const GroupShape& shape() const { return shape_; }
  virtual Vector identity() const { return zeros(shape_.storage.size()); }
  virtual Vector product(const Vector& g, const Vector& k) const = 0;
  virtual Vector inverse(const Vector& g) const = 0;
  virtual Vector variables(const Vector& g) const { return g; }
  virtual Matrix rates(const Vector& variables) const = 0;
  virtual Vector normalised(const Vector& g) const { return g; }
  virtual Vector difference(const Vector& g, const Vector& k) const { return g - k; }
  virtual Vector adjoint(const Vector& g, const Vector& eta) const = 0;
  virtual Vector coadjoint(const Vector& g, const Vector& mu) const = 0;
  virtual Vector infinitesimal_coadjoint(const Vector& eta, const Vector& mu) const = 0;
  virtual Vector retract(Retraction kind, const Vector& x) const = 0;
  virtual Vector tangent(Retraction kind, const Vector& x, const Vector& u) const = 0;
  virtual Vector tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const = 0;
  virtual Vector tangent_inverse(Retraction kind, const Vector& x, const Vector& eta) const = 0;
  /// S(x)^T m; this one is that of the exponential.
  virtual Vector ray_tangent_transpose(Retraction, const Vector&, const Vector& m) const {
    return m;
  }
  /// Ad*_{tau(sign x)} mu.
  virtual Vector transport(Retraction kind, const Vector& x, const Vector& mu, int sign) const = 0;

 private:
  GroupShape shape_;
};

}  // namespace dalembert
