#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dalembert/expression/vector.hpp"
#include "dalembert/mechanics/coordinate.hpp"
#include "dalembert/mechanics/group/configuration.hpp"

namespace dalembert {

/// A parameter with its admissible range. Bounds are inclusive unless marked exclusive.
struct Parameter {
  std::string name;                                       ///< symbol in the equations
  double value = 0.0;                                     ///< default
  double min = -std::numeric_limits<double>::infinity();  ///< lower bound
  double max = std::numeric_limits<double>::infinity();   ///< upper bound
  bool min_exclusive = false, max_exclusive = false;      ///< bounds that are outside of the range
  std::string description = {};                           ///< one line for people

  bool admits(double candidate) const;  ///< true if the value is in the range; false for nan
  /// The range in words, as "> 0" or "in [-1, 1]".
  std::string range_text() const;
};

/// Names, parameters and texts of a system, all but its equations.
struct SystemDescription {
  std::string name;                           ///< name in messages and results
  std::vector<Coordinate> coordinates;        ///< numbers and elements of groups, in order
  std::vector<Parameter> parameters = {};     ///< their order is that of all lists of values
  std::string description = {}, source = {};  ///< one line for people; publication
  /// Names of the multipliers, one for each constraint on velocities, then on positions: "normal"
  /// instead of "lambda_3". Where it is "", or the list is empty, the name is lambda_i.
  /// Names do not change the results.
  std::vector<std::string> multiplier_names = {};
};

/// The symbols in which a system's equations are written.
///
/// Of a coordinate these are its value and its velocity. Of an element of a group they are its
/// variables (the entries of a rotation matrix) and its velocity in the body frame; what a run
/// stores of it (a unit quaternion) stands in `q`, and the system puts the variables of stored
/// numbers in where its functions take q. Without groups `variables` is `q`.
struct Symbols {
  /// Element of the configuration space in equations. Shapes: as Group says; `matrix` is empty
  /// without one.
  struct Element {
    Vector variables, velocity;  ///< [Group::variable_count] and [Group::dimension]
    Matrix matrix;               ///< matrix among the variables: the rotation from body to space
  };

  Vector q, v;            ///< stored numbers [storage_count] and velocities [dof]
  Vector variables;       ///< functions of q in equations, [Configuration::variable_count]
  Expr t;                 ///< time
  Vector parameter_list;  ///< in the order of the description
  std::map<std::string, Expr, std::less<>> parameters;  ///< by name

  /// A parameter by name; RequestError if there is none.
  const Expr& operator[](std::string_view parameter) const;
  /// A coordinate or an element of a group by name; RequestError if there is none.
  const Element& element(std::string_view name) const;

