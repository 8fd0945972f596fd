#include "dalembert/mechanics/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/consistent_start.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"
#include "mechanics/numeric_rank.hpp"
#include "mechanics/system_data.hpp"

namespace dalembert {

/// The last mass matrix that was found to be regular, and the last rows of constraints that were
/// found to be independent: constant ones are looked at once, and those of a position not again for
/// each velocity.
struct CheckedMatrices {
  std::vector<double> mass, rows;
};

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::string point_text(std::span<const double> values) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : ", ") + to_string(values[i]);
  return text + ")";
}

std::vector<double> checked_parameters(const System& system, std::span<const double> given) {
  std::vector<double> values = parameter_values(system, given);
  check_parameter_ranges(system, values);
  return values;
}

bool is_finite(double value) { return std::isfinite(value); }

/// The Lagrangian, the mass and the constraint matrix at a state; `v` is empty where the position
/// alone is checked.
struct Regularity {
  const System& system;
  std::span<const double> q, v, values;

  std::size_t dof() const { return system.dof(); }
  std::span<const double> mass() const { return values.first(dof() * dof()); }
  std::span<const double> constraint_matrix() const {
    return values.subspan(dof() * dof(), values.size() - 1 - dof() * dof());
  }
  double lagrangian() const { return values.back(); }
  /// For messages, which are written where something is wrong, and nowhere else: starts of a
  /// million members are checked.
  std::string where() const {
    return " of system \"" + system.name() + "\" at q = " + point_text(q) +
           (v.empty() ? "" : ", v = " + point_text(v));
  }
};

void check_mass(const Regularity& at, CheckedMatrices& before) {
  const std::size_t n = at.dof();
  if (!is_finite(at.lagrangian())) {
    throw RequestError("the Lagrangian" + at.where() +
                       " is not a finite number; check for a division by zero");
  }
  if (!std::ranges::all_of(at.mass(), is_finite)) {
    throw RequestError("the mass matrix" + at.where() +
                       " is not finite; check for a division by zero");
  }
  if (std::ranges::equal(at.mass(), before.mass)) return;
  const double ratio = pivot_ratio({at.mass().begin(), at.mass().end()}, static_cast<int>(n));
  if (!(ratio > 8.0 * epsilon * static_cast<double>(n))) {
    throw RequestError("the mass matrix" + at.where() + " is singular: its smallest pivot is " +
                       to_string(ratio) + " of the largest");
  }
  before.mass.assign(at.mass().begin(), at.mass().end());
}

void check_positions(const Regularity& at, std::span<const double> rows,
                     std::span<const double> phi) {
  if (phi.empty()) return;
  const std::size_t n = at.dof();
  const Configuration& configuration = at.system.configuration();
  // How far along each velocity the numbers of a position are from zero.
  std::vector<double> sizes(n, 1.0);
  for (const Configuration::Factor& factor : configuration.factors()) {
    for (std::size_t i = 0; i < factor.group.dimension(); ++i) {
      for (std::size_t j = 0; j < factor.group.storage_size(); ++j) {
        if (factor.group.is_flat() && i != j) continue;
        double& size = sizes[factor.velocity + i];
        size = numeric::larger(size, std::fabs(at.q[factor.storage + j]));
      }
    }
  }
  for (std::size_t k = 0; k < phi.size(); ++k) {
    double scale = 0.0;
    for (std::size_t j = 0; j < n; ++j) scale += std::fabs(rows[k * n + j]) * sizes[j];
    if (std::fabs(phi[k]) <= 1e-14 * scale * static_cast<double>(n)) continue;
    throw RequestError("holonomic constraint " + std::to_string(k + 1) + at.where() +
                       " is violated by " + to_string(phi[k]) +
                       "; correct the position or ask for a projection with project = true");
  }
}

