#pragma once
// What a system holds. Only for the sources of this room.

#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "dalembert/mechanics/consistent_start.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A value that is derived from a system once, for all copies of it and threads that ask.
template <class Value>
class MadeOnce {
 public:
  /// The value; make() by who asks first. What make() throws, the next one tries again.
  template <class Make>
  std::shared_ptr<const Value> get(Make make) {
    const std::scoped_lock lock(mutex_);
    if (value_ == nullptr) value_ = std::make_shared<const Value>(make());
    return value_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Value> value_;
};

/// Compiled functions of an Evaluator, of which each has copies.
struct EvaluatorFunctions;

struct System::Data {
  /// Where a function of the system is evaluated: expressions of one graph that can grow.
  struct Point {
    GraphPointer graph;
    Vector q, v;
    Expr t;
    Vector variables;  // of q
  };

  SystemDescription description;
  Configuration configuration;
  std::shared_ptr<const Graph> graph;  // frozen; all expressions below are its own
  Symbols symbols;
  Mechanics mechanics;
  SystemTraits traits;
  Expr lagrangian, potential;
  Vector momentum, lagrangian_gradient, potential_gradient;
  Vector constraints;                              // Phi, then dphi/dt
  Vector constraint_change;                        // dPhi/dq v + dPhi/dt
  Matrix mass, constraint_matrix, momentum_slope;  // slope: d(dL/dv)/dq
  Matrix reaction_matrix;                          // B^T; constraint_matrix where they are ideal
  Vector momentum_rate;                            // d(dL/dv)/dt at fixed q and v
  // Sentence of constraints that are dependent for every state; "" where they are not.
  std::string dependence;
  mutable MadeOnce<EvaluatorFunctions> evaluator;
  mutable MadeOnce<StateFunction<double>> projection;
  mutable MadeOnce<ConsistentStart<double>::Functions> consistent_start;

  /// Everything that follows from a Lagrangian.
  void derive(const SystemDescription& about, const Mechanics& equations, const Symbols& s);
  /// The derivatives along the left-invariant fields.
  Matrix left_jacobian(const Vector& expressions, const Vector& variables) const;
  void derive_constraints(const SystemDescription& about, const Mechanics& equations,
                          const Symbols& s);

  void derive_reactions(const SystemDescription& about, const Mechanics& equations);

  /// The graph in which expressions of this system are combined: a new one for constants.
  GraphPointer open_graph(std::initializer_list<std::span<const Expr>> expressions) const;
  /// The arguments of the named function, checked.
  Point point(const char* function, const Vector& q, const Vector& v, const Expr& t) const;
  Point point(const char* function, const Vector& q) const {
    return point(function, q, symbols.v, symbols.t);
  }
  Vector at(const Vector& expressions, const Point& point) const;
  Matrix at(const Matrix& matrix, const Point& point) const;
  Expr at(const Expr& expression, const Point& point) const {
    return at(Vector{expression}, point).front();
  }
  /// dL/dq + force - d/dt (dL/dv) without the part M v', in the body frame.
  Vector driving_force(const Point& point) const;
  /// Throws DependentConstraints where they are so for every state: multipliers are not determined.
  void require_independent() const;
  Vector force(const Point& point) const;
  /// B lambda.
  Vector constraint_force(const Point& point, const Vector& lambda) const;
};

/// The matrix [M, -B; A, 0] of the equations for accelerations (or velocities) and multipliers,
/// with the rows of B^T.
Matrix saddle_point_matrix(const Matrix& mass, const Matrix& constraint, const Matrix& reaction);
/// Solution of a system with this matrix.
Vector solve_saddle_point(const Matrix& mass, const Matrix& constraint, const Matrix& reaction,
                          const Vector& right_side);

}  // namespace dalembert