  /// Coordinates and elements of groups by name.
  std::map<std::string, Element, std::less<>> elements;
};

/// A system given directly as zeta' = Pi(zeta) dH(zeta) with a skew matrix Pi: its coordinates are
/// zeta, it has no velocities and no constraints. Source: [Celledoni2019], Eq. (11).
struct SkewGradient {
  Expr hamiltonian = 0.0;  ///< H(zeta)
  Matrix structure = {};   ///< Pi
};

/// The equations of a system. L is `lagrangian` if given, else kinetic - potential.
/// Sign convention: d/dt dL/dv - dL/dq = (dPhi/dv)^T lambda + (dphi/dq)^T mu + force, where
/// Phi(q, v, t) = 0 and phi(q, t) = 0; a constraint that is not ideal has its row of `reactions` in
/// the place of its derivative. Everything may depend on time.
struct Mechanics {
  Expr kinetic = 0.0, potential = 0.0;  ///< T and V
  std::optional<Expr> lagrangian = {};  ///< L(q, v, t)
  Vector constraints = {};              ///< Phi(q, v, t), which vanish
  Vector holonomic = {};                ///< phi(q, t), which vanish
  Vector force = {};                    ///< external generalized force by velocity, [dof], or empty
  /// Generalized forces that multipliers of 1 exert, by constraint in the order of the multipliers,
  /// [dof] each, functions of (q, v, t): rows of B^T. An empty list, or an empty entry, for ideal
  /// constraints, whose reactions are their derivatives by the velocities.
  std::vector<Vector> reactions = {};
  std::vector<std::pair<std::string, Expr>> integrals = {};  ///< declared conserved quantities
  std::optional<std::vector<double>> reversal =
      {};  ///< signs of coordinates under time reversal; v gets the opposite signs. 1 for groups
  std::optional<SkewGradient> skew_gradient = {};  ///< instead of a Lagrangian
  std::vector<Vector> frame =
      {};  ///< vector fields spanning the constraint distribution D, if supplied
};

/// Form of the constraints in the velocities: linear A v, affine A v + b, or nonlinear.
enum class ConstraintKind { none, linear, affine, nonlinear };
/// The form of the Lagrangian: v.M v/2 - V(q) with constant M, with M(q), any other regular one, or
/// none at all (a system in skew-gradient form).
enum class LagrangianKind { constant_mass, configuration_mass, general, skew_gradient };

/// Properties of a system that methods ask for.
struct SystemTraits {
  LagrangianKind lagrangian = LagrangianKind::constant_mass;  ///< form of the Lagrangian
  ConstraintKind constraints =
      ConstraintKind::none;     ///< form of all of them in v; see `constraint`
  bool nonholonomic = false;    ///< there are constraints on velocities
  bool holonomic = false;       ///< there are constraints on positions
  bool time_dependent = false;  ///< t is in the Lagrangian, `System::constraint` or the force
  bool forced = false;          ///< the external force is not identically zero
  bool has_groups = false;      ///< the configuration space is more than R^n and angles
  bool ideal = true;            ///< all reactions are derivatives of their constraints

  /// True where nothing adds or takes energy: no time, no external force, no reaction of its own.
  bool is_conservative() const { return !time_dependent && !forced && ideal; }
};

/// A mechanical system on R^n, angles and Lie groups with constraints on velocities, on positions,
/// or both, as symbolic mechanics. Immutable, cheap to copy, and safe to share between threads. All
/// quantities are nondimensional unless the system's description says otherwise.
///
/// On groups, q are the stored numbers and v the velocities in the body frame (left trivialised);
/// derivatives by q are those along the left-invariant fields, so that gradients, momenta, forces
/// and the rows of matrices have dof() entries everywhere.
///
/// Functions that take q, v or t substitute these expressions into the system's equations, so that
/// a method can evaluate the mechanics at any point it constructs. Those without t are for systems
/// in which that quantity does not depend on time; elsewhere they take the symbol t itself. The
/// results are in the graph of the arguments. Wrong sizes, and expressions of another system or of
/// symbols that were taken twice, throw RequestError.
class System {
 public:
  /// Writes the equations of a system in the symbols that it is given.
  using Equations = std::function<Mechanics(const Symbols&)>;

  /// Builds a system. Throws RequestError where the equations make no sense: a Lagrangian
  /// that does not contain some velocity, a constraint on velocities that contains none, a
  /// constraint on positions that contains a velocity or no position, one that is identically zero,
  /// sizes that do not match, names used twice, names of multipliers that are no names.
  static System define(SystemDescription description, const Equations& equations);
  /// Builds a system on a graph that already holds the symbols, and that is frozen afterwards.
  static System define(SystemDescription description, GraphPointer graph, Symbols symbols,
                       Mechanics mechanics);
  /// Makes a graph and the symbols that a description calls for; throws RequestError for
  /// names used twice.
  static std::pair<GraphPointer, Symbols> make_symbols(const SystemDescription& description);