/// Checks the rows of the constraint matrix, and Phi and phi unless a violation is allowed.
void check_constraints(const Regularity& at, std::span<const double> phi, bool allow_violation,
                       CheckedMatrices& before) {
  if (!std::ranges::all_of(at.constraint_matrix(), is_finite)) {
    throw RequestError("the constraint matrix" + at.where() +
                       " is not finite; check for a division by zero");
  }
  const std::size_t n = at.dof(), m = at.system.constraint_count();
  const std::span<const double> matrix = at.constraint_matrix();
  const bool are_independent = std::ranges::equal(matrix, before.rows);
  std::vector<double> rows(matrix.begin(), matrix.end()), lengths;
  for (std::size_t k = 0; k < m; ++k) {
    const auto name = [&] { return "constraint " + std::to_string(k + 1) + at.where(); };
    const std::span<const double> row = matrix.subspan(k * n, n);
    double scale = 0.0;
    for (std::size_t j = 0; j < n; ++j) scale += std::fabs(row[j] * at.v[j]);
    if (!std::isfinite(phi[k])) throw RequestError(name() + " is not finite");
    if (!are_independent) {
      if (std::ranges::all_of(row, [](double entry) { return entry == 0.0; }))
        throw RequestError(name() + " vanishes for every velocity");
      // What remains of a row that is a combination of others is round-off of its terms.
      const double part = independent_part(rows, lengths, k, n);
      if (!(part > 1e-13)) {
        throw DependentConstraints(name() +
                                   " is not independent of the constraints before it: only " +
                                   to_string(part) + " of its row is new");
      }
    }
    // Round-off of the terms, with room for data printed to 15 digits.
    if (!allow_violation && std::fabs(phi[k]) > 1e-14 * scale * static_cast<double>(n) + 1e-15) {
      throw RequestError(name() + " is violated by " + to_string(phi[k]) +
                         "; correct the velocity or ask for a projection with project = true");
    }
  }
  before.rows.assign(matrix.begin(), matrix.end());
  if (allow_violation) return;
  const std::size_t k = at.system.holonomic_count();
  check_positions(at, at.constraint_matrix().last(k * n), phi.subspan(m));
}

/// det(A M^-1 B) with rows of A and columns of B of length one in the metric M^-1: how far
/// reactions with directions of their own can hold the constraints. `reactions` are rows of B^T.
double hold_of_reactions(const Regularity& at, std::span<const double> reactions) {
  const auto n = at.dof(), m = reactions.size() / n;
  std::vector<double> mass(at.mass().begin(), at.mass().end()), rows(n), pushed, products(m * m);
  static_cast<void>(numeric::lu_factor(static_cast<int>(n), mass.data(), rows.data()));
  const auto metric = [&](std::span<const double> row) {
    pushed.assign(row.begin(), row.end());
    numeric::lu_solve(static_cast<int>(n), mass.data(), rows.data(), pushed.data());
    return std::span<const double>(pushed);
  };
  const auto inner = [](std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto row_of = [n](std::span<const double> list, std::size_t k) {
    return list.subspan(k * n, n);
  };
  std::vector<double> lengths;
  for (std::size_t i = 0; i < m; ++i) {
    const std::span<const double> a = row_of(at.constraint_matrix(), i);
    lengths.push_back(std::sqrt(inner(a, metric(a))));
  }
  for (std::size_t j = 0; j < m; ++j) {
    const std::span<const double> b = row_of(reactions, j), w = metric(b);
    const double length = std::sqrt(inner(b, w));
    for (std::size_t i = 0; i < m; ++i)
      products[i * m + j] = inner(row_of(at.constraint_matrix(), i), w) / (lengths[i] * length);
  }
  rows.resize(m);
  static_cast<void>(numeric::lu_factor(static_cast<int>(m), products.data(), rows.data()));
  double determinant = 1.0;
  for (std::size_t i = 0; i < m; ++i) determinant /= products[i * m + i];
  return std::fabs(determinant);
}

}  // namespace

struct EvaluatorFunctions {
  explicit EvaluatorFunctions(const System& system);

  StateFunction<double> energy, constraint, integrals, eliminated;
  StateFunction<double> reactions;  // rows of B^T, where they are not those of ideal constraints
  // The mass, the constraint matrix and the Lagrangian: entries that are not constant, and all.
  StateFunction<double> varying;
  std::vector<std::size_t> varying_at;
  std::vector<double> regular;

  void set_parameters(std::span<const double> parameters) {
    for (StateFunction<double>* function :
         {&energy, &constraint, &integrals, &eliminated, &reactions, &varying})
      if (function->output_count() > 0) function->set_parameters(parameters);
  }
};

