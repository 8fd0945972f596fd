#pragma once
// The pieces of driver-splitting. Only for the sources of this room.

#include <optional>

#include "method/splitting/driver_geometry.hpp"

namespace dalembert {

/// The maps into which a system with drivers w and passengers x is split. Each keeps A(w) x' = 0.
class DriverPieces : private DriverGeometry {
 public:
  /// `reference`: positions, in the graph of the step.
  DriverPieces(const System& system, const Vector& reference);

  using DriverGeometry::blocks;
  /// Whether the potential is c x.M x/2 in the passengers, but for linear terms, with steady c.
  bool is_isotropic() const { return !frequency_squared_.empty(); }

  /// One driver after the other moves in the potential, first to last or backwards, while all else
  /// stands; then the passengers' velocity is carried from the first place to the last. The energy
  /// is exact: M d = h M w' - h^2/2 g, w' changes by -h g/M, g the mean of dV/dw along d.
  Equations drive_all(const State& before, Unknowns& unknowns, const Expr& h, bool backwards) const;
  /// All drivers drift by h w'.
  Equations drift(const State& before, const Expr& h) const;
  /// The passengers move where the drivers stand, which get the kick -h dW/dw if `kicks`; the
  /// energy of the passengers is exact.
  Equations pass(const State& before, Unknowns& unknowns, const Expr& h, bool kicks) const;
  /// Whether drivers that go on straight carry the passengers' velocity to the same end in one
  /// piece or two: judged on numbers, at round-off.
  bool carries_exactly() const;

  /// What a step leaves to the next at a node where one direction is left to the passengers; empty
  /// where there are more.
  std::vector<std::string> node_names() const;
  Vector node_values(const State& at) const;
  /// pass(h/2), drift(h), pass(h/2) between nodes, whose values are carried.
  Equations node_step(const State& before, Unknowns& unknowns, const Expr& h) const;
  /// The same by the passengers' flow, in an isotropic potential.
  Equations flow(const State& before, const Expr& h, bool kicks) const;

 private:
  bool carries_exactly(const Symbols& own) const;
  void drive(std::size_t which, Parts& now, Unknowns& unknowns, const Expr& h, Vector& zero) const;
  /// How far x moves along a direction, and the mean slope of the potential over that distance.
  struct Push {
    Expr distance, slope;
  };
  /// distance = path - weight slope: in closed form where the potential is quadratic along the
  /// direction.
  Push push(const Parts& before, const Vector& direction, const Expr& path, const Expr& weight,
            Unknowns& unknowns, Vector& zero) const;
  /// Motion of the passengers on a line: its direction, speed, and the force along it where that is
  /// linear in x.
  struct Line {
    Vector direction;
    Expr speed;
    Vector force;
  };
  Line line(const Parts& at, const Vector& direction, const Expr& speed) const;
  /// Moves x along a line for the time h; speed and force change.
  Vector pass_along(const Parts& before, Line& line, Unknowns& unknowns, const Expr& h,
                    Vector& zero) const;
  /// The values of a node: the line's and the slopes of the drivers' potential.
  struct Node {
    Line line;
    Vector slope;
    Vector values() const { return concatenate({line.direction, {line.speed}, line.force, slope}); }
  };
  Node node(const Vector& values) const;
  Expr stiffness_along(const Vector& direction, const Parts& at) const;
  /// One admissible direction after the other, there and back: in each the motion of that place and
  /// its momentum, all other momenta in the frame kept.
  Parts pass_in_pairs(const Parts& before, const KernelBasis& basis, Unknowns& unknowns,
                      const Expr& h, Vector& zero) const;
  /// All directions at once, where no basis of them is known.
  Parts pass_within(const Parts& before, const Expr& t, Unknowns& unknowns, const Expr& h,
                    Vector& zero) const;
  void kick(const Parts& at, const Expr& h, Parts& after) const;

  Vector frequency_squared_;  // c of an isotropic potential; else empty
  bool quadratic_ = false;    // the potential, in the passengers
};

}  // namespace dalembert