  /// True for copies of one system, which share all that they hold.
  bool is_copy_of(const System& other) const { return data_ == other.data_; }
  const SystemDescription& description() const;                   ///< as given to `define`
  const std::string& name() const { return description().name; }  ///< name in the description
  /// The dimension of the configuration space: the entries of v, of momenta and of forces.
  std::size_t dof() const;
  /// As many as dof(); none in skew-gradient form.
  std::size_t velocity_count() const;
  /// The entries of q: dof() on R^n, more where elements of groups are stored.
  std::size_t storage_count() const { return configuration().storage_count(); }
  const Configuration& configuration() const;  ///< place of q, in the order of the coordinates
  /// The number of multipliers: constraints on velocities, then constraints on positions.
  std::size_t constraint_count() const;
  std::size_t holonomic_count() const;  ///< number of constraints on positions
  /// Name of each multiplier: that in the description, else lambda_i. `lambda_i` is understood
  /// beside a name wherever a multiplier is asked for.
  std::vector<std::string> multiplier_names() const;
  /// Number of constraints on velocities.
  std::size_t nonholonomic_count() const { return constraint_count() - holonomic_count(); }
  const SystemTraits& traits() const;  ///< found when the system was defined
  /// The symbols in a new graph of their own, over the equations of the system. Take them once for
  /// all that is to be combined: expressions of symbols that were taken twice do not combine.
  Symbols symbols() const;
  /// The symbols in the graph of other expressions of this system, to be combined with them.
  Symbols symbols(const Expr& beside) const { return symbols(Vector{beside}); }
  /// The symbols in the graph of several expressions, which have one graph.
  Symbols symbols(const Vector& beside) const;
  /// The equations as given, in the frozen graph of the system: they combine with expressions of
  /// any symbols().
  const Mechanics& mechanics() const;
  /// Expressions of mechanics(), or of its symbols, at a point.
  Vector at(const Vector& expressions, const Vector& q, const Vector& v, const Expr& t) const;
  /// Their derivatives along the left-invariant fields (by q, on R^n), [size x dof].
  Matrix left_jacobian(const Vector& expressions, const Vector& q, const Vector& v,
                       const Expr& t) const;
  /// Signs of positions under mechanics().reversal: those of the stored numbers [storage_count],
  /// and one for each velocity [dof]; v gets the opposite signs.
  struct Reversal {
    std::vector<double> stored, position;  ///< 1 or -1
  };
  /// The signs of mechanics().reversal; nothing without a reversal.
  std::optional<Reversal> reversal() const;
  /// The default values of the parameters in the order of the description.
  std::vector<double> default_parameters() const;

  /// True if the system is given in skew-gradient form. Of its mechanics only the energy, the
  /// integrals and `structure` are then defined.
  bool is_skew_gradient() const { return traits().lagrangian == LagrangianKind::skew_gradient; }
  /// Pi(zeta) of a skew-gradient system, [dof x dof]; RequestError for others.
  Matrix structure(const Vector& zeta) const;

  /// L(q, v, t).
  Expr lagrangian(const Vector& q, const Vector& v, const Expr& t) const;
  Expr lagrangian(const Vector& q, const Vector& v) const;  ///< at the symbol t
  /// dL/dq, [dof]; along the left-invariant fields on groups.
  Vector lagrangian_gradient(const Vector& q, const Vector& v, const Expr& t) const;
  Vector lagrangian_gradient(const Vector& q, const Vector& v) const;  ///< at the symbol t
  /// p = dL/dv, [dof].
  Vector momentum(const Vector& q, const Vector& v, const Expr& t) const;
  Vector momentum(const Vector& q, const Vector& v) const;  ///< at the symbol t
  /// M(q) = d^2 L/dv^2 at v = 0, [dof x dof]: of every v unless the Lagrangian is general.
  Matrix mass(const Vector& q) const;
  Matrix mass(const Vector& q, const Vector& v) const;                 ///< at the symbol t
  Matrix mass(const Vector& q, const Vector& v, const Expr& t) const;  ///< at (q, v, t)
  /// V(q) = -L(q, 0).
  Expr potential(const Vector& q, const Expr& t) const;
  Expr potential(const Vector& q) const;  ///< at the symbol t
  /// dV, [dof]; along the left-invariant fields on groups.
  Vector potential_gradient(const Vector& q, const Expr& t) const;
  Vector potential_gradient(const Vector& q) const;  ///< at the symbol t
  /// External generalized force, [dof]; zeros if there is none.
  Vector force(const Vector& q, const Vector& v, const Expr& t) const;
  /// Energy v.dL/dv - L; the Hamiltonian in skew-gradient form.
  Expr energy(const Vector& q, const Vector& v, const Expr& t) const;
  Expr energy(const Vector& q, const Vector& v) const;  ///< at the symbol t