EvaluatorFunctions::EvaluatorFunctions(const System& system) {
  const Symbols s = system.symbols();
  const auto compiled = [&](const Vector& outputs) {
    return StateFunction<double>(system, s, outputs);
  };
  energy = compiled({system.energy(s.q, s.v)});
  Vector values;
  for (const auto& [name, value] : system.mechanics().integrals) values.push_back(value);
  integrals = compiled(values);
  if (system.is_skew_gradient()) return;
  constraint =
      compiled(concatenate({system.constraint(s.q, s.v, s.t), system.holonomic(s.q, s.t)}));
  const System::Eliminated motion = system.eliminated(s.q, s.v, s.t);
  eliminated = compiled(concatenate({motion.acceleration, motion.lambda}));
  if (!system.traits().ideal) reactions = compiled(system.reaction_matrix(s.q, s.v, s.t).entries());
  const Vector entries = concatenate({system.mass(s.q, s.v).entries(),
                                      system.constraint_matrix(s.q, s.v, s.t).entries(),
                                      Vector{system.lagrangian(s.q, s.v)}});
  Vector changing;
  for (const Expr& entry : entries) {
    regular.push_back(entry.constant().high);  // of others meaningless until they are evaluated
    if (entry.is_constant()) continue;
    varying_at.push_back(regular.size() - 1);
    changing.push_back(entry);
  }
  varying = compiled(changing);
}

struct Evaluator::Parts : EvaluatorFunctions {
  Parts(System its_system, const EvaluatorFunctions& functions, std::span<const double> given)
      : EvaluatorFunctions(functions), system(std::move(its_system)) {
    use_parameters(given);
  }

  System system;
  std::vector<double> parameters;
  CheckedMatrices regular_before;
  // Made when first asked for.
  std::optional<ConsistentStart<double>> consistent_start;
  std::optional<StateFunction<double>> projection;

  void use_parameters(std::span<const double> given) {
    parameters = checked_parameters(system, given);
    set_parameters(parameters);
    if (projection) projection->set_parameters(parameters);
    if (consistent_start) consistent_start->set_parameters(parameters);
  }
  ConsistentStart<double>& consistent() {
    if (!consistent_start) {
      consistent_start =
          *system.data_->consistent_start.get([&] { return ConsistentStart<double>(system); });
      consistent_start->set_parameters(parameters);
    }
    return *consistent_start;
  }
  StateFunction<double>& projected() {
    if (!projection) {
      projection = *system.data_->projection.get([&] {
        const Symbols s = system.symbols();
        return StateFunction<double>(system, s, system.projected_velocity(s.q, s.v, s.t));
      });
      projection->set_parameters(parameters);
    }
    return *projection;
  }
  /// The mass, the constraint matrix and the Lagrangian, until the next call.
  std::span<const double> regularity(double t, std::span<const double> q,
                                     std::span<const double> v) {
    const std::span<const double> values = varying(t, q, v);
    for (std::size_t i = 0; i < values.size(); ++i) regular[varying_at[i]] = values[i];
    return regular;
  }
  /// In skew-gradient form.
  void check_hamiltonian(double t, std::span<const double> q) {
    if (std::isfinite(energy(t, q, {}).front())) return;
    throw RequestError("the Hamiltonian of system \"" + system.name() + "\" at zeta = " +
                       point_text(q) + " is not a finite number; check for a division by zero");
  }
};

Evaluator::Evaluator(System system, std::span<const double> parameters) {
  const auto functions = system.data_->evaluator.get([&] { return EvaluatorFunctions(system); });
  parts_ = std::make_unique<Parts>(std::move(system), *functions, parameters);
}
Evaluator::Evaluator(const Evaluator& other) : parts_(std::make_unique<Parts>(*other.parts_)) {}
Evaluator& Evaluator::operator=(const Evaluator& other) {
  if (this != &other) parts_ = std::make_unique<Parts>(*other.parts_);
  return *this;
}
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;
Evaluator::~Evaluator() = default;

const System& Evaluator::system() const { return parts_->system; }
std::span<const double> Evaluator::parameters() const { return parts_->parameters; }

void Evaluator::set_parameters(std::span<const double> parameters) {
  parts_->use_parameters(parameters);
}

double Evaluator::energy(double t, std::span<const double> q, std::span<const double> v) {
  return parts_->energy(t, q, v).front();
}

double Evaluator::constraint_error(double t, std::span<const double> q, std::span<const double> v) {
  if (parts_->system.constraint_count() == 0) return 0.0;
  double largest = 0.0;
  for (const double value : parts_->constraint(t, q, v))
    largest = std::fabs(value) <= largest ? largest : std::fabs(value);
  return largest;
}

