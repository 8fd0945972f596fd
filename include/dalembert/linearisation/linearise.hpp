#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/problem.hpp"
#include "dalembert/run/simulate.hpp"
#include "dalembert/sensitivity/sensitivity.hpp"

namespace dalembert {

/// A root of the linearised equations x' = A x: motions along `shape` grow as exp(value t).
struct LinearMode {
  std::complex<double> value;                    ///< growth and angular frequency, per time
  std::vector<std::complex<double>> shape = {};  ///< [states], its largest entry is 1
};

/// Stability of a steady motion by the linearised equations.
enum class Stability {
  stable,     ///< all modes decay but those that lead to other steady motions nearby
  undecided,  ///< no mode grows, and some do not decay: terms of higher order decide
  unstable,   ///< a mode grows
};

/// A steady motion (a relative equilibrium: a motion along a symmetry, as of a bicycle that runs
/// straight), and the equations of motion linearised there along the constraints. Moves along the
/// symmetries are divided out: they change nothing.
struct Linearisation {
  /// `failed` where no steady motion was found.
  enum class Status { ok, failed } status = Status::ok;
  std::string message = {};  ///< one sentence when no steady motion was found
  double residual = 0.0;     ///< of the equations of a steady motion
  double distance = 0.0;     ///< of the motion from the start that was given
  std::vector<double> q = {}, v = {}, lambda = {};  ///< the motion at t = 0
  /// The symmetries of the equations, as vector fields: "d/dx", "-y d/dx + x d/dy + d/dpsi".
  std::vector<std::string> symmetries = {};
  /// The field that the motion follows: who moves along sees the roots below. Where several move
  /// the state alike it is the one that turns least in space, so that frequencies of a spinning
  /// body are those seen in space. "0" at rest.
  std::string moves_along = "0";
  /// The names of coordinates and velocities that describe a small deviation, [states]; of an
  /// element R of a group they are R_1, ..., a displacement in the body frame, and R_dot_1, ...
  std::vector<std::string> states = {};
  /// Coordinates whose deviations symmetries bring to zero.
  std::vector<std::string> held = {};
  /// Those of the other coordinates and velocities, which follow along the constraints: names.
  std::vector<std::string> dependent = {};
  /// The matrix that gives them from the states, [dependent x states], row after row.
  std::vector<double> dependence = {};
  std::vector<double> matrix = {};          ///< A, [states x states], row after row
  std::vector<LinearMode> modes = {};       ///< [states], those that grow most first
  std::size_t neutral = 0;                  ///< modes whose value is zero
  std::size_t family = 0;                   ///< independent ones that lead to other steady motions
  Stability stability = Stability::stable;  ///< verdict, if `ok`
  /// A clause on the switch between pieces of the equations at which the motion is, so that the
  /// derivatives are those of one side; "" else. `linearise_problem` looks for one.
  std::string one_sided = {};

  /// True if a steady motion was found.
  bool ok() const { return status == Status::ok; }
  /// The largest real part among the modes that are not neutral; -infinity without one.
  double growth() const;
};

/// Options of `linearise`.
struct LinearisationOptions {
  NamedValues parameters = {};  ///< instead of the system's defaults and of what the start sets
  /// Look for a steady motion near the start; else the start must be one, up to 1e-6.
  bool search = true;
  /// Quantities that keep their value of the start while a steady motion is looked for.
  std::vector<SensitiveQuantity> keep = {};
};

/// Linearises a system about steady motions; its equations are compiled once. One per thread.
///
/// Symmetries are those fields on the configuration space that leave energy (up to a constant),
/// constraints and motions as they are: affine in the coordinates that are lines (up to 12 of
/// them; constant in more), constant in angles, and left and right translations of groups. They
/// are found in numbers, at random states on the constraints.
class Lineariser {
 public:
  /// RequestError for a system that depends on time.
  explicit Lineariser(const System& system, const std::vector<SensitiveQuantity>& keep = {});
  Lineariser(Lineariser&&) noexcept;
  Lineariser& operator=(Lineariser&&) noexcept;
  ~Lineariser();

  /// At an admissible state (see `prepare_start`); parameters in the order of the description, the
  /// defaults if empty. `search` as in LinearisationOptions.
  Linearisation operator()(std::span<const double> q, std::span<const double> v,
                           std::span<const double> parameters = {}, bool search = true);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The linearisation of a problem at, or near, a start. RequestError for what `prepare_start`
/// refuses, and for a system that depends on time.
Linearisation linearise(const Problem& problem, const StartChoice& start = {},
                        const LinearisationOptions& options = {});

}  // namespace dalembert