  /// Constraint functions, zero along every motion, one per multiplier: Phi(q, v, t) of the
  /// constraints on velocities, then dphi/dq v + dphi/dt of those on positions.
  Vector constraint(const Vector& q, const Vector& v, const Expr& t) const;
  Vector constraint(const Vector& q, const Vector& v) const;  ///< at the symbol t
  /// phi(q, t) of the constraints on positions.
  Vector holonomic(const Vector& q, const Expr& t) const;
  /// A(q) = dPhi/dv of linear or affine constraints, [constraint_count x dof]. Rows as in
  /// `constraint`.
  Matrix constraint_matrix(const Vector& q) const;
  /// dPhi/dv at v, for nonlinear constraints, too.
  Matrix constraint_matrix(const Vector& q, const Vector& v, const Expr& t) const;
  /// B^T, [constraint_count x dof]: the generalized force of each multiplier of 1, as in
  /// Mechanics::reactions; A where the constraints are ideal.
  Matrix reaction_matrix(const Vector& q, const Vector& v, const Expr& t) const;
  /// The first constraint that is not ideal, as its multiplier is called; "" if all are.
  std::string nonideal_constraint() const;
  /// B lambda, the generalized constraint force, [dof]; A^T lambda where they are ideal.
  Vector constraint_force(const Vector& q, const Vector& lambda) const;
  /// Constraint force with A or B at v, for nonlinear constraints, too.
  Vector constraint_force(const Vector& q, const Vector& v, const Expr& t,
                          const Vector& lambda) const;

  /// The unconstrained acceleration Gamma = M^-1 (dL/dq + force - d(dL/dv)/dq v - d(dL/dv)/dt).
  Vector unconstrained_acceleration(const Vector& q, const Vector& v, const Expr& t) const;
  Vector unconstrained_acceleration(const Vector& q, const Vector& v) const;  ///< at the symbol t
  /// Z = M^-1 B, the directions in which multipliers accelerate, [dof x constraint_count];
  /// M^-1 A^T where the constraints are ideal.
  Matrix multiplier_directions(const Vector& q) const;
  /// Z with M and A at v, for general Lagrangians and nonlinear constraints, too.
  Matrix multiplier_directions(const Vector& q, const Vector& v, const Expr& t) const;
  /// Acceleration and multiplier of the motion.
  struct Eliminated {
    Vector acceleration, lambda;  ///< v' [dof] and [constraint_count]
  };
  /// The eliminated equations: lambda and v' as functions of (q, v); both empty in skew-gradient
  /// form. Source: [JimenezScheurle2015], Eq. (23).
  Eliminated eliminated(const Vector& q, const Vector& v, const Expr& t) const;
  Eliminated eliminated(const Vector& q, const Vector& v) const;  ///< at the symbol t
  /// Residual of the equations of motion, zero for the true acceleration and multiplier,
  /// [dof + constraint_count]: d/dt dL/dv - dL/dq - force - B lambda, then dPhi/dt.
  Vector motion_residual(const Vector& q, const Vector& v, const Expr& t,
                         const Vector& acceleration, const Vector& lambda) const;
  /// The velocity nearest to v, in the metric of the mass, that satisfies constraints linear or
  /// affine in v; see ConsistentStart for nonlinear ones.
  Vector projected_velocity(const Vector& q, const Vector& v, const Expr& t) const;

 private:
  friend class Evaluator;  // which keeps what it compiles with the system
  struct Data;
  explicit System(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

/// RequestError, with what it is that needs coordinates, for a system on groups.
void require_coordinates(const System& system, const std::string& what);

}  // namespace dalembert