std::vector<double> Evaluator::constraint(double t, std::span<const double> q,
                                          std::span<const double> v) {
  if (parts_->system.constraint_count() == 0) return {};
  const std::span<const double> values = parts_->constraint(t, q, v);
  return {values.begin(), values.end()};
}

void Evaluator::integrals(double t, std::span<const double> q, std::span<const double> v,
                          std::span<double> values) {
  parts_->integrals.evaluate(t, q, v, {}, values);
}

void Evaluator::multiplier(double t, std::span<const double> q, std::span<const double> v,
                           std::span<double> lambda) {
  if (lambda.size() != parts_->system.constraint_count())
    refuse_state_size("multipliers", lambda.size(), parts_->system.constraint_count());
  if (lambda.empty()) return;
  std::ranges::copy(parts_->eliminated(t, q, v).subspan(parts_->system.dof()), lambda.begin());
}

std::vector<double> Evaluator::acceleration(double t, std::span<const double> q,
                                            std::span<const double> v) {
  const std::span<const double> values = parts_->eliminated(t, q, v).first(parts_->system.dof());
  return {values.begin(), values.end()};
}

std::vector<double> Evaluator::projected_velocity(double t, std::span<const double> q,
                                                  std::span<const double> v) {
  const std::span<const double> values = parts_->projected()(t, q, v);
  return {values.begin(), values.end()};
}

std::pair<std::vector<double>, std::vector<double>> Evaluator::consistent_state(
    double t, std::span<const double> q, std::span<const double> v) {
  auto found = parts_->consistent()(t, {q.begin(), q.end()}, {v.begin(), v.end()});
  if (!found.found()) {
    throw RequestError("no " + std::string(found.found_q ? "velocity" : "position") +
                       " of system \"" + parts_->system.name() +
                       "\" that satisfies the constraints was found near q = " + point_text(q) +
                       ", v = " + point_text(v) + ": Newton's iteration ends with residual " +
                       to_string(found.residual) + "; start closer to the constraints");
  }
  return {std::move(found.q), std::move(found.v)};
}

std::vector<double> Evaluator::velocity_of_momentum(double t, std::span<const double> q,
                                                    std::span<const double> p) {
  auto found = parts_->consistent().with_momentum(t, {q.begin(), q.end()}, {p.begin(), p.end()});
  if (!found.found()) {
    throw RequestError("no velocity of system \"" + parts_->system.name() +
                       "\" with momentum p = " + point_text(p) + " was found at q = " +
                       point_text(q) + ": Newton's iteration ends with residual " +
                       to_string(found.residual) + "; give the velocity instead");
  }
  return std::move(found.v);
}

void Evaluator::check_position(double t, std::span<const double> q) {
  const System& system = parts_->system;
  if (system.is_skew_gradient()) return parts_->check_hamiltonian(t, q);
  const std::vector<double> rest(system.dof(), 0.0);
  // Constraints that are not linear or affine in v may be singular at rest and regular elsewhere.
  if (system.traits().constraints != ConstraintKind::nonlinear)
    return check_regular(t, q, rest, true);
  if (system.traits().lagrangian != LagrangianKind::general)
    check_mass({system, q, {}, parts_->regularity(t, q, rest)}, parts_->regular_before);
}

void Evaluator::check_regular(double t, std::span<const double> q, std::span<const double> v,
                              bool allow_violation) {
  const System& system = parts_->system;
  if (system.is_skew_gradient()) return parts_->check_hamiltonian(t, q);
  const Regularity at{system, q, v, parts_->regularity(t, q, v)};
  check_mass(at, parts_->regular_before);
  check_constraints(at, constraint(t, q, v), allow_violation, parts_->regular_before);
  constexpr double holds_nothing = 1e-8;
  if (!system.traits().ideal &&
      !(hold_of_reactions(at, parts_->reactions(t, q, v)) > holds_nothing))
    throw RequestError(
        "the reaction of \"" + system.nonideal_constraint() + "\"" + at.where() +
        " does not hold the constraints: A M^-1 B is singular there, where A are the "
        "derivatives of the constraints by the velocities, and B the reactions");
  if (!std::ranges::all_of(parts_->eliminated(t, q, v), is_finite)) {
    throw RequestError("the acceleration" + at.where() +
                       " is not finite; check for a division by zero");
  }
}

}  // namespace dalembert
